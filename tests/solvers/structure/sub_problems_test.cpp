#include "solvers/structure/sub_problems.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/solvers/pattern_model.hpp"
#include "tests/solvers/structure/patterns.hpp"

namespace mti {
namespace sub_problems_test {

using test::NamedSum;
using test::pattern_model;
using test::signals;
using test::three_tanks;
using Names = std::vector<std::string>;

struct NamedProblem {
  Names rows, unknowns;
  friend auto operator<=>(const NamedProblem&, const NamedProblem&) = default;
};

std::vector<NamedProblem> named(const Model& model, const SubSet& sub_set) {
  std::vector<NamedProblem> result;
  for (const SubProblem& problem : sub_set.sub_problems) {
    NamedProblem& entry = result.emplace_back();
    for (const int row : problem.equations) entry.rows.push_back(model.equation_names[row]);
    for (const int row : problem.constraints) entry.rows.push_back(model.constraint_names[row]);
    for (const int row : problem.unknowns) entry.unknowns.push_back(model.signature.row_name(row));
  }
  return result;
}

std::ostream& operator<<(std::ostream& out, const NamedProblem& problem) {
  for (const auto& row : problem.rows) out << row << ' ';
  out << "->";
  for (const auto& unknown : problem.unknowns) out << ' ' << unknown;
  return out;
}

const std::vector<NamedProblem> three_tank_problems = {
    {{"low1", "high1"}, {"z1", "z2"}}, {{"low2", "high2"}, {"z3", "z4"}}, {{"low3", "high3"}, {"z5", "z6"}},
    {{"open_valves"}, {"y1"}},         {{"tank1"}, {"der(x1)"}},          {{"tank2"}, {"der(x2)"}},
    {{"tank3"}, {"der(x3)"}}};

// The paper, chapter 4 and pattern (28): 7 sub-problems, 12 combinations instead of 64.
TEST(Structure, three_tanks_fall_into_the_papers_sub_problems) {
  const Model model = three_tanks();
  const Structure structure = analyze_structure(model);
  ASSERT_EQ(structure.sub_sets.size(), 1U);
  EXPECT_EQ(named(model, structure.sub_sets[0]), three_tank_problems);
  EXPECT_EQ(structure.combinations_all, "64");
  EXPECT_EQ(structure.combinations_reduced, "12");
  EXPECT_TRUE(structure.unmatched_equations.empty());
  EXPECT_TRUE(structure.unmatched_unknowns.empty());
  EXPECT_TRUE(structure.unmatched_binaries.empty());
}

TEST(Structure, a_known_signal_does_not_connect) {
  // Tank 1 of the three, and a tank 4 with nothing in common but u1 and x1.
  const Model model = pattern_model(
      {signals({"x1", "x4"}), signals({"u1"}), {}, {}},
      {{"tank1", {{"der(x1)"}, {"x1"}, {"u1"}}}, {"tank4", {{"der(x4)"}, {"x4"}, {"x1"}, {"u1"}}}});
  const Structure structure = analyze_structure(model);
  ASSERT_EQ(structure.sub_sets.size(), 2U);
  EXPECT_EQ(named(model, structure.sub_sets[0]), (std::vector<NamedProblem>{{{"tank1"}, {"der(x1)"}}}));
  EXPECT_EQ(named(model, structure.sub_sets[1]), (std::vector<NamedProblem>{{{"tank4"}, {"der(x4)"}}}));
  EXPECT_EQ(structure.combinations_all, "1");
  EXPECT_EQ(structure.combinations_reduced, "0");
}

// 0 ≤ a ⊥ b ≥ 0: one equation, two constraints, one binary; a + b = x closes it.
TEST(Structure, the_binary_of_a_complementarity_joins_its_block) {
  const Model model = pattern_model({signals({"x"}), {}, signals({"a", "b"}), signals({"z"})},
                                    {{"motion", {{"der(x)"}, {"a"}}},
                                     {"sum", {{"a"}, {"b"}, {"x"}}},
                                     {"switch", {{"z", "a"}, {"b"}, {"z", "b"}}}},
                                    {{"a_sign", {{"a"}}}, {"b_sign", {{"b"}}}, {"level", {{"x"}}}});
  const Structure structure = analyze_structure(model);
  ASSERT_EQ(structure.sub_sets.size(), 1U);
  EXPECT_EQ(named(model, structure.sub_sets[0]),
            (std::vector<NamedProblem>{{{"sum", "switch", "a_sign", "b_sign"}, {"a", "b", "z"}},
                                       {{"motion"}, {"der(x)"}}}));
  EXPECT_EQ(structure.unmatched_binaries, std::vector<int>{*model.signature.find("z")});
  EXPECT_EQ(structure.constraints_of_knowns, std::vector<int>{2});
  EXPECT_EQ(structure.combinations_reduced, "2");
}

// z3 = z1 z2 has no constraint: z1 and z2 are decided by their own rows, z3 by the equation left over.
TEST(Structure, a_logic_equation_determines_a_binary) {
  const Model model = pattern_model({signals({"x1", "x2"}), {}, {}, signals({"z1", "z2", "z3"})},
                                    {{"and", {{"z3"}, {"z1", "z2"}}},
                                     {"motion1", {{"der(x1)"}, {"z3"}}},
                                     {"motion2", {{"der(x2)"}, {"x1"}}}},
                                    {{"above1", {{"x1"}, {"x1", "z1"}}}, {"above2", {{"x2"}, {"x2", "z2"}}}});
  const Structure structure = analyze_structure(model);
  ASSERT_EQ(structure.sub_sets.size(), 2U);
  EXPECT_EQ(named(model, structure.sub_sets[0]),
            (std::vector<NamedProblem>{
                {{"above1"}, {"z1"}}, {{"above2"}, {"z2"}}, {{"and"}, {"z3"}}, {{"motion1"}, {"der(x1)"}}}));
  EXPECT_EQ(named(model, structure.sub_sets[1]), (std::vector<NamedProblem>{{{"motion2"}, {"der(x2)"}}}));
  EXPECT_EQ(structure.combinations_all, "8");
  EXPECT_EQ(structure.combinations_reduced, "6");
}

TEST(Structure, what_is_left_over_is_listed) {
  // y2 and free occur in no equation of their own; `twice` has nothing left to determine; `known` holds x
  // only.
  const Model model = pattern_model(
      {signals({"x"}), {}, signals({"y1", "y2"}), signals({"z", "free"})},
      {{"motion", {{"der(x)"}, {"y1"}}}, {"first", {{"y1"}, {"x"}}}, {"twice", {{"y1"}}}, {"known", {{"x"}}}},
      {{"bound", {{"y2"}, {"der(x)"}}}, {"zone", {{"x"}, {"x", "z"}}}});
  const Structure structure = analyze_structure(model);
  EXPECT_EQ(structure.unmatched_equations, std::vector<int>{2});
  EXPECT_EQ(structure.unmatched_unknowns, std::vector<int>{*model.signature.find("y2")});
  EXPECT_EQ(structure.unmatched_binaries, std::vector<int>{*model.signature.find("free")});
  EXPECT_EQ(structure.equations_of_knowns, std::vector<int>{3});
  ASSERT_EQ(structure.sub_sets.size(), 3U);
  EXPECT_EQ(named(model, structure.sub_sets[0]),
            (std::vector<NamedProblem>{
                {{"first", "twice"}, {"y1"}}, {{"motion"}, {"der(x)"}}, {{"bound"}, {"y2"}}}));
  EXPECT_EQ(named(model, structure.sub_sets[1]), (std::vector<NamedProblem>{{{"zone"}, {"z"}}}));
  EXPECT_EQ(named(model, structure.sub_sets[2]), (std::vector<NamedProblem>{{{}, {"free"}}}));
}

TEST(Structure, pre_of_a_binary_is_known) {
  const Model model =
      pattern_model({signals({"x"}), {}, {}, signals({"latch"}), {0}}, {{"motion", {{"der(x)"}, {"latch"}}}},
                    {{"keep", {{"pre(latch)"}, {"latch"}}}, {"before", {{"pre(latch)"}, {"x"}}}});
  const Structure structure = analyze_structure(model);
  ASSERT_EQ(structure.sub_sets.size(), 1U);
  EXPECT_EQ(named(model, structure.sub_sets[0]),
            (std::vector<NamedProblem>{{{"keep"}, {"latch"}}, {{"motion"}, {"der(x)"}}}));
  EXPECT_EQ(structure.constraints_of_knowns, std::vector<int>{1});
}

TEST(Structure, an_empty_model_has_an_empty_structure) {
  const Structure structure = analyze_structure(pattern_model({}, {}));
  EXPECT_TRUE(structure.sub_sets.empty());
  EXPECT_EQ(structure.combinations_all, "1");
}

TEST(Structure, combinations_are_exact_beyond_machine_numbers) {
  Names binaries;
  test::SumOfProducts all;
  for (int i = 0; i < 200; ++i) binaries.push_back("z" + std::to_string(i));
  for (const std::string& z : binaries) all.push_back({z});
  const Structure structure =
      analyze_structure(pattern_model({{}, {}, {}, signals(binaries)}, {}, {{"budget", all}}));
  // 2^200
  EXPECT_EQ(structure.combinations_all, "1606938044258990275541962092341162602522202993782792835301376");
  EXPECT_EQ(structure.combinations_reduced, structure.combinations_all);
}

TEST(Structure, does_not_depend_on_the_declared_order) {
  const std::set<NamedProblem> expected = [] {
    std::set<NamedProblem> result;
    for (NamedProblem problem : three_tank_problems) {
      std::sort(problem.rows.begin(), problem.rows.end());
      result.insert(problem);
    }
    return result;
  }();
  std::mt19937 random(9);
  for (int trial = 0; trial < 50; ++trial) {
    Model model = three_tanks();
    const auto shuffle_rows = [&](SparseColumns& Phi, Names& names) {
      const std::vector<int> to = test::random_permutation(static_cast<int>(Phi.rows()), random);
      const Names old = names;
      for (std::size_t row = 0; row < old.size(); ++row) names[to[row]] = old[row];
      Phi =
          Eigen::PermutationMatrix<Eigen::Dynamic>(Eigen::Map<const Eigen::VectorXi>(to.data(), Phi.rows())) *
          Phi;
    };
    shuffle_rows(model.Phi_eq, model.equation_names);
    shuffle_rows(model.Phi_ineq, model.constraint_names);

    const std::vector<int> to = test::random_permutation(6, random);  // where each binary goes
    std::vector<Signal> binaries(6);
    std::vector<int> row_to(model.signature.size());
    std::iota(row_to.begin(), row_to.end(), 0);
    for (int z = 0; z < 6; ++z) {
      binaries[to[z]] = model.signature.binaries()[z];
      row_to[model.signature.binary_row(z)] = model.signature.binary_row(to[z]);
    }
    model.signature = {model.signature.states(), model.signature.inputs(), model.signature.algebraic(),
                       binaries};
    model.S = Eigen::PermutationMatrix<Eigen::Dynamic>(
                  Eigen::Map<const Eigen::VectorXi>(row_to.data(), model.signature.size())) *
              model.S;

    const Structure structure = analyze_structure(model);
    ASSERT_EQ(structure.sub_sets.size(), 1U);
    std::set<NamedProblem> found;
    for (NamedProblem problem : named(model, structure.sub_sets[0])) {
      std::sort(problem.rows.begin(), problem.rows.end());
      std::sort(problem.unknowns.begin(), problem.unknowns.end());
      found.insert(problem);
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(structure.combinations_reduced, "12");
  }
}

// Tanks in a ring, each with a valve and its counterpart and one flow to the next: every part is small.
TEST(Structure, a_ring_of_ten_thousand_tanks_splits_into_small_parts) {
  const int tanks = 10'000;
  Names x, y, z;
  std::vector<NamedSum> equations, constraints;
  for (int i = 0; i < tanks; ++i) {
    const std::string own = std::to_string(i), previous = std::to_string((i + tanks - 1) % tanks);
    x.push_back("x" + own);
    y.push_back("y" + own);
    z.push_back("a" + own);
    z.push_back("b" + own);
    equations.push_back({"tank" + own, {{"der(x" + own + ")"}, {"y" + own}, {"y" + previous}}});
    equations.push_back({"flow" + own, {{"y" + own}, {"x" + own, "a" + own}, {"x" + previous}}});
    for (const std::string side : {"low", "high"})
      constraints.push_back({side + own, {{"x" + own}, {"x" + own, "a" + own}, {"x" + own, "b" + own}}});
  }
  const Model model = pattern_model({signals(x), {}, signals(y), signals(z)}, equations, constraints);
  const Structure structure = analyze_structure(model);
  ASSERT_EQ(structure.sub_sets.size(), 1U);
  EXPECT_EQ(structure.sub_sets[0].sub_problems.size(), 3U * tanks);
  EXPECT_EQ(structure.combinations_reduced, std::to_string(4 * tanks));
  EXPECT_EQ(structure.combinations_all.size(), 6021U);  // ⌊20000 · log10 2⌋ + 1 digits
}

}  // namespace sub_problems_test
}  // namespace mti
