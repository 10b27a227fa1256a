#pragma once

#include <set>
#include <string>

#include "io/quantities/quantities.hpp"
#include "io/sbml/formula.hpp"
#include "mti/source/source.hpp"

namespace mti::sbml {

/// Values at the start as parameters of the model, each behind those that it is computed from: `c.value` of a constant,
/// `x.initial` of a variable that others begin with or that begins with a formula. So `--set` of one reaches all that
/// follow from it.
/// Refusals: `sbml-no-value`, `sbml-circular`, those of formulas.
class InitialValues {
 public:
  InitialValues(const Quantities& quantities, Source& source, Refusals& refusals)
      : quantities_(quantities), source_(source), refusals_(refusals) {}

  /// The text of a value at the start, for formulas of others.
  [[nodiscard]] std::string text(const std::string& id);
  /// The start value of a signal: a number, or the name of a parameter.
  [[nodiscard]] Number start(const std::string& id);
  /// The amount of a species that is measured by its concentration.
  [[nodiscard]] Number amount(const Quantity& species);
  /// A formula at the start.
  [[nodiscard]] std::string text(const Math& math, const std::string& element);
  /// Makes the parameter of a constant, if it has not been made.
  void declare_constant(const std::string& id);
  /// A value at the start is a function of time, which is 0 there, or a formula relies on a start at 0.
  [[nodiscard]] bool use_time() const { return use_time_; }
  void rely_on_time() { use_time_ = true; }
  [[nodiscard]] bool is_declared(const std::string& id) const { return declared_.contains(id); }

 private:
  [[nodiscard]] Number value_of(const Quantity& quantity);
  [[nodiscard]] std::string rate(const std::string& id, const std::string& element);
  [[nodiscard]] bool declare(const Quantity& quantity, const std::string& name);

  const Quantities& quantities_;
  Source& source_;
  Refusals& refusals_;
  std::set<std::string> declared_, open_, open_rates_;
  bool use_time_ = false;
};

}  // namespace mti::sbml
