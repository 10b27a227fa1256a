#pragma once

#include <Eigen/Dense>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/source/source.hpp"

namespace mti::test {

/// E(z) v̇ + A(z) v = b(z) with v = (x, y), sparse, of 2 to 8 signals and 1 to 4 binaries, drawn from the
/// seed.
///
/// A row is one linear form in all modes, or two or three that binaries choose between: balances of states,
/// definitions of algebraic signals, constraints on states, the same form times a number, states without
/// derivative. Numbers have three digits, so that sums cancel only where structure makes them.
class RandomLinearModel {
 public:
  explicit RandomLinearModel(unsigned seed);

  struct Numbers {
    Eigen::MatrixXd E, A;
    Eigen::VectorXd b;
  };

  [[nodiscard]] int states() const { return states_; }
  [[nodiscard]] int signals() const { return static_cast<int>(rows_.size()); }
  [[nodiscard]] int binaries() const { return binaries_; }
  /// Number of modes; bit i of a mode's number is z_i.
  [[nodiscard]] unsigned modes() const { return 1U << binaries_; }
  [[nodiscard]] Mode mode(unsigned bits) const;
  /// x1, …, y1, …, z1, …
  [[nodiscard]] Source source() const;
  /// From the drawn forms, not from the model made of them.
  [[nodiscard]] Numbers numbers(unsigned bits) const;
  [[nodiscard]] std::string signal_name(int signal) const;
  /// The equations, for messages.
  [[nodiscard]] std::string text() const;

 private:
  struct Term {
    int signal = -1;  ///< −1: the number 1
    bool derivative = false;
    double coefficient = 1.0;
  };
  using Form = std::vector<Term>;
  struct Alternative {
    std::vector<std::pair<int, bool>> where;  ///< binaries with their values
    Form form;
  };

  Form draw_form(int own);
  Form draw_state_form(int own);
  Form draw_algebraic_form(int own);
  void add_values(Form& form, int first, int last, int percent, int own);
  [[nodiscard]] std::string row_text(const std::vector<Alternative>& row) const;

  int integer(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
  }
  bool chance(int percent) { return integer(1, 100) <= percent; }
  double number() { return (chance(50) ? 1.0 : -1.0) * integer(400, 2000) / 1000.0; }

  std::mt19937 random_;
  int states_ = 0, binaries_ = 0;
  std::vector<std::vector<Alternative>> rows_;
};

}  // namespace mti::test
