// The structure of all modes at once against the analysis of every single mode, on random models.

#include "solvers/multimode/all_modes.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/model/freeze.hpp"
#include "solvers/multimode/multimode_analysis.hpp"
#include "solvers/structure/mode_structure.hpp"
#include "tests/solvers/considered_modes.hpp"
#include "tests/solvers/random_multimode_model.hpp"
#include "tests/solvers/structure/same_structure.hpp"

namespace mti::test {
namespace all_modes_test {

constexpr unsigned models = 1500;

std::string bits_of(const Mode& mode) {
  std::string text = "z = ";
  for (const char z : mode.z) text += z != 0 ? '1' : '0';
  text += ", binary inputs ";
  for (const char b : mode.binary_inputs) text += b != 0 ? '1' : '0';
  return text;
}

bool in_all(const std::vector<ModeSet>& sets, const ModeSpace& space, const Mode& mode) {
  return std::ranges::all_of(sets, [&](const ModeSet& set) { return space.contains(set, mode); });
}

/// What the models hold, so that the comparison cannot be one of nothing with nothing.
struct Counts {
  long considered = 0, left_out = 0, regular = 0, higher_index = 0, index_two = 0, coupled = 0, singular = 0,
       vanished = 0, numbers = 0, contradictory = 0, of_both_kinds = 0;

