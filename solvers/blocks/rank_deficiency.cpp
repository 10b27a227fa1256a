#include "solvers/blocks/rank_deficiency.hpp"

#include <Eigen/Dense>

#include <cmath>
#include <unordered_map>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/linear_algebra/equilibration.hpp"

namespace mti {
namespace {

constexpr std::size_t largest_explained = 200;
constexpr double smallest_part = 1e-9;

/// The last block with all blocks that its equations depend on.
SolutionBlock with_ancestors(const RowMap& f, std::span<const SolutionBlock> blocks) {
  std::unordered_map<int, std::size_t> block_of;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const int unknown : blocks[b].unknowns) block_of.emplace(unknown, b);
  std::vector<char> needed(blocks.size(), 0);
  needed.back() = 1;
  SolutionBlock merged;
  for (std::size_t b = blocks.size(); b-- > 0;) {
    if (needed[b] == 0) continue;
    for (const int equation : blocks[b].equations)
      for (const RowMap::Term& term : f.terms(equation))
        for (const RowMap::Factor& factor : f.factors(term.column))
          if (const auto found = block_of.find(factor.signal); found != block_of.end())
            needed[found->second] = 1;
    merged.equations.insert(merged.equations.end(), blocks[b].equations.begin(), blocks[b].equations.end());
    merged.unknowns.insert(merged.unknowns.end(), blocks[b].unknowns.begin(), blocks[b].unknowns.end());
  }
  return merged;
}

/// A w = −r with rows scaled to a largest entry of 1; rounding is what r may be off. Columns keep the units of
/// their unknowns: what takes part in a null vector is judged by its share of that vector.
struct LinearSystem {
  Eigen::MatrixXd A;
  Eigen::VectorXd r, rounding;

  void scale_rows() {
    for (Eigen::Index j = 0; j < A.rows(); ++j) {
      const double scale = reciprocal_or_one(A.row(j).cwiseAbs().maxCoeff());
      A.row(j) *= scale;
      r[j] *= scale;
      rounding[j] *= scale;
    }
  }
};

LinearSystem linearized(const RowMap& f, const SolutionBlock& block, std::span<const double> v) {
  const auto size = static_cast<Eigen::Index>(block.equations.size());
  std::unordered_map<int, Eigen::Index> column;
  for (Eigen::Index i = 0; i < size; ++i) column.emplace(block.unknowns[at(i)], i);
  LinearSystem system{Eigen::MatrixXd::Zero(size, size), Eigen::VectorXd(size), Eigen::VectorXd(size)};
  for (Eigen::Index j = 0; j < size; ++j) {
    const int equation = block.equations[at(j)];
    f.gradient(equation, v, [&](int signal, double slope) {
      if (const auto found = column.find(signal); found != column.end()) system.A(j, found->second) += slope;
    });
    system.r[j] = f.value(equation, v);
    system.rounding[j] = 8.0 * machine_epsilon * f.magnitude(equation, v);
  }
  system.scale_rows();
  return system;
}

bool takes_part(const Eigen::VectorXd& vector, Eigen::Index i) {
  return std::abs(vector[i]) > smallest_part * vector.cwiseAbs().maxCoeff();
}

RankDeficiency explain(const SolutionBlock& block, const LinearSystem& system) {
  const RankDeficiency unexplained{true, block.equations, block.unknowns};
  Eigen::FullPivLU<Eigen::MatrixXd> lu;
  lu.setThreshold(rank_tolerance);
  if (!system.A.allFinite() || lu.compute(system.A.transpose()).rank() == system.A.rows()) return unexplained;

  const Eigen::MatrixXd left = lu.kernel(), right = lu.compute(system.A).kernel();
  std::vector<char> contradicts(at(left.cols()), 0);
  RankDeficiency result{false, {}, {}, static_cast<int>(lu.rank()), static_cast<int>(system.A.rows())};
  for (Eigen::Index k = 0; k < left.cols(); ++k) {
    const Eigen::VectorXd vector = left.col(k);
    const bool annihilates = std::abs(vector.dot(system.r)) <= 100.0 * vector.cwiseAbs().dot(system.rounding);
    contradicts[at(k)] = annihilates ? 0 : 1;
    result.contradiction = result.contradiction || !annihilates;
  }
  for (Eigen::Index i = 0; i < system.A.rows(); ++i) {
    bool in_left = false, in_right = false;
    for (Eigen::Index k = 0; k < left.cols(); ++k)
      in_left = in_left || (takes_part(left.col(k), i) && (contradicts[at(k)] != 0 || !result.contradiction));
    for (Eigen::Index k = 0; k < right.cols(); ++k) in_right = in_right || takes_part(right.col(k), i);
    if (in_left) result.equations.push_back(block.equations[at(i)]);
    if (in_right) result.unknowns.push_back(block.unknowns[at(i)]);
  }
  return result;
}

}  // namespace

RankDeficiency explain_singularity(const RowMap& f, std::span<const SolutionBlock> blocks,
                                   std::span<const double> v) {
  const SolutionBlock& last = blocks.back();
  SolutionBlock block = with_ancestors(f, blocks);
  if (block.equations.size() > largest_explained) block = last;
  if (block.equations.size() > largest_explained) return {true, last.equations, last.unknowns};
  RankDeficiency result = explain(block, linearized(f, block, v));
  if (result.size > 0) return result;
  return {true, last.equations, last.unknowns};
}

RankDeficiency explain_singularity(const SolutionBlock& block,
                                   const std::vector<Eigen::Triplet<double>>& entries,
                                   const Eigen::VectorXd& left, const Eigen::VectorXd& rounding) {
  if (block.equations.size() > largest_explained) return {true, block.equations, block.unknowns};
  const auto size = static_cast<Eigen::Index>(block.equations.size());
  LinearSystem system{Eigen::MatrixXd::Zero(size, size), left, rounding};
  for (const Eigen::Triplet<double>& entry : entries) system.A(entry.row(), entry.col()) += entry.value();
  system.scale_rows();
  return explain(block, system);
}

}  // namespace mti
