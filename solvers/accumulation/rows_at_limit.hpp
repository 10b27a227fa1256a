#pragma once

#include <deque>
#include <span>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/accumulation/zeno_approach.hpp"
#include "solvers/blocks/instant.hpp"

namespace mti {

/// Where turns shrink to a point, x comes to x_∞ at all of their instants: a row that x itself carries across its boundary in each turn,
/// g(x(t_k)) = 0, has g(x_∞) = 0. One that has not, as v + 0.01 for a ball that is held as soon as it falls more slowly, is not met in
/// the turns to come, which may be others.
struct RowsAtLimit {
  bool is_limit = true;   ///< false: the last turn has met such a row
  std::vector<int> rows;  ///< of those given, without what x_∞ is clear of: what jumps alone have led across
};

/// `rows` of g are met again and again; `events` are those up to where the run stands, and `v` holds x_∞ as far as `point` gives it.
/// Rows that do not hold states alone count as being at the limit.
[[nodiscard]] RowsAtLimit rows_at_limit(const RowMap& g, std::span<const int> rows,
                                        const Signature& signature, const Accuracy& accuracy,
                                        const std::deque<Approach::Event>& events,
                                        const Approach::Point& point, std::span<const double> v);

}  // namespace mti