  void count(const Model& model, const ModeStructure& structure) {
    ++considered;
    for (int row = 0; row < model.equations(); ++row)
      if (!holds_binaries_only(model, model.Phi_eq, row) &&
          !std::ranges::binary_search(structure.equations, row))
        ++vanished;
    if (structure.singular) {
      ++singular;
      return;
    }
    if (structure.index == 0) ++regular;
    if (structure.index >= 1) ++higher_index;
    if (structure.index >= 2) ++index_two;
    if (std::ranges::any_of(structure.blocks, [](const ModePart& b) { return b.equations.size() > 1; }))
      ++coupled;
  }
};

/// Danger: any rule of the analysis applied to a mode where it does not hold; modes considered that are not.
TEST(AllModes, EqualTheAnalysisOfEverySingleMode) {
  Counts counts;
  for (unsigned seed = 1; seed <= models; ++seed) {
    const RandomMultimodeModel random(seed);
    const Model& model = random.model;
    const AllModes all(model);
    const long singular_before = counts.singular, considered_before = counts.considered;
    for (const Mode& mode : random.modes()) {
      const bool considered = is_considered(model, mode);
      ASSERT_EQ(in_all(all.space.factors(), all.space, mode), considered)
          << "seed " << seed << ", " << bits_of(mode) << "\n"
          << text_of(model);
      if (!considered) {
        ++counts.left_out;
        continue;
      }
      const ModeStructure expected = analyze_mode(model, mode);
      ASSERT_TRUE(same_structure(all.structure_of(model, mode), expected))
          << "seed " << seed << ", " << bits_of(mode) << "\n"
          << text_of(model);
      counts.count(model, expected);
      const CpMap f = freeze(model, mode).f;
      for (const int row : expected.equations) {
        bool number = true;
        for (int k = 0; k < f.columns(); ++k)
          number = number && (f.Phi().coeff(row, k) == 0.0 || f.S().col(k).nonZeros() == 0);
        if (number) ++counts.numbers;
      }
    }
    const long considered = counts.considered - considered_before,
               singular = counts.singular - singular_before;
    ASSERT_EQ(all.space.contradictory(), considered == 0) << "seed " << seed;
    if (considered == 0) ++counts.contradictory;
    if (singular > 0 && singular < considered) ++counts.of_both_kinds;
  }
  EXPECT_GT(counts.considered, 20000);
  EXPECT_GT(counts.left_out, 5000);
  EXPECT_GT(counts.regular, 1000);
  EXPECT_GT(counts.higher_index, 2000);
  EXPECT_GT(counts.index_two, 500);
  EXPECT_GT(counts.coupled, 2000);
  EXPECT_GT(counts.singular, 5000);
  EXPECT_GT(counts.vanished, 2000);
  EXPECT_GT(counts.numbers, 500);
  EXPECT_GT(counts.contradictory, 10);
  EXPECT_GT(counts.of_both_kinds, 300);
  RecordProperty("regular", static_cast<int>(counts.regular));
  RecordProperty("higher_index", static_cast<int>(counts.higher_index));
  RecordProperty("index_two", static_cast<int>(counts.index_two));
  RecordProperty("coupled", static_cast<int>(counts.coupled));
  RecordProperty("singular", static_cast<int>(counts.singular));
  RecordProperty("of_both_kinds", static_cast<int>(counts.of_both_kinds));
}

using BlockKey = std::pair<std::vector<int>, std::vector<int>>;

BlockKey key_of(const ModePart& block) { return {block.equations, block.signals}; }

/// The same of the graph, whose signals are numbers, all x first.
BlockKey key_of(const ConditionalBlock& block, const Signature& signature) {
  BlockKey key{block.equations, {}};
  for (const int signal : block.signals)
    key.second.push_back(signal < signature.n() ? signature.state_row(signal)
                                                : signature.algebraic_row(signal - signature.n()));
  return key;
}

/// (from, block): the second holds in its leading system a signal that the first solves for. From the frozen
/// map and the offsets: signal j is in the leading system of equation i where d_j − c_i = σ_ij.
std::set<std::pair<BlockKey, BlockKey>> dependencies(const Model& model, const Mode& mode,
                                                     const ModeStructure& structure) {
  const Signature& signature = model.signature;
  std::map<int, BlockKey> block_of_equation, solver_of_signal;
  for (const ModePart& block : structure.blocks) {
    for (const int equation : block.equations) block_of_equation[equation] = key_of(block);
    for (const int signal : block.signals) solver_of_signal[signal] = key_of(block);
  }
  std::map<int, int> c, d;
  for (std::size_t i = 0; i < structure.c.size(); ++i) c[structure.equations[i]] = structure.c[i];
  for (std::size_t j = 0; j < structure.d.size(); ++j) d[structure.signals[j]] = structure.d[j];
  std::map<std::pair<int, int>, int> sigma;
  const CpMap f = freeze(model, mode).f;
  for (int k = 0; k < f.columns(); ++k)
    for (SparseColumns::InnerIterator weight(f.Phi(), k); weight; ++weight)
      for (SparseColumns::InnerIterator factor(f.S(), k); factor; ++factor) {
        const int row = static_cast<int>(factor.row()), equation = static_cast<int>(weight.row());
        const bool slope = row < signature.n();
        const int signal = slope ? signature.state_row(row) : row;
        if (d.contains(signal)) {
          int& order = sigma[{equation, signal}];
          order = std::max(order, slope ? 1 : 0);
        }
      }
  std::set<std::pair<BlockKey, BlockKey>> result;
  for (const auto& [place, order] : sigma) {
    const auto& [equation, signal] = place;
    if (d.at(signal) - c.at(equation) != order) continue;
    if (solver_of_signal.at(signal) != block_of_equation.at(equation))
      result.emplace(solver_of_signal.at(signal), block_of_equation.at(equation));
  }
  return result;
}

/// Danger: a block listed twice or in a mode in which it is none; an edge whose condition is too wide or too
/// narrow. Every mode says of itself which blocks and edges it has; the modes of each are counted.
TEST(ConditionalGraph, HasTheBlocksAndEdgesOfEveryMode) {
  long blocks_of_several = 0, conditional_blocks = 0, edges = 0, conditional_edges = 0;
  for (unsigned seed = 1; seed <= models; ++seed) {
    const RandomMultimodeModel random(seed);
    const Model& model = random.model;
    const AllModes all(model);
    std::map<BlockKey, long> modes_of_block;
    std::map<std::pair<BlockKey, BlockKey>, long> modes_of_edge;
    std::vector<long> found_block(all.graph.blocks.size(), 0), found_edge(all.graph.edges.size(), 0);
    long regular = 0;
    for (const Mode& mode : random.modes()) {
      if (!is_considered(model, mode)) continue;
      const ModeStructure expected = analyze_mode(model, mode);
      std::vector<char> covered(at(model.equations()), 0);
      for (std::size_t b = 0; b < found_block.size(); ++b) {
        if (!all.space.contains(all.graph.blocks[b].where, mode)) continue;
        ++found_block[b];
        for (const int equation : all.graph.blocks[b].equations) ++covered[at(equation)];
      }
      for (int row = 0; row < model.equations(); ++row)
        ASSERT_EQ(covered[at(row)],
                  !expected.singular && std::ranges::binary_search(expected.equations, row) ? 1 : 0)
            << "seed " << seed << ", equation " << row << ", " << bits_of(mode);
      for (std::size_t e = 0; e < found_edge.size(); ++e)
        if (all.space.contains(all.graph.edges[e].where, mode)) ++found_edge[e];
      if (expected.singular) continue;
      ++regular;
      for (const ModePart& block : expected.blocks) ++modes_of_block[key_of(block)];
      for (const auto& edge : dependencies(model, mode, expected)) ++modes_of_edge[edge];
    }
    std::map<BlockKey, long> listed_blocks;
    std::map<std::pair<BlockKey, BlockKey>, long> listed_edges;
    const auto key = [&](int block) { return key_of(all.graph.blocks[at(block)], model.signature); };
    for (std::size_t b = 0; b < found_block.size(); ++b) {
      ASSERT_TRUE(listed_blocks.emplace(key(static_cast<int>(b)), found_block[b]).second)
          << "seed " << seed << ": block " << b << " is listed twice";
      if (found_block[b] < regular) ++conditional_blocks;
      if (all.graph.blocks[b].equations.size() > 1) ++blocks_of_several;
    }
    for (std::size_t e = 0; e < found_edge.size(); ++e) {
      const ConditionalEdge& edge = all.graph.edges[e];
      ASSERT_TRUE(listed_edges.emplace(std::pair(key(edge.from), key(edge.block)), found_edge[e]).second)
          << "seed " << seed << ": edge " << e << " is listed twice";
      ++edges;
      if (found_edge[e] < regular) ++conditional_edges;
    }
    EXPECT_EQ(listed_blocks, modes_of_block) << "seed " << seed << "\n" << text_of(model);
    EXPECT_EQ(listed_edges, modes_of_edge) << "seed " << seed << "\n" << text_of(model);
  }
  RecordProperty("blocks_of_several", static_cast<int>(blocks_of_several));
  RecordProperty("conditional_blocks", static_cast<int>(conditional_blocks));
  RecordProperty("edges", static_cast<int>(edges));
  RecordProperty("conditional_edges", static_cast<int>(conditional_edges));
  EXPECT_GT(blocks_of_several, 150);
  EXPECT_GT(conditional_blocks, 2000);
  EXPECT_GT(edges, 2000);
  EXPECT_GT(conditional_edges, 1000);
}

/// Negative control: with every incidence that any mode has, as if nothing were frozen, the answer is another
/// one in most modes, and often even about what is regular.
TEST(AllModes, AreNotWhatTheUnionOfAllModesIs) {
  long modes = 0, different = 0, different_verdict = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const RandomMultimodeModel random(seed);
    const Model& model = random.model;
    std::vector<int> equations;
    for (int row = 0; row < model.equations(); ++row)
      if (!holds_binaries_only(model, model.Phi_eq, row)) equations.push_back(row);
    const ModeStructure of_union = analyze_mode(model.f(), model.signature, equations);
    for (const Mode& mode : random.modes()) {
      if (!is_considered(model, mode)) continue;
      const ModeStructure of_mode = analyze_mode(model, mode);
      ++modes;
      if (!same_structure(of_union, of_mode)) ++different;
      if (of_union.singular != of_mode.singular) ++different_verdict;
    }
  }
  EXPECT_GT(different, modes / 2);
  EXPECT_GT(different_verdict, modes / 5);
}

/// 1000 a (1 − b) + 1e-12 is 1e-12 where a and b, as every single mode has it.
TEST(AllModes, KeepSmallCoefficientsThatFreezingKeeps) {
  Source source;
  source.states = {{"x", 1.0}};
  source.algebraic = {{"y"}};
  source.binaries = {{"a"}, {"b"}};
  source.equations = {"(1e3*a*(1-b)+1e-12)*y = 1e-12*x", "der(x) + y = 0"};
  const Model model = build(source);
  const AllModes all(model);
  for (const char a : {char{0}, char{1}})
    for (const char b : {char{0}, char{1}}) {
      Mode mode;
      mode.z = {a, b};
      EXPECT_TRUE(same_structure(all.structure_of(model, mode), analyze_mode(model, mode)));
      EXPECT_EQ(all.structure_of(model, mode).index, 0);
      EXPECT_EQ(all.structure_of(model, mode).degrees_of_freedom, 1);
    }
}

/// rose = push (1 − pre(was)): a sample comes to was = rose = 1, which no mode with pre(z) = z is.
TEST(AllModes, AreNotToldByZWhereASampleHasAPast) {
  Source source;
  source.sample_time = 0.1;
  source.states = {{"n"}};
  source.algebraic = {{"y"}};
  source.inputs = {{.name = "push", .binary = true}};
  source.binaries = {{"was"}, {"rose"}};
  source.equations = {"was = push", "rose = push*(1 - pre(was))", "next(n) = n + y",
                      "(1-rose)*y + rose*(n-1) = 0"};
  EXPECT_THROW(static_cast<void>(analyze_all_modes(build(source))), ModeSetTooLarge);
  source.equations[1] = "rose = push*(1 - was)";
  EXPECT_NO_THROW(static_cast<void>(analyze_all_modes(build(source))));
}

}  // namespace all_modes_test
}  // namespace mti::test
