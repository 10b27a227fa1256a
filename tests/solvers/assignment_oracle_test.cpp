#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "bench/judged_assignments.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"

/// On small random models the search must give exactly the assignments that are admissible when each of the
/// 2^|A| is judged, in the order of the rule: bounds may leave out nothing that the judge accepts.
namespace mti {
namespace assignment_oracle_test {

using Status = AssignmentSearch::Result::Status;

/// Coupled binaries of all kinds, drawn without regard to whether there is a solution, or one only.
class RandomModel {
 public:
  RandomModel(unsigned seed, bool whole_numbers) : random_(seed), whole_numbers_(whole_numbers) {
    q = integer(3, 9);
    source_.states = {{"x", 0.0}};
    source_.inputs = {{"u", TableSource{{0.0, 1.0}, {real(), real()}}}};
    source_.equations = {"der(x) = " + real_text() + "*x + " + real_text() + "*u + z0"};
    for (int i = 0; i < q; ++i) {
      source_.binaries.push_back({"z" + std::to_string(i), 0.0});
      before.push_back(static_cast<char>(integer(0, 1)));
    }
    const int kind = integer(0, 3);
    if (kind == 0) logic(q);
    if (kind == 1) complementarity(q);
    if (kind == 2) relays(q);
    if (kind == 3) {
      logic(1);
      complementarity(q / 2);
      relays(q - q / 2);
    }
    for (int i = integer(0, 2); i > 0; --i) threshold();
    model = build(source_);
    for (int i = 0; i < q; ++i)
      if (integer(0, 9) > 0) A.push_back(i);
    x = real();
  }

  int q = 0;
  Model model;
  std::vector<char> before;
  std::vector<int> A;
  double x = 0.0;

 private:
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  double real() {
    return whole_numbers_ ? integer(-2, 2) : std::uniform_real_distribution<double>(-2.0, 2.0)(random_);
  }
  std::string real_text() { return "(" + std::to_string(real()) + ")"; }
  std::string z(int i) { return "z" + std::to_string(i); }
  std::string z() { return z(integer(0, q - 1)); }
  std::string literal() { return integer(0, 1) == 0 ? z() : "(1 - " + z() + ")"; }
  std::string known() { return "(" + real_text() + "*x + u + " + real_text() + ")"; }
  std::string unknown(int i) { return "y" + std::to_string(i); }
  int add_unknowns(int count) {
    const int first = static_cast<int>(source_.algebraic.size());
    for (int i = 0; i < count; ++i) source_.algebraic.push_back({unknown(first + i), 0.0});
    return first;
  }

  void logic(int rows) {
    for (int row = 0; row < rows; ++row) switch (integer(0, 3)) {
        case 0:
          source_.constraints.emplace_back(literal() + " + " + literal() + " + " + literal() + " >= 1");
          break;
        case 1:
          source_.constraints.emplace_back(z(0) + " + " + z(1) + " + " + z(2) +
                                           " <= " + std::to_string(integer(0, 2)));
          break;
        case 2:
          source_.constraints.emplace_back(known() + "*(1 - " + z(0) + " + " + z(1) + ") <= 0");
          break;
        default: {
          const int a = integer(0, q - 1), b = (a + integer(1, q - 1)) % q;
          source_.constraints.emplace_back(z(a) + " + " + z(b) + " - 2*" + z(a) + "*" + z(b) +
                                           (integer(0, 1) == 0 ? " <= 0.5" : " >= 0.5"));
        }
      }
  }

  /// z k + (1 − z) a = 0 with a, k ≥ 0 and a = s + M k, M as it comes.
  void complementarity(int pairs) {
    const int a = add_unknowns(2 * pairs), k = a + pairs;
    for (int i = 0; i < pairs; ++i) {
      std::string right = known() + " + " + std::to_string(integer(1, 3)) + "*" + unknown(k + i);
      for (int other = integer(0, 2); other > 0; --other)
        right += " + " + real_text() + "*" + unknown(k + integer(0, pairs - 1));
      source_.equations.emplace_back(unknown(a + i) + " = " + right);
      source_.equations.emplace_back(z(i) + "*" + unknown(k + i) + " + (1 - " + z(i) + ")*" + unknown(a + i) +
                                     " = 0");
      source_.constraints.emplace_back(unknown(a + i) + " >= 0");
      source_.constraints.emplace_back(unknown(k + i) + " >= 0");
    }
  }

