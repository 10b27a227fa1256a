#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "mti/build/build_parts.hpp"
#include "mti/build/build_start_values.hpp"
#include "mti/common/at.hpp"

namespace mti::building {
namespace {

/// Guesses for auxiliary signals, in the order in which they were made: none needs a later one.
void guess_starts(const text::Elementary& elementary, const text::Auxiliaries& auxiliaries, double start_time,
                  Signals& signals) {
  std::map<text::Symbol, const text::Elementary::Function*> function_of;
  for (const text::Elementary::Function& function : elementary.functions())
    function_of.emplace(function.result, &function);
  std::map<text::Symbol, const text::Polynomial*> zero_of;
  for (const text::Elementary::Equation& equation : elementary.equations())
    zero_of.emplace(equation.signal, &equation.zero);
  const std::size_t first = signals.algebraic.size() - auxiliaries.all().size();
  const StartValues values(signals, start_time, static_cast<int>(first));
  for (std::size_t i = 0; i < auxiliaries.all().size(); ++i) {
    double& start = signals.y_start[first + i];
    const text::Symbol own = text::Auxiliaries::symbol(i);
    if (const auto& definition = auxiliaries.all()[i].definition) {
      start = values.value(*definition);
    } else if (const auto function = function_of.find(own); function != function_of.end()) {
      start =
          function->second->phi.value(values.value(text::Polynomial::variable(function->second->argument)));
    } else if (const auto zero = zero_of.find(own); zero != zero_of.end()) {
      // Affine in its own signal: two values give it.
      start = 0.0;
      const double at_0 = values.value(*zero->second);
      start = 1.0;
      start = -at_0 / (values.value(*zero->second) - at_0);
    }
    if (!std::isfinite(start)) start = 0.0;
  }
}

}  // namespace

void append_elementary(const text::Elementary& elementary, const text::Auxiliaries& auxiliaries,
                       std::vector<std::vector<text::Term>> equations, double start_time,
                       RelationNames& relation_names, Signals& signals, Relations& relations) {
  const std::size_t first = signals.algebraic.size() - auxiliaries.all().size();
  const auto name_of = [&](text::Symbol symbol) {
    return relation_names.unique(signals.algebraic[first + at(symbol.index())].name + ".definition");
  };
  for (std::size_t i = 0; i < equations.size(); ++i) {
    relations.equations.push_back(std::move(equations[i]));
    relations.equation_names.push_back(name_of(elementary.equations()[i].signal));
  }
  relations.functions = elementary.functions();
  for (const text::Elementary::Function& function : relations.functions)
    relations.equation_names.push_back(name_of(function.result));
  if (!elementary.functions().empty() || !elementary.equations().empty())
    guess_starts(elementary, auxiliaries, start_time, signals);
}

}  // namespace mti::building
