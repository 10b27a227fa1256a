// Which sums become signals, and which are multiplied out.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "tests/mti/text/row_values.hpp"

namespace mti {
namespace kept_sums_test {

Source frame() {
  Source source;
  source.states = {{"x1", 0.0}, {"x2", 0.0}};
  source.algebraic = {{"q", 0.0}};
  source.binaries = {{"z1", 0.0}};
  return source;
}

/// Multiplied out, (x − c)³ is known to the rounding of c³ only.
TEST(KeptSums, AreThoseThatAreMultipliedByThemselves) {
  for (const std::string text :
       {"(x1 - 1e6)^3", "(x1 - 1e6)*((x1 - 1e6)*(x1 - 1e6))", "(x1 - 1e6)*(x1 - 1e6)*(x1 - 1e6)"}) {
    Source source = frame();
    source.equations = {RelationSource("q = " + text)};
    const Model model = build(source);
    std::vector<double> v(static_cast<std::size_t>(model.signature.size()), 0.0);
    v[static_cast<std::size_t>(model.signature.state_row(0))] = 1e6 + 0.25;
    test::enter_sums(model, v);
    EXPECT_EQ(test::value_of_row(model.S, model.Phi_eq, 0, v), -0.015625) << text;
  }
}

/// What holds binaries is multiplied out, so that z² = z; and so is what cannot cancel.
TEST(KeptSums, AreNoOthers) {
  Source source = frame();
  source.equations = {"q = (x1 + z1)^2 + (x1 + 1)*(x2 + 1) + x1*(x1 - 1)"};
  EXPECT_EQ(build(source).equation_names, (std::vector<std::string>{"eq1", "x1.copy1.definition"}));
}

}  // namespace kept_sums_test
}  // namespace mti
