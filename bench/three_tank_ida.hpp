#pragma once

#include <array>
#include <vector>

namespace mti::bench {

/// The three-tank system with two-point control ((10) to (19) of the paper), as one would write it by hand for
/// SUNDIALS IDA: the yardstick for what generality costs.
///
///     (c m ẋ_i + γ x_i − α (x_j + x_k) − α u_1) y + c f_v (x_i − u_2) z_i = 0,    i = 1, 2, 3
///     y − 1 − z_1 z_2 − z_1 z_3 − z_2 z_3 + z_1 z_2 z_3 = 0
///
/// x temperatures in °C, y number of open valves (at least 1), z_i ∈ {0,1} valves: opened when x_i falls to
/// `low`, closed when it rises to `high`. Here z has one entry per valve; the counterparts of the valves in
/// the model (z2, z4, z6) hold no information.
struct ThreeTanks {
  double c = 4200.0, m = 5.0, alpha = 125.0, f_v = 0.09;
  double ambient = 0.0, inlet = 80.0;
  std::array<double, 3> low{30.0, 25.0, 35.0}, high{40.0, 35.0, 45.0};
  std::array<double, 3> start{37.0, 30.0, 40.0};
};

/// Error control: rtol·|w_i| + atol·nominal_i per step; nominal values 40, 40, 40 for x and 1 for y.
struct IdaOptions {
  double rtol = 1e-6, atol = 1e-6;
  double stop = 1000.0;
  double output_interval = 1.0;
  /// First step after a start from the motion's curvature, √(1/max |ẍ_i|/ε_i) with ε_i the allowed error,
  /// instead of IDA's own, far smaller one. Few hand-written programs do so; it saves a quarter of the steps.
  bool first_step_from_curvature = false;
};

struct IdaSwitch {
  double time = 0.0;
  int valve = 0;  ///< 0, 1, 2
};

/// What a run leaves: the same rows as a Trajectory has (one per output time, two per switch).
struct IdaRun {
  struct Row {
    double time;
    int side;
    std::array<double, 3> x;
    double y;
    std::array<int, 3> z;
  };
  std::vector<Row> rows;
  std::vector<IdaSwitch> switches;
  long steps = 0, residual_evaluations = 0, jacobian_evaluations = 0;
};

/// Integrates the tanks with IDA: dense analytic Jacobian, six root functions with their directions, restart
/// with IDAReInit from directly computed derivatives. Throws std::runtime_error where IDA fails.
[[nodiscard]] IdaRun run_three_tanks(const ThreeTanks& tanks, const IdaOptions& options);

}  // namespace mti::bench
