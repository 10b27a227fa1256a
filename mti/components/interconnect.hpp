#pragma once

#include <string>
#include <vector>

#include "mti/source/source.hpp"

namespace mti {

/// The signal `from` of one model drives the input `to` of another; both by their names in these models.
struct Link {
  std::string from, to;
};

/// Two models one after the other,
///
///     second.to := first.from    for every link
///
/// as components `first` and `second` of the result. Inputs without a link stay inputs.
/// Errors: InvalidModel, ids of drive() (mti/components/connect.hpp), pointer ""; `sample-time-mismatch` of
/// models that are not sampled alike, `start-time-mismatch` where the second has a fixed start and the first another one.
[[nodiscard]] Source series(const Source& first, const Source& second, const std::vector<Link>& links);

/// An input of the whole that drives one of each model, or an output of the whole that is the sum of one of
/// each: by its name in the whole, in the first and in the second model.
struct SharedSignal {
  std::string name, first, second;
};

/// Two models side by side,
///
///     first.u_1 := u,  second.u_2 := u    for every input (u, u_1, u_2), u of the form of first.u_1
///     y = first.y_1 + second.y_2          for every output (y, y_1, y_2)
///
/// Errors: as for series().
[[nodiscard]] Source parallel(const Source& first, const Source& second,
                              const std::vector<SharedSignal>& inputs,
                              const std::vector<SharedSignal>& outputs);

/// A loop around a model,
///
///     forward.u := r + sign·backward.y',    backward.u' := forward.y
///
/// with a new input r of the form of forward.u. `forward_link` is {y, u'}, `backward_link` is {y', u}; the
/// sign is −1 unless given. Where both models pass their inputs through without a state, the loop is an
/// equation of its own, solved like any other. Errors: as for series().
[[nodiscard]] Source feedback(const Source& forward, const Source& backward, const Link& forward_link,
                              const Link& backward_link, const std::string& reference, double sign = -1.0);

}  // namespace mti
