#include "solvers/leading_matrix.hpp"

namespace mti {

LeadingMatrix::LeadingMatrix(const SolutionBlock& block, int states) : block_(block), states_(states) {
  for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
    position_.emplace(block.unknowns[j], static_cast<int>(j));
    if (block.differentiated() && block.unknowns[j] < states)
      position_.emplace(block.unknowns[j] + states, static_cast<int>(j));
  }
}

int LeadingMatrix::column(std::size_t i, int signal) const {
  const auto found = position_.find(signal);
  if (found == position_.end()) return -1;
  if (!block_.differentiated()) return found->second;
  const auto j = static_cast<std::size_t>(found->second);
  const bool through_state = block_.unknowns[j] < states_ && signal == block_.unknowns[j] + states_;
  return block_.c[i] == block_.e[j] + (through_state ? 1 : 0) ? found->second : -1;
}

std::vector<Eigen::Triplet<double>> LeadingMatrix::entries(const RowMap& f, std::span<const double> v) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < block_.equations.size(); ++i)
    f.gradient(block_.equations[i], v, [&](int signal, double slope) {
      if (const int j = column(i, signal); j >= 0) entries.emplace_back(static_cast<int>(i), j, slope);
    });
  return entries;
}

}  // namespace mti
