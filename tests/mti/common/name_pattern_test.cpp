#include "mti/common/name_pattern.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace mti {
namespace name_pattern_test {

/// By the definition: * is nothing, or one character and * again.
bool fits_by_definition(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*')
    return fits_by_definition(name, pattern.substr(1)) ||
           (!name.empty() && fits_by_definition(name.substr(1), pattern));
  return !name.empty() && (pattern.front() == '?' || pattern.front() == name.front()) &&
         fits_by_definition(name.substr(1), pattern.substr(1));
}

TEST(NamePattern, IsItsDefinition) {
  std::mt19937 random(5);
  const auto text = [&](std::string_view letters, std::size_t longest) {
    std::string made(random() % (longest + 1), ' ');
    for (char& letter : made) letter = letters[random() % letters.size()];
    return made;
  };
  int fitting = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const std::string name = text("ab.", 7), pattern = text("ab.*?", 6);
    const bool expected = fits_by_definition(name, pattern);
    EXPECT_EQ(fits(name, pattern), expected) << name << " " << pattern;
    fitting += expected ? 1 : 0;
  }
  EXPECT_GT(fitting, 500);
}

TEST(NamePattern, OfSignals) {
  EXPECT_TRUE(fits("tank1.T", "tank?.T"));
  EXPECT_FALSE(fits("tank12.T", "tank?.T"));
  EXPECT_TRUE(fits("der(x1)", "der(*)"));
  EXPECT_FALSE(fits("x1", "der(*)"));
  EXPECT_TRUE(fits("x", "x"));
  EXPECT_FALSE(fits("", "?"));
}

}  // namespace name_pattern_test
}  // namespace mti
