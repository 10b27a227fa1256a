#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace mti {

struct ConstantInput {
  double value = 0.0;
  friend bool operator==(const ConstantInput&, const ConstantInput&) = default;
};

enum class Interpolation { linear, previous };

/// Piecewise linear or piecewise constant; first and last value are held outside; equal times are a jump.
struct TableInput {
  std::vector<double> time;  ///< non-decreasing, same length as `value`, at least one entry
  std::vector<double> value;
  Interpolation interpolation = Interpolation::linear;
  friend bool operator==(const TableInput&, const TableInput&) = default;
};

/// offset + amplitude · sin(2π · frequency · t + phase); frequency in 1/time unit, phase in rad.
struct SineInput {
  double amplitude = 0.0, frequency = 0.0, phase = 0.0, offset = 0.0;
  friend bool operator==(const SineInput&, const SineInput&) = default;
};

/// u = t, the built-in signal `time`.
struct ClockInput {
  friend bool operator==(const ClockInput&, const ClockInput&) = default;
};

/// A table that comes again in every period:
///
///     u(t) = table(t − start − k·period),   k = floor((t − start)/period) of either sign
///
/// The times of the table lie in [0, period]; the first of them is 0.
struct PeriodicInput {
  TableInput table;
  double period = 1.0, start = 0.0;
  friend bool operator==(const PeriodicInput&, const PeriodicInput&) = default;
};

class Input;
class SignalHistory;

/// Polynomials one after the other:
///
///     u(t) = Σ_k c_ik (t − t_i)^k   for  t_i <= t < t_(i+1),    i = 0 … N − 1
///
/// Its first value holds before t_0, and its last one from t_N on. Where pieces do not meet it jumps.
struct PolynomialInput {
  std::vector<double> time;                                      ///< t_0 < … < t_N, N ≥ 1
  int degree = 0;                                                ///< of all pieces
  std::shared_ptr<const std::vector<double>> coefficients = {};  ///< c_ik at i·(degree + 1) + k
  friend bool operator==(const PolynomialInput& a, const PolynomialInput& b);
};

/// Pulses whose widths follow another input, sampled where each period begins:
///
///     u(t) = high  for  t_k <= t < t_k + d(t_k)·period,   else low,     t_k = start + k·period
///
/// d is `duty`, held within [0, 1].
struct PulseWidthInput {
  double period = 1.0, start = 0.0, low = 0.0, high = 1.0;
  std::shared_ptr<const Input> duty = {};
  std::string duty_name = {};  ///< of the input that duty is a copy of
  friend bool operator==(const PulseWidthInput& a, const PulseWidthInput& b);
};

/// A signal of the same run some time ago:
///
///     u(t) = a(t − delay),   before the run has begun by `delay`: `before`
///
/// A run notes a in `history`, a model by itself has none: u is `before` then.
struct DelayedInput {
  std::string of = {};  ///< the name of a
  int row = -1;         ///< of a in S
  double delay = 1.0, before = 0.0;
  bool before_is_start = false;  ///< of a state, none having been given
  std::shared_ptr<SignalHistory> history = {};
  friend bool operator==(const DelayedInput& a, const DelayedInput& b) {
    return a.of == b.of && a.delay == b.delay && a.before == b.before;
  }
};

/// One smooth piece of an input: a polynomial in t − t0, a sine or a part of a signal's past. It is valid on [begin, end], both
/// ends included: on a segment the piece that began at its start holds up to and including its end.
class InputPiece {
 public:
  InputPiece(double t0, double c0, double c1) : t0_(t0), c0_(c0), c1_(c1) {}
  explicit InputPiece(const SineInput& sine) : sine_(sine), is_sine_(true) {}
  /// Σ_k c_k (t − t0)^k with the coefficients from `first` on.
  InputPiece(double t0, std::shared_ptr<const std::vector<double>> coefficients, std::size_t first,
             int degree)
      : t0_(t0), coefficients_(std::move(coefficients)), first_(first), degree_(degree) {}
  /// a(s0 + t − t0), up to a(s_end) from the left.
  InputPiece(double t0, double s0, double s_end, std::shared_ptr<const SignalHistory> history)
      : t0_(t0), c0_(s0), c1_(s_end), history_(std::move(history)) {}

  [[nodiscard]] double value(double t) const;
  /// k-th derivative with respect to time at t, k ≥ 0.
  [[nodiscard]] double derivative(double t, int k) const;

 private:
  double t0_ = 0.0, c0_ = 0.0, c1_ = 0.0;
  SineInput sine_;
  bool is_sine_ = false;
  std::shared_ptr<const SignalHistory> history_ = {};
  std::shared_ptr<const std::vector<double>> coefficients_ = {};
  std::size_t first_ = 0;
  int degree_ = 0;
};

/// A known function of time.
class Input {
 public:
  using Form = std::variant<ConstantInput, TableInput, SineInput, ClockInput, PeriodicInput, PulseWidthInput,
                            DelayedInput, PolynomialInput>;

  Input() : form_(ConstantInput{}) {}
  /// Tables, periods and polynomials must satisfy the invariants above; throws InvalidModel (ids `bad-table`, `bad-period`, `bad-polynomial`)
  /// otherwise.
  Input(Form form);  // NOLINT(google-explicit-constructor): an input is one of its forms

  [[nodiscard]] const Form& form() const noexcept { return form_; }
  /// The piece to the right of t (at a breakpoint: the one that begins there).
  [[nodiscard]] InputPiece piece(double t) const;
  /// The first breakpoint (change of slope or value) strictly after t; infinity if there is none.
  [[nodiscard]] double next_breakpoint(double t) const;

  friend bool operator==(const Input&, const Input&) = default;

 private:
  Form form_;
};

/// The breakpoint behind t that roundings of numbers of this size alone hold apart from t; t if there is none.
[[nodiscard]] double end_of_instant(const Input& input, double t, double size);

/// How often the piece of an input to the right of t may go up and down in a unit of time: |frequency| of a sine; a quarter of (degree + 1)/(t_(i+1) − t_i) of
/// a polynomial; 0 of what is straight.
[[nodiscard]] double highest_frequency(const Input& input, double t);

}  // namespace mti
