// The published coaxial cable whose elements may be open or shorted: what is known of it by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/faulty_coaxial.hpp"
#include "mti/build/build.hpp"
#include "solvers/mode_sets/mode_count.hpp"
#include "solvers/multimode/all_modes.hpp"
#include "solvers/structure/mode_structure.hpp"
#include "tests/solvers/structure/same_structure.hpp"

namespace mti::test {
namespace faulty_coaxial_test {

using bench::faulty_coaxial_mode;
using bench::FaultyCoaxial;
using Declared = FaultyCoaxial::Declared;
using Fault = FaultyCoaxial::Fault;

/// All choices of a fault for each element.
std::vector<std::vector<Fault>> all_faults(int elements) {
  std::vector<std::vector<Fault>> result(1);
  for (int k = 0; k < elements; ++k) {
    std::vector<std::vector<Fault>> longer;
    for (const std::vector<Fault>& faults : result)
      for (const Fault fault : {Fault::none, Fault::open, Fault::shorted}) {
        longer.push_back(faults);
        longer.back().push_back(fault);
      }
    result = std::move(longer);
  }
  return result;
}

class FaultyCoaxials : public testing::TestWithParam<FaultyCoaxial> {};

/// Danger: invariants that leave out too much or too little; a mode that is not analysed as by itself.
TEST_P(FaultyCoaxials, EqualTheAnalysisOfEverySingleMode) {
  const Model model = build(GetParam().source());
  const AllModes all(model);
  EXPECT_TRUE(all.parts.singular.empty());
  long considered = 0;
  Mode mode;
  for (unsigned bits = 0; bits < 1U << model.signature.q(); ++bits) {
    mode.z.clear();
    for (int i = 0; i < model.signature.q(); ++i) mode.z.push_back((bits >> i & 1U) != 0 ? 1 : 0);
    if (!std::ranges::all_of(all.space.factors(),
                             [&](const ModeSet& factor) { return all.space.contains(factor, mode); }))
      continue;
    ++considered;
    EXPECT_TRUE(same_structure(all.structure_of(model, mode), analyze_mode(model, mode))) << bits;
  }
  const auto faults = all_faults(GetParam().elements);
  EXPECT_EQ(considered, static_cast<long>(faults.size()));
  EXPECT_EQ(count_modes(all.space.factors(), all.space.variables()), std::to_string(faults.size()));
}

/// Every mode: c = 0, 6N blocks of one equation, 2N − #open − #short degrees of freedom, and the leading
/// signals of each element: nominal i1', u2'; open i1, u2'; shorted i1', u2.
TEST_P(FaultyCoaxials, HaveTheStructureKnownByHand) {
  const int N = GetParam().elements;
  const Model model = build(GetParam().source());
  const AllModes all(model);
  for (const std::vector<Fault>& faults : all_faults(N)) {
    const ModeStructure structure = all.structure_of(model, faulty_coaxial_mode(model, faults));
    ASSERT_FALSE(structure.singular);
    EXPECT_EQ(structure.c, std::vector<int>(static_cast<std::size_t>(6 * N), 0));
    EXPECT_EQ(structure.blocks.size(), static_cast<std::size_t>(6 * N));
    EXPECT_EQ(structure.degrees_of_freedom, 2L * N - (N - std::ranges::count(faults, Fault::none)));
    const auto order = [&](const std::string& name) {
      const int row = model.signature.find(name).value();
      const auto place = std::ranges::find(structure.signals, row) - structure.signals.begin();
      return structure.d.at(static_cast<std::size_t>(place));
    };
    for (std::size_t k = 0; k < faults.size(); ++k) {
      const std::string number = std::to_string(k + 1);
      EXPECT_EQ(order("i1_" + number), faults[k] == Fault::open ? 0 : 1) << number;
      EXPECT_EQ(order("u2_" + number), faults[k] == Fault::shorted ? 0 : 1) << number;
      for (const char* algebraic : {"u1_", "i2_", "v_", "j_"}) EXPECT_EQ(order(algebraic + number), 0);
    }
  }
}

/// 14 N − 2 incidences where nothing is faulty: 10 of each element, 4 of each joint, 2 at the ends.
TEST_P(FaultyCoaxials, HaveTheIncidencesOfTheNominalMode) {
  const Model model = build(GetParam().source());
  const AllModes all(model);
  const Mode nominal =
      faulty_coaxial_mode(model, std::vector(static_cast<std::size_t>(GetParam().elements), Fault::none));
  long incidences = 0, of_all_modes = 0;
  for (const auto& row : all.incidence.entries)
    for (const SymbolicIncidence::Entry& entry : row) {
      ++of_all_modes;
      if (all.space.contains(entry.present, nominal)) ++incidences;
    }
  EXPECT_EQ(incidences, 14 * GetParam().elements - 2);
  // i1 along an open element, u2 across a shorted one.
  EXPECT_EQ(of_all_modes, 16 * GetParam().elements - 2);
}

std::string text_of(const testing::TestParamInfo<FaultyCoaxial>& info) {
  const std::vector<std::string> order{"ByElement", "OpensFirst", "Shuffled"};
  return order.at(static_cast<std::size_t>(info.param.declared)) + std::to_string(info.param.elements);
}

INSTANTIATE_TEST_SUITE_P(Cables, FaultyCoaxials,
                         testing::Values(FaultyCoaxial{1}, FaultyCoaxial{2}, FaultyCoaxial{3},
                                         FaultyCoaxial{4}, FaultyCoaxial{4, Declared::opens_first},
                                         FaultyCoaxial{3, Declared::shuffled},
                                         FaultyCoaxial{4, Declared::shuffled}),
                         text_of);

/// What a cable's blocks say, without the order of declarations: names of equations and signals.
std::vector<std::string> blocks_by_name(const Model& model, const AllModes& all) {
  std::vector<std::string> result;
  for (const ConditionalBlock& block : all.graph.blocks) {
    std::string text;
    for (const int equation : block.equations)
      text += model.equation_names.at(static_cast<std::size_t>(equation)) + " ";
    text += "->";
    for (const int signal : block.signals)
      text +=
          " " + model.signature.row_name(signal < model.signature.n()
                                             ? model.signature.state_row(signal)
                                             : model.signature.algebraic_row(signal - model.signature.n()));
    result.push_back(text);
  }
  std::ranges::sort(result);
  return result;
}

/// Danger: an order of variables that follows the declarations has diagrams of 2^N nodes for relations
/// between open_k and short_k declared far from each other. 3^300 modes, whatever the order.
TEST(FaultyCoaxialOrder, OfDeclarationsChangesNothing) {
  constexpr int N = 300;
  std::string modes = "1";  // 3^N by hand, digits from the lowest
  for (int k = 0; k < N; ++k) {
    int carry = 0;
    for (char& digit : modes) {
      carry += 3 * (digit - '0');
      digit = static_cast<char>('0' + carry % 10);
      carry /= 10;
    }
    if (carry > 0) modes += static_cast<char>('0' + carry);
  }
  std::ranges::reverse(modes);
  std::vector<std::string> blocks;
  for (const Declared declared : {Declared::by_element, Declared::opens_first, Declared::shuffled}) {
    const Model model = build(FaultyCoaxial{N, declared}.source());
    const AllModes all(model);
    EXPECT_TRUE(all.parts.singular.empty());
    EXPECT_EQ(count_modes(all.space.factors(), all.space.variables()), modes);
    const std::vector<std::string> now = blocks_by_name(model, all);
    if (blocks.empty()) blocks = now;
    EXPECT_EQ(now, blocks);
  }
}

}  // namespace faulty_coaxial_test
}  // namespace mti::test
