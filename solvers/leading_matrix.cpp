#include "solvers/leading_matrix.hpp"

#include <cmath>

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
  constexpr double rounding = 1e-15;
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < block_.equations.size(); ++i)
    for (const RowMap::Term& term : f.terms(block_.equations[i])) {
      const auto factors = f.factors(term.column);
      for (std::size_t b = 0; b < factors.size(); ++b) {
        const int j = column(i, factors[b].signal);
        if (j < 0) continue;
        double slope = term.Phi * factors[b].S, size = std::abs(slope);
        for (std::size_t k = 0; k < factors.size(); ++k) {
          if (k == b) continue;
          const double fixed = 1.0 - std::abs(factors[k].S);
          const double varying = factors[k].S * v[static_cast<std::size_t>(factors[k].signal)];
          slope *= fixed + varying;
          size *= fixed + std::abs(varying);
        }
        // A factor 1 − v that has cancelled is none; small by units is another matter.
        if (std::abs(slope) <= rounding * size) slope = 0.0;
        entries.emplace_back(static_cast<int>(i), j, slope);
      }
    }
  return entries;
}

}  // namespace mti
