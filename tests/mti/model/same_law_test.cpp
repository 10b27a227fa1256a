// Laws that say the same count once; those that say nothing are the same as well.

#include "mti/model/same_law.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"

namespace mti::test {
namespace same_law_test {

Transition law_with(const std::vector<std::string>& equations) {
  Source source;
  source.states = {{.name = "h", .start = 1.0}, {.name = "v"}};
  source.equations = {{"motion", "der(h) = v"}, {"newton", "der(v) = -9.81"}};
  source.constraints = {{"floor", "-h <= 0"}};
  source.transitions = {{.when = "reach(floor)", .replaces = {"newton"}, .equations = equations}};
  return build(source).transitions.front();
}

TEST(SameLaw, IsToldByRowsAndEquations) {
  EXPECT_TRUE(same_law(law_with({"v = -0.5*pre(v)"}), law_with({"v = -0.5*pre(v)"})));
  EXPECT_FALSE(same_law(law_with({"v = -0.5*pre(v)"}), law_with({"v = -0.25*pre(v)"})));
  EXPECT_FALSE(same_law(law_with({"v = -0.5*pre(v)"}), law_with({})));
  EXPECT_TRUE(same_law(law_with({}), law_with({})));
}

}  // namespace same_law_test
}  // namespace mti::test
