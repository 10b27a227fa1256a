#pragma once

#include <gtest/gtest.h>

#include <string>

#include "solvers/structure/mode_structure.hpp"

namespace mti::test {

/// Names of the members in which two structures differ; empty where they are the same.
inline std::string differences(const ModeStructure& a, const ModeStructure& b) {
  std::string names;
  const auto compare = [&](const char* name, bool same) {
    if (!same) names += std::string(names.empty() ? "" : ", ") + name;
  };
  compare("regular", a.regular == b.regular);
  compare("singular", a.singular == b.singular);
  compare("equations", a.equations == b.equations);
  compare("signals", a.signals == b.signals);
  compare("c", a.c == b.c);
  compare("d", a.d == b.d);
  compare("index", a.index == b.index);
  compare("differentiation_index_is_one_more",
          a.differentiation_index_is_one_more == b.differentiation_index_is_one_more);
  compare("degrees_of_freedom", a.degrees_of_freedom == b.degrees_of_freedom);
  compare("blocks", a.blocks == b.blocks);
  compare("overdetermined", a.overdetermined == b.overdetermined);
  compare("underdetermined", a.underdetermined == b.underdetermined);
  return names;
}

inline testing::AssertionResult same_structure(const ModeStructure& a, const ModeStructure& b) {
  const std::string names = differences(a, b);
  return names.empty() ? testing::AssertionSuccess()
                       : testing::AssertionFailure() << "they differ in " << names;
}

}  // namespace mti::test
