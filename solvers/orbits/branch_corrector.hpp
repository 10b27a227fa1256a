#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

#include "solvers/budget/budget.hpp"
#include "solvers/orbits/multipliers.hpp"
#include "solvers/orbits/orbit_branch.hpp"
#include "solvers/orbits/return_map.hpp"
#include "solvers/orbits/round_events.hpp"

namespace mti {

/// An orbit of a branch: w = (x(0), T, p) in units of the branch; T only where it is free.
struct BranchOrbit {
  Eigen::VectorXd w;
  double start = 0.0, period = 0.0, parameter = 0.0;
  std::vector<double> v;  ///< all signals at the start, signature.size()
  ReturnMap map;
  Eigen::VectorXd direction;  ///< τ, |τ| = 1: of the branch there
  std::vector<Multiplier> multipliers;
  OrbitStability stability;
  RoundEvents events;
  RoundEvents
      events_of_guess;  ///< before the first step of Newton's method, where that round has come to its end
  bool has_guess = false;
  int iterations = 0;

  /// τ_p: 0 where the branch turns.
  [[nodiscard]] double turn() const { return direction[direction.size() - 1]; }
};

/// Newton's method for an orbit of a branch,
///
///     [J  ∂x(T)/∂p] δw = [x(0) − x(T)]
///     [   borderᵀ  ]      [borderᵀ (w* − w)]
///
/// with J = newton_matrix(), in units of the branch. The period of inputs that vary may follow from p: with so many of it as at first,
/// T = N·T_u(p), ∂x(T)/∂p has ẋ(T) dT/dp in it.
class BranchCorrector {
 public:
  /// The units are those of the first orbit: max(nominal, |x(0)|), T and |to − from|. All outlive it.
  BranchCorrector(const ModelOfParameter& model_at, const BranchOptions& options, const Budget& budget,
                  const Model& model, const Orbit& first);

  /// The orbit as find_orbit() has it, of the parameter `from`. Where it is not found again, its map has a message.
  [[nodiscard]] BranchOrbit first(const Orbit& found) const;
  /// The orbit with borderᵀ (w − guess) = 0, beginning at the time and in the mode of `from`; the direction of the branch is that with
  /// borderᵀ τ > 0. Where there is none, map.message says why.
  [[nodiscard]] BranchOrbit correct(const BranchOrbit& from, const Eigen::VectorXd& guess,
                                    const Eigen::VectorXd& border) const;
  /// At a value of the parameter, from a guess.
  [[nodiscard]] BranchOrbit correct_at(const BranchOrbit& from, const Eigen::VectorXd& guess,
                                       double parameter) const;
  /// The same orbit, begun in the middle between two events that are far from each other, where `orbit` begins near one.
  [[nodiscard]] BranchOrbit away_from_events(BranchOrbit orbit) const;
  /// Lowest and highest value of each state over one period.
  void measure(const BranchOrbit& orbit, std::vector<double>& lowest, std::vector<double>& highest) const;

  /// How large an orbit is in units of the first one, at least 1.
  [[nodiscard]] static double size_of(const Eigen::VectorXd& w);
  /// |x(T/2) − x(0)| in units of the branch.
  [[nodiscard]] double half_way(const BranchOrbit& orbit) const;

  [[nodiscard]] double rtol() const { return rtol_; }
  [[nodiscard]] double parameter_of(const Eigen::VectorXd& w) const { return w[w.size() - 1] * range_; }
  [[nodiscard]] double range() const { return range_; }
  [[nodiscard]] const Eigen::VectorXd& units() const { return units_; }

 private:
  [[nodiscard]] DifferentiatedModel model_of(const BranchOrbit& orbit) const;
  [[nodiscard]] SimulationOptions options_of(const BranchOrbit& orbit) const;
  /// The period of the inputs, N·T_u, of a model; that of the first orbit where they have none.
  [[nodiscard]] double forced_period(const Model& model) const;
  [[nodiscard]] double within_first_period(const Model& model, double start, double T) const;
  /// dT/dp.
  [[nodiscard]] double slope_of_period(const DifferentiatedModel& model) const;
  /// Moves `orbit` to w.
  void enter(BranchOrbit& orbit, const Eigen::VectorXd& w) const;

  const ModelOfParameter& model_at_;
  const BranchOptions& options_;
  const Budget& budget_;
  int n_;
  bool autonomous_;
  double range_, period_unit_, rtol_;
  Eigen::VectorXd units_;
  std::size_t size_;  ///< of v
  /// The input whose period follows from p, and that period at first.
  struct Forcing {
    std::size_t input;
    double period;
  };
  std::optional<Forcing> forcing_ = {};
  std::vector<ParameterDerivative> by_starts_;
};

}  // namespace mti
