#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mti/model/model.hpp"
#include "mti/source/source.hpp"
#include "solvers/multimode/all_modes.hpp"
#include "solvers/reduced_index/expressions.hpp"

namespace mti {

/// "der_x", "der2_x"; of a component's a.x "a.der_x"; x itself for order 0. Of equations as of signals.
[[nodiscard]] std::string name_of_derivative(const std::string& name, int order);

/// Derivative `order` of signal `signal` (all x, then all y).
struct Replicate {
  int signal = 0, order = 0;
  friend auto operator<=>(const Replicate&, const Replicate&) = default;
};

/// The structure of all modes in the names and texts of a source: which derivative of each signal leads where, which
/// derivatives of each equation hold there, and what they are called and say.
///
/// Of signal j the derivatives 0 … max d_j are signals of their own, its replicates; of equation i the derivatives
/// 0 … max c_i are written in them.
class Replicates {
 public:
  /// Throws InvalidModel: `singular-modes` where no mode is structurally regular, and what building finds.
  explicit Replicates(const Source& source);

  [[nodiscard]] const Source& source() const noexcept { return source_; }
  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] int signals() const noexcept { return static_cast<int>(signals_.size()); }
  [[nodiscard]] int equations() const noexcept { return static_cast<int>(rows_.size()); }
  [[nodiscard]] bool is_state(int signal) const { return signals_[at(signal)].is_state; }
  /// Among the states, or the algebraic signals, of the built model.
  [[nodiscard]] int place(int signal) const { return signals_[at(signal)].place; }
  /// max d_j
  [[nodiscard]] int most(int signal) const { return static_cast<int>(signals_[at(signal)].above.size()); }
  [[nodiscard]] const std::string& name(Replicate replicate) const {
    return signals_[at(replicate.signal)].names[at(replicate.order)];
  }
  [[nodiscard]] std::optional<Replicate> find(const std::string& name) const;
  /// A name that stands for nothing yet: `wanted`, or with lines behind it.
  [[nodiscard]] std::string fresh(std::string wanted);

  /// The regular modes considered: what sets below are parts of.
  [[nodiscard]] const ModeSet& modes() const noexcept { return modes_; }
  /// The singular ones among those considered, as a formula; empty: there are none. A run does not come there.
  [[nodiscard]] const std::string& singular_modes() const noexcept { return singular_text_; }
  /// Where d_j > order: the replicate is below what leads, and given by a state or by what binds states.
  [[nodiscard]] ModeSet lower(Replicate replicate) const;
  /// Where d_j = order.
  [[nodiscard]] ModeSet leads(Replicate replicate) const;
  /// max c_i
  [[nodiscard]] int most_differentiated(int equation) const {
    return static_cast<int>(rows_[at(equation)].above.size());
  }
  /// Where c_i > order: this derivative of the equation binds what is lower.
  [[nodiscard]] ModeSet binds(int equation, int order) const;
  /// Where c_i = order, and the equation says something.
  [[nodiscard]] ModeSet holds(int equation, int order) const;
  [[nodiscard]] const ModeSet& vanishes(int equation) const { return rows_[at(equation)].vanishes; }
  [[nodiscard]] const ModeSet& absent(int signal) const { return signals_[at(signal)].absent; }
  [[nodiscard]] const std::string& equation_name(int equation) const { return rows_[at(equation)].name; }
  /// An equation of binaries alone.
  [[nodiscard]] bool is_rule(int equation) const { return rows_[at(equation)].is_rule; }

  /// The residual of derivative `order` of an equation in replicates, as it is in the modes `where`.
  [[nodiscard]] std::string residual(int equation, int order, const ModeSet& where);
  /// An expression in the replicates der(x) → x of order 1, with the binaries that are constant in `where`.
  [[nodiscard]] Replacement in_replicates(const ModeSet& where) const;
  /// Whether binaries, or conditions, stand in a text: what it says depends on the mode.
  [[nodiscard]] bool holds_binaries(const std::string& expression) const;
  /// The binaries in a text, as variables of mode sets.
  [[nodiscard]] std::vector<int> variables_in(const std::string& expression) const;

  /// The value of an expression of parameters; nothing where signals stand in it.
  [[nodiscard]] std::optional<double> constant(const std::string& expression) const {
    return constant_value(expression, parameters_);
  }
  /// Whether a point, by rows of S, lies in modes of the set.
  [[nodiscard]] bool is_in(const ModeSet& set, std::span<const double> v) const;

  /// A set as a condition of the language. Throws InvalidModel (id `modes-too-large`) where it is too long.
  [[nodiscard]] std::string condition(const ModeSet& set) const;

  /// "where g", "in all modes", for messages.
  [[nodiscard]] std::string in_modes(const ModeSet& set) const;

  /// Rates of inputs that derivatives have asked for.
  [[nodiscard]] const std::vector<InputSource>& input_rates() const noexcept { return input_rates_; }

 private:
  struct Signal {
    std::vector<std::string> names;
    std::vector<ModeSet> above;  ///< [k]: where d_j > k
    ModeSet absent;
    bool is_state = false;
    int place = 0;  ///< in the model's signature, among states or algebraic signals
  };
  struct Row {
    std::string name, text;
    std::vector<ModeSet> above;  ///< [k]: where c_i > k
    ModeSet vanishes;
    bool is_rule = false;
  };

  void read_signals();
  void read_rows();
  /// d/dt of a name.
  [[nodiscard]] std::optional<WrittenTerm> rate(const std::string& name);
  [[nodiscard]] std::optional<WrittenTerm> rate_of_input(const InputSource& input);

  Source source_;
  Model model_;
  AllModes all_;
  ModeSet modes_;
  std::string singular_text_;
  std::vector<Signal> signals_;
  std::vector<Row> rows_;
  std::map<std::string, Replicate, std::less<>> replicates_;
  std::map<std::string, int, std::less<>> variables_;
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, double, std::less<>> parameters_;
  std::vector<InputSource> input_rates_;
};

}  // namespace mti
