#pragma once

#include <map>
#include <vector>

#include "mti/text/polynomial.hpp"

namespace mti::text {

/// coefficient · Π symbols, symbols ascending and distinct.
struct Term {
  double coefficient = 0.0;
  std::vector<Symbol> symbols;
};

/// Makes polynomials multilinear with auxiliary signals: x^(k+1) = x · x̂_1 ⋯ x̂_k where x̂_i − x = 0.
/// The copies of a signal are shared by all relations of a model.
class Copies {
 public:
  struct Copy {
    Symbol original;
    int number = 1;  ///< from 1, per signal
  };

  /// `declared` algebraic signals come before the copies.
  explicit Copies(int declared) : declared_(declared) {}

  [[nodiscard]] std::vector<Term> multilinear(const Polynomial& polynomial);

  [[nodiscard]] const std::vector<Copy>& all() const { return all_; }
  /// The symbol of copy `i` of all().
  [[nodiscard]] Symbol symbol(std::size_t i) const {
    return {Group::algebraic, declared_ + static_cast<int>(i), false};
  }

 private:
  int declared_;
  std::vector<Copy> all_;
  std::map<Symbol, std::vector<Symbol>> by_original_;
};

}  // namespace mti::text
