#include <string>

#include "mti/build/build_parts.hpp"
#include "mti/text/parse.hpp"

namespace mti::building {

BooleanFormula read_formula(const std::string& text, const std::string& pointer, const Declarations& names,
                            const Signature& signature, Faults& faults) {
  using Operation = BooleanFormula::Operation;
  BooleanFormula formula{text, {}};
  try {
    for (const text::FormulaStep& step : text::parse_formula(text)) {
      switch (step.kind) {
        case text::FormulaStep::Kind::negation:
          formula.steps.push_back({Operation::negation});
          break;
        case text::FormulaStep::Kind::conjunction:
          formula.steps.push_back({Operation::conjunction});
          break;
        case text::FormulaStep::Kind::disjunction:
          formula.steps.push_back({Operation::disjunction});
          break;
        case text::FormulaStep::Kind::constant:
          formula.steps.push_back({Operation::constant, -1, step.value});
          break;
        case text::FormulaStep::Kind::name: {
          const Declarations::Entry* entry = names.find(step.name);
          if (entry == nullptr) {
            faults.add({"unknown-name", step.offset, names.unknown(step.name)}, pointer, text);
          } else if (!entry->binary) {
            faults.add({"not-a-binary", step.offset,
                        "only binaries and binary inputs can stand in a formula; " + std::string(step.name) +
                            " is declared as " + to_string(entry->kind)},
                       pointer, text);
          }
          formula.steps.push_back({Operation::variable, signature.find(step.name).value_or(-1)});
          break;
        }
      }
    }
  } catch (const text::SyntaxError& error) {
    faults.add(error.fault(), pointer, text);
  }
  return formula;
}

std::vector<BooleanFormula> read_invariants(const std::vector<std::string>& texts, const Declarations& names,
                                            const Signature& signature, Faults& faults) {
  std::vector<BooleanFormula> formulas;
  formulas.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i)
    formulas.push_back(read_formula(texts[i], element("/invariants", i), names, signature, faults));
  return formulas;
}

}  // namespace mti::building
