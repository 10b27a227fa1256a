#pragma once

#include <string>
#include <vector>

#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/multimode/all_modes.hpp"
#include "tests/places.hpp"

namespace mti::test {

/// y is absent where open; where short as well, x has an equation too many.
inline Model switched() {
  Source source;
  source.states = {{.name = "x"}};
  source.algebraic = {{.name = "y"}};
  source.binaries = {{.name = "open"}, {.name = "short"}};
  source.equations = {{"law", "der(x) = -x"}, {"part", "(1 - open)*(y - x) + open*short*(x - 1) = 0"}};
  source.invariants = {"open or not short"};
  return build(source);
}

/// A model of tests/cases, by its name without ending, or the one above.
inline Model case_model(const std::string& name) {
  if (name == "switched") return switched();
  return read_model(test::source_dir() / "tests/cases" / (name + ".json"));
}

/// All 2^q modes of a model, considered or not; pre(z) = z.
inline std::vector<Mode> every_mode(const Model& model) {
  std::vector<Mode> modes(1);
  const auto extend = [&](auto member) {
    std::vector<Mode> longer;
    for (const Mode& mode : modes)
      for (const char value : {'\0', '\1'}) {
        longer.push_back(mode);
        (longer.back().*member).push_back(value);
      }
    modes = std::move(longer);
  };
  for (int k = 0; k < model.signature.q(); ++k) extend(&Mode::z);
  for (const Signal& input : model.signature.inputs())
    if (input.binary) extend(&Mode::binary_inputs);
  for (Mode& mode : modes)
    for (const int binary : model.signature.pre()) mode.pre.push_back(mode.z[at(binary)]);
  return modes;
}

/// The value of every mode variable in a mode.
inline std::vector<int> values_in(const Mode& mode, const ModeSpace& space) {
  std::vector<int> values;
  for (int variable = 0; variable < space.variables(); ++variable)
    values.push_back(space.contains(ModeSet::where(variable), mode) ? 1 : 0);
  return values;
}

inline bool is_considered(const Mode& mode, const ModeSpace& space) {
  for (const ModeSet& factor : space.factors())
    if (!space.contains(factor, mode)) return false;
  return true;
}

/// Independent parts, each with a binary of its own.
inline Model many_parts(int count) {
  Source source;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    source.states.push_back({.name = "x" + number});
    source.binaries.push_back({.name = "z" + number});
    source.equations.push_back(RelationSource("z" + number + "*(der(x" + number + ") - 1) + (1 - z" + number +
                                              ")*(x" + number + " - 1) = 0"));
  }
  return build(source);
}

}  // namespace mti::test
