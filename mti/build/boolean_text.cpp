#include "mti/build/boolean_text.hpp"

#include "mti/build/build_parts.hpp"

namespace mti {

BooleanFormula parse_formula(const Model& model, const std::string& text) {
  using Kind = Declarations::Kind;
  Declarations names;
  const auto declare = [&names](const std::vector<Signal>& signals, Kind kind) {
    for (std::size_t i = 0; i < signals.size(); ++i)
      names.declare(
          signals[i].name,
          {.kind = kind, .index = static_cast<int>(i), .binary = signals[i].binary || kind == Kind::binary});
  };
  declare(model.signature.states(), Kind::state);
  declare(model.signature.inputs(), Kind::input);
  declare(model.signature.algebraic(), Kind::algebraic);
  declare(model.signature.binaries(), Kind::binary);
  building::Faults faults;
  BooleanFormula formula = building::read_formula(text, "", names, model.signature, faults);
  if (!faults.empty()) throw InvalidOption(faults.take());
  return formula;
}

}  // namespace mti
