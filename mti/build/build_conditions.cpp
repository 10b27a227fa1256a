#include "mti/build/build_conditions.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/conditions/defined_by_binaries.hpp"
#include "mti/text/evaluate.hpp"

namespace mti::building {
namespace {

text::Symbol symbol_of(int declared, std::size_t i) {
  return {text::Group::binary, declared + static_cast<int>(i), true};
}

/// The row times z or times 1 − z.
void add_factor(Row& row, text::Symbol z, std::vector<text::Symbol> text::Term::*place) {
  const auto add = [&](std::vector<text::Term>& terms) {
    for (text::Term& term : terms) {
      (term.*place).push_back(z);
      std::sort((term.*place).begin(), (term.*place).end());
    }
  };
  add(row.terms);
  for (std::vector<text::Term>& tangent : row.tangents) add(tangent);
}

std::string written(const conditions::Literal& literal, const Signature& signature) {
  const std::string& name = signature.binaries()[at(literal.binary.index())].name;
  return literal.negated ? "not " + name : name;
}

}  // namespace

void declare_generated(const conditions::Generated& made, Declarations& names, Signals& signals) {
  for (const conditions::GeneratedBinary& binary : made.binaries) {
    std::string name = binary.name;
    while (!names.declare(name, {.kind = Declarations::Kind::binary,
                                 .index = static_cast<int>(signals.binaries.size()),
                                 .binary = true}))
      name += '_';
    signals.binaries.push_back({.name = std::move(name), .generated = binary.text});
    signals.z_start.push_back(binary.initial.value_or(binary.starts_on) ? 1 : 0);
  }
}

std::vector<GeneratedRows> rows_of(const conditions::Generated& made, int declared, text::Copies& copies) {
  std::vector<GeneratedRows> rows;
  for (std::size_t i = 0; i < made.binaries.size(); ++i) {
    const conditions::GeneratedBinary& binary = made.binaries[i];
    const text::Symbol z = symbol_of(declared, i);
    GeneratedRows& of_one = rows.emplace_back();
    if (binary.value) {
      text::Polynomial equation = text::Polynomial::variable(z);
      equation.add(*binary.value, -1.0);
      of_one.equation = row_of(equation, copies);
      continue;
    }
    of_one.while_off = row_of(binary.while_off, copies);
    add_factor(of_one.while_off, z, &text::Term::complements);
    of_one.while_on = row_of(binary.while_on, copies);
    add_factor(of_one.while_on, z, &text::Term::symbols);
  }
  return rows;
}

std::set<std::string> find_logic(const text::Auxiliaries& auxiliaries, const Declarations& names,
                                 text::Copies& copies, conditions::Generated& made, Relations& relations,
                                 Faults& faults) {
  std::vector<text::Polynomial> equations;
  for (const auto& [place, equation] : relations.static_equations) equations.push_back(equation);
  for (std::size_t i = 0; i < auxiliaries.all().size(); ++i)
    if (const auto& definition = auxiliaries.all()[i].definition) {
      equations.push_back(text::Polynomial::variable(text::Auxiliaries::symbol(i)));
      equations.back().add(*definition, -1.0);
    }
  const conditions::DefinedByBinaries signals(equations);
  conditions::LogicFound found = conditions::find_logic(made, names.binaries, signals);
  for (const auto& [text, directions] : found.decided)
    faults.add("parameter-decides", "",
               text::decides(names.directions_of(directions),
                             "the condition " + text + " of signals that are equal"));
  for (std::size_t k = 0; k < relations.static_equations.size(); ++k) {
    const auto& [place, equation] = relations.static_equations[k];
    if (signals.is_definition(k)) continue;
    const auto logic = signals.in_binaries(equation);
    if (logic && !logic->constant_value()) relations.equations[place] = row_of(*logic, copies);
  }
  return std::move(found.apart_at_zero);
}

void append_rows(const std::vector<GeneratedRows>& rows, int declared, const Signals& signals,
                 RelationNames& relation_names, Relations& relations) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& name = signals.binaries[at(declared) + i].name;
    if (!rows[i].equation.terms.empty()) {
      relations.equations.push_back(rows[i].equation);
      relations.equation_names.push_back(relation_names.unique(name + ".value"));
      continue;
    }
    relations.constraints.push_back(rows[i].while_off);
    relations.constraint_names.push_back(relation_names.unique(name + ".off"));
    relations.constraints.push_back(rows[i].while_on);
    relations.constraint_names.push_back(relation_names.unique(name + ".on"));
  }
}

bool start_binaries(const conditions::Generated& made, int declared, const StartValues& values,
                    Signals& signals) {
  bool changed = false;
  for (std::size_t i = 0; i < made.binaries.size(); ++i) {
    const conditions::GeneratedBinary& binary = made.binaries[i];
    bool start = binary.initial.value_or(binary.starts_on);
    // What its memory says counts until the start itself turns it down: a guess does not.
    const bool is_guess =
        binary.initial && !(values.is_certain(binary.while_off) && values.is_certain(binary.while_on));
    if (binary.value)
      start = values.value(*binary.value) > 0.5;
    else if (!is_guess && values.value(binary.while_off) > 0.0)
      start = true;
    else if (!is_guess && values.value(binary.while_on) > 0.0)
      start = false;
    char& value = signals.z_start[at(declared) + i];
    changed = changed || (value != 0) != start;
    value = start ? 1 : 0;
  }
  return changed;
}

void append_exclusions(const conditions::Generated& made, const Declarations& names,
                       const Signature& signature, std::vector<BooleanFormula>& invariants) {
  Faults faults;  // the formulas are made of declared names: there are none
  for (const conditions::Exclusion& exclusion : made.exclusions)
    invariants.push_back(read_formula(
        "not (" + written(exclusion.first, signature) + " and " + written(exclusion.second, signature) + ")",
        "", names, signature, faults));
}

}  // namespace mti::building
