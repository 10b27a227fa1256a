// Searches and runs with and without the memory of transitions: the same to the last bit.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/model/read_model.hpp"
#include "io/results/write_results.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/switching/successor.hpp"
#include "tests/solvers/hybrid_network.hpp"
#include "tests/solvers/motion/motion_oracle.hpp"
#include "tests/solvers/motion/random_hybrid_model.hpp"

namespace mti::test {
namespace transition_memory_test {

constexpr double accuracy = 1e-8;

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

/// The model twice: each search has modes of its own, for which of them come first decides what is taken over from
/// where.
struct Searches {
  explicit Searches(const Model& model)
      : accuracies(model, accuracy, accuracy),
        remembering_modes(model),
        plain_modes(model),
        remembering(model, remembering_modes, accuracies, {.max_candidates = 100}),
        plain(model, plain_modes, accuracies, {.max_candidates = 100, .remember = false}) {}

  Accuracy accuracies;
  ModeCache remembering_modes, plain_modes;
  SuccessorSearch remembering, plain;
};

/// What a run makes of a successor.
void expect_same(const Successor& a, const Successor& b, const Model& model) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.mode, b.mode);
  EXPECT_EQ(a.triggered, b.triggered);
  EXPECT_EQ(a.ties, b.ties);
  EXPECT_EQ(a.flipped, b.flipped);
  EXPECT_EQ(a.tried, b.tried);
  EXPECT_EQ(a.limit, b.limit);
  ASSERT_EQ(a.motion == nullptr, b.motion == nullptr);
  if (!a.motion) return;
  EXPECT_TRUE(same_bits(a.motion->v(), b.motion->v()));
  for (int row = 0; row < model.signature.binary_row(0); ++row) {
    const Ball of_a = a.motion->signal(row, 2), of_b = b.motion->signal(row, 2);
    EXPECT_TRUE(same_bits({{of_a.value, of_a.error}}, {{of_b.value, of_b.error}}));
  }
}

/// Danger: a candidate that was turned down last time follows now, or one that followed does not; a tie is lost.
TEST(TransitionMemory, GivesTheAnswerOfTheSearchAtRandomPointsOf1000Models) {
  constexpr unsigned models = 1000;
  constexpr int points = 1, times = 2;
  int posed = 0, repeated = 0, several = 0, tied = 0;
  for (unsigned seed = 1; seed <= models; ++seed) {
    RandomHybridModel random(all_shapes[seed % all_shapes.size()], seed);
    Searches searches(random.model);
    for (int point = 0; point < points; ++point) {
      // Once more at about that time, and of every other model elsewhere: what was zero need not be, and what the same
      // rows left open may be decided otherwise.
      for (int time = 0; time < times; ++time) {
        Instant instant = random.instant;
        instant.time_uncertainty = time == 0 ? 0.0 : 1e-9;
        if (time > 0 && seed % 2 == 0)
          for (int i = 0; i < random.model.signature.n(); ++i)
            instant.v[at(random.model.signature.state_row(i))] += i % 2 == 0 ? 0.25 : -0.25;
        const Successor known = searches.remembering.find(instant, random.before);
        expect_same(known, searches.plain.find(instant, random.before), random.model);
        ASSERT_FALSE(HasFailure()) << "seed " << seed << ", point " << point << "\n" << random.text();
        ++posed;
        repeated += known.repeated ? 1 : 0;
        several += known.repeated && known.tried > 3 ? 1 : 0;
        tied += known.repeated && !known.ties.empty() ? 1 : 0;
      }
      random.draw_point();
    }
  }
  // Otherwise the memory would have had nothing to say.
  EXPECT_GT(repeated, posed / 50);
  EXPECT_GT(several, repeated / 20);
  EXPECT_GT(tied, repeated / 50);
}

