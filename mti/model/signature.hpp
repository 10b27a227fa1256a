#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mti {

/// A named quantity of a model.
struct Signal {
  std::string name;
  std::string unit = {};
  double nominal = 1.0;    ///< size that counts as "one": absolute tolerances are atol × nominal
  bool auxiliary = false;  ///< made for a power of another signal; left out of results
  bool binary = false;     ///< inputs only: takes part in the mode, like z
  std::string generated =
      {};  ///< binaries made for a condition: the text they stand for ("T < 19"), else empty

  friend bool operator==(const Signal&, const Signal&) = default;
};

/// The signals of a model and their places in v = (ẋ, x, u, y, z, pre z).
///
/// With n states, m inputs, p algebraic signals, q binaries and r remembered binaries, v has
/// 2n + m + p + q + r entries; these are also the rows of S. Source: the paper, equation (1); the rows
/// for pre(z) follow those of z. In models of discrete time the rows of ẋ are those of next(x).
class Signature {
 public:
  /// What the first n rows stand for.
  enum class StateRow : char { derivative, next };

  Signature() = default;
  /// `pre` lists the binaries (indices into `binaries`) whose value before the event occurs in the model.
  Signature(std::vector<Signal> states, std::vector<Signal> inputs, std::vector<Signal> algebraic,
            std::vector<Signal> binaries, std::vector<int> pre = {},
            StateRow first_rows = StateRow::derivative);

  [[nodiscard]] int n() const noexcept { return static_cast<int>(states_.size()); }
  [[nodiscard]] int m() const noexcept { return static_cast<int>(inputs_.size()); }
  [[nodiscard]] int p() const noexcept { return static_cast<int>(algebraic_.size()); }
  [[nodiscard]] int q() const noexcept { return static_cast<int>(binaries_.size()); }
  [[nodiscard]] int r() const noexcept { return static_cast<int>(pre_.size()); }
  [[nodiscard]] int size() const noexcept { return 2 * n() + m() + p() + q() + r(); }

  /// Rows of S of the i-th signal of each group (0-based).
  [[nodiscard]] int derivative_row(int i) const noexcept { return i; }
  [[nodiscard]] int state_row(int i) const noexcept { return n() + i; }
  [[nodiscard]] int input_row(int i) const noexcept { return 2 * n() + i; }
  [[nodiscard]] int algebraic_row(int i) const noexcept { return 2 * n() + m() + i; }
  [[nodiscard]] int binary_row(int i) const noexcept { return 2 * n() + m() + p() + i; }
  [[nodiscard]] int pre_row(int i) const noexcept { return 2 * n() + m() + p() + q() + i; }

  [[nodiscard]] const std::vector<Signal>& states() const noexcept { return states_; }
  [[nodiscard]] const std::vector<Signal>& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const std::vector<Signal>& algebraic() const noexcept { return algebraic_; }
  [[nodiscard]] const std::vector<Signal>& binaries() const noexcept { return binaries_; }
  [[nodiscard]] const std::vector<int>& pre() const noexcept { return pre_; }
  [[nodiscard]] StateRow first_rows() const noexcept { return first_rows_; }
  [[nodiscard]] bool is_discrete() const noexcept { return first_rows_ == StateRow::next; }

  /// Row of the signal `name` (a state's own row, not that of its derivative); nothing if unknown.
  [[nodiscard]] std::optional<int> find(std::string_view name) const;
  /// Row of pre(z) of the binary with index `binary`; nothing if the model does not use it.
  [[nodiscard]] std::optional<int> find_pre(int binary) const;
  /// "der(x1)" or "next(x1)", "x1", "u1", "y1", "z1" or "pre(z1)".
  [[nodiscard]] std::string row_name(int row) const;
  /// The declared name closest to `name` (edit distance), for "did you mean"; empty if none is close.
  [[nodiscard]] std::string suggestion(std::string_view name) const;

  friend bool operator==(const Signature& a, const Signature& b) {
    return a.states_ == b.states_ && a.inputs_ == b.inputs_ && a.algebraic_ == b.algebraic_ &&
           a.binaries_ == b.binaries_ && a.pre_ == b.pre_ && a.first_rows_ == b.first_rows_;
  }

 private:
  std::vector<Signal> states_, inputs_, algebraic_, binaries_;
  std::vector<int> pre_;
  StateRow first_rows_ = StateRow::derivative;
  std::unordered_map<std::string, int> rows_;
};

/// "x", "der(x)", "der(x, 2)" for the `order`-th derivative of the entry of v in row `row` of S; of a row of
/// ẋ it is the (order + 1)-th of x. In models of discrete time the value so many samples later: "next(x, 2)".
[[nodiscard]] std::string derivative_name(const Signature& signature, int row, int order);

/// The entry of `names` closest to `name` by edit distance, empty if none is within a third of its length.
[[nodiscard]] std::string closest_name(std::string_view name, const std::vector<std::string>& names);

}  // namespace mti
