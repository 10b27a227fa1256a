// Aliases of signals that laws read, in chains, and with start guesses.
#include "mti/transform/eliminate_aliases.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/transform/reduce.hpp"

namespace mti {
namespace eliminate_aliases_test {

/// Whether a law of the model holds the left limit of the signal in a row of S.
bool holds_left_limit(const Model& model, int row) {
  for (const Transition& law : model.transitions)
    for (int k = 0; k < law.equations.columns(); ++k)
      for (SparseColumns::InnerIterator factor(law.equations.S(), k); factor; ++factor)
        if (factor.row() == model.signature.size() + row) return true;
  return false;
}

Source with_law(const std::string& read) {
  Source source;
  source.states = {{"x", 0.5}};
  source.algebraic = {{"y1", 0.0}, {"y2", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = y2 - x", "y2 = y1", "y1 = z"};
  source.constraints = {"(x - 1)*(1 - z) <= 0"};
  source.transitions = {{"rise(z)", {}, {"x = pre(x) + " + read}}};
  return source;
}

// pre(z) in a law is the memory of z, which a signal equal to z does not have, whatever stands between.
TEST(EliminateAliases, SignalsOfLawsDoNotBecomeBinariesByWayOfOthers) {
  for (const char* read : {"pre(y1)", "pre(y2)"}) {
    const Transformed reduced = eliminate_aliases(build(with_law(read)));
    EXPECT_FALSE(holds_left_limit(reduced.model, reduced.model.signature.binary_row(0))) << read;
    EXPECT_EQ(reduced.model.signature.p(), 1) << read;
  }
  const Transformed free = eliminate_aliases(build(with_law("1")));
  EXPECT_EQ(free.model.signature.p(), 0) << "without the law both are z";
}

// In a law F stands for the weight of an impulse, and the weights of F1 = F2 + 3 are equal.
TEST(EliminateAliases, ConstantsDoNotGetIntoLaws) {
  for (const std::string constant : {"0", "3"}) {
    Source source = with_law("F1");
    source.algebraic.push_back({"F1", 0.0});
    source.algebraic.push_back({"F2", 0.0});
    source.equations.emplace_back("F2 = F1 + " + constant);
    source.equations.emplace_back("F2*x = 1");
    source.transitions[0].equations = {"x = pre(x) + F2"};
    EXPECT_EQ(eliminate_aliases(build(source)).model.signature.find("F2").has_value(), constant == "3");
  }
}

/// Whether a constraint holds both binaries.
bool share_a_constraint(const Model& model, int one, int other) {
  const CpMap g = model.g();
  std::vector<std::set<int>> rows(at(g.rows()));
  for (int k = 0; k < g.columns(); ++k)
    for (SparseColumns::InnerIterator entry(g.Phi(), k); entry; ++entry)
      for (SparseColumns::InnerIterator factor(g.S(), k); factor; ++factor)
        rows[at(entry.row())].insert(static_cast<int>(factor.row()));
  return std::ranges::any_of(rows, [&](const std::set<int>& row) {
    return row.contains(model.signature.binary_row(one)) && row.contains(model.signature.binary_row(other));
  });
}

// Danger: an event may change all binaries of the rows that it triggers, so that the binary of h changed with the
// comparison, although nothing happened at its limits.
TEST(EliminateAliases, AndExplicitSignalsBringNoBinariesIntoConstraints) {
  for (const std::string compared : {"x - h > 1", "x - k > 1", "w > 1", "x > 1 + hysteresis(x - 1, -5, 5)"}) {
    SCOPED_TRACE(compared);
    Source source;
    source.states = {{"x", 0.0}};
    source.algebraic = {{"y"}, {"h"}, {"k"}, {"w"}};
    source.equations = {"der(x) = 1 + y", "h = hysteresis(x - 1, -5, 5)", "k = h", "w = x - k",
                        "y = if " + compared + " then 1 else 0"};
    const Transformed reduced = reduce(build(source), {.most_new_columns = 20});
    ASSERT_EQ(reduced.model.signature.q(), 2);
    EXPECT_EQ(reduced.model.signature.p(), 1) << "what is compared; y and what is not compared go";
    EXPECT_FALSE(share_a_constraint(reduced.model, 0, 1));
  }
}

TEST(EliminateAliases, GuessesGoToTheSignalThatStays) {
  Source source;
  source.algebraic = {{"a", 0.0}, {"b", 3.0}, {"c", 4.0}};
  source.equations = {"a = 1 - 2*b", "c = b", "a^2 = 25"};
  const Transformed reduced = eliminate_aliases(build(source));
  const int a = *reduced.model.signature.find("a") - reduced.model.signature.algebraic_row(0);
  EXPECT_EQ(reduced.model.y_start[at(a)], -5.0);
  source.algebraic[0].start = 5.0;
  EXPECT_EQ(eliminate_aliases(build(source)).model.y_start[at(a)], 5.0);
}

TEST(EliminateAliases, ChainsFromTheirEndsAreFollowed) {
  constexpr int length = 20'000;
  Source source;
  source.states = {{"x", 0.5}};
  source.equations = {"der(x) = y" + std::to_string(length)};
  for (int i = 1; i <= length; ++i) source.algebraic.push_back({"y" + std::to_string(i), 0.0});
  for (int i = length; i > 1; --i)
    source.equations.emplace_back("y" + std::to_string(i) + " = -y" + std::to_string(i - 1));
  source.equations.emplace_back("y1 = x");
  const Transformed reduced = eliminate_aliases(build(source));
  ASSERT_EQ(reduced.model.signature.p(), 0);
  const std::vector<double> v = reduced.recovery.values(std::vector{0.0, 0.75});
  for (int i = 1; i <= length; ++i) EXPECT_EQ(v[at(1 + i)], i % 2 == 1 ? 0.75 : -0.75);
}

}  // namespace eliminate_aliases_test
}  // namespace mti
