#pragma once

#include <span>
#include <vector>

#include "solvers/blocks/instant.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"
#include "solvers/series/series_program.hpp"

namespace mti {

/// Taylor coefficients of all places of a program, order after order, in the time τ = (t − t₀)/σ.
///
/// Order 0 of ẋ and y is solved for by Newton's method from given values; each further order takes one convolution per
/// product and one solve per block with the factors of order 0. No allocation once the orders have been there, except
/// in blocks of several unknowns.
class SeriesCoefficients {
 public:
  static constexpr int highest_order = 24;
  static constexpr int stride = highest_order + 1;

  SeriesCoefficients(const SeriesProgram& program, const Accuracy& accuracy);

  /// The segment's constants, from v by rows of S, and the pieces of its inputs.
  void begin_segment(std::span<const double> v, const std::vector<InputPiece>& pieces);
  /// Order 0 at t: `values` by slot are known for states, guesses for the unknowns. False if Newton's method does not
  /// converge or a block is singular.
  [[nodiscard]] bool solve_order_0(double t, std::span<const double> values);
  /// Order k, those below being there, in the unit of time σ; k = 1 sets σ for all that follow.
  void solve_order(int k, double sigma);
  /// Coefficients of one place.
  [[nodiscard]] std::span<const double> of(int place) const {
    return {coefficients_.data() + at(place) * stride, stride};
  }
  /// Coefficient k of a live constraint.
  [[nodiscard]] double constraint(std::size_t index, int k) const {
    return residual(program_->constraints()[index], weights_.data() + constraint_weights_[index], k);
  }
  [[nodiscard]] const SeriesProgram& program() const noexcept { return *program_; }

 private:
  [[nodiscard]] double* row(int place) { return coefficients_.data() + at(place) * stride; }
  [[nodiscard]] double residual(const SeriesProgram::Row& terms, const double* weights, int k) const;
  void evaluate(int node, int k);
  void correct(int node, int k);
  bool factorise(std::size_t index);
  [[nodiscard]] bool solve_block_0(std::size_t index);
  void solve_block(std::size_t index, int k);

  const SeriesProgram* program_;
  const Accuracy* accuracy_;
  std::vector<double> coefficients_;
  std::vector<double> interior_;  ///< by node: Σ_{i=1}^{k−1} a_i b_{k−i} of the order at work
  std::vector<double> weights_;   ///< of all terms, one equation after the other
  std::vector<std::vector<std::size_t>> weight_of_;  ///< block, equation: where its weights begin
  std::vector<std::size_t> constraint_weights_;      ///< the same for the constraints
  std::vector<double> slopes_;                       ///< of blocks of one unknown
  std::vector<LuFactor> factors_;                    ///< of the others
  std::vector<char> factorised_;                     ///< blocks with a constant Jacobian, in this segment
  std::vector<InputPiece> pieces_;
  double t_ = 0.0;
  Eigen::VectorXd right_side_;
};

}  // namespace mti
