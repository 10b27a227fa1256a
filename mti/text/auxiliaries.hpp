#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mti/polynomials/polynomial.hpp"

namespace mti::text {

/// A polynomial up to the order of its monomials, and its tangents behind it: equal keys, equal polynomials,
/// near the values of parameters too that they are differentiated by. A coefficient that no double holds has
/// several entries, whose sum it is.
using PolynomialKey = std::vector<std::pair<std::vector<std::pair<std::uint32_t, int>>, double>>;
[[nodiscard]] PolynomialKey key_of(const Polynomial& polynomial);
/// Its two parts: that without tangents, and these.
[[nodiscard]] PolynomialKey key_of_value(const Polynomial& polynomial);
void append_tangents(const Polynomial& polynomial, PolynomialKey& key);

/// Algebraic signals that relations need beside those declared, for parts that must be signals of their own:
///
///     y = p(v),    equal p have one y
///
/// Their symbols are of Group::auxiliary; build() appends them after the copies of powers.
class Auxiliaries {
 public:
  struct Auxiliary {
    std::string name;                      ///< as wanted; underscores are appended where it is taken
    std::optional<Polynomial> definition;  ///< p; nothing where an equation of the owner's determines it
  };

  /// The signal that is p: itself where p is a signal, one made before, or a new one.
  [[nodiscard]] Symbol signal(const Polynomial& definition, const std::string& wanted);
  /// A new signal that something else determines.
  [[nodiscard]] Symbol fresh(const std::string& wanted);

  [[nodiscard]] const std::vector<Auxiliary>& all() const { return all_; }
  /// The symbol of entry `i` of all().
  [[nodiscard]] static Symbol symbol(std::size_t i) { return {Group::auxiliary, static_cast<int>(i), false}; }

 private:
  std::vector<Auxiliary> all_;
  std::map<PolynomialKey, Symbol> made_;
};

}  // namespace mti::text
