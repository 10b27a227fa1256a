#include "solvers/series/series_coefficients.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/rounding.hpp"

namespace mti {

SeriesCoefficients::SeriesCoefficients(const SeriesProgram& program, const Accuracy& accuracy)
    : program_(&program),
      accuracy_(&accuracy),
      coefficients_(at(program.places()) * stride, 0.0),
      interior_(at(program.places()), 0.0),
      slopes_(program.blocks().size(), 0.0),
      factors_(program.blocks().size()),
      factorised_(program.blocks().size(), 0) {
  const auto add = [&](std::vector<std::size_t>& begins, const SeriesProgram::Row& row) {
    begins.push_back(weights_.size());
    weights_.resize(weights_.size() + row.size());
  };
  for (const SeriesProgram::Block& block : program.blocks()) {
    std::vector<std::size_t>& begins = weight_of_.emplace_back();
    for (const SeriesProgram::Row& equation : block.equations) add(begins, equation);
  }
  for (const SeriesProgram::Row& constraint : program.constraints()) add(constraint_weights_, constraint);
}

void SeriesCoefficients::begin_segment(std::span<const double> v, const std::vector<InputPiece>& pieces) {
  pieces_ = pieces;
  auto weight = weights_.begin();
  const auto fold = [&](const SeriesProgram::Row& row) {
    for (const SeriesProgram::Term& term : row) {
      double product = term.Phi;
      for (const RowMap::Factor& factor : term.constant_factors)
        product *= 1.0 - std::abs(factor.S) + factor.S * v[at(factor.signal)];
      *weight++ = product;
    }
  };
  for (const SeriesProgram::Block& block : program_->blocks())
    for (const SeriesProgram::Row& equation : block.equations) fold(equation);
  for (const SeriesProgram::Row& constraint : program_->constraints()) fold(constraint);
  std::fill(factorised_.begin(), factorised_.end(), 0);
}

/// Coefficient k of a row with what its nodes hold. A constant has no coefficients above order 0.
double SeriesCoefficients::residual(const SeriesProgram::Row& terms, const double* weights, int k) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].node >= 0)
      sum += weights[i] * coefficients_[at(terms[i].node) * stride + at(k)];
    else if (k == 0)
      sum += weights[i];
  }
  return sum;
}

/// Coefficient k of a node whose operands hold theirs, those of unknowns being provisional.
void SeriesCoefficients::evaluate(int node, int k) {
  const SeriesProgram::Node& n = program_->nodes()[at(node) - program_->slots().size()];
  double* const result = row(node);
  const double *const a = row(n.left), *const b = n.right < 0 ? nullptr : row(n.right);
  if (b == nullptr) {
    result[k] = n.b * a[k] + (k == 0 ? n.a : 0.0);
    return;
  }
  double sum = 0.0;
  for (int i = 1; i < k; ++i) sum += a[i] * b[k - i];
  interior_[at(node)] = sum;
  correct(node, k);
}

/// The same once more after the operands' coefficients k have changed: (a·b)_k = Σ + a_0 b_k + a_k b_0.
void SeriesCoefficients::correct(int node, int k) {
  const SeriesProgram::Node& n = program_->nodes()[at(node) - program_->slots().size()];
  double* const result = row(node);
  const double* const a = row(n.left);
  if (n.right < 0) {
    result[k] = n.b * a[k] + (k == 0 ? n.a : 0.0);
    return;
  }
  const double* const b = row(n.right);
  result[k] = k == 0 ? a[0] * b[0] : interior_[at(node)] + (a[0] * b[k] + a[k] * b[0]);
}

/// The Jacobian of a block at order 0; false if it is singular.
bool SeriesCoefficients::factorise(std::size_t index) {
  if (factorised_[index] != 0) return true;
  const SeriesProgram::Block& block = program_->blocks()[index];
  const auto value = [&](const SeriesProgram::Derivative& derivative) {
    double product =
        weights_[weight_of_[index][at(derivative.equation)] + at(derivative.term)] * derivative.S;
    for (const int node : derivative.nodes) product *= *row(node);
    return product;
  };
  if (block.unknowns.size() == 1) {
    double slope = 0.0;
    for (const SeriesProgram::Derivative& derivative : block.derivatives) slope += value(derivative);
    slopes_[index] = slope;
    if (slope == 0.0 || !std::isfinite(slope)) return false;
  } else {
    std::vector<Eigen::Triplet<double>> entries;
    for (const SeriesProgram::Derivative& derivative : block.derivatives)
      entries.emplace_back(derivative.equation, derivative.unknown, value(derivative));
    factors_[index] = LuFactor(static_cast<int>(block.unknowns.size()), entries);
    if (factors_[index].singular()) return false;
  }
  factorised_[index] = block.has_constant_jacobian ? 1 : 0;
  return true;
}

