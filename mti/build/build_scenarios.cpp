#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "mti/build/build_parts.hpp"
#include "mti/common/at.hpp"

namespace mti::building {
namespace {

std::string pointer_to(std::size_t scenario) { return element("/scenarios", scenario); }

void check_name(const std::string& name, const std::string& pointer, std::unordered_set<std::string>& taken,
                Faults& faults) {
  if (name.empty()) {
    faults.add("bad-name", pointer, "a scenario needs a name, found an empty text");
  } else if (!taken.insert(name).second) {
    faults.add("duplicate-name", pointer, name + " already names a scenario");
  }
}

/// One fault for each pre(z) that is no entry of v: a scenario adds none, for the modes of the model would
/// not be the same with it and without it.
void check_left_limits(const text::Polynomial& polynomial, const Source& source,
                       const std::vector<int>& remembered, const std::string& pointer, Faults& faults) {
  std::vector<int> known = remembered;
  for (const text::Monomial& monomial : polynomial.monomials())
    for (const text::Power& power : monomial.powers) {
      const int binary = power.symbol.index();
      if (power.symbol.group() != text::Group::pre ||
          std::find(known.begin(), known.end(), binary) != known.end())
        continue;
      known.push_back(binary);
      const std::string& name = source.binaries[at(binary)].name;
      faults.add("pre-in-scenario", pointer,
                 "no equation or constraint of the model holds pre(" + name +
                     "), so a scenario or initial equation cannot; expected the value of " + name +
                     " before the start, 0 or 1");
    }
}

}  // namespace

std::vector<Opening> read_scenarios(const Source& source, const std::vector<int>& remembered,
                                    text::Expander& expander, RelationNames& relation_names, Faults& faults) {
  std::vector<Opening> openings;
  std::unordered_set<std::string> taken;
  const auto read = [&](const std::string& text, const std::string& pointer, Opening& opening) {
    const auto polynomial =
        read_relation(text, pointer, Expected::equation, expander, {text::Expander::Place::scenario}, faults);
    if (polynomial) check_left_limits(*polynomial, source, remembered, pointer, faults);
    opening.equations.push_back(polynomial ? row_of(*polynomial, opening.copies) : Row());
  };
  for (std::size_t i = 0; i < source.scenarios.size(); ++i) {
    const ScenarioSource& scenario = source.scenarios[i];
    check_name(scenario.name, pointer_to(i) + "/name", taken, faults);
    Opening& opening = openings.emplace_back();
    opening.scenario.name = scenario.name;
    opening.scenario.equation_texts = scenario.equations;
    for (std::size_t j = 0; j < scenario.equations.size(); ++j)
      read(scenario.equations[j], element(pointer_to(i) + "/equations", j), opening);
  }
  if (source.initial.empty()) return openings;
  if (source.sample_time)
    faults.add("initial-in-discrete-model", "/initial",
               "a model of discrete time begins with its start values: expected no initial equations");
  Opening& opening = openings.emplace_back();
  opening.scenario.name = "initial";
  opening.scenario.is_initial = true;
  std::vector<std::string> names, pointers;
  for (std::size_t i = 0; i < source.initial.size(); ++i) {
    const RelationSource& relation = source.initial[i];
    const std::string pointer = element("/initial", i);
    names.push_back(relation.name);
    pointers.push_back(pointer + "/name");
    opening.scenario.equation_texts.push_back(relation.text);
    read(relation.text, pointer + (relation.is_object ? "/text" : ""), opening);
  }
  relation_names.claim(names, pointers);
  opening.scenario.equation_names = relation_names.complete(std::move(names), "initial");
  return openings;
}

std::vector<BooleanFormula> read_scenario_modes(const std::vector<ScenarioSource>& sources,
                                                const Declarations& names, const Signature& signature,
                                                Faults& faults) {
  std::vector<BooleanFormula> modes;
  for (std::size_t i = 0; i < sources.size(); ++i)
    modes.push_back(sources[i].modes.empty()
                        ? BooleanFormula()
                        : read_formula(sources[i].modes, pointer_to(i) + "/modes", names, signature, faults));
  return modes;
}

}  // namespace mti::building
