// Ticks that roundings hold from the times at which a run stands: each comes once.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace ticks_test {

/// n counts the ticks of a clock at t = offset + j T after the start; y follows u.
Source counter(double period, double offset) {
  Source source;
  source.parameters = {{"tau", 1.0}};
  source.clocks = {{.name = "k", .period = period, .offset = offset, .is_alone = true}};
  source.inputs = {{.name = "u"}};
  source.states = {{.name = "y"}, {.name = "n"}};
  source.equations = {"next(n) = n + 1", "tau*der(y) = u - y"};
  return source;
}

/// What an importer or a controller may do between two steps.
enum class Deed { input, parameter, save, settle };

// 0.1 + 0.1 + … lies below 0.8, and above 2: the tick is due there all the same, or within a rounding behind it.
TEST(Ticks, ComeOnceWhateverIsDoneWhereTheyAreDue) {
  constexpr double period = 0.1, stop = 6.05;
  constexpr int right = 60;
  Source source = counter(period, 0.0);
  source.experiment.stop = stop;
  const Model model = build(source);
  Source faster = source;
  faster.parameters = {{"tau", 0.5}};
  const Model other = build(faster);
  const int n = model.signature.state_row(1);
  const std::vector<Deed> deeds{Deed::input, Deed::parameter, Deed::save, Deed::settle};
  for (const Deed first : deeds)
    for (const Deed second : deeds)
      for (const Deed third : deeds) {
        mti::Run run(model);
        const Model* now = &model;
        double t = 0.0;
        for (int step = 0; step < right; ++step) {
          t += period;
          while (run.advance(t) == StepEnd::event) {
          }
          for (const Deed deed : {first, second, third}) switch (deed) {
              case Deed::input:
                run.set_input(0, step % 3);
                break;
              case Deed::parameter:
                run.set_parameters(*(now = now == &model ? &other : &model));
                break;
              case Deed::save:
                run = mti::Run(*now, {}, run.save());
                break;
              case Deed::settle:
                static_cast<void>(run.settle());
                break;
            }
        }
        while (run.advance(stop) == StepEnd::event) {
        }
        EXPECT_EQ(run.v()[static_cast<std::size_t>(n)], right)
            << static_cast<int>(first) << static_cast<int>(second) << static_cast<int>(third);
      }
}

std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) ? 1 : 0); }

// Clocks whose times are fractions, against the count by integers: none at the start, one at the stop.
TEST(Ticks, AreCountedAsFractionsSay) {
  std::mt19937 random(11);
  const auto number = [&](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
  for (int run = 0; run < 400; ++run) {
    const int parts[] = {3, 7, 9, 11, 30, 60, 70, 97};
    const int D = parts[number(0, 7)];
    const int period = number(1, 3 * D), start = number(-20 * D, 20 * D);
    const int offset = start + number(-40, 40) * period + (run % 2 != 0 ? 0 : number(0, period));
    const int stop = start + number(1, 12) * period + (run % 3 != 0 ? 0 : number(0, period));
    const auto value = [&](int parts_of_D) { return static_cast<double>(parts_of_D) / D; };
    Source source = counter(value(period), value(offset));
    source.experiment.start = value(start);
    source.experiment.stop = value(stop);
    const Model model = build(source);
    const Trajectory trajectory = simulate(model);
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop);
    const auto right = floor_of(stop - offset, period) - floor_of(start - offset, period);
    EXPECT_EQ(trajectory.end_point[static_cast<std::size_t>(model.signature.state_row(1))], right)
        << period << "/" << D << " offset " << offset << " from " << start << " to " << stop;
  }
}

}  // namespace ticks_test
}  // namespace mti
