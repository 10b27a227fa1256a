// A saved run as bytes: read back it goes on bit for bit; what is no such text, or of another model, is refused.

#include "io/runs/saved_run_text.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace saved_run_text_test {

/// A ball that bounces, with an input that blows: memory of its impacts, a law.
Model ball() {
  Source source;
  source.states = {{.name = "h", .start = 1.0}, {.name = "v"}};
  source.inputs = {{.name = "wind"}};
  source.algebraic = {{.name = "N"}};
  source.binaries = {{.name = "rests"}};
  source.equations = {"der(h) = v", "der(v) = wind - 9.81 + N", {"support", "rests*h + (1 - rests)*N = 0"}};
  source.constraints = {{"floor", "-h <= 0"}, {"push", "-N <= 0"}};
  source.transitions = {{.when = "reach(floor)", .replaces = {"support"}, .equations = {"v = -0.5*pre(v)"}}};
  source.experiment.stop = 2.0;
  return build(source);
}

void expect_equal_ends(mti::Run& a, mti::Run& b) {
  while (!a.ended()) a.advance(2.0);
  while (!b.ended()) b.advance(2.0);
  const Trajectory one = a.finish(), other = b.finish();
  EXPECT_EQ(one.outcome.kind, other.outcome.kind);
  EXPECT_EQ(one.outcome.end_time, other.outcome.end_time);
  EXPECT_EQ(one.end_point, other.end_point);
  EXPECT_EQ(one.outcome.kind, OutcomeKind::reached_stop) << one.outcome.message;
}

TEST(SavedRunText, GoesOnBitForBit) {
  const Model model = ball();
  for (const double t : {0.0, 0.2, 0.46, 0.9, 1.2, 1.3545, 1.9}) {
    SCOPED_TRACE(t);
    mti::Run run(model);
    while (run.advance(t) == StepEnd::event) {
    }
    run.set_input(0, 0.25, 0.125);
    const std::string text = write_saved_run(model, run.save());
    mti::Run other(model, {}, read_saved_run(model, text));
    expect_equal_ends(run, other);
  }
}

/// An input that was set to the 1 that the model says of it stays there where the one that takes the run up says 3.
TEST(SavedRunText, HoldsInputsThatWereSetToWhatTheyWere) {
  const auto with = [](double k) {
    Source source;
    source.parameters = {{"k", k}};
    source.states = {{.name = "x"}};
    source.inputs = {{.name = "u", .form = Number("k")}};
    source.equations = {"der(x) = u"};
    source.experiment.stop = 2.0;
    return build(source);
  };
  const Model model = with(1.0), other = with(3.0);
  mti::Run run(model);
  while (run.advance(1.0) == StepEnd::event) {
  }
  run.set_input(0, 1.0);
  mti::Run later(other, {}, read_saved_run(other, write_saved_run(model, run.save())));
  while (!later.ended()) later.advance(2.0);
  EXPECT_NEAR(later.finish().end_point[1], 2.0, 1e-9);
}

/// Stiff and not affine: what begins anew solves for the rates once more, and would write them down a little differently.
TEST(SavedRunText, IsTheSameOnceMoreWhereNothingHasMoved) {
  Source source;
  source.states = {{.name = "x", .start = 2.0}, {.name = "y", .start = 1.0}};
  source.algebraic = {{.name = "i", .start = 1.0}};
  source.equations = {"der(x) = i", "i + 1e-4*i^3 = -2000*(x - y^2)", "der(y) = -y*x"};
  source.experiment.stop = 2.0;
  const Model model = build(source);
  mti::Run run(model);
  while (run.advance(0.7) == StepEnd::event) {
  }
  const std::string text = write_saved_run(model, run.save());
  EXPECT_EQ(write_saved_run(model, run.save()), text);
  mti::Run other(model, {}, read_saved_run(model, text));
  EXPECT_EQ(write_saved_run(model, other.save()), text);
  mti::Run third(model, {}, other.save());
  mti::Run fourth(model, {}, read_saved_run(model, text));
  expect_equal_ends(run, other);
  expect_equal_ends(third, fourth);
}

TEST(SavedRunText, RefusesWhatIsNone) {
  const Model model = ball();
  mti::Run run(model);
  run.advance(0.3);
  const std::string text = write_saved_run(model, run.save());
  EXPECT_THROW(static_cast<void>(read_saved_run(model, "")), UnusableFile);
  EXPECT_THROW(static_cast<void>(read_saved_run(model, "{}")), UnusableFile);
  EXPECT_THROW(static_cast<void>(read_saved_run(model, "\xa0")), UnusableFile);
  Source other;
  other.states = {{.name = "x"}};
  other.equations = {"der(x) = 1"};
  EXPECT_THROW(static_cast<void>(read_saved_run(build(other), text)), UnusableFile);
}

TEST(SavedRunText, RefusesDamage) {
  const Model model = ball();
  mti::Run run(model);
  run.advance(0.3);
  const std::string text = write_saved_run(model, run.save());
  std::mt19937 draw(1);
  std::uniform_int_distribution<std::size_t> place(0, text.size() - 1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string damaged = text;
    char& changed = damaged[place(draw)];
    changed = static_cast<char>(changed ^ (1 << (trial % 8)));
    if (trial % 4 == 0) damaged.resize(place(draw));
    EXPECT_THROW(static_cast<void>(read_saved_run(model, damaged)), UnusableFile);
  }
}

}  // namespace saved_run_text_test
}  // namespace mti
