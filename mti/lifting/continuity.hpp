#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "mti/model/signal_rows.hpp"

namespace mti {

/// Which signals are continuous functions of time whatever the mode does, proved from the equations one by one:
///
///     c·y + h(v) = 0,  c a number ≠ 0 or a watched divisor,  h of continuous signals   ⇒   y is continuous,
///     y − φ(a) = 0,    a continuous                                                     ⇒   y is continuous
///
/// for algebraic signals y and for derivatives. A binary in h makes no jump if what it multiplies is zero where it changes,
/// as in max, abs, clamp and tables (mti/lifting/binary_steps.hpp). Inputs are continuous unless their form jumps; delayed
/// ones are taken to jump. Of states the caller knows more (solvers/multimode/jumping_states.hpp). A model without binaries,
/// laws and corners of inputs has one mode, in which everything is continuous.
class Continuity {
 public:
  /// `jumps` says for each state why it may jump; an empty text: it does not. The model must outlive this.
  Continuity(const Model& model, std::span<const std::string> jumps);

  [[nodiscard]] bool is_continuous(int row) const { return continuous_[at(row)] != 0; }
  /// The equation that gives an algebraic signal, or a derivative, by continuous ones; nothing: none does so.
  [[nodiscard]] std::optional<int> equation_of(int row) const;
  /// Why a signal may jump, such as "z switches".
  [[nodiscard]] std::string reason(int row) const;

 private:
  void prove(int equation);
  void mark(int row);
  [[nodiscard]] bool gives(int equation, int row) const;
  [[nodiscard]] bool is_divisor(int row) const;
  [[nodiscard]] bool has_step(int equation) const;
  [[nodiscard]] bool is_given(int row) const;
  [[nodiscard]] int cause_of(int row, const std::set<int>& seen) const;
  [[nodiscard]] std::string own_reason(int row) const;

  const Model& model_;
  SignalRows rows_;
  std::vector<std::string> jumps_;
  std::vector<char> continuous_;
  std::vector<int> equation_;  ///< by row of S
  std::vector<int>
      open_;  ///< of each equation: its signals that are no binaries, and not known to be continuous
  std::vector<int> provable_;  ///< equations with one such signal
};

/// The value of an input has no jump.
[[nodiscard]] bool is_continuous(const Input& input);
/// It has no corner either.
[[nodiscard]] bool is_smooth(const Input& input);
/// No binaries, laws, or corners of inputs: there is one mode, which nothing interrupts.
[[nodiscard]] bool has_one_smooth_mode(const Model& model);

}  // namespace mti
