#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/modelica_expressions/expressions.hpp"
#include "mti/source/declarations.hpp"
#include "mti/source/source.hpp"

namespace mti::modelica {

/// Known functions of time in the forms that inputs have, so that their corners are time events:
///
///     offset + amplitude·sin(2π·frequency·time + phase)            a sine; cos is one a quarter of a period later
///     if time < t1 then a elseif time < t2 then b·time + c …       a table: constant before t1 and behind the last
///     the same of mod(time − start, period)                        a repeated table
///
/// with conditions of any comparisons of time with numbers, and/or/not. `parameters`: those of the model with their values.
class TimeFunctions {
 public:
  TimeFunctions(const Names& names, const Expressions& expressions, const Declarations& parameters)
      : names_(names), expressions_(expressions), parameters_(parameters) {}

  /// The form of an input that follows `node`; nothing if it has none of these. `fixed` are expressions of parameters of
  /// which only the value is in the form: the difference of times that are equal.
  struct KnownInput {
    InputSource source;
    std::vector<std::string> fixed = {};
  };
  [[nodiscard]] std::optional<KnownInput> input(const Variable& variable, const Node& node) const;
  /// No signal and no time: parameters and numbers alone.
  [[nodiscard]] bool is_constant(const Node& node) const;
  /// The value of a constant; nothing if it has a fault.
  [[nodiscard]] std::optional<double> value(const Node& node) const;
  /// The same of the text of an expression of parameters.
  [[nodiscard]] std::optional<double> value(const std::string& expression) const;

 private:
  /// What runs: `time`, or mod(time − start, period).
  struct Clock {
    std::optional<std::string> period = {}, start = {};
    std::string slope = "1";  ///< of what mod is taken of, by time
  };
  struct Linear {
    std::string slope, offset;
  };
  [[nodiscard]] std::optional<Clock> clock_of(const Node& node) const;
  [[nodiscard]] bool is_clock(const Node& node, const Clock& clock) const;
  [[nodiscard]] bool runs(const Node& node) const;
  [[nodiscard]] std::optional<Linear> linear(const Node& node, const Clock& clock) const;
  [[nodiscard]] std::optional<SineSource> sine(const Node& node, const Clock& clock) const;
  [[nodiscard]] std::optional<TableSource> table(const Node& node, const Clock& clock, bool is_boolean,
                                                 std::vector<std::string>& fixed) const;
  [[nodiscard]] bool collect(const Node& node, const Clock& clock, std::vector<const Node*>& breaks) const;
  [[nodiscard]] std::optional<bool> holds(const Node& outer, const Clock& clock, double t) const;
  [[nodiscard]] std::optional<Node> resolved(const Node& outer, const Clock& clock, double t) const;
  [[nodiscard]] std::string at_time(const Node& node, const std::string& t) const;
  [[nodiscard]] Number number(const std::string& text) const;

  const Names& names_;
  const Expressions& expressions_;
  const Declarations& parameters_;
};

}  // namespace mti::modelica
