#pragma once

#include <memory>
#include <optional>

#include "mti/model/input.hpp"

namespace mti {

/// One smooth piece of ∂u/∂p(t), at a fixed time t, on the interval of the piece of u:
///
///     polynomial:  c0 + c1 (t − t0)
///     sine:        b_p + a_p sin θ + a (φ_p + 2π f_p t) cos θ,    θ = 2π f t + φ
///
/// for u = b + a sin θ with offset b, amplitude a, frequency f and phase φ; the index p marks ∂/∂p.
class InputDerivativePiece {
 public:
  InputDerivativePiece(double t0, double c0, double c1) : t0_(t0), c0_(c0), c1_(c1) {}
  InputDerivativePiece(const SineInput& sine, const SineInput& slopes)
      : sine_(sine), slopes_(slopes), is_sine_(true) {}

  [[nodiscard]] double value(double t) const { return derivative(t, 0); }
  /// k-th derivative with respect to time at t, k ≥ 0.
  [[nodiscard]] double derivative(double t, int k) const;

 private:
  double t0_ = 0.0, c0_ = 0.0, c1_ = 0.0;
  SineInput sine_, slopes_;
  bool is_sine_ = false;
};

/// The derivative of an input u(t; p) with respect to a parameter p: of its values between breakpoints, and of the
/// times of the breakpoints.
///
///     u(t; p + δ) = u(t; p) + δ·piece(t).value(t) + O(δ²)      where no breakpoint is near,
///     t_b(p + δ) = t_b + δ·breakpoint(t_b) + O(δ²)
class InputDerivative {
 public:
  /// Of an input that does not depend on p.
  InputDerivative() = default;
  /// `slopes` has the form of `input` with ∂/∂p of each number in its place; of pulses that follow another input `duty`
  /// is the derivative of that one. Throws InvalidOption, id `not-differentiable`, where entries that stand at one time
  /// (the begin and the end of a period included) move apart with p.
  InputDerivative(Input input, Input::Form slopes, std::shared_ptr<const InputDerivative> duty = {});

  [[nodiscard]] bool is_zero() const noexcept { return is_zero_; }
  /// Whether a value of a constant, a table or a pulse depends on p, and not only its time.
  [[nodiscard]] bool changes_values() const;
  /// Of the piece of u to the right of t (at a breakpoint: the one that begins there), as Input::piece.
  [[nodiscard]] InputDerivativePiece piece(double t) const;
  /// ∂t_b/∂p of the breakpoint at t, a time that Input::next_breakpoint gives; 0 of an input that does not depend on p.
  /// Nothing where t is no breakpoint, or where it has no derivative: a pulse that is exactly none or all of its period, and
  /// ceases to be so.
  [[nodiscard]] std::optional<double> breakpoint(double t) const;
  /// ∂T/∂p of the period of a sine, 1/|f|, of pulses and of what comes again; 0 of others.
  [[nodiscard]] double period() const;

 private:
  Input input_;
  Input::Form slopes_ = ConstantInput{};
  std::shared_ptr<const InputDerivative> duty_;
  bool is_zero_ = true;
};

}  // namespace mti
