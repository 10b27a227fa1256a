#pragma once

#include <map>
#include <optional>
#include <string>

#include "io/quantities/quantities.hpp"
#include "mti/source/source.hpp"

namespace mti::sbml {

/// The largest whole number that is not above a signal, as a state that laws count up and down. Of n = floor(a):
///
///     der(n) = 0,    a − n − 1 <= 0 (its law: n = pre(n) + 1),    n − a <= 0 (its law: n = pre(n) − 1)
///
/// Where a jumps over several numbers, laws follow each other at that instant. Equal arguments share a counter. Of an argument that
/// takes multiples of 1/q alone both are met half of that earlier or later, so that it is never on one of them.
class Counters {
 public:
  explicit Counters(Source& source) : source_(source) {}

  /// The name of floor(argument), called after `element`. `start`: of the argument, where it is known; q: 0 where it takes other
  /// values, too.
  [[nodiscard]] std::string floor_of(const std::string& argument, std::optional<double> start, int q,
                                     const std::string& element);

 private:
  Source& source_;
  std::map<std::string, std::string> known_;
  std::map<std::string, int> count_;
};

/// A formula follows a counter of what jumps, by an event or a condition. At that instant it counts one by one, and what an
/// event takes in the meantime would be wrong.
[[nodiscard]] bool follows_counter_of_jumps(const Quantities& quantities, const Math& math);

}  // namespace mti::sbml
