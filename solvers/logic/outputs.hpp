#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/mode.hpp"
#include "mti/model/signal_rows.hpp"
#include "solvers/logic/joint_outputs.hpp"
#include "solvers/structure/block_triangular.hpp"

namespace mti {

/// Outputs of logic, and how the other binaries, the deciders, determine them:
///
///     output z_b:  in no constraint, matched to an equation  e = a(·) + c(·) z_b = 0  of binaries, pre(z)
///                  and binary inputs alone, with c ≠ 0 at every vertex of the others
///
/// so that z_b = −a/c follows uniquely, or nothing does; or by what rows say of several together (JointOutputs), which then stands
/// as a row z_b − φ_b(·) = 0 of its own behind those of the model. An equation that leaves z_b open somewhere
/// (z1·z2 = 0) makes no output; where two binaries could serve, the one declared last is the output. Outputs
/// are solved one after the other: of binaries that would determine each other in a loop, the one declared
/// first stays a decider. Read off the unfrozen rows once per model, which must outlive it; binaries are indices
/// 0 … q−1.
class Outputs {
 public:
  explicit Outputs(const SignalRows& rows);

  [[nodiscard]] bool is_output(int binary) const { return equation_of_[at(binary)] >= 0; }
  /// The equation that determines an output, a row of equations(); −1 for a decider.
  [[nodiscard]] int equation_of(int binary) const { return equation_of_[at(binary)]; }
  /// All outputs, each after those that its equation holds.
  [[nodiscard]] const std::vector<int>& order() const noexcept { return order_; }

  /// The binaries that an equation holds, ascending.
  [[nodiscard]] std::span<const int> binaries_of(int equation) const {
    const int behind = equation - rows_.f.rows();
    return behind < 0 ? rows_.f.binaries(equation) : std::span<const int>(binaries_of_joint_[at(behind)]);
  }
  /// The outputs that a row of the model's f determines, by itself or with other rows.
  [[nodiscard]] std::span<const int> outputs_of(int row) const { return outputs_of_[at(row)]; }
  [[nodiscard]] const Signature& signature() const noexcept { return rows_.model.signature; }
  /// The model's f, and behind it rows of outputs that are determined together.
  [[nodiscard]] const RowMap& equations() const noexcept {
    return extended_ ? *extended_ : static_cast<const RowMap&>(rows_.f);
  }
  /// Equations of binaries alone that determine this one wherever the others are, whether it is their output or not.
  [[nodiscard]] const std::vector<int>& equations_determining(int binary) const {
    return determining_[at(binary)];
  }
  /// What outputs depend on: `binaries` with every output replaced by the deciders behind it, ascending.
  [[nodiscard]] std::vector<int> deciders_behind(std::span<const int> binaries) const;
  /// The outputs that can change when `binaries` do, in the order of their solution.
  [[nodiscard]] std::vector<int> outputs_behind(std::span<const int> binaries) const;
  /// The same with those that change by pre(z) when the problem is posed again.
  [[nodiscard]] std::vector<int> outputs_behind_in_time(std::span<const int> binaries) const;
  /// The binaries whose z or pre(z) an output's equation holds, without the output itself, ascending.
  [[nodiscard]] std::vector<int> binaries_needed_by(int output) const;

  /// Puts every output to what the deciders of `mode`, its pre(z) and binary inputs make it. An output whose
  /// equation has no solution in {0, 1} keeps its value; false if there is one.
  bool settle(Mode& mode) const { return settle(mode, order_); }
  /// The same for some outputs, given in the order of their solution.
  bool settle(Mode& mode, std::span<const int> outputs) const;

  /// The equation of an output as a function of the output alone, e(0) and e(1), and what they are small
  /// against; value_of(row of S) gives the others.
  struct Line {
    double at_0 = 0.0, at_1 = 0.0, size = 0.0;
  };
  [[nodiscard]] Line line(int output, const std::function<double(int)>& value_of) const;
  /// Value of a binary, pre(z) or binary input in a mode, by its row of S.
  [[nodiscard]] double value_in(const Mode& mode, int row) const;

 private:
  void find_joint(std::span<const char> candidates);
  [[nodiscard]] bool holds(int row, const Mode& mode) const;
  [[nodiscard]] std::vector<Block> blocks(const Incidence& pattern) const;
  void index();
  [[nodiscard]] std::vector<int> outputs_behind(std::span<const int> binaries,
                                                const std::vector<std::vector<int>>& outputs_with) const;

  const SignalRows& rows_;
  std::vector<int> equation_of_, order_;
  std::vector<JointOutputs::Source> joint_;          ///< rows that determine several
  std::optional<RowMap> extended_ = {};              ///< where binaries are determined together
  std::vector<std::vector<int>> binaries_of_joint_;  ///< by row behind the model's
  std::vector<std::vector<int>> outputs_of_;         ///< by row of the model's f
  std::vector<std::vector<int>> determining_;        ///< by binary
  std::vector<std::vector<int>> outputs_with_;       ///< by binary: outputs whose equations hold it
  std::vector<std::vector<int>>
      outputs_with_in_time_;       ///< by binary: outputs whose equations hold z or pre(z) of it
  std::vector<int> place_;         ///< of outputs in `order_`
  std::vector<int> binary_input_;  ///< by input: its place among the binary ones, −1: not binary
};

}  // namespace mti