  /// Relays of w = b + K z + L w, the last binaries.
  void relays(int count) {
    const int w = add_unknowns(count), first = q - count;
    for (int i = 0; i < count; ++i) {
      std::string right = known() + " + 0.25*" + unknown(w + (i + 1) % count);
      for (int j = integer(0, count); j > 0; --j)
        right += " + " + real_text() + "*" + z(first + integer(0, count - 1));
      if (integer(0, 3) == 0) right += " + 0.125*" + z() + "*" + unknown(w + integer(0, count - 1));
      source_.equations.emplace_back(unknown(w + i) + " = " + right);
      source_.constraints.emplace_back("(" + unknown(w + i) + " - 1)*(1 - " + z(first + i) + ") <= 0");
      source_.constraints.emplace_back("(-1 - " + unknown(w + i) + ")*" + z(first + i) + " <= 0");
    }
  }

  void threshold() {
    const std::string s = source_.algebraic.empty()
                              ? "der(x)"
                              : unknown(integer(0, static_cast<int>(source_.algebraic.size()) - 1));
    source_.constraints.emplace_back("(" + s + " + " + real_text() + "*x)*(1 - 2*" + z() +
                                     ") <= " + std::to_string(integer(0, 3)));
  }

  std::mt19937 random_;
  bool whole_numbers_;
  Source source_;
};

std::vector<std::vector<int>> admissible_plainly(const RandomModel& random, bench::JudgedAssignments& judge) {
  std::vector<std::vector<int>> sets;
  for (unsigned subset = 0; subset < 1U << random.A.size(); ++subset) {
    std::vector<char> z = random.before;
    std::vector<int> flips;
    for (std::size_t i = 0; i < random.A.size(); ++i)
      if ((subset >> i & 1U) != 0) {
        flips.push_back(random.A[i]);
        z[at(random.A[i])] ^= 1;
      }
    if (judge.admissible(z)) sets.push_back(flips);
  }
  std::ranges::sort(
      sets, [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  return sets;
}

class AgainstEnumeration : public testing::TestWithParam<double> {};

TEST_P(AgainstEnumeration, GivesTheSameAssignmentsInTheSameOrder) {
  constexpr unsigned models = 1000;
  int with_none = 0, with_several = 0, judged = 0, assignments = 0;
  for (unsigned seed = 1; seed <= models; ++seed) {
    // Whole numbers meet boundaries exactly: what is accepted within errors only must not be left out.
    const RandomModel random(seed, seed % 2 == 0);
    bench::JudgedAssignments judge(random.model, GetParam());
    judge.instant().v[at(random.model.signature.state_row(0))] = random.x;
    const std::vector<std::vector<int>> expected = admissible_plainly(random, judge);
    for (const bool strong : {true, false}) {
      AssignmentLimits limits;
      limits.solve_equations = strong;
      const auto outcome = judge.search(random.A, random.before, limits, 1U << random.A.size());
      EXPECT_EQ(outcome.flips, expected) << "seed " << seed << (strong ? "" : " without solved equations");
      if (expected.size() < 1U << random.A.size()) {
        EXPECT_EQ(outcome.status, Status::none) << "seed " << seed;
      }
      judged += strong ? outcome.yielded : 0;
    }
    assignments += 1 << random.A.size();
    with_none += static_cast<int>(expected.empty());
    with_several += static_cast<int>(expected.size() > 1);
  }
  // The models are of all sorts, and bounds leave out most of what is not admissible.
  EXPECT_GE(with_none, static_cast<int>(models) / 10);
  EXPECT_GE(with_several, static_cast<int>(models) / 4);
  EXPECT_LT(judged, assignments / 4);
  RecordProperty("assignments", assignments);
  RecordProperty("judged", judged);
  RecordProperty("with_none", with_none);
  RecordProperty("with_several", with_several);
}

INSTANTIATE_TEST_SUITE_P(Tolerances, AgainstEnumeration, testing::Values(1e-8, 1e-4, 1e-2));

}  // namespace assignment_oracle_test
}  // namespace mti
