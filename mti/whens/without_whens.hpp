#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// A source whose whens are written out in what every model has, behind what was there before.
struct WithoutWhens {
  Source source;
  std::size_t first_binary = 0, first_signal = 0, first_equation = 0, first_law = 0;
  std::vector<std::string> of_binaries = {}, of_signals = {}, of_equations = {},
                           of_laws = {};  ///< JSON pointers
  std::vector<std::size_t> indents = {};  ///< by equation: characters before the text that it was written for

  /// Faults of what was written out, at the text that it was written for.
  [[nodiscard]] std::vector<Fault> in_terms_of_whens(std::vector<Fault> faults) const;
};

/// Where the condition C becomes true, states take new values, all from what was before:
///
///     when C:  s⁺ = E(v⁻)                     z = C,   risen(z): s = E(pre(v))
///
/// The binary z is called as the event, `emit`, or when1, when2, … by its place. It stands in no other equation: that C becomes
/// true moves nothing, and then the law does. A value that is not multilinear, or that a law cannot hold, becomes an
/// algebraic signal z.s = E(v), of which the law takes the left limit.
///
/// Throws InvalidModel: `unknown-name`, `set-of-non-state`, `empty-when`, `bad-name`, `when-in-discrete-model`,
/// `when-beside-matrices`.
[[nodiscard]] WithoutWhens without_whens(const Source& source);

/// What `build` makes of it, which says of faults where they stand in `source`.
template <class Build>
auto build_without_whens(const Source& source, const Build& build) {
  const WithoutWhens written = without_whens(source);
  try {
    return build(written.source);
  } catch (const InvalidModel& refused) {
    throw InvalidModel(written.in_terms_of_whens(refused.faults()));
  }
}

}  // namespace mti
