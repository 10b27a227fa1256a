#include <string>
#include <utility>

#include "mti/build/build_parts.hpp"
#include "mti/common/at.hpp"

namespace mti::building {
namespace {

struct Original {
  Signal signal;
  double start = 0.0;
};

/// What a copy takes over from the signal it copies.
Original original_of(text::Symbol symbol, const Signals& signals, double start_time, bool discrete) {
  const auto index = at(symbol.index());
  switch (symbol.group()) {
    case text::Group::derivative:
      return {{.name = signals.states[index].name + (discrete ? ".next" : ".der"),
               .nominal = signals.states[index].nominal},
              discrete ? signals.x_start[index] : 0.0};
    case text::Group::state:
      return {signals.states[index], signals.x_start[index]};
    case text::Group::input:
      return {signals.inputs[index], signals.input_forms[index].piece(start_time).value(start_time)};
    case text::Group::algebraic:
      return {signals.algebraic[index], signals.y_start[index]};
    default:
      return {};  // binaries and pre(z) have no powers
  }
}

}  // namespace

void append_clock(Signals& signals) {
  signals.inputs.push_back({.name = "time", .auxiliary = true});
  signals.input_forms.emplace_back(ClockInput{});
}

void append_copies(const text::Copies& copies, double start_time, Declarations& names,
                   RelationNames& relation_names, Signals& signals, Relations& relations) {
  for (std::size_t i = 0; i < copies.all().size(); ++i) {
    const auto& [symbol, number] = copies.all()[i];
    Original original = original_of(symbol, signals, start_time, names.discrete);
    std::string name = original.signal.name + ".copy" + std::to_string(number);
    while (!names.declare(
        name, {.kind = Declarations::Kind::algebraic, .index = static_cast<int>(signals.algebraic.size())}))
      name += '_';
    signals.algebraic.push_back({.name = name,
                                 .unit = std::move(original.signal.unit),
                                 .nominal = original.signal.nominal,
                                 .auxiliary = true});
    signals.y_start.push_back(original.start);
    relations.equations.push_back({{1.0, {copies.symbol(i)}}, {-1.0, {symbol}}});
    relations.equation_names.push_back(relation_names.unique(name + ".definition"));
  }
}

}  // namespace mti::building
