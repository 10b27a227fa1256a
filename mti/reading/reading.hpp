#pragma once

// What a source declares beside its equations: names, parameters, signals, inputs, the experiment. Private to build()
// (mti/build/build.cpp) and its like. Each function appends every fault it finds and goes on as far as it can.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mti/common/dual.hpp"
#include "mti/common/fault.hpp"
#include "mti/model/model.hpp"
#include "mti/source/declarations.hpp"
#include "mti/source/source.hpp"
#include "mti/text/ast.hpp"

namespace mti::building {

/// Collects faults.
class Faults {
 public:
  void add(std::string id, std::string pointer, std::string message);
  /// A fault inside a text: the message names its column.
  void add(const text::TextFault& fault, const std::string& pointer, std::string_view text);
  /// The first twenty.
  void add(const std::vector<text::TextFault>& faults, const std::string& pointer, std::string_view text);
  [[nodiscard]] bool empty() const { return faults_.empty(); }
  [[nodiscard]] std::vector<Fault> take() { return std::move(faults_); }

 private:
  std::vector<Fault> faults_;
};

/// "/states/3"
[[nodiscard]] std::string element(const std::string& list, std::size_t index);
/// A name as a token of a JSON pointer: ~ becomes ~0 and / becomes ~1.
[[nodiscard]] std::string token(std::string_view name);

/// Reads numbers that may be expressions of parameters.
class Numbers {
 public:
  Numbers(const Declarations& names, Faults& faults) : names_(names), faults_(faults) {}
  /// The finite value; nothing after a fault.
  [[nodiscard]] std::optional<double> read(const Number& number, const std::string& pointer) const;
  /// The same with derivatives in the directions of names().
  [[nodiscard]] std::optional<Dual> read_dual(const Number& number, const std::string& pointer) const;
  [[nodiscard]] std::optional<double> read_element(const Number& number, const std::string& list,
                                                   std::size_t index) const;
  [[nodiscard]] const Declarations& names() const { return names_; }

 private:
  const Declarations& names_;
  Faults& faults_;
};

/// A parameter that values are differentiated by, and what messages call it.
struct Direction {
  std::string parameter, label;
};

/// Enters every name (ids `bad-name`, `reserved-name`, `duplicate-name`) and evaluates the parameters, with derivatives
/// by some of them. A direction is a change of one parameter, with those that are computed from it.
[[nodiscard]] Declarations declare_names(const Source& source, Faults& faults,
                                         const std::vector<Direction>& directions = {});

/// The signals as declared, without those the relations add.
struct Signals {
  std::vector<Signal> states, inputs, algebraic, binaries;
  std::vector<Input> input_forms;
  std::vector<MovedInput> moved_inputs;
  std::vector<double> x_start, y_start;
  std::vector<char> z_start;
  std::vector<char> x_free;  ///< by state; none where all are fixed
};
[[nodiscard]] Signals read_signals(const Source& source, const Declarations& names, Faults& faults);
/// Id `not-binary` for other values than 0 and 1.
void require_bit(double value, const std::string& pointer, Faults& faults);
/// Ids `bad-table`, `bad-period`, `bad-duty`, `not-binary`, and those of numbers.
[[nodiscard]] Input read_input(const InputSource& source, const std::string& pointer, const Numbers& numbers,
                               Faults& faults);
/// Periods that the resolution of time at start and stop does not tell apart: id `bad-period`.
void require_resolved_periods(const std::vector<Input>& forms, const Experiment& experiment, Faults& faults);
/// Gives those of `forms` that are pulses the inputs that their widths follow. Id `bad-duty`.
void read_pulse_widths(const std::vector<InputSource>& sources, const Declarations& names,
                       std::vector<Input>& forms, Faults& faults);
/// Gives those of signals.input_forms that are the past of another signal what is known of it. Ids `unknown-name`,
/// `not-a-signal`, `bad-delay`, `missing-key`, `delay-in-discrete-model`.
void read_delays(const Source& source, const Declarations& names, Signals& signals, Faults& faults);
/// The sample time; 0 for continuous time. Id `bad-sample-time`.
[[nodiscard]] double read_sample_time(const Source& source, const Numbers& numbers, Faults& faults);
[[nodiscard]] Experiment read_experiment(const ExperimentSource& source, const Numbers& numbers,
                                         Faults& faults);

}  // namespace mti::building
