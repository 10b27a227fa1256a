#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "mti/common/at.hpp"
#include "solvers/mode/mode_cache.hpp"
#include "solvers/switching/successor.hpp"
#include "tests/solvers/motion/random_hybrid_model.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

/// Outputs of logic follow the deciders, at events and at the start alike, and cost nothing.
namespace mti {
namespace logic_output_runs_test {

using test::events_text;
using test::RandomHybridModel;

constexpr double accuracy = 1e-10;

/// x slides on 0. The latch z3, whose threshold w ≥ 0 is far away, must not be set because that and the tied
/// output z4 would be two flips as well.
TEST(LogicOutputs, AnObserverTripsNoLatch) {
  for (const bool observed : {false, true}) {
    Source source;
    source.states = {{"x", -1.0}, {"w", -5.0}};
    source.binaries = {{"z0", 0.0}, {"z3", 0.0}};
    source.equations = {"der(x) = 1 - 2*z0 + 3*z3", "der(w) = 0"};
    source.constraints = {"(1 - 2*z0)*x <= 0", "w*(1 - z3) <= 0", "pre(z3) - z3 <= 0"};
    source.experiment = {.stop = 3.0, .rtol = 1e-8, .atol = 1e-8};
    if (observed) {
      source.binaries.push_back({"z4", 0.0});
      source.equations.emplace_back("z4 - z3 - z0 + z3*z0 = 0");
    }
    const Trajectory trajectory = test::run(source);
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    EXPECT_NEAR(test::last(trajectory, "x"), 0.0, 1e-7);
    EXPECT_EQ(test::last(trajectory, "z3"), 0.0);
  }
}

/// Start values of outputs are no reason to flip a decider: z1 = not z0 starts as z0 = z1 = 0.
TEST(LogicOutputs, AtTheStartTheyFollow) {
  Source source;
  source.states = {{"x", 0.0}};
  source.binaries = {{"z0", 0.0}, {"p", 0.0}, {"z1", 0.0}, {"z2", 1.0}};
  source.equations = {"der(x) = 1 + z0", "z1 = 1 - z0", "z2 = z1*p"};
  source.constraints = {"(x - 9)*(1 - 2*p) <= 0", "(-1 - x)*z0 <= 0"};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  EXPECT_EQ(events_text(trajectory, model), "initial | z1:0>1 z2:1>0\n");
  EXPECT_TRUE(trajectory.events.at(0).ties.empty());
}

/// z = 1 would leave through its row at once; z = 0 with the latch as it was is one flip away. What another row, w, breaks
/// at the start has nothing to do with it.
TEST(LogicOutputs, NoLatchIsSetByAStartThatGoesOnOtherwise) {
  for (const double w : {-1.0, 0.0, 1.0}) {
    Source source;
    source.states = {{"x", 0.5}, {"y", 0.0}, {"p", 2.0}};
    source.binaries = {{"z", 1.0}, {"q", 0.0}};
    source.equations = {"der(x) = -1", "der(y) = q", "q = z + (1 - z)*pre(q)", "der(p) = -1"};
    source.constraints = {"(1 - 2*z)*(x - 0.5) <= 0"};
    if (w >= 0.0) {
      source.binaries.push_back({"w", w});
      source.constraints.emplace_back("(1 - 2*w)*(p - 1) <= 0");
    }
    source.experiment = {.stop = 1.0};
    const Trajectory trajectory = test::run(source);
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    EXPECT_EQ(test::last(trajectory, "y"), 0.0) << w;
    EXPECT_EQ(test::last(trajectory, "z"), 0.0) << w;
  }
}

/// Danger: a search for the fewest flips that tries all of them. What each room does next is its own matter, how fast is not:
/// it depends on one neighbour, or on both.
TEST(LogicOutputs, EqualRoomsInARingSwitchAtOnce) {
  for (const int neighbours : {1, 2})
    for (const int rooms : {61, 120, 400}) {
      Source source;
      for (int i = 0; i < rooms; ++i) {
        const std::string k = std::to_string(i), next = std::to_string((i + 1) % rooms),
                          last = std::to_string((i + rooms - 1) % rooms);
        source.states.push_back({"T" + k, 18.0});
        source.binaries.push_back({"z" + k, 1.0});
        source.equations.emplace_back("der(T" + k + ") = 2*z" + k + " - 0.05*T" + k + " + 0.01*(T" + next +
                                      " - T" + k + ")" +
                                      (neighbours == 2 ? " + 0.01*(T" + last + " - T" + k + ")" : ""));
        source.constraints.emplace_back("(T" + k + " - 21)*z" + k + " <= 0");
        source.constraints.emplace_back("(19 - T" + k + ")*(1 - z" + k + ") <= 0");
      }
      source.experiment = {.stop = 4.0, .rtol = 1e-8, .atol = 1e-8};
      const Trajectory trajectory = test::run(source);
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
      ASSERT_EQ(trajectory.events.size(), 1U);
      EXPECT_NEAR(trajectory.events[0].time, 20.0 * std::log(22.0 / 19.0), 1e-6);
      EXPECT_EQ(trajectory.events[0].changed.size(), static_cast<std::size_t>(rooms));
      EXPECT_LT(trajectory.events[0].candidates_tried, 5);
      EXPECT_TRUE(trajectory.warnings.empty());
    }
}

/// Danger: work that grows with a power of the chain's length, or a search among its elements.
TEST(LogicOutputs, AChainOfAThousandFollowsAtOnce) {
  constexpr int length = 1000;
  Source source;
  source.states = {{"x", -1.0}};
  source.binaries = {{"z0", 0.0}};
  source.equations = {"der(x) = 1"};
  source.constraints = {"(1 - 2*z0)*x <= 0"};
  for (int i = 1; i < length; ++i) {
    source.binaries.push_back({"z" + std::to_string(i), 0.0});
    source.equations.emplace_back("z" + std::to_string(i) + " = z" + std::to_string(i - 1));
  }
  source.experiment = {.stop = 2.0, .rtol = 1e-8, .atol = 1e-8};
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  ASSERT_EQ(trajectory.events.size(), 1U);
  EXPECT_EQ(trajectory.events[0].candidates_tried, 2);
  EXPECT_EQ(test::last(trajectory, "z" + std::to_string(length - 1)), 1.0);
}

/// The far end of the chain is in a constraint and so a decider: A grows by it, not by what lies between.
TEST(LogicOutputs, AChainThatEndsInAConstraint) {
  constexpr int length = 200;
  Source source;
  source.states = {{"x", -1.0}, {"w", -5.0}};
  source.binaries = {{"z0", 0.0}};
  source.equations = {"der(x) = 1", "der(w) = 0"};
  for (int i = 1; i < length; ++i) {
    source.binaries.push_back({"z" + std::to_string(i), 0.0});
    source.equations.emplace_back("z" + std::to_string(i) + " = z" + std::to_string(i - 1));
  }
  source.constraints = {"(1 - 2*z0)*x <= 0", "w*z" + std::to_string(length - 1) + " <= 0"};
  source.experiment = {.stop = 2.0, .rtol = 1e-8, .atol = 1e-8};
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_EQ(test::last(trajectory, "z" + std::to_string(length - 1)), 1.0);
  EXPECT_LE(trajectory.events.at(0).candidates_tried, 10);
}

/// z = [sin 2πt ≥ 0] and nothing else: events at ½, 1, 1½, …
TEST(LogicOutputs, ABareComparatorRuns) {
  Source source;
  source.inputs = {{"u", SineSource{1.0, 1.0}}};
  source.binaries = {{"z", 0.0}};
  source.constraints = {"(1 - 2*z)*u <= 0"};
  source.experiment = {.stop = 3.25, .rtol = 1e-8, .atol = 1e-8};
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  const std::vector<double> times = test::event_times(trajectory);
  ASSERT_EQ(times.size(), 6U);
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(times[i], 0.5 * static_cast<double>(i + 1), 1e-7);
  EXPECT_EQ(test::last(trajectory, "z"), 1.0);
}

/// A model with some observers behind it: and, or, xor, not of any binaries, used nowhere but by each other.
struct Observed {
  Model model;
  int observers = 0;
};

Observed with_observers(Source source, std::mt19937& random) {
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  Observed observed;
  for (int count = draw(1, 3); count > 0; --count) {
    const auto any = [&] {
      return source.binaries[at(draw(0, static_cast<int>(source.binaries.size()) - 1))].name;
    };
    const std::string a = any(), b = any(), name = "observer" + std::to_string(++observed.observers);
    const std::string gates[] = {a + "*" + b, a + " + " + b + " - " + a + "*" + b,
                                 a + " + " + b + " - 2*" + a + "*" + b, "1 - " + a};
    source.binaries.push_back({name, static_cast<double>(draw(0, 1))});
    source.equations.emplace_back(name + " - (" + gates[draw(0, a == b ? 1 : 3)] + ") = 0");
  }
  observed.model = build(source);
  return observed;
}

/// v or z of the plain model out of those of the observed one, whose binaries are the last ones.
template <class Values>
Values without_observers(const Values& values, std::size_t end_of_binaries, int observers) {
  Values plain = values;
  const auto end = plain.begin() + static_cast<std::ptrdiff_t>(end_of_binaries);
  plain.erase(end, end + observers);
  return plain;
}

/// Danger: an output makes distances longer, breaks ties, or joins A. Deciders, motion and ties must be the
/// same with and without.
TEST(LogicOutputs, ObserversChangeNoDecision) {
  std::mt19937 random(5);
  int changed = 0, sliding = 0, tied = 0, dead = 0;
  unsigned number = 0;
  for (unsigned seed = 0; seed < 30; ++seed)
    for (const test::Shape shape : test::all_shapes) {
      const RandomHybridModel plain(shape, 7000 + ++number);
      const Observed observed = with_observers(plain.source(), random);
      SCOPED_TRACE("model " + std::to_string(number) + "\n" + plain.text());
      const Accuracy plain_accuracy(plain.model, accuracy, accuracy),
          observed_accuracy(observed.model, accuracy, accuracy);
      ModeCache plain_cache(plain.model), observed_cache(observed.model);
      const SuccessorSearch of_plain(plain.model, plain_cache, plain_accuracy),
          of_observed(observed.model, observed_cache, observed_accuracy);
      Instant instant = plain.instant;
      Mode before = plain.before;
      const auto end = at(plain.model.signature.pre_row(0));
      for (int i = 0; i < observed.observers; ++i) {
        instant.v.insert(instant.v.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
        if (!instant.guess.empty())
          instant.guess.insert(instant.guess.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
        before.z.push_back(0);
      }
      const Successor a = of_plain.find(plain.instant, plain.before), b = of_observed.find(instant, before);
      ASSERT_EQ(a.status, b.status);
      EXPECT_EQ(a.triggered, b.triggered);
      EXPECT_EQ(a.ties.size(), b.ties.size());
      tied += a.ties.empty() ? 0 : 1;
      dead += a.status == Successor::Status::dead_end ? 1 : 0;
      if (a.status != Successor::Status::found) continue;
      EXPECT_EQ(a.mode.z, without_observers(b.mode.z, plain.before.z.size(), observed.observers));
      ASSERT_EQ(a.mode.slides.size(), b.mode.slides.size());
      std::vector<int> flipped = b.flipped;
      std::erase_if(flipped, [&](int binary) { return binary >= plain.model.signature.q(); });
      EXPECT_EQ(a.flipped, flipped);
      // What an observer of a slide adds is a column beside the others: sums may be rounded otherwise.
      const std::vector<double> v = without_observers(b.motion->v(), end, observed.observers);
      for (std::size_t row = 0; row < v.size(); ++row)
        EXPECT_NEAR(a.motion->v()[row], v[row], 1e-12 * (1.0 + std::abs(v[row])));
      changed += a.flipped.empty() ? 0 : 1;
      sliding += a.mode.slides.empty() ? 0 : 1;
      if (testing::Test::HasFailure()) return;  // one model is enough to look at
    }
  EXPECT_GT(changed, 50);
  for (const int count : {sliding, tied, dead}) EXPECT_GT(count, 5);
}

/// The same of whole runs: rows, events and outcome but for the observers' own.
TEST(LogicOutputs, ObserversChangeNoRun) {
  std::mt19937 random(6);
  int events = 0;
  unsigned number = 0;
  for (unsigned seed = 0; seed < 8; ++seed)
    for (const test::Shape shape : test::all_shapes) {
      const RandomHybridModel plain(shape, 9000 + ++number);
      const Observed observed = with_observers(plain.source(), random);
      SCOPED_TRACE("model " + std::to_string(number) + "\n" + plain.text());
      SimulationOptions options = test::with_accuracy(1e-8);
      options.stop = 1.0;
      options.max_events = 50;
      const Trajectory a = simulate(plain.model, options), b = simulate(observed.model, options);
      ASSERT_EQ(a.outcome.kind, b.outcome.kind) << a.outcome.message << "\n" << b.outcome.message;
      const auto own = [&](const Event& event) {
        std::string text = to_string(event.kind);
        for (const Change& change : event.changed)
          if (const std::string name = observed.model.signature.row_name(change.row);
              !name.starts_with("observer"))
            text += " " + name;
        return text;
      };
      std::vector<std::pair<double, std::string>> of_a, of_b;
      for (const Event& event : a.events) {
        std::string text = to_string(event.kind);
        for (const Change& change : event.changed) text += " " + plain.model.signature.row_name(change.row);
        of_a.emplace_back(event.time, text);
      }
      for (const Event& event : b.events) {
        const std::string text = own(event);
        if (text != to_string(event.kind) || event.changed.empty()) of_b.emplace_back(event.time, text);
      }
      ASSERT_EQ(of_a.size(), of_b.size());
      for (std::size_t i = 0; i < of_a.size(); ++i) {
        EXPECT_NEAR(of_a[i].first, of_b[i].first, 1e-9);
        EXPECT_EQ(of_a[i].second, of_b[i].second);
      }
      ASSERT_EQ(a.end_point.empty(), b.end_point.empty());
      for (int row = 0; row < plain.model.signature.binary_row(0); ++row) {
        const double at_a = a.end_point[at(row)], at_b = b.end_point[at(row)];
        EXPECT_NEAR(at_a, at_b, 1e-7 * (1.0 + std::abs(at_a))) << plain.model.signature.row_name(row);
      }
      events += static_cast<int>(a.events.size());
      if (testing::Test::HasFailure()) return;
    }
  EXPECT_GT(events, 50);
}

}  // namespace logic_output_runs_test
}  // namespace mti
