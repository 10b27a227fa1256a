// Which differences become signals, and that rows keep their values by it.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "tests/mti/text/row_values.hpp"

namespace mti {
namespace differences_test {

Source frame() {
  Source source;
  source.parameters = {{"G", 1e9}};
  source.inputs = {{.name = "u", .form = SineSource{10.0, 50.0, 0.0, 0.0}}};
  source.states = {{"x", 0.0}, {"w", 0.0}};
  source.algebraic = {{"i", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {RelationSource("i = 0"), RelationSource("der(w) = -w*w")};
  source.constraints = {"(1 - 2*z)*(u - x) <= 0"};
  return source;
}

bool has_difference(const Source& source) {
  const std::vector<std::string> names = build(source).equation_names;
  return std::ranges::find(names, "fn.sum1.definition") != names.end();
}

Source with(std::vector<RelationSource> equations) {
  Source source = frame();
  source.equations.insert(source.equations.end(), equations.begin(), equations.end());
  return source;
}

TEST(Differences, AreThoseThatDriveWhatABinarySwitches) {
  for (const std::string flow :
       {"(u - x)*(G*z + 1e-9*(1 - z)) - 0.02*x", "G*z*u - z*x*G - x^2", "(x - u)*(1 - z)*G", "w*(u - x)*z",
        "G*max(u - x, 0)", "(if u > x then G else 1e-9)*(u - x)"})
    EXPECT_TRUE(has_difference(with({RelationSource("1e-4*der(x) = " + flow)}))) << flow;
}

/// A contactor in series, a flow that is switched behind the difference, a signal for it that the constraint does not use, a
/// threshold that is a number.
TEST(Differences, AreFoundWhereverTheyDrive) {
  Source contactor = with({RelationSource("1e-4*der(x) = G*z*closed*(u - x)")});
  contactor.binaries.push_back({"closed", 0.0});
  contactor.constraints.emplace_back("(w - 1)*(1 - 2*closed) <= 0");
  EXPECT_TRUE(has_difference(contactor));
  for (const std::string flow : {"G*(u - x)", "u - x"}) {
    Source behind = with({RelationSource("1e-4*der(x) = q*z*G"), RelationSource("q = " + flow)});
    behind.algebraic.push_back({"q", 0.0});
    EXPECT_TRUE(has_difference(behind)) << flow;
  }
  EXPECT_TRUE(has_difference(with({RelationSource("1e-4*der(x) = 0.1*u - G*max(x - 4, 0)")})));
  Source full_wave = with({RelationSource("1e-4*der(x) = G*max(u - x, 0) + G*max(-u - x, 0) - 0.02*x")});
  full_wave.constraints.clear();
  full_wave.binaries.clear();
  const std::vector<std::string> names = build(full_wave).equation_names;
  for (const char* name : {"fn.sum1.definition", "fn.sum2.definition"})
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  Source current = with({RelationSource("1e-4*der(x) = 0.1*u - q"), RelationSource("q = G*max(x - 4, 0)")});
  current.algebraic.push_back({"q", 0.0});
  EXPECT_TRUE(has_difference(current));
}

TEST(Differences, AreNoOthers) {
  // No binary switches it, the binary is another one's, or the equation is that of an ideal switch.
  EXPECT_FALSE(has_difference(with({RelationSource("1e-4*der(x) = G*(u - x)")})));
  EXPECT_FALSE(has_difference(with({RelationSource("1e-4*der(x) = z*(u + x)")})));
  Source ideal = frame();
  ideal.equations = {RelationSource("der(x) = i - x^2"), RelationSource("z*(u - x) + (1 - z)*i = 0"),
                     RelationSource("der(w) = -w")};
  EXPECT_FALSE(has_difference(ideal));
  // Of affine modes all digits are known, and discrete-time models integrate nothing.
  Source affine = with({RelationSource("1e-4*der(x) = G*z*(u - x)")});
  affine.equations[1] = RelationSource("der(w) = -w*z");
  EXPECT_FALSE(has_difference(affine));
  // What is clamped on two sides, and functions of a signal that drive something else.
  for (const std::string text : {"der(x) = clamp(u - x, 0, 1)", "i = max(u - x, 0) - max(u - x - 1, 0)"}) {
    Source clamped = frame();
    clamped.equations = {RelationSource(text), RelationSource(text[0] == 'i' ? "der(x) = i" : "i = 0"),
                         RelationSource("der(w) = -w*w")};
    clamped.constraints.clear();
    clamped.binaries.clear();
    EXPECT_FALSE(has_difference(clamped)) << text;
  }
  EXPECT_FALSE(has_difference(with({RelationSource("der(x) = -x*u + table(w, [0, 1, 2], [3, 5, 4])")})));
  // A signal of one's own needs no other one.
  Source named = with({RelationSource("1e-4*der(x) = G*z*v")});
  named.algebraic.push_back({"v", 0.0});
  named.equations.emplace_back("v = u - x");
  named.constraints = {"(1 - 2*z)*v <= 0"};
  EXPECT_FALSE(has_difference(named));
}

/// At values of which no product and no sum is rounded.
TEST(Differences, LeaveTheValuesOfRows) {
  const Source source = with({RelationSource(
      "der(x) = (u - x - 0.5)*(1024*z + 0.25*(1 - z)) - 2*x - 3*x*w + 4*z*w*(u - x - 0.5) + z*u - 5*z")});
  Source changed = source;
  changed.constraints = {"(1 - 2*z)*(2*u - 2*x - 1) <= 0", "(x - u)*z <= 1"};
  const Model model = build(changed);
  ASSERT_TRUE(has_difference(changed));
  const Signature& signature = model.signature;
  std::mt19937 random(7);
  std::uniform_int_distribution<int> sixteenths(-64, 64);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> v(at(signature.size()), 0.0);
    const double x = sixteenths(random) / 16.0, w = sixteenths(random) / 16.0, u = sixteenths(random) / 16.0,
                 slope = sixteenths(random) / 16.0, z = trial % 2;
    v[at(signature.derivative_row(0))] = slope;
    v[at(signature.state_row(0))] = x;
    v[at(signature.state_row(1))] = w;
    v[at(signature.input_row(0))] = u;
    v[at(signature.binary_row(0))] = z;
    test::enter_sums(model, v);
    const double d = u - x - 0.5;
    EXPECT_EQ(test::value_of_row(model.S, model.Phi_eq, 2, v),
              slope - (d * (z > 0 ? 1024.0 : 0.25) - 2 * x - 3 * x * w + 4 * z * w * d + z * u - 5 * z));
    EXPECT_EQ(test::value_of_row(model.S, model.Phi_ineq, 0, v), (1 - 2 * z) * 2 * d);
    EXPECT_EQ(test::value_of_row(model.S, model.Phi_ineq, 1, v), (x - u) * z - 1);
  }
}

}  // namespace differences_test
}  // namespace mti
