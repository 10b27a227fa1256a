#pragma once

#include <span>
#include <vector>

#include "mti/functions/function_series.hpp"
#include "solvers/blocks/instant.hpp"
#include "solvers/linear_algebra/repeated_lu.hpp"
#include "solvers/series/series_program.hpp"

namespace mti {

/// Taylor coefficients of all places of a program, stage after stage, in the time τ = (t − t₀)/σ.
///
/// Stages up to 0, of orders 0 … offset, are solved for by Newton's method from given values; each further stage takes
/// one convolution per product and one solve per block with the factors of stage 0,
///
///     J·(D^(e_j + k) v_j) = −D^(c_i + k) f_i    with the orders e_j + k at 0 on the right.
///
/// No allocation once the orders have been there, except in blocks of very many unknowns.
class SeriesCoefficients {
 public:
  static constexpr int highest_order = 24;

  SeriesCoefficients(const SeriesProgram& program, const Accuracy& accuracy);

  /// The segment's constants, from v by rows of S, and the pieces of its inputs.
  void begin_segment(std::span<const double> v, const InputPieces& pieces);
  /// Another one of the same segment, of which nothing is solved yet.
  [[nodiscard]] SeriesCoefficients of_same_segment() const;
  /// Stages up to 0 at t, in the unit of time σ. `values` are near by, program().most_given_orders() for every slot:
  /// x is known up to where it is put to fulfil conditions, the others are guesses. False if Newton's method does not
  /// converge or a block is singular.
  [[nodiscard]] bool solve_stage_0(double t, std::span<const double> values, double sigma);
  /// The unit of time σ of all that follows.
  void set_unit(double sigma);
  /// Stage k ≥ 1, those below being there.
  void solve_stage(int k);
  /// By slot: how far order 0 may be off because the numbers that it is computed from are rounded. Those of states and
  /// inputs are by ε|v|, what equations leave open of their block's unknowns is
  ///
  ///     |J⁻¹| · Σ_k |Φ_ik| (what column k is off by, + ε |column k|) .
  ///
  /// Only where nothing is differentiated; a solve for every unknown, of large blocks one for all.
  [[nodiscard]] std::vector<double> rounding() const;
  /// Coefficients of one place.
  [[nodiscard]] std::span<const double> of(int place) const {
    return {coefficients_.data() + at(place) * stride_, stride_};
  }
  /// Coefficient k of a live constraint.
  [[nodiscard]] double constraint(std::size_t index, int k) const {
    return value_of(constraint_begin_ + index, k);
  }
  [[nodiscard]] const SeriesProgram& program() const noexcept { return *program_; }
  /// t₀ and σ.
  [[nodiscard]] double time() const noexcept { return t_; }
  [[nodiscard]] double unit() const noexcept { return sigma_; }

 private:
  [[nodiscard]] double* row(int place) { return coefficients_.data() + at(place) * stride_; }
  [[nodiscard]] const SeriesProgram::Node& node_at(int place) const {
    return program_->nodes()[at(place) - program_->slots().size()];
  }
  [[nodiscard]] double value_of(std::size_t row, int k) const;
  void evaluate(int node, int k);
  void correct(int node, int k);
  [[nodiscard]] double rounding_of_node(int node, std::span<const double> off) const;
  void enter_rounding_of_block(std::size_t index, std::vector<double>& off) const;
  [[nodiscard]] FunctionSeries function_at(int node);
  void evaluate_function(int node, int k);
  void correct_function(int node, int k);
  void evaluate_at_stage(int node, int k);
  void correct_at_stage(int node, int k);
  void enter_values(std::span<const double> values);
  void enter_inputs(int k);
  void derive_states();
  [[nodiscard]] bool factorise(std::size_t index);
  void enter_stage(int k);
  void solve_for_changes(std::size_t index, int k);
  double change_unknown(const SeriesProgram::Unknown& unknown, int k, double change);
  [[nodiscard]] bool solve_lower_stages();
  [[nodiscard]] double solve_lower_stage(std::size_t index, int k);
  [[nodiscard]] bool solve_block_0(std::size_t index);
  void solve_block(std::size_t index, int k);
  void refine_block(std::size_t index, int k);

  const SeriesProgram* program_;
  const Accuracy* accuracy_;
  std::vector<double> coefficients_;
  std::vector<double> interior_;  ///< by node: Σ_{i=1}^{k−1} a_i b_{k−i} of the order at work
  /// A term of a row: the node's coefficients from here on; of a constant term nothing.
  struct WeightedPlace {
    double weight = 0.0;
    std::ptrdiff_t first = -1;
  };
  std::vector<WeightedPlace> terms_;      ///< of all rows, block after block, and of the constraints
  std::vector<std::size_t> row_begin_;    ///< where those of a row begin, and where they end
  std::vector<std::size_t> block_begin_;  ///< the first row of a block
  std::size_t constraint_begin_ = 0;      ///< of the constraints
  std::vector<double> slopes_;            ///< of blocks of one unknown
  std::vector<RepeatedLu> factors_;       ///< of the others
  std::vector<std::size_t> factor_;       ///< by block: which of these
  std::vector<char> has_functions_ = {},
                    needs_refinement_;  ///< by block; the second by the present coefficients
  std::vector<char> factorised_;        ///< blocks with a constant Jacobian, in this segment
  InputPieces pieces_;
  double t_ = 0.0;
  double sigma_ = 1.0;
  std::vector<double> differentiation_;  ///< see enter_stage
  bool lower_stages_were_met_ = false;   ///< by the given values, nearly: their Jacobian is that of stage 0
  std::size_t stride_;
  std::vector<int> lower_nodes_;  ///< with orders that stages below 0 give
  RepeatedLu::Entries entries_;
  std::vector<double> changes_;
};

}  // namespace mti
