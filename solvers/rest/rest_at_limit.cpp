#include "solvers/rest/rest_at_limit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Each of them takes a motion.
constexpr std::size_t most_states = 200;

/// g and Dg of the rows, one after the other, from x; nothing where no motion begins there.
std::optional<Eigen::VectorXd> values_and_rates(const LimitPlace& place, std::span<const double> v) {
  Instant there = place.instant;
  there.v.assign(v.begin(), v.end());
  Motion motion(place.model, place.system, place.accuracy, there);
  if (!motion.solved()) return std::nullopt;
  Eigen::VectorXd values(2 * std::ssize(place.rows));
  Eigen::Index next = 0;
  for (const int row : place.rows)
    for (const int order : {0, 1}) values[next++] = motion.constraint(row, order).value;
  return values.allFinite() ? std::optional(values) : std::nullopt;
}

}  // namespace

std::vector<int> rows_that_turn_back(Motion& motion, std::span<const int> rows, double left) {
  std::vector<int> turning;
  for (const int row : rows) {
    const double rate = motion.constraint(row, 1).value, slope = 2.0 * motion.constraint(row, 2).value;
    if (std::abs(rate) <= std::abs(slope) * left) turning.push_back(row);
  }
  return turning;
}

bool put_to_rest(const LimitPlace& place, std::span<double> v) {
  constexpr int rounds = 2;  // the second takes what differences leave of the first
  const int first = place.model.signature.state_row(0);
  std::vector<std::size_t> moved;
  for (std::size_t i = 0; i < place.takes_part.size(); ++i)
    if (place.takes_part[i] != 0 && place.uncertain[i] > 0.0) moved.push_back(i);
  if (place.rows.empty() || moved.empty() || moved.size() > most_states) return false;
  std::vector<double> there(v.begin(), v.end());
  for (int round = 0; round < rounds; ++round) {
    const auto residual = values_and_rates(place, there);
    if (!residual) return false;
    Eigen::MatrixXd J(residual->size(), std::ssize(moved));
    for (std::size_t j = 0; j < moved.size(); ++j) {
      std::vector<double> beside = there;
      beside[at(first) + moved[j]] += place.uncertain[moved[j]];
      const auto other = values_and_rates(place, beside);
      if (!other) return false;
      J.col(static_cast<Eigen::Index>(j)) = *other - *residual;
    }
    const Eigen::VectorXd steps = J.completeOrthogonalDecomposition().solve(-*residual);
    for (std::size_t j = 0; j < moved.size(); ++j)
      there[at(first) + moved[j]] += steps[static_cast<Eigen::Index>(j)] * place.uncertain[moved[j]];
  }
  for (const std::size_t i : moved)
    if (!(std::abs(there[at(first) + i] - v[at(first) + i]) <= place.uncertain[i])) return false;
  std::ranges::copy(there, v.begin());
  return true;
}

}  // namespace mti
