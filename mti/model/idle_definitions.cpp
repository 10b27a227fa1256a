#include "mti/model/idle_definitions.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>

#include "mti/common/at.hpp"
#include "mti/model/signal_rows.hpp"
#include "mti/multilinear/cp_rows.hpp"

namespace mti {
namespace {

/// The signals that laws and inputs read, whatever the mode.
std::vector<char> read_by_others(const Model& model) {
  const auto size = at(model.signature.size());
  std::vector<char> read(size, 0);
  for (const Transition& law : model.transitions)
    for (int k = 0; k < law.equations.columns(); ++k)
      for (SparseColumns::InnerIterator factor(law.equations.S(), k); factor; ++factor)
        read[at(factor.row()) % size] = 1;
  for (const Input& input : model.inputs)
    if (const auto* delayed = std::get_if<DelayedInput>(&input.form())) read[at(delayed->row)] = 1;
  for (const MovedInput& moved : model.moved_inputs)
    if (const auto row = model.signature.find(moved.of)) read[at(*row)] = 1;
  return read;
}

/// z, pre(z) or a binary input.
bool is_of_mode(const Signature& signature, int signal) {
  const int input = signal - signature.input_row(0);
  return signal >= signature.binary_row(0) ||
         (input >= 0 && input < signature.m() && signature.inputs()[at(input)].binary);
}

bool holds(std::span<const RowMap::Factor> factors, int signal) {
  return std::ranges::find(factors, signal, &RowMap::Factor::signal) != factors.end();
}

bool holds(const RowMap& map, int row, int signal) {
  return std::ranges::any_of(
      map.terms(row), [&](const RowMap::Term& term) { return holds(map.factors(term.column), signal); });
}

/// Some term of the row that holds y has a factor that a mode may turn to 0, or make cancel others: y·z, y − y·z.
bool is_conditional(const Signature& signature, const RowMap& map, int row, int signal) {
  return std::ranges::any_of(map.terms(row), [&](const RowMap::Term& term) {
    const auto factors = map.factors(term.column);
    return holds(factors, signal) && std::ranges::any_of(factors, [&](const RowMap::Factor& factor) {
             return is_of_mode(signature, factor.signal);
           });
  });
}

bool is_auxiliary(const Signature& signature, int row) {
  const int y = row - signature.algebraic_row(0);
  return y >= 0 && y < signature.p() && signature.algebraic()[at(y)].auxiliary;
}

}  // namespace

std::vector<Definition> definitions(const Model& model) {
  const Signature& signature = model.signature;
  std::unordered_map<std::string, int> equation_of;
  for (std::size_t i = 0; i < model.equation_names.size(); ++i)
    equation_of.emplace(model.equation_names[i], static_cast<int>(i));
  std::vector<Definition> found;
  std::vector<char> is_function(at(signature.size()), 0);
  for (const FunctionText& function : model.function_texts)
    if (is_auxiliary(signature, function.result)) {
      is_function[at(function.result)] = 1;
      found.push_back({function.equation, function.result});
    }
  for (int i = 0; i < signature.p(); ++i) {
    const int row = signature.algebraic_row(i);
    if (!is_auxiliary(signature, row) || is_function[at(row)] != 0) continue;
    if (const auto named = equation_of.find(signature.row_name(row) + ".definition");
        named != equation_of.end())
      found.push_back({named->second, row});
  }
  return found;
}

std::vector<Definition> conditional_definitions(const Model& model, const IndexedRowMap& f,
                                                const IndexedRowMap& g) {
  if (model.is_multilinear() && model.divisors.empty()) return {};
  const Signature& signature = model.signature;
  const std::vector<char> read = read_by_others(model);
  const std::vector<Definition> all = definitions(model);
  std::unordered_map<int, Definition> of_signal;
  for (const Definition& one : all) of_signal.emplace(one.signal, one);
  std::vector<char> is_found(at(f.rows()), 0);  // by equation
  std::vector<Definition> found;
  std::deque<Definition> open;  // whose signals may be conditional now
  const auto enter = [&](const Definition& one) {
    if (read[at(one.signal)] != 0 || is_found[at(one.equation)] != 0) return;
    const bool in_f = std::ranges::all_of(f.with(one.signal), [&](int row) {
      return row == one.equation || is_found[at(row)] != 0 || is_conditional(signature, f, row, one.signal);
    });
    const bool in_g = std::ranges::all_of(
        g.with(one.signal), [&](int row) { return is_conditional(signature, g, row, one.signal); });
    if (!in_f || !in_g) return;
    is_found[at(one.equation)] = 1;
    found.push_back(one);
    open.push_back(one);
  };
  for (const Definition& one : all) enter(one);
  for (; !open.empty(); open.pop_front())
    for (const int signal : f.signals(open.front().equation))
      if (const auto used = of_signal.find(signal); used != of_signal.end()) enter(used->second);
  return found;
}

std::vector<Definition> idle_definitions(const SignalRows& rows, const RowMap& f, const RowMap& g) {
  std::vector<Definition> idle;
  std::vector<char> is_dropped(at(f.rows()), 0);
  for (const Definition& one : rows.conditional) {
    const auto asks = [&](int row) {
      return row != one.equation && is_dropped[at(row)] == 0 && holds(f, row, one.signal);
    };
    bool is_needed =
        std::ranges::any_of(rows.f.with(one.signal), asks) ||
        std::ranges::any_of(rows.g.with(one.signal), [&](int row) { return holds(g, row, one.signal); });
    for (int row = rows.f.rows(); row < f.rows(); ++row) is_needed = is_needed || asks(row);
    for (int row = rows.g.rows(); row < g.rows(); ++row) is_needed = is_needed || holds(g, row, one.signal);
    if (is_needed) continue;
    is_dropped[at(one.equation)] = 1;
    idle.push_back(one);
  }
  std::ranges::sort(idle, {}, &Definition::equation);
  return idle;
}

void add_resting(const Model& model, const Mode& mode, std::vector<Definition>& idle) {
  for (const int function : mode.resting) {
    const FunctionText& text = model.function_texts[at(function)];
    const Definition definition{text.equation, text.result};
    if (std::ranges::find(idle, definition) == idle.end()) idle.push_back(definition);
  }
  std::ranges::sort(idle, {}, &Definition::equation);
}

RowMap without_definitions(const RowMap& f, std::span<const Definition> idle) {
  RowMap::Builder builder;
  builder.reserve(f);
  int taken = 0;
  for (const Definition& one : idle) {
    builder.add_rows(f, taken, one.equation);
    builder.begin_row();
    const RowMap::Factor y{one.signal, 1.0};
    builder.add_term(1.0, std::span(&y, 1));
    taken = one.equation + 1;
  }
  builder.add_rows(f, taken, f.rows());
  return builder.build();
}

CpMap without_definitions(const CpMap& f, std::span<const Definition> idle) {
  std::vector<std::pair<int, int>> signal_of_row;
  for (const Definition& one : idle) signal_of_row.emplace_back(one.equation, one.signal);
  return replace_rows(f, signal_of_row);
}

}  // namespace mti
