#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/surfaces/joined_rows.hpp"

/// Rows on one surface by nonlinear equations.
namespace mti {
namespace joined_rows_test {

/// Equations and two rows of a model in states x, w and algebraic signals.
struct TwoRows {
  TwoRows(std::vector<std::string> algebraic, const std::vector<std::string>& equations, const std::string& a,
          const std::string& b)
      : model(built(std::move(algebraic), equations, a, b)),
        f(model.f()),
        g(model.g()),
        v(at(model.signature.size()), 0.0),
        scale(v.size(), 1.0) {}

  static Model built(std::vector<std::string> algebraic, const std::vector<std::string>& equations,
                     const std::string& a, const std::string& b) {
    Source source;
    source.states = {{"x"}, {"w"}};
    for (std::string& name : algebraic) source.algebraic.push_back({std::move(name)});
    for (const std::string& equation : equations) source.equations.emplace_back(equation);
    source.constraints = {RelationSource(a + " <= 0"), RelationSource(b + " <= 0")};
    return build(source);
  }

  [[nodiscard]] std::vector<int> asked() const { return signals_of(g, std::vector<int>{0, 1}); }
  [[nodiscard]] JoiningEquations equations() const {
    std::vector<int> all(at(f.rows()));
    std::iota(all.begin(), all.end(), 0);
    return {f, all, asked(), model.signature};
  }
  [[nodiscard]] int orientation() const {
    return joined_orientation(equations(), {&g, 0}, {&g, 1}, v, scale);
  }
  double& operator[](const std::string& name) { return v[at(model.signature.find(name).value())]; }