/// What a search keeps of one instant does not hold at another: the same row breaks, but x2 decides which of the two
/// switches may answer. Proposing only, the memory is corrected by the search.
TEST(TransitionMemory, IsCorrectedWhereAnotherCandidateFollows) {
  const Model model = read_model_text(R"({
    "format": "mti-model", "version": 1, "name": "either",
    "states": [{"name": "x1"}, {"name": "x2"}],
    "binaries": [{"name": "a"}, {"name": "b"}],
    "equations": [{"name": "e1", "text": "der(x1) = 1 - 2*a - 2*b"}, {"name": "e2", "text": "der(x2) = 0"}],
    "constraints": [{"name": "one", "text": "(x1 - 1)*(1 - a)*(1 - b) <= 0"},
                    {"name": "left", "text": "a*x2 <= 0"}, {"name": "right", "text": "-b*x2 <= 0"}]
  })");
  Searches searches(model);
  const Mode before{{0, 0}, {}, {}};
  Instant instant = instant_of(model, 0.0, {1.0, -1.0});
  const auto flipped = [&](double x2) {
    instant.v[at(model.signature.state_row(1))] = x2;
    const Successor known = searches.remembering.find(instant, before);
    expect_same(known, searches.plain.find(instant, before), model);
    return std::pair(known.flipped, known.repeated);
  };
  using Answer = std::pair<std::vector<int>, bool>;
  EXPECT_EQ(flipped(-1.0), (Answer{{0}, false}));
  EXPECT_EQ(flipped(-2.0), (Answer{{0}, true}));
  EXPECT_EQ(flipped(1.0), (Answer{{1}, false}));
  EXPECT_EQ(flipped(2.0), (Answer{{1}, true}));
  EXPECT_EQ(flipped(-1.0), (Answer{{0}, false}));
}

/// bytes() ≤ most_bytes, whatever it is told.
TEST(TransitionMemory, IsBounded) {
  TransitionMemory memory;
  Mode mode;
  mode.z.assign(4, 0);
  const std::vector<int> A{0, 1, 2, 3};
  Admissibility follows;
  for (int row = 0; row < 100'000; ++row) {
    const TransitionKey key({row, row + 1}, A, mode);
    memory.keep(key, {JudgedCandidate({0}, follows, 1)});
    ASSERT_LE(memory.bytes(), TransitionMemory::most_bytes);
    ASSERT_NE(memory.find(key), nullptr) << "what was kept last is known";
  }
  EXPECT_GT(memory.bytes(), TransitionMemory::most_bytes / 20);
}

/// Events with the constraints and changes of an earlier one: most of these transitions come from memory.
int events_that_come_again(const Trajectory& run) {
  std::set<std::vector<double>> seen;
  int again = 0;
  for (const Event& event : run.events) {
    std::vector<double> signs(event.constraints.begin(), event.constraints.end());
    for (const Change& change : event.changed) signs.insert(signs.end(), {-1.0 - change.row, change.after});
    again += event.constraints.empty() || seen.insert(std::move(signs)).second ? 0 : 1;
  }
  return again;
}

void expect_same_runs(const Model& model, SimulationOptions options, int& again) {
  options.max_events = 300;
  options.max_candidates = 2000;
  options.max_seconds = 20.0;
  const Trajectory known = simulate(model, options);
  options.remember = false;
  const Trajectory plain = simulate(model, options);
  if (known.outcome.kind == OutcomeKind::time_budget || plain.outcome.kind == OutcomeKind::time_budget)
    return;
  again += events_that_come_again(known);
  EXPECT_EQ(known.outcome.message, plain.outcome.message);
  EXPECT_EQ(known.statistics.candidates, plain.statistics.candidates);
  EXPECT_EQ(events_json(model, known), events_json(model, plain));
  EXPECT_TRUE(same_bits(known.end_point, plain.end_point));
  ASSERT_EQ(known.size(), plain.size());
  for (std::size_t row = 0; row < known.size(); ++row)
    ASSERT_TRUE(known.time(row) == plain.time(row) && known.side(row) == plain.side(row) &&
                same_bits(known.row(row), plain.row(row)))
        << "row " << row;
}

TEST(TransitionMemory, ChangesNoRunOf1000RandomNetworks) {
  constexpr std::uint32_t networks_per_class = 112;  // 9 classes
  int again = 0;
  for (int kind = 0; kind <= static_cast<int>(NetworkClass::mixed); ++kind)
    for (std::uint32_t seed = 1; seed <= networks_per_class; ++seed) {
      const HybridNetwork network = random_network(static_cast<NetworkClass>(kind), seed);
      expect_same_runs(read_model_text(network.text()),
                       {.stop = 4.0 * network.stop, .output_interval = network.stop / 5}, again);
      ASSERT_FALSE(HasFailure()) << "class " << kind << ", seed " << seed;
    }
  EXPECT_GT(again, 500);
}

}  // namespace transition_memory_test
}  // namespace mti::test
