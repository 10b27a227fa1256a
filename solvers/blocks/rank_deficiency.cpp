#include "solvers/blocks/rank_deficiency.hpp"

#include <Eigen/Dense>

#include <cmath>
#include <unordered_map>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/linear_algebra/binary_scales.hpp"

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

/// A w = −r, rows and unknowns in units of their own; rounding is what r may be off. What takes part in a null
/// vector is judged by its share of that vector.
class LinearSystem {
 public:
  explicit LinearSystem(std::size_t size)
      : A(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size))),
        r(A.rows()),
        rounding(A.rows()),
        summands_(A) {}

  void add(Eigen::Index row, Eigen::Index column, double slope) {
    A(row, column) += slope;
    summands_(row, column) += std::abs(slope);
  }

  void scale() {
    if (!A.allFinite()) return;
    // What is left of a sum that cancels says nothing about units.
    constexpr double cancelled = 1e-15;
    std::vector<SparseEntry> entries;
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      for (Eigen::Index j = 0; j < A.cols(); ++j)
        if (std::abs(A(i, j)) > cancelled * summands_(i, j))
          entries.push_back({static_cast<int>(i), static_cast<int>(j), A(i, j)});
    const int size = static_cast<int>(A.rows());
    const BinaryScales scales = binary_scales(size, size, entries);
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const int of_row = scales.rows[at(i)];
      for (Eigen::Index j = 0; j < A.cols(); ++j)
        A(i, j) = std::scalbn(A(i, j), of_row + scales.columns[at(j)]);
      r[i] = std::scalbn(r[i], of_row);
      rounding[i] = std::scalbn(rounding[i], of_row);
    }
  }

  Eigen::MatrixXd A;
  Eigen::VectorXd r, rounding;

 private:
  Eigen::MatrixXd summands_;
};

LinearSystem linearized(const RowMap& f, const SolutionBlock& block, std::span<const double> v) {
  const auto size = static_cast<Eigen::Index>(block.equations.size());
  std::unordered_map<int, Eigen::Index> column;
  for (Eigen::Index i = 0; i < size; ++i) column.emplace(block.unknowns[at(i)], i);
  LinearSystem system(block.equations.size());
  for (Eigen::Index j = 0; j < size; ++j) {
    const int equation = block.equations[at(j)];
    f.gradient(equation, v, [&](int signal, double slope) {
      if (const auto found = column.find(signal); found != column.end()) system.add(j, found->second, slope);
    });
    system.r[j] = f.value(equation, v);
    system.rounding[j] = 8.0 * machine_epsilon * f.magnitude(equation, v);
  }
  system.scale();
  return system;
}

bool takes_part(const Eigen::VectorXd& vector, Eigen::Index i) {
  return std::abs(vector[i]) > smallest_part * vector.cwiseAbs().maxCoeff();
}

RankDeficiency explain(const SolutionBlock& block, const LinearSystem& system) {
  RankDeficiency unexplained{true, block.equations, block.unknowns};
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
  LinearSystem system(block.equations.size());
  system.r = left;
  system.rounding = rounding;
  for (const Eigen::Triplet<double>& entry : entries) system.add(entry.row(), entry.col(), entry.value());
  system.scale();
  return explain(block, system);
}

}  // namespace mti
