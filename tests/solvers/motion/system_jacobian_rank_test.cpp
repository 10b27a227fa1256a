#include "solvers/motion/system_jacobian_rank.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <string>

#include "mti/build/build.hpp"

/// Structure says that a mode can be solved; whether numbers agree depends on the point.
namespace mti {
namespace system_jacobian_rank_test {

using Names = std::vector<std::string>;

SystemJacobianRank rank_in(const Model& model, std::vector<char> z = {}) {
  const Mode mode{.z = std::move(z), .pre = {}, .binary_inputs = {}};
  EXPECT_FALSE(analyze_mode(model, mode).singular);
  const std::optional<SystemJacobianRank> rank = examine_rank(model, mode);
  EXPECT_TRUE(rank.has_value());
  return rank.value_or(SystemJacobianRank{});
}

Names equations_of(const Model& model, const SystemJacobianRank& rank) {
  Names names;
  for (const int row : rank.null_vectors.equations) names.push_back(model.equation_names[at(row)]);
  return names;
}

Names signals_of(const Model& model, const SystemJacobianRank& rank) {
  Names names;
  for (const int row : rank.null_vectors.signals) names.push_back(model.signature.row_name(row));
  return names;
}

/// E ẇ = A w with E = [[1, 1], [1, b]] and y = w1: full rank unless b = 1.
Model pencil(const std::string& b) {
  Source source;
  source.states = {{.name = "w1", .start = 1.0}, {.name = "w2", .start = 2.0}};
  source.algebraic = {{.name = "y"}};
  source.equations = {{"first", "der(w1) + der(w2) = w1"},
                      {"second", "der(w1) + " + b + "*der(w2) = w2"},
                      {"output", "y = w1"}};
  return build(source);
}

TEST(SystemJacobianRank, DensePencil) {
  const Model model = pencil("1");
  const SystemJacobianRank rank = rank_in(model);
  EXPECT_EQ(rank.size, 3);
  EXPECT_EQ(rank.rank, 2);
  EXPECT_FALSE(rank.full());
  EXPECT_FALSE(rank.rank_is_bound);
  EXPECT_FALSE(rank.consistent) << "1 = w1' + w2' = 2 has no solution";
  EXPECT_EQ(equations_of(model, rank), (Names{"first", "second"}));
  EXPECT_EQ(signals_of(model, rank), (Names{"w1", "w2"}));
}

TEST(SystemJacobianRank, RegularPencilHasFullRank) {
  const SystemJacobianRank rank = rank_in(pencil("0.999999"));
  EXPECT_EQ(rank.size, 3);
  EXPECT_EQ(rank.rank, 3);
  EXPECT_TRUE(rank.consistent);
  EXPECT_TRUE(rank.null_vectors.empty());
}

/// Danger: units decide. The same matrix in rows and columns of very different size.
TEST(SystemJacobianRank, UnitsDoNotMatter) {
  Source source;
  source.states = {{.name = "a"}, {.name = "b"}};
  source.equations = {{"small", "1e-9*der(a) + 3e-16*der(b) = 0"}, {"large", "2e11*der(a) + 3e4*der(b) = 0"}};
  EXPECT_TRUE(rank_in(build(source)).full()) << "determinant of the scaled matrix: 1 - 2";
  source.equations = {{"small", "1e-9*der(a) + 3e-16*der(b) = 0"}, {"large", "1e11*der(a) + 3e4*der(b) = 0"}};
  EXPECT_EQ(rank_in(build(source)).rank, 1);
}

/// A mass on a line and on a hyperbola, with reactions along their gradients (2, 1) and (y, x): singular
/// where these are parallel, y = 2 x.
Model two_constraints(double x, double y) {
  Source source;
  const double on_first = 2.0 * x + y, on_second = x * y;
  source.parameters = {{"c1", on_first}, {"c2", on_second}};
  source.states = {{.name = "x", .start = x}, {.name = "y", .start = y}, {.name = "vx"}, {.name = "vy"}};
  source.algebraic = {{.name = "lambda1"}, {.name = "lambda2"}};
  source.equations = {{"slide_x", "der(x) = vx"},
                      {"slide_y", "der(y) = vy"},
                      {"force_x", "der(vx) = 2*lambda1 + y*lambda2"},
                      {"force_y", "der(vy) = lambda1 + x*lambda2"},
                      {"line", "2*x + y = c1"},
                      {"hyperbola", "x*y = c2"}};
  return build(source);
}

TEST(SystemJacobianRank, ConstraintsThatAgreeAtOnePointOnly) {
  const Model apart = two_constraints(1.0, 1.0), touching = two_constraints(1.0, 2.0);
  const SystemJacobianRank regular = rank_in(apart);
  EXPECT_EQ(regular.size, 6);
  EXPECT_EQ(regular.rank, 6);
  EXPECT_TRUE(regular.consistent);
  const SystemJacobianRank singular = rank_in(touching);
  EXPECT_EQ(singular.size, 6);
  EXPECT_EQ(singular.rank, 5);
  EXPECT_FALSE(singular.consistent);
  // Reactions that cancel, λ1 = −λ2, move nothing; the difference of the second derivatives holds no unknown.
  EXPECT_EQ(equations_of(touching, singular), (Names{"line", "hyperbola"}));
  EXPECT_EQ(signals_of(touching, singular), (Names{"lambda1", "lambda2"}));
}

/// y is found before it multiplies ẋ, wherever it starts; p and q are asked for twice.
TEST(SystemJacobianRank, BlocksSeeTheSolutionOfThoseBefore) {
  Source source;
  source.states = {{.name = "x"}};
  source.algebraic = {{.name = "y", .start = 0.0}, {.name = "p"}, {.name = "q"}};
  source.equations = {
      {"gain", "y = 2"}, {"motion", "y*der(x) = 1"}, {"one", "p + q = 1"}, {"two", "p - q = 1"}};
  const SystemJacobianRank regular = rank_in(build(source));
  EXPECT_TRUE(regular.full());
  EXPECT_TRUE(regular.consistent);
  source.equations.back() = {"two", "p + q = 2"};
  const Model model = build(source);
  const SystemJacobianRank singular = rank_in(model);
  EXPECT_FALSE(singular.consistent);
  EXPECT_EQ(singular.size, 4);
  EXPECT_EQ(singular.rank, 3);
  EXPECT_EQ(equations_of(model, singular), (Names{"one", "two"}));
  EXPECT_EQ(signals_of(model, singular), (Names{"p", "q"}));
}

/// Danger: the diagonal blocks alone are blamed. a and b come from rows of their own, but that they do not
/// fit concerns these rows as well.
TEST(SystemJacobianRank, DependentRowsOfOtherBlocksAreNamed) {
  Source source;
  source.algebraic = {{.name = "a"}, {.name = "b"}, {.name = "p"}, {.name = "q"}};
  source.equations = {
      {"a_is", "a = 1"}, {"b_is", "b = 1"}, {"one", "p + q + a = 1"}, {"two", "p + q + b = 2"}};
  const Model model = build(source);
  const SystemJacobianRank rank = rank_in(model);
  EXPECT_EQ(rank.rank, 3);
  EXPECT_EQ(equations_of(model, rank), (Names{"a_is", "b_is", "one", "two"}));
  EXPECT_EQ(signals_of(model, rank), (Names{"p", "q"}));
}

/// y_i = gain · y_{i+1} around a ring of 300: the determinant is 1 − gain^300.
Model ring(const std::string& gain) {
  constexpr int size = 300;
  Source source;
  for (int i = 0; i < size; ++i) {
    const std::string own = "y" + std::to_string(i), next = "y" + std::to_string((i + 1) % size);
    source.algebraic.push_back({.name = own});
    source.equations.push_back(RelationSource(own + " = " + gain + "*" + next));
  }
  return build(source);
}

TEST(SystemJacobianRank, OfLargeBlocksOnlyWhetherTheyAreSingular) {
  const SystemJacobianRank regular = rank_in(ring("0.99"));
  EXPECT_EQ(regular.size, 300);
  EXPECT_TRUE(regular.full());
  EXPECT_FALSE(regular.rank_is_bound);
  const SystemJacobianRank singular = rank_in(ring("1"));
  EXPECT_EQ(singular.rank, 299);
  EXPECT_TRUE(singular.rank_is_bound);
  EXPECT_EQ(singular.null_vectors.equations.size(), 300U);
}

TEST(SystemJacobianRank, NothingToExamineWithoutAMatching) {
  Source source;
  source.states = {{.name = "x"}};
  source.algebraic = {{.name = "y"}};
  source.binaries = {{.name = "z"}};
  source.equations = {{"motion", "der(x) = 1"}, {"law", "z*(x - 2) + (1 - z)*(y - 2) = 0"}};
  const Model model = build(source);
  EXPECT_TRUE(examine_rank(model, {.z = {0}, .pre = {}, .binary_inputs = {}}).has_value());
  EXPECT_FALSE(examine_rank(model, {.z = {1}, .pre = {}, .binary_inputs = {}}).has_value());
}

/// q·(1 + |s|) = 1 with |s| = −s where z = 0: singular at s = 1, where that mode has ended, or not yet where it ends at 3.
TEST(SystemJacobianRank, TellsWhetherTheModeExcludesThePoint) {
  const auto rank_at = [](const std::string& limit, char z) {
    Source source;
    source.states = {{.name = "x", .start = 1.0}};
    source.algebraic = {{.name = "s"}, {.name = "q"}};
    source.binaries = {{.name = "z"}};
    source.equations = {"der(x) = q", "s = x", "q*(1 + (2*z - 1)*s) = 1"};
    source.constraints = {"(s - " + limit + ")*(1 - z) <= 0"};
    return rank_in(build(source), {z});
  };
  EXPECT_TRUE(rank_at("0", 1).full());
  EXPECT_FALSE(rank_at("0", 1).excluded);
  EXPECT_FALSE(rank_at("0", 0).full());
  EXPECT_TRUE(rank_at("0", 0).excluded);
  EXPECT_FALSE(rank_at("3", 0).full());
  EXPECT_FALSE(rank_at("3", 0).excluded);
}

}  // namespace system_jacobian_rank_test
}  // namespace mti
