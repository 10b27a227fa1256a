#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "mti/build/build_conditions.hpp"
#include "mti/build/build_parts.hpp"
#include "mti/build/build_start_values.hpp"
#include "mti/common/at.hpp"

namespace mti::building {
namespace {

/// What gives an auxiliary signal its value: a definition, a function or an equation that is affine in it.
class Guesses {
 public:
  Guesses(const Made& made, double start_time, Signals& signals)
      : made_(made),
        signals_(signals),
        first_(signals.algebraic.size() - made.auxiliaries.all().size()),
        values_(signals, start_time, static_cast<int>(first_)) {
    for (const text::Elementary::Function& function : made.elementary.functions())
      function_of_.emplace(function.result, &function);
    for (const text::Elementary::Equation& equation : made.elementary.equations())
      zero_of_.emplace(equation.signal, &equation.zero);
  }

  /// In the order in which they were made: none needs a later one, but for what binaries select. True if any has changed.
  [[nodiscard]] bool renew() {
    bool changed = false;
    for (std::size_t i = 0; i < made_.auxiliaries.all().size(); ++i) {
      const double before = signals_.y_start[first_ + i];
      renew(i);
      changed = changed || signals_.y_start[first_ + i] != before;
    }
    return changed;
  }

  [[nodiscard]] const StartValues& values() const { return values_; }

 private:
  void renew(std::size_t i) {
    double& start = signals_.y_start[first_ + i];
    const text::Symbol own = text::Auxiliaries::symbol(i);
    if (const auto& definition = made_.auxiliaries.all()[i].definition) {
      start = values_.value(*definition);
    } else if (const auto function = function_of_.find(own); function != function_of_.end()) {
      start =
          function->second->phi.value(values_.value(text::Polynomial::variable(function->second->argument)));
    } else if (const auto zero = zero_of_.find(own); zero != zero_of_.end()) {
      // Affine in its own signal: two values give it.
      start = 0.0;
      const double at_0 = values_.value(*zero->second);
      start = 1.0;
      start = -at_0 / (values_.value(*zero->second) - at_0);
    }
    if (!std::isfinite(start)) start = 0.0;
  }

  const Made& made_;
  Signals& signals_;
  std::size_t first_;
  StartValues values_;
  std::map<text::Symbol, const text::Elementary::Function*> function_of_;
  std::map<text::Symbol, const text::Polynomial*> zero_of_;
};

}  // namespace

void append_elementary(const text::Elementary& elementary, const text::Auxiliaries& auxiliaries,
                       std::vector<Row> equations, RelationNames& relation_names, Signals& signals,
                       Relations& relations) {
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
}

void guess_starts(const Made& made, const text::Copies& copies, double start_time, Signals& signals) {
  Guesses guesses(made, start_time, signals);
  const int declared = static_cast<int>(signals.z_start.size() - made.conditions.binaries.size());
  // Each may depend on those made before it, of either kind; two that follow each other are at most as far apart
  // as there are of both.
  constexpr int most_passes = 20;
  bool changed = true;
  for (int pass = 0; changed && pass < most_passes; ++pass) {
    const bool switched = start_binaries(made.conditions, declared, guesses.values(), signals);
    changed = guesses.renew() || switched;
  }
  const std::size_t first = signals.algebraic.size() - made.auxiliaries.all().size(),
                    first_copy = first - copies.all().size();
  for (std::size_t i = 0; i < copies.all().size(); ++i)
    if (const text::Symbol original = copies.all()[i].original; original.group() == text::Group::auxiliary)
      signals.y_start[first_copy + i] = signals.y_start[first + at(original.index())];
}

}  // namespace mti::building
