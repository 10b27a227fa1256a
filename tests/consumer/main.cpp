#include <cmath>
#include <cstdio>
#include <mti/mti.hpp>

// x' = −x from x = 1 to t = 1: the end value is exp(−1).
int main() {
  mti::Source source;
  source.states = {{.name = "x", .start = 1.0}};
  source.equations = {"der(x) + x = 0"};
  const mti::Model model = mti::build(source);

  const mti::Trajectory trajectory =
      mti::simulate(model, {.start = 0.0, .stop = 1.0, .rtol = 1e-8, .atol = 1e-8});
  if (trajectory.outcome.kind != mti::OutcomeKind::reached_stop) {
    std::printf("consumer: failed: %s\n", trajectory.outcome.message.c_str());
    return 1;
  }
  // rtol bounds the error of one step; some hundred steps stay far below 1e-5.
  const double error = trajectory.value(trajectory.size() - 1, trajectory.column("x")) - std::exp(-1.0);
  if (!(std::abs(error) < 1e-5)) {
    std::printf("consumer: failed: error %g\n", error);
    return 1;
  }
  std::printf("consumer: passed, error %.1e\n", error);
  return 0;
}