/// Newton's method from what the unknowns hold; one correction and one refinement where the block is linear.
bool SeriesCoefficients::solve_block_0(std::size_t index) {
  constexpr int most_iterations = 8;
  // What is left after the last correction is its square, relative to the unknown: nothing.
  constexpr double part_of_tolerance = 1e-4;
  const SeriesProgram::Block& block = program_->blocks()[index];
  const auto size = block.unknowns.size();
  for (const int node : block.nodes) evaluate(node, 0);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!factorise(index)) return false;
    double largest = 0.0;
    if (size > 1) {
      right_side_.resize(static_cast<Eigen::Index>(size));
      for (std::size_t i = 0; i < size; ++i)
        right_side_[static_cast<Eigen::Index>(i)] =
            residual(block.equations[i], weights_.data() + weight_of_[index][i], 0);
      right_side_ = factors_[index].solve(right_side_);
    }
    for (std::size_t j = 0; j < size; ++j) {
      double& value = *row(block.unknowns[j]);
      const double change =
          size > 1 ? right_side_[static_cast<Eigen::Index>(j)]
                   : residual(block.equations[0], weights_.data() + weight_of_[index][0], 0) / slopes_[index];
      if (!std::isfinite(change)) return false;
      const int signal = program_->slots()[at(block.unknowns[j])].row;
      const double tolerance = std::max(part_of_tolerance * accuracy_->of(signal, value),
                                        16.0 * machine_epsilon * std::abs(value));
      value -= change;
      largest = std::max(largest, std::abs(change) / tolerance);
    }
    for (const int node : block.nodes) correct(node, 0);
    const bool enough = block.linear ? iteration >= 1 || largest <= 1.0 : largest <= 1.0;
    if (enough) return block.linear || factorise(index);
  }
  return false;
}

bool SeriesCoefficients::solve_order_0(double t, std::span<const double> values) {
  t_ = t;
  for (std::size_t slot = 0; slot < program_->slots().size(); ++slot)
    *row(static_cast<int>(slot)) = values[slot];
  for (const SeriesProgram::VaryingInput& input : program_->inputs())
    *row(input.slot) = pieces_[at(input.input)].value(t);
  for (const int node : program_->known_nodes()) evaluate(node, 0);
  for (std::size_t block = 0; block < program_->blocks().size(); ++block)
    if (!solve_block_0(block)) return false;
  return true;
}

void SeriesCoefficients::solve_order(int k, double sigma) {
  for (const SeriesProgram::State& state : program_->states())
    row(state.value)[k] = sigma * row(state.slope)[k - 1] / k;
  const double unit = program_->inputs().empty() ? 0.0 : std::pow(sigma, k) / factorial(k);
  for (const SeriesProgram::VaryingInput& input : program_->inputs())
    row(input.slot)[k] = unit * pieces_[at(input.input)].derivative(t_, k);
  for (const int node : program_->known_nodes()) evaluate(node, k);
  for (std::size_t block = 0; block < program_->blocks().size(); ++block) solve_block(block, k);
}

void SeriesCoefficients::solve_block(std::size_t index, int k) {
  const SeriesProgram::Block& block = program_->blocks()[index];
  for (const int unknown : block.unknowns) row(unknown)[k] = 0.0;
  for (const int node : block.nodes) evaluate(node, k);
  const auto size = block.unknowns.size();
  if (size == 1) {
    row(block.unknowns[0])[k] =
        -residual(block.equations[0], weights_.data() + weight_of_[index][0], k) / slopes_[index];
  } else {
    right_side_.resize(static_cast<Eigen::Index>(size));
    for (std::size_t i = 0; i < size; ++i)
      right_side_[static_cast<Eigen::Index>(i)] =
          -residual(block.equations[i], weights_.data() + weight_of_[index][i], k);
    right_side_ = factors_[index].solve(right_side_);
    for (std::size_t j = 0; j < size; ++j)
      row(block.unknowns[j])[k] = right_side_[static_cast<Eigen::Index>(j)];
  }
  for (const int node : block.nodes) correct(node, k);
}

}  // namespace mti
