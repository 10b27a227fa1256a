#include "solvers/identification/cross_validation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/sampling/random_bits.hpp"

namespace mti {
namespace {

/// 0 … count − 1 in an order that the seed decides (Fisher and Yates).
std::vector<Eigen::Index> shuffled(Eigen::Index count, std::uint64_t seed, std::uint32_t stream) {
  std::vector<Eigen::Index> order(at(count));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  for (Eigen::Index i = count - 1; i > 0; --i) {
    const double u =
        unit_number(random_bits(seed, RandomUse::permutation, stream, static_cast<std::uint64_t>(i)));
    std::swap(order[at(i)], order[at(static_cast<Eigen::Index>(u * static_cast<double>(i + 1)))]);
  }
  return order;
}

RegressionData rows_of(const RegressionData& data, const std::vector<Eigen::Index>& rows) {
  return {data.W(rows, Eigen::all), data.Y(rows, Eigen::all)};
}

double cost_of(const CpFactors& factors, const RegressionData& data) {
  return (data.Y - values_of(factors, data.W)).squaredNorm();
}

}  // namespace

CrossValidation::CrossValidation(const RegressionData& data, int folds, Eigen::Index block,
                                 const RankSearchOptions& search)
    : search_(search), signal_(data.Y.squaredNorm() / static_cast<double>(data.Y.size())) {
  const Eigen::Index T = data.W.rows(), blocks = (T + block - 1) / block;
  const std::vector<Eigen::Index> order = shuffled(blocks, search.seed, search.stream);
  std::vector<int> fold_of(at(blocks));
  for (std::size_t b = 0; b < order.size(); ++b) fold_of[at(order[b])] = static_cast<int>(b) % folds;
  for (int f = 0; f < folds; ++f) {
    check_budget();
    std::vector<Eigen::Index> inside, outside;
    for (Eigen::Index t = 0; t < T; ++t) (fold_of[at(t / block)] == f ? inside : outside).push_back(t);
    folds_.push_back({rows_of(data, outside), rows_of(data, inside)});
  }
}

Eigen::Index CrossValidation::fewest_training_samples() const {
  Eigen::Index fewest = folds_.front().training.W.rows();
  for (const Fold& fold : folds_) fewest = std::min(fewest, fold.training.W.rows());
  return fewest;
}

ValidationError CrossValidation::error_of(int rank, const CpFactors& all) {
  constexpr int starts_of_a_fold = 60;
  constexpr double close = 1.0 + 1e-3;
  ValidationError result;
  std::vector<double> errors, weights;
  for (std::size_t f = 0; f < folds_.size(); ++f) {
    Fold& fold = folds_[f];
    RankSearchOptions search = search_;
    search.stream = search_.stream + static_cast<std::uint32_t>(f) + 1;
    search.starts = std::min(search.starts, starts_of_a_fold);
    // The best function of the training samples is at least as good there as the best of all samples.
    search.good_enough = cost_of(all, fold.training) * close;
    const auto found = search_rank(fold.training, rank, search, fold.lower ? &*fold.lower : nullptr);
    if (!found) {
      ++result.unsure_folds;
      errors.push_back(signal_);
    } else {
      const double exact = exact_cost * fold.training.Y.squaredNorm();
      if (found->fit.cost > std::max(search.good_enough, exact)) ++result.unsure_folds;
      errors.push_back(cost_of(found->fit.factors, fold.validation) /
                       static_cast<double>(fold.validation.Y.size()));
      fold.lower = found->fit.factors;
    }
    weights.push_back(static_cast<double>(fold.validation.W.rows()));
  }
  const double all_weights = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t f = 0; f < errors.size(); ++f) result.mean += weights[f] / all_weights * errors[f];
  double scatter = 0.0;
  for (const double error : errors) scatter += (error - result.mean) * (error - result.mean);
  const auto count = static_cast<double>(errors.size());
  result.standard_error = std::sqrt(scatter / (count * (count - 1.0)));
  return result;
}

std::size_t chosen_rank(std::span<const ValidationError> errors) {
  const auto smallest = std::ranges::min_element(errors, {}, &ValidationError::mean);
  const double enough = std::max(smallest->mean + smallest->standard_error, negligible_error);
  return at(std::ranges::find_if(errors, [enough](const ValidationError& e) { return e.mean <= enough; }) -
            errors.begin());
}

}  // namespace mti
