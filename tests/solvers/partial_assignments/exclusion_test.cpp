#include "solvers/partial_assignments/exclusion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/partial_assignments/truth_table.hpp"

namespace mti {
namespace exclusion_test {

using State = PackedExclusion::State;

/// Literal by literal.
State state_by_hand(const Exclusion& exclusion, const std::vector<signed char>& z) {
  int left = 0;
  for (const auto& [binary, value] : exclusion) {
    if (z[at(binary)] == undecided)
      ++left;
    else if (z[at(binary)] != value)
      return State::fulfilled;
  }
  return left == 0 ? State::met : left == 1 ? State::one_left : State::open;
}

/// Within a word, across words, and at their ends.
TEST(PackedExclusion, SaysWhatItsLiteralsSay) {
  std::mt19937 random(5);
  int seen[4] = {};
  for (int trial = 0; trial < 20000; ++trial) {
    const int binaries = 1 + static_cast<int>(random() % 200);
    Exclusion exclusion;
    std::vector<signed char> z(at(binaries), undecided);
    for (int i = 0; i < binaries; ++i) {
      const auto value = static_cast<signed char>(random() % 2);
      if (random() % 4 != 0) z[at(i)] = random() % 60 == 0 ? static_cast<signed char>(1 - value) : value;
      if (exclusion.empty() || random() % (binaries > 60 ? 20 : 3) == 0) exclusion.emplace_back(i, value);
    }
    if (trial % 3 == 0)
      for (const auto& [binary, value] : exclusion) z[at(binary)] = value;
    if (trial % 6 == 0) z[at(exclusion[random() % exclusion.size()].first)] = undecided;
    const PackedExclusion packed(exclusion);
    PackedAssignment assignment;
    assignment.assign(z);
    const State state = state_by_hand(exclusion, z);
    ASSERT_EQ(packed.state(assignment), state) << trial;
    ASSERT_EQ(packed.acts(assignment), state == State::met || state == State::one_left) << trial;
    int left = 0;
    for (const auto& literal : exclusion) left += z[at(literal.first)] == undecided ? 1 : 0;
    ASSERT_EQ(packed.undecided(assignment), left) << trial;
    if (state == State::one_left) {
      const auto open = packed.open_literal(assignment);
      ASSERT_EQ(z[at(open.first)], undecided) << trial;
      ASSERT_NE(std::find(exclusion.begin(), exclusion.end(), open), exclusion.end()) << trial;
    }
    ++seen[static_cast<int>(state)];
  }
  for (const int times : seen) EXPECT_GT(times, 300);
}

/// Danger: without binaries there is no word to look at.
TEST(PackedExclusion, OfNothingIsMet) {
  PackedAssignment z;
  z.assign({});
  EXPECT_EQ(PackedExclusion(Exclusion{}).state(z), State::met);
  EXPECT_TRUE(PackedExclusion(Exclusion{}).acts(z));
}

TEST(PackedExclusion, FollowsWhatIsDecided) {
  PackedAssignment z;
  z.assign(std::vector<signed char>(130, undecided));
  const PackedExclusion exclusion(Exclusion{{3, 1}, {64, 0}, {129, 1}});
  EXPECT_EQ(exclusion.state(z), State::open);
  z.set(129, 1);
  z.set(3, 1);
  EXPECT_EQ(exclusion.state(z), State::one_left);
  EXPECT_EQ(exclusion.open_literal(z), (std::pair<int, signed char>(64, 0)));
  z.set(64, 1);
  EXPECT_EQ(exclusion.state(z), State::fulfilled);
}

}  // namespace exclusion_test
}  // namespace mti