  Model model;
  RowMap f, g;
  std::vector<double> v, scale;
};

/// Dynamics and what only defines a signal that is not asked for: der(x) = …, p, and then r, which p alone held.
TEST(JoiningEquations, AreLeftOutWhereTheyDefineASignal) {
  const TwoRows rows({"y", "p", "r"},
                     {"der(x) = w*y + p", "y*(1 + x*w) = x", "p = r*y", "r = x*w", "der(w) = p"}, "x", "y");
  EXPECT_EQ(rows.equations().joined_to(rows.asked()), std::vector<int>{1});
  EXPECT_TRUE(rows.equations().are_nonlinear());
  // With p in the question it is defined no more, nor r by it.
  const TwoRows with_p({"y", "p", "r"},
                       {"der(x) = w*y + p", "y*(1 + x*w) = x", "p = r*y", "r = x*w", "der(w) = p"}, "x",
                       "y + p");
  EXPECT_EQ(with_p.equations().joined_to(with_p.asked()), (std::vector<int>{1, 2, 3}));
}

/// w makes up for anything in y = x² + w, but not in y = x·w; and what determines m is left out no more than y = x·m.
TEST(JoiningEquations, AreLeftOutWhereAFreeStateMakesUpForAnything) {
  const auto joined = [](const std::vector<std::string>& equations) {
    const TwoRows rows({"y", "m"}, equations, "x", "y");
    return rows.equations().joined_to(rows.asked());
  };
  EXPECT_EQ(joined({"y = x*x + w"}), std::vector<int>{});
  EXPECT_EQ(joined({"y = x*w"}), std::vector<int>{0});
  EXPECT_EQ(joined({"y = x*m", "m*(2 + w) = 3"}), (std::vector<int>{0, 1}));
  EXPECT_EQ(joined({"y = x*m", "m = w"}), std::vector<int>{0});
}

/// der(x) occurs in one row of f: whatever its coefficient, that row is what determines it.
TEST(JoiningEquations, AreLeftOutWhereTheyAloneDetermineASlope) {
  const TwoRows rows({"y"}, {"w*der(x) = y", "y*(2 + x*w) = x"}, "x", "y");
  EXPECT_EQ(rows.equations().joined_to(rows.asked()), std::vector<int>{1});
}

TEST(JoiningEquations, AreNoneBeyondTheirBound) {
  for (const std::size_t length : {JoiningEquations::most_joined - 2, JoiningEquations::most_joined + 2}) {
    std::vector<std::string> names, equations;
    for (std::size_t i = 0; i < length; ++i) {
      names.push_back("y" + std::to_string(i));
      const std::string before = i == 0 ? "x" : names[i - 1];
      equations.push_back(names[i] + " = " + before + "*(2 + w)");
    }
    TwoRows rows(names, equations, "x", names.back());
    rows["w"] = -1.0;
    EXPECT_EQ(rows.equations().joined_to(rows.asked()).size(),
              length <= JoiningEquations::most_joined ? length : 0U);
    EXPECT_EQ(rows.orientation(), length <= JoiningEquations::most_joined ? 1 : 0);
  }
}

/// y_n = x Π (c_i + w^i) with factors of random sign at w = 1, so that the sign is theirs; and the same with d·(w − 1)²
/// beside it, which vanishes at w = 1 with its slope: there is no common surface.
TEST(JoinedOrientation, IsTheProductOfTheSigns) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> size(0.5, 2.0);
  for (int round = 0; round < 40; ++round) {
    std::vector<std::string> names, equations;
    int sign = 1;
    for (int i = 0; i < 4; ++i) {
      const double factor = (random() % 2 == 0 ? 1.0 : -1.0) * size(random);  // at w = 1
      sign *= factor > 0.0 ? 1 : -1;
      names.push_back("y" + std::to_string(i));
      equations.push_back(names.back() + " = " + (i == 0 ? "x" : names[at(i - 1)]) + "*(" +
                          std::to_string(factor - 0.25) + " + 0.25*w)");
    }
    TwoRows same(names, equations, "2*x", "y3");
    same["w"] = 1.0;
    EXPECT_EQ(same.orientation(), sign) << "round " << round;
    equations.back() += " + " + std::to_string(0.1 * size(random)) + "*(w^2 - 2*w + 1)";
    TwoRows touching(names, equations, "2*x", "y3");
    touching["w"] = touching["w.copy1"] = 1.0;
    EXPECT_EQ(touching.orientation(), 0) << "round " << round;
  }
}

/// Where the point lies decides: y = x near (0, 0), y = x + 5 near (0, 5), and where the branches of y² = x² meet
/// nothing is known.
TEST(JoinedOrientation, IsThatOfTheBranch) {
  TwoRows rows({"y"}, {"(y - x)*(y - x - 5) = 0"}, "x", "y");
  rows["fn.sum2"] = -5.0;
  EXPECT_EQ(rows.orientation(), 1);
  rows["y"] = rows["fn.sum1"] = 5.0;
  rows["fn.sum2"] = 0.0;
  EXPECT_EQ(rows.orientation(), 0);
  const TwoRows crossing({"y"}, {"y*y = x*x"}, "x", "y");
  EXPECT_EQ(crossing.orientation(), 0);
}

/// √x ends at x = 0: neither its slope there nor values beyond are known, so nothing is said.
TEST(JoinedOrientation, IsNoneAtTheEndOfADomain) {
  const TwoRows root({"y"}, {"y = sqrt(x)"}, "x", "y");
  EXPECT_EQ(root.orientation(), 0);
  TwoRows inside({"y"}, {"y = sqrt(x)"}, "x - 1", "1 - y");
  inside["x"] = inside["y"] = 1.0;
  EXPECT_EQ(inside.orientation(), -1);
}

/// A surface among the equations makes the row vanish; without it, or where it vanishes on one branch only, it does not.
TEST(VanishesWith, TheSurfaceOnAllBranches) {
  const auto vanishes = [](const std::string& relation, const std::string& row) {
    const TwoRows rows({"y"}, {relation, "2*x = 0"}, row, "x");
    return vanishes_with(rows.equations(), {&rows.g, 0}, 1, 2,
                         std::vector<double>(at(rows.model.signature.size()), 1.0));
  };
  EXPECT_TRUE(vanishes("y*(1 + x*x) = x", "y"));
  EXPECT_TRUE(vanishes("y = sin(x)", "y*w"));
  EXPECT_FALSE(vanishes("y*(1 + x*x) = x + w", "y"));
  EXPECT_FALSE(vanishes("y*(1 + x*x) = x + 1e-4", "y"));
  EXPECT_FALSE(vanishes("(y - x)*(y - x - 5) = 0", "y"));
  EXPECT_FALSE(vanishes("(y - x)*(y - x - 5) = 0", "y - 5"));
}

}  // namespace joined_rows_test
}  // namespace mti
