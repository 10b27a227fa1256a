#pragma once

#include <map>
#include <vector>

#include "mti/polynomials/polynomial.hpp"

namespace mti::text {

/// coefficient · Π symbols · Π (1 − complements), symbols ascending, all distinct.
struct Term {
  double coefficient = 0.0;
  std::vector<Symbol> symbols;
  std::vector<Symbol> complements = {};
};

/// Makes polynomials multilinear with auxiliary signals: x^(k+1) = x · x̂_1 ⋯ x̂_k where x̂_i − x = 0.
/// The copies of a signal are shared by all relations of a model, and by those of a scenario.
class Copies {
 public:
  struct Copy {
    Symbol original;
    int number = 1;  ///< from 1, per signal
  };

  /// The copies belong to `group`, where `declared` signals come before them.
  explicit Copies(int declared, Group group = Group::algebraic) : declared_(declared), group_(group) {}

  /// Binaries in the basis of mti/polynomials/binary_basis.hpp.
  [[nodiscard]] std::vector<Term> multilinear(const Polynomial& polynomial);

  [[nodiscard]] const std::vector<Copy>& all() const { return all_; }
  /// The symbol of copy `i` of all().
  [[nodiscard]] Symbol symbol(std::size_t i) const {
    return {group_, declared_ + static_cast<int>(i), false};
  }

 private:
  int declared_;
  Group group_;
  std::vector<Copy> all_;
  std::map<Symbol, std::vector<Symbol>> by_original_;
};

}  // namespace mti::text
