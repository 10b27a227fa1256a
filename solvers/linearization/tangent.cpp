#include "solvers/linearization/tangent.hpp"

#include "mti/common/at.hpp"

namespace mti {

Tangent::Tangent(const Linearization& linearization)
    : leading_(linearization), block_of_(at(leading_.matrix.cols()), -1) {
  std::vector<int> place(at(leading_.matrix.cols()), -1);
  for (std::size_t b = 0; b < leading_.blocks.size(); ++b) {
    const Block& block = leading_.blocks[b];
    for (std::size_t k = 0; k < block.columns.size(); ++k) {
      block_of_[at(block.columns[k].value())] = static_cast<int>(b);
      place[at(block.columns[k].value())] = static_cast<int>(k);
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < block.rows.size(); ++i)
      for (Leading::Rows::InnerIterator entry(leading_.matrix, block.rows[i].value()); entry; ++entry)
        if (block_of_[at(entry.col())] == static_cast<int>(b))
          entries.emplace_back(static_cast<int>(i), place[at(entry.col())], entry.value());
    factors_.emplace_back(static_cast<int>(block.rows.size()), entries);
    if (factors_.back().singular()) fail_singular(linearization, block);
  }
}

Eigen::VectorXd Tangent::apply(const Eigen::VectorXd& a) const {
  const Eigen::VectorXd right = leading_.right * a;
  Eigen::VectorXd solution = Eigen::VectorXd::Zero(unknowns());
  for (std::size_t b = 0; b < leading_.blocks.size(); ++b) {
    const Block& block = leading_.blocks[b];
    Eigen::VectorXd own(static_cast<Eigen::Index>(block.rows.size()));
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
      const int row = block.rows[i].value();
      double sum = right[row];
      for (Leading::Rows::InnerIterator entry(leading_.matrix, row); entry; ++entry)
        if (block_of_[at(entry.col())] != static_cast<int>(b)) sum -= entry.value() * solution[entry.col()];
      own[static_cast<Eigen::Index>(i)] = sum;
    }
    own = factors_[b].solve(own);
    for (std::size_t k = 0; k < block.columns.size(); ++k)
      solution[block.columns[k].value()] = own[static_cast<Eigen::Index>(k)];
  }
  return solution;
}

/// M = [∂f/∂ẋ  ∂f/∂y] is block triangular, so that Mᵀ λ = b is solved from the last block to the first.
Eigen::VectorXd Tangent::apply_transposed(const Eigen::VectorXd& b) const {
  Eigen::VectorXd left = b, multipliers = Eigen::VectorXd::Zero(leading_.matrix.rows());
  for (std::size_t k = leading_.blocks.size(); k-- > 0;) {
    const Block& block = leading_.blocks[k];
    Eigen::VectorXd own(static_cast<Eigen::Index>(block.columns.size()));
    for (std::size_t i = 0; i < block.columns.size(); ++i)
      own[static_cast<Eigen::Index>(i)] = left[block.columns[i].value()];
    own = factors_[k].solve_transposed(own);
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
      const int row = block.rows[i].value();
      multipliers[row] = own[static_cast<Eigen::Index>(i)];
      for (Leading::Rows::InnerIterator entry(leading_.matrix, row); entry; ++entry)
        if (block_of_[at(entry.col())] != static_cast<int>(k))
          left[entry.col()] -= entry.value() * multipliers[row];
    }
  }
  return leading_.right.transpose() * multipliers;
}

}  // namespace mti
