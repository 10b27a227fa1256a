#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// A source whose clocks are written out in what every model has, behind what was there before.
struct WithoutClocks {
  Source source;
  std::size_t first_input = 0;           ///< inputs from here on are the clocks, in their order
  std::size_t first_signal = 0;          ///< algebraic signals from here on are those of `states`
  std::vector<std::string> clocks = {};  ///< where they are written: JSON pointers
  std::vector<std::size_t> states = {};  ///< which are sampled

  /// Faults of what was written out, at the clock or state that it was written for.
  [[nodiscard]] std::vector<Fault> in_terms_of_clocks(std::vector<Fault> faults) const;
};

/// "/sample/2", or "/sample" for a clock that is written without a list.
[[nodiscard]] std::string pointer_of_clock(const Source& source, std::size_t index);

/// A sampled state u keeps its value between the ticks t_j = offset + j·period of its clock and takes what its equation
/// gives at each of them, from the left limits of all signals:
///
///     u(t) = u(t_j⁺)  for t_j ≤ t < t_(j+1),        u(t_j⁺) = E(v(t_j⁻))        where the model says next(u) = E(v)
///
/// next(u) becomes an algebraic signal u.next, beside der(u) = 0. The clock k is a binary input that changes at each tick,
/// which a binary k.tick follows; where that rises or falls the law u = pre(u.next) holds for all states of the clock. So
/// E may be anything that an equation may be, implicit too.
///
/// Throws InvalidModel: `unknown-clock`, `which-clock`, `missing-next`, `next-of-non-state`, `der-of-sampled-state`,
/// `clock-in-discrete-model`, `clock-beside-matrices`, `duplicate-name`.
[[nodiscard]] WithoutClocks without_clocks(const Source& source);

/// What `build` makes of it, which says of faults where they stand in `source`.
template <class Build>
auto build_without_clocks(const Source& source, const Build& build) {
  const WithoutClocks written = without_clocks(source);
  try {
    return build(written.source);
  } catch (const InvalidModel& refused) {
    throw InvalidModel(written.in_terms_of_clocks(refused.faults()));
  }
}

}  // namespace mti
