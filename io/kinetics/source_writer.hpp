#pragma once

#include <functional>
#include <set>
#include <string>

#include "io/kinetics/counters.hpp"
#include "io/kinetics/initial_values.hpp"
#include "io/quantities/quantities.hpp"
#include "mti/source/source.hpp"

namespace mti::sbml {

/// Writes a document as equations:
///
///     R = law                                     of a reaction, with its id as the name of its rate
///     C·der(S) = factor·Σ ± n·R                   of a species by its concentration in a constant compartment
///     der(S.amount) = factor·Σ ± n·R, S·C = S.amount    where the compartment changes
///     der(S) = factor·Σ ± n·R                     of a species by its amount
///     x = formula,  der(x) = formula,  0 = formula      of rules
///     der(x) = 0                                  of what events alone change
class SourceWriter {
 public:
  SourceWriter(const Quantities& quantities, Refusals& refusals)
      : quantities_(quantities), refusals_(refusals), initial_(quantities, source_, refusals) {}
  ~SourceWriter() = default;
  SourceWriter(const SourceWriter&) = delete;
  SourceWriter& operator=(const SourceWriter&) = delete;

  void write_equations();
  /// To be called last.
  [[nodiscard]] Source take();

  // For events.
  [[nodiscard]] std::string value(const Math& math, const std::string& element);
  [[nodiscard]] std::string value_by_flags(const Math& math, const std::string& element,
                                           const std::function<std::string(const Math&)>& flag);
  [[nodiscard]] std::string operand(const Math& math, const std::string& element);
  [[nodiscard]] bool is_constant(const Math& math);
  [[nodiscard]] std::string name(const std::string& id);
  /// The formula is compared as one that takes whole numbers only.
  void rely_on_whole(const Math& math) { quantities_.add_whole_sources(math, whole_); }
  [[nodiscard]] InitialValues& initial() { return initial_; }
  [[nodiscard]] Source& source() { return source_; }
  [[nodiscard]] Refusals& refusals() { return refusals_; }
  [[nodiscard]] const Quantities& quantities() const { return quantities_; }

 private:
  [[nodiscard]] FormulaPlace place(const std::string& element);
  /// What makes x change as it goes on: the right side of its equation, which is no impulse where an event assigns x. Empty where
  /// there is none.
  [[nodiscard]] std::string rate_of(const std::string& id);
  [[nodiscard]] std::string right_side(const Quantity& quantity);
  [[nodiscard]] std::string past_of(const std::string& id, const std::string& T);
  [[nodiscard]] double nominal(std::optional<double> value) const;
  void find_sizes();
  void state(const std::string& name, Number start, std::optional<double> size);
  void algebraic(const std::string& name, std::optional<double> guess);
  void equation(const std::string& name, std::string text) {
    source_.equations.emplace_back(name, std::move(text));
  }
  void write(const Quantity& quantity);
  void write_reaction(const Quantity& reaction);
  void write_species(const Quantity& species);
  void write_amount(const Quantity& species);
  void write_other_measure(const Quantity& species);
  void write_constant(const Quantity& quantity);
  void write_whole(const Quantity& quantity);
  void begin_with_parameters();
  void begin_in_balance();
  [[nodiscard]] std::string changes(const Quantity& species);
  [[nodiscard]] std::string stoichiometry(const Participant& part);
  void write_algebraic_rules();
  void write_constraints();

  const Quantities& quantities_;
  Refusals& refusals_;
  Source source_;
  InitialValues initial_;
  Counters counters_{source_};
  double smallest_ = 1.0;             ///< size of a species that begins with 0
  std::set<std::string> whole_;       ///< what comparisons rely on to be whole
  std::set<std::string> open_rates_;  ///< whose right sides are being written
};

}  // namespace mti::sbml
