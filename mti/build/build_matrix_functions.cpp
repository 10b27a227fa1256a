#include "mti/build/build_matrix_functions.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "mti/common/at.hpp"
#include "mti/model/idle_definitions.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti::building {
namespace {

/// The row of S of an x, u or y.
std::optional<int> row_of_continuous(const std::string& name, const Declarations& names,
                                     const std::string& pointer, Faults& faults, bool& good) {
  using Kind = Declarations::Kind;
  if (name == "time" && names.clock < names.inputs) return 2 * names.states + names.clock;
  const Declarations::Entry* const entry = names.find(name);
  good = good && entry != nullptr && !entry->binary && entry->kind != Kind::parameter;
  if (entry == nullptr) {
    faults.add("unknown-name", pointer, names.unknown(name));
    return std::nullopt;
  }
  if (entry->binary || entry->kind == Kind::parameter) {
    faults.add("function-of-binary", pointer,
               name + " is declared as " + to_string(entry->kind) +
                   "; expected a state, an input that is no binary, or an algebraic signal");
    return std::nullopt;
  }
  if (entry->kind == Kind::state) return names.states + entry->index;
  return 2 * names.states + (entry->kind == Kind::input ? 0 : names.inputs) + entry->index;
}

std::optional<ElementaryFunction> read_function(const FunctionSource& source, const std::string& pointer,
                                                Faults& faults) {
  auto phi = find_function(source.function);
  if (!phi) {
    faults.add("unknown-function", pointer + "/function",
               "unknown function " + source.function + did_you_mean(source.function, function_names()));
    return std::nullopt;
  }
  const bool power = phi->kind == ElementaryFunction::Kind::power;
  if (power != source.exponent.has_value() || (power && !is_proper_exponent(*source.exponent))) {
    faults.add("bad-exponent", pointer + "/exponent",
               power ? "a power needs an exponent, and none of 0, 1, 2, ...: these are products"
                     : "only a power has an exponent");
    return std::nullopt;
  }
  phi->exponent = source.exponent.value_or(0.0);
  return phi;
}

bool is_in(const RowMap& f, const RowMap::Term& term, int signal) {
  return std::ranges::any_of(f.factors(term.column),
                             [&](const RowMap::Factor& factor) { return factor.signal == signal; });
}

/// Whether the row holds a signal.
bool holds(const RowMap& f, int row, int signal) {
  return std::ranges::any_of(f.terms(row), [&](const RowMap::Term& term) { return is_in(f, term, signal); });
}

/// y − a·(…) = 0
bool is_multiple(const RowMap& f, const Definition& y, int a) {
  return holds(f, y.equation, a) && std::ranges::all_of(f.terms(y.equation), [&](const RowMap::Term& term) {
           return is_in(f, term, y.signal) || is_in(f, term, a);
         });
}

}  // namespace

std::vector<FunctionRow> read_functions(const MatricesSource& source, const Declarations& names,
                                        Faults& faults, bool& good) {
  std::vector<FunctionRow> rows;
  for (std::size_t i = 0; i < source.functions.size(); ++i) {
    const FunctionSource& function = source.functions[i];
    const std::string pointer = element("/matrices/functions", i);
    const auto phi = read_function(function, pointer, faults);
    const auto result = row_of_continuous(function.result, names, pointer + "/result", faults, good);
    const auto argument = row_of_continuous(function.argument, names, pointer + "/argument", faults, good);
    good = good && phi.has_value();
    if (phi && result && argument) rows.push_back({*result, *argument, *phi});
  }
  return rows;
}

std::vector<Divisor> read_divisors(const MatricesSource& source, const Declarations& names, Faults& faults,
                                   bool& good) {
  std::vector<Divisor> divisors;
  for (std::size_t i = 0; i < source.divisors.size(); ++i)
    if (const auto row =
            row_of_continuous(source.divisors[i], names, element("/matrices/divisors", i), faults, good))
      divisors.push_back({*row, source.divisors[i]});
  return divisors;
}

void find_quotients(Model& model) {
  const RowMap f(model.f());
  const std::vector<Definition> all = definitions(model);
  for (Divisor& divisor : model.divisors) {
    std::vector<int> found;
    for (const Definition& quotient : all) {
      if (!model.signature.row_name(quotient.signal).starts_with("fn.quotient") ||
          model.equation_names[at(quotient.equation)].ends_with(".divisor.definition"))
        continue;
      // b itself, or one of its factors, b = a·c.
      const bool divides = holds(f, quotient.equation, divisor.signal) ||
                           std::ranges::any_of(all, [&](const Definition& behind) {
                             return behind.signal != quotient.signal &&
                                    holds(f, quotient.equation, behind.signal) &&
                                    is_multiple(f, behind, divisor.signal);
                           });
      if (divides) found.push_back(quotient.signal);
    }
    if (found.size() == 1) divisor.quotient = found.front();
  }
}

}  // namespace mti::building
