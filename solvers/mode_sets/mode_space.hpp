#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/mode_sets/mode_polynomial.hpp"
#include "solvers/mode_sets/mode_set.hpp"

namespace mti {

/// Nodes of diagrams that an analysis may make. With many binaries coupled, diagrams can outgrow any machine.
constexpr long long most_nodes = 2'000'000'000;

/// Sets that share no variable, and which of them matter for another set.
class IndependentSets {
 public:
  IndependentSets() = default;
  explicit IndependentSets(std::vector<ModeSet> sets);

  [[nodiscard]] const std::vector<ModeSet>& sets() const noexcept { return sets_; }
  /// Those with a variable in the support of `set`, intersected.
  [[nodiscard]] ModeSet met_by(const ModeSet& set) const;

 private:
  std::vector<ModeSet> sets_;
  std::vector<int> set_of_;  ///< of each variable up to the last in any, −1: none
};

/// The modes of a model: which binaries and binary inputs are the variables of mode sets, in which order, and
/// which modes are considered.
///
/// Considered are the modes that fulfil the invariants, and the constraints and equations without any other
/// signal. In a motion pre(z) is z, and that is what it stands for here. The order of the variables follows
/// the model's graph (reverse Cuthill–McKee), so that binaries that meet in equations are neighbours and
/// diagrams stay narrow; where rules are wide in it, the graph of these rules (solvers/mode_sets/variable_order.hpp).
class ModeSpace {
 public:
  /// What the model says of its binaries alone may be left aside: then every mode is considered.
  enum class Rules { followed, ignored };
  /// Throws ModeSetTooLarge where more than `nodes` nodes of diagrams would be looked at to know what the model says of
  /// its binaries.
  explicit ModeSpace(const Model& model, Rules rules = Rules::followed, long long nodes = most_nodes);
  /// Diagrams are walked by recursion, to a depth of as many variables. More are ModeSetTooLarge.
  static constexpr int most_variables = 20000;

  [[nodiscard]] int variables() const noexcept { return static_cast<int>(row_.size()); }
  /// Row of S of a variable; variable of a row of S: of z, pre(z), or a binary input; −1 for others.
  [[nodiscard]] int row_of(int variable) const { return row_[at(variable)]; }
  [[nodiscard]] int variable_of(int row) const { return variable_[at(row)]; }
  [[nodiscard]] const std::string& name(int variable) const { return name_[at(variable)]; }

  /// Sets without common variables whose intersection is the modes considered.
  [[nodiscard]] const std::vector<ModeSet>& factors() const noexcept { return factors_.sets(); }
  /// The factors with a variable in the support of `set`, intersected.
  [[nodiscard]] ModeSet care_of(const ModeSet& set) const;
  /// What of `set` is considered: its intersection with care_of(set). Empty iff none of it is considered.
  [[nodiscard]] ModeSet considered(const ModeSet& set) const;
  /// No mode is considered at all.
  [[nodiscard]] bool contradictory() const noexcept { return contradictory_; }

  /// Whether `mode` is in the set.
  [[nodiscard]] bool contains(const ModeSet& set, const Mode& mode) const;
  /// Whether an equation holds nothing but binaries: a condition on modes, not on signals.
  [[nodiscard]] bool is_rule(int equation) const { return rule_equations_[at(equation)] != 0; }

  /// A column of S taken apart: the factors that the mode determines, and the others.
  struct Column {
    std::vector<ModePolynomial::Factor> binary;
    std::vector<std::pair<int, double>> others;  ///< row of S, value
  };
  /// Rows of S beyond those of v are copies of the rows `copied`, as powers need them.
  [[nodiscard]] Column column(const SparseColumns& S, int k, std::span<const int> copied = {}) const;

 private:
  void choose_variables(const Model& model);
  void split_into_factors(const std::vector<ModeSet>& conditions, long long nodes);

  std::vector<int> row_, variable_;
  std::vector<std::string> name_;
  IndependentSets factors_;
  std::vector<char> rule_equations_;
  int first_binary_ = 0;
  std::vector<int>
      binary_input_;  ///< of each variable: its place among the binary inputs, −1: it is one of z
  bool contradictory_ = false;
};

/// What `set` keeps when modes that do not matter are left out: how an analysis asks for considered(set).
using Considered = std::function<ModeSet(const ModeSet&)>;

/// considered(set) of the space, with the nodes of all results counted. Throws ModeSetTooLarge beyond
/// `nodes`.
[[nodiscard]] Considered within_effort(const ModeSpace& space, long long nodes = most_nodes);

/// The set of modes in which a Boolean formula over binaries and binary inputs holds.
[[nodiscard]] ModeSet modes_where(const BooleanFormula& formula, const ModeSpace& space);

}  // namespace mti
