#include "mti/model/freeze.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "tests/mti/multilinear/random_map.hpp"

namespace mti {
namespace freeze_test {

using test::Random;

/// One state, one real and one binary input, one algebraic signal, q binaries, the last of them remembered.
Signature signature_with(int q) {
  std::vector<Signal> binaries;
  for (int i = 0; i < q; ++i) binaries.push_back({.name = "z" + std::to_string(i)});
  return Signature({{.name = "x"}}, {{.name = "u"}, {.name = "on", .binary = true}}, {{.name = "y"}},
                   binaries, {q - 1});
}

/// All 2^(q + 2) modes of signature_with(q).
std::vector<Mode> modes_with(int q) {
  std::vector<Mode> modes;
  for (unsigned bits = 0; bits < 1U << static_cast<unsigned>(q + 2); ++bits) {
    const auto bit = [bits](int i) { return static_cast<char>(bits >> static_cast<unsigned>(i) & 1U); };
    Mode mode;
    for (int i = 0; i < q; ++i) mode.z.push_back(bit(i));
    mode.pre = {bit(q)};
    mode.binary_inputs = {bit(q + 1)};
    modes.push_back(mode);
  }
  return modes;
}

/// f of the frozen map at any values of the fixed signals = f of the full map at the mode's.
void expect_same(const CpMap& full, const CpMap& frozen, const std::vector<double>& v,
                 const std::vector<double>& v_of_mode) {
  ASSERT_EQ(frozen.signals(), full.signals());
  ASSERT_EQ(frozen.rows(), full.rows());
  const std::vector<long double> expected = test::naive_value(full, v_of_mode);
  const std::vector<long double> found = test::naive_value(frozen, v);
  // A factor 1 − |S| + S z rounds relative to 1, whatever z is; so do the sums of merged columns.
  std::vector<double> size_at = test::absolute(v_of_mode);
  for (double& entry : size_at) entry = std::max(entry, 1.0);
  const std::vector<long double> size = test::naive_value(test::absolute(full), size_at);
  for (std::size_t row = 0; row < expected.size(); ++row)
    ASSERT_LE(std::abs(found[row] - expected[row]), 2.0 * test::rounding(full) * size[row]) << "row " << row;
}

TEST(Freeze, EqualsTheFullMapInEveryMode) {
  Random random(1);
  for (int trial = 0; trial < 12; ++trial) {
    const int q = 1 + trial % 4;
    Model model;
    model.signature = signature_with(q);
    const CpMap map = test::random_map(random, model.signature.size(), 4, 30, 5);
    model.S = map.S();
    model.Phi_eq = map.Phi().topRows(2);
    model.Phi_ineq = map.Phi().bottomRows(2);
    for (const Mode& mode : modes_with(q)) {
      const FrozenModel frozen = freeze(model, mode);
      const std::vector<double> v = random.point(model.signature.size());
      std::vector<double> v_of_mode = v;
      v_of_mode[3] = mode.binary_inputs[0];
      for (int i = 0; i < q; ++i) v_of_mode[at(5 + i)] = mode.z[at(i)];
      v_of_mode[at(5 + q)] = mode.pre[0];
      std::vector<double> written = v;
      write_mode(model.signature, mode, written);
      EXPECT_EQ(written, v_of_mode);
      expect_same(model.f(), frozen.f, v, v_of_mode);
      expect_same(model.g(), frozen.g, v, v_of_mode);
    }
  }
}

/// No fixed signal is left, and no two columns are equal.
TEST(Freeze, LeavesOnlyWhatIsFreeAndMerges) {
  Random random(2);
  const CpMap map = test::random_map(random, 4, 3, 200, 4);
  const CpMap frozen = freeze(map, std::vector<FixedSignal>{{1, 1.0}, {3, 0.0}});
  std::vector<std::vector<double>> columns;
  for (int k = 0; k < frozen.columns(); ++k) {
    EXPECT_EQ(frozen.S().coeff(1, k), 0.0);
    EXPECT_EQ(frozen.S().coeff(3, k), 0.0);
    EXPECT_GT(frozen.Phi().col(k).nonZeros(), 0);
    columns.push_back({frozen.S().coeff(0, k), frozen.S().coeff(2, k)});
  }
  std::sort(columns.begin(), columns.end());
  EXPECT_EQ(std::adjacent_find(columns.begin(), columns.end()), columns.end());
  EXPECT_LT(frozen.columns(), map.columns());
}

/// Nothing fixed: the same function; everything fixed: constants in at most one column.
TEST(Freeze, NothingAndEverything) {
  Random random(3);
  const CpMap map = test::random_map(random, 4, 3, 20, 4);
  const std::vector<double> v = random.point(4);
  expect_same(map, freeze(map, {}), v, v);
  std::vector<FixedSignal> all;
  for (int i = 0; i < 4; ++i) all.push_back({i, v[at(i)]});
  const CpMap constant = freeze(map, all);
  EXPECT_LE(constant.columns(), 1);
  EXPECT_EQ(constant.S().nonZeros(), 0);
  expect_same(map, constant, random.point(4), v);
}

/// (lo − x)(1 − z1 + z2) is (lo − x) times 1, 0, 2 or 1; at z1 = 1, z2 = 0 nothing of it is left.
TEST(Freeze, AConstraintThatAModePutsOutOfForce) {
  Source source;
  source.parameters = {{"lo", 0.3}};
  source.states = {{"x", 1.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}};
  source.equations = {"der(x) = -x"};
  source.constraints = {"(lo - x)*(1 - z1 + z2) <= 0"};
  const Model model = build(source);
  const auto g = [&model](char z1, char z2) { return freeze(model, {{z1, z2}, {}, {}}).g; };
  EXPECT_EQ(g(1, 0).columns(), 0);
  EXPECT_EQ(g(1, 0).rows(), 1);
  const auto at_two = [](const CpMap& map) {
    return static_cast<double>(test::naive_value(map, {0.0, 2.0, 0.0, 0.0})[0]);
  };
  EXPECT_NEAR(at_two(g(0, 0)), -1.7, 1e-15);
  EXPECT_NEAR(at_two(g(1, 1)), -1.7, 1e-15);
  EXPECT_NEAR(at_two(g(0, 1)), -3.4, 1e-15);
}

}  // namespace freeze_test
}  // namespace mti
