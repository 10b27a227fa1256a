// Models of discrete time: the simulator beside the recurrence of one model written by hand.
//
//     discrete_one_tank_bench [rounds]
//
// Prints time per sample of both and the largest difference of the states.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "bench/timing.hpp"
#include "io/model/read_model.hpp"
#include "solvers/simulation/simulate.hpp"

namespace {

using State = std::array<double, 3>;
constexpr int samples = 3001;

/// tests/cases/discrete_one_tank.json solved for next(x) by hand, the rule for z in code.
std::vector<State> recurrence() {
  std::vector<State> course;
  course.reserve(samples);
  State x = {25.0, 0.0, 0.0};
  int z = 1;
  for (int k = 0; k < samples; ++k) {
    course.push_back(x);
    const double limit = k <= 1500 ? 30.0 : 35.0;
    if ((2 * z - 1) * (x[0] - limit) > 0.0) z = 1 - z;
    const double flow = x[2];
    x = {(20982.5 * x[0] + 17.5 * 20.0 - 18.48 * flow * (x[0] - 70.0)) / 21000.0,
         0.1 * z - 0.1 * flow - 0.5 * x[1], flow + 0.1 * x[1]};
  }
  return course;
}

}  // namespace

int main(int argc, char** argv) try {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 20;
  const mti::Model model = mti::read_model(MTI_SOURCE_DIR "/tests/cases/discrete_one_tank.json");
  double simulator = 1e300, by_hand = 1e300, apart = 0.0;
  for (int round = 0; round < rounds; ++round) {
    const double t0 = mti::bench::thread_seconds();
    const mti::Trajectory run = mti::simulate(model);
    const double t1 = mti::bench::thread_seconds();
    const std::vector<State> course = recurrence();
    const double t2 = mti::bench::thread_seconds();
    simulator = std::min(simulator, t1 - t0);
    by_hand = std::min(by_hand, t2 - t1);
    apart = 0.0;
    for (std::size_t k = 0; k < course.size(); ++k)
      for (std::size_t i = 0; i < 3; ++i)
        apart = std::max(apart, k < run.size() ? std::abs(run.value(k, i) - course[k][i]) : 1e300);
  }
  std::printf("%d samples; ns per sample: mti %.1f, by hand %.2f; largest difference of x %.1e\n", samples,
              1e9 * simulator / samples, 1e9 * by_hand / samples, apart);
  return apart < 1e-9 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
