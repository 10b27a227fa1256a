#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// A source whose calls of delay(...) are written out as inputs, behind those that were there before.
struct WithoutDelayCalls {
  Source source;
  std::size_t first_input = 0, first_signal = 0, first_equation = 0;  ///< those from here on were written out
  std::vector<std::string> of_inputs = {};  ///< where each call is written: JSON pointers
  std::vector<std::string> of_signals =
      {};  ///< the same of calls with an expression, or of time; so many signals and equations

  /// Faults of what was written out, at the text that it was written for.
  [[nodiscard]] std::vector<Fault> in_terms_of_texts(std::vector<Fault> faults) const;
};

/// delay(a, T) and delay(a, T, h) in equations, constraints and initial equations become inputs delay1, delay2, …
///
///     delay_k(t) = a(t − T),   before the run h: an expression a that is not a signal has one, delay_k.of = a
///
/// Equal calls share an input. A call within a call is the input that it has become. delay(time, T) is an algebraic signal
///
///     delay_k = time − T .
///
/// Nothing if there are no calls. Throws InvalidModel: `wrong-arguments`, `signal-as-number`.
[[nodiscard]] std::optional<WithoutDelayCalls> without_delay_calls(const Source& source);

/// What `build` makes of it, which says of faults where they stand in the texts.
template <class Build>
auto build_written_out(const WithoutDelayCalls& written, const Build& build) {
  try {
    return build(written.source);
  } catch (const InvalidModel& refused) {
    throw InvalidModel(written.in_terms_of_texts(refused.faults()));
  }
}

}  // namespace mti
