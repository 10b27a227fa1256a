#include <string>
#include <utility>

#include "mti/build/build_conditions.hpp"
#include "mti/build/build_parts.hpp"
#include "mti/build/build_start_values.hpp"
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

/// Of an auxiliary signal, which comes after the copies.
Original original_of(const text::Auxiliaries::Auxiliary& auxiliary, const StartValues& values) {
  if (!auxiliary.definition) return {{.name = auxiliary.name}, 0.0};
  return {{.name = auxiliary.name, .nominal = values.nominal(*auxiliary.definition)},
          values.value(*auxiliary.definition)};
}

void append_copies(const text::Auxiliaries& auxiliaries, const text::Copies& copies, double start_time,
                   Declarations& names, RelationNames& relation_names, Signals& signals,
                   Relations& relations) {
  for (std::size_t i = 0; i < copies.all().size(); ++i) {
    const auto& [symbol, number] = copies.all()[i];
    Original original =
        symbol.group() == text::Group::auxiliary
            ? original_of(auxiliaries.all()[at(symbol.index())],
                          StartValues(signals, start_time, static_cast<int>(signals.algebraic.size())))
            : original_of(symbol, signals, start_time, names.discrete);
    std::string name = original.signal.name + ".copy" + std::to_string(number);
    while (!names.declare(
        name, {.kind = Declarations::Kind::algebraic, .index = static_cast<int>(signals.algebraic.size())}))
      name += '_';
    signals.algebraic.push_back({.name = name,
                                 .unit = std::move(original.signal.unit),
                                 .nominal = original.signal.nominal,
                                 .auxiliary = true});
    signals.y_start.push_back(original.start);
    relations.equations.push_back({{{1.0, {copies.symbol(i)}}, {-1.0, {symbol}}}});
    relations.equation_names.push_back(relation_names.unique(name + ".definition"));
  }
}

}  // namespace

void append_clock(Signals& signals) {
  signals.inputs.push_back({.name = "time", .auxiliary = true});
  signals.input_forms.emplace_back(ClockInput{});
}

void append_made(const Made& made, text::Copies& copies, double start_time, Declarations& names,
                 RelationNames& relation_names, Signals& signals, Relations& relations) {
  const auto& auxiliaries = made.auxiliaries.all();
  std::vector<Row> definitions;  // they may need copies, as the rows of binaries may
  for (std::size_t i = 0; i < auxiliaries.size(); ++i) {
    if (!auxiliaries[i].definition) continue;
    text::Polynomial difference = text::Polynomial::variable(text::Auxiliaries::symbol(i));
    difference.add(*auxiliaries[i].definition, -1.0);
    definitions.push_back(row_of(difference, copies));
  }
  const int declared = static_cast<int>(signals.z_start.size() - made.conditions.binaries.size());
  const std::vector<GeneratedRows> rows = rows_of(made.conditions, declared, copies);
  append_copies(made.auxiliaries, copies, start_time, names, relation_names, signals, relations);

  const auto first_auxiliary = signals.algebraic.size();
  const StartValues values(signals, start_time, static_cast<int>(first_auxiliary));
  std::size_t defined = 0;
  for (const text::Auxiliaries::Auxiliary& auxiliary : auxiliaries) {
    std::string name = auxiliary.name;
    while (!names.declare(
        name, {.kind = Declarations::Kind::algebraic, .index = static_cast<int>(signals.algebraic.size())}))
      name += '_';
    const double nominal = auxiliary.definition ? values.nominal(*auxiliary.definition) : 1.0;
    signals.y_start.push_back(0.0);
    signals.algebraic.push_back({.name = name, .nominal = nominal, .auxiliary = true});
    if (!auxiliary.definition) continue;
    relations.equations.push_back(std::move(definitions[defined++]));
    relations.equation_names.push_back(relation_names.unique(name + ".definition"));
  }
  int row = static_cast<int>(relations.constraints.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const conditions::GeneratedBinary& binary = made.conditions.binaries[i];
    if (binary.value) continue;
    if (!binary.initial)
      relations.sign_binaries.push_back({declared + static_cast<int>(i), row, row + 1, binary.starts_on});
    row += 2;
  }
  append_rows(rows, declared, signals, relation_names, relations);
}

}  // namespace mti::building
