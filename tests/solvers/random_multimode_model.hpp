#pragma once

#include <random>
#include <string>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/cp_map.hpp"

namespace mti::test {

/// A model of up to 10 equations whose structure differs from mode to mode, drawn from the seed.
///
/// Most rows hold a signal of their own, so that many modes are regular; states are held by their values in
/// some, so that others have to be differentiated. Coefficients are functions of the binaries ("gates"):
/// products and affine factors with |S| < 1, sums that cancel in some modes only, exactly or up to rounding.
/// Rows vanish, become "number = 0", or hold binaries alone.
class RandomMultimodeModel {
 public:
  explicit RandomMultimodeModel(unsigned seed);

  Model model;

  /// All modes there are: with pre(z) = z, as in a motion.
  [[nodiscard]] std::vector<Mode> modes() const;

 private:
  using Factors = std::vector<AffineFactor>;
  struct Product {
    double coefficient = 1.0;
    Factors factors = {};
  };
  /// A function of the binaries: a sum of products.
  using Gate = std::vector<Product>;

  void draw_signature();
  void draw_equation(CpBuilder& rows, int row, int own_signal);
  /// The first rows: d^k s/dt^k = y in pieces for the states s in front, where s or y is given, by mode.
  /// Returns how many.
  int draw_chain(CpBuilder& rows, const std::vector<int>& signals);
  void draw_rule(CpBuilder& rows, int row);
  void draw_invariant();
  Gate draw_gate();
  Gate draw_plain_gate();
  Gate draw_cancelling_gate();
  /// A product of one signal, rarely two, or of a signal and an input.
  Factors draw_signals();
  void add(CpBuilder& rows, int row, const Gate& gate, const Factors& signals);

  int integer(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
  }
  bool chance(int percent) { return integer(1, 100) <= percent; }
  double number() { return (chance(50) ? 1.0 : -1.0) * integer(1, 5); }
  /// Row of S of a binary, a binary input, or pre(z).
  int any_binary();
  /// As many different ones; fewer if there are not so many.
  std::vector<int> some_binaries(int count);
  /// Row of S of a state or its slope, or of an algebraic signal.
  int row_of_signal(int signal, bool slope) const;
  int any_signal();

  std::mt19937 random_;
  std::vector<int> binary_rows_;
};

/// The rows of a map as sums of products, for messages.
[[nodiscard]] std::string text_of(const Model& model);

}  // namespace mti::test
