#include "mti/reduction/column.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"

namespace mti::reduction {
namespace {

std::vector<int> sorted_firsts(const std::vector<Column>& columns,
                               std::vector<std::pair<int, double>> Column::*list) {
  std::vector<int> result;
  for (const Column& column : columns)
    for (const auto& entry : column.*list) result.push_back(entry.first);
  sort_distinct(result);
  return result;
}

Eigen::Index place(const std::vector<int>& sorted, int value) {
  return std::ranges::lower_bound(sorted, value) - sorted.begin();
}

}  // namespace

std::vector<Column> columns_of(const CpMap& map) {
  std::vector<Column> columns(at(map.columns()));
  for (int k = 0; k < map.columns(); ++k) {
    Column& column = columns[at(k)];
    for (SparseColumns::InnerIterator entry(map.S(), k); entry; ++entry)
      column.factors.emplace_back(static_cast<int>(entry.row()), entry.value());
    for (SparseColumns::InnerIterator entry(map.Phi(), k); entry; ++entry)
      column.weights.emplace_back(static_cast<int>(entry.row()), entry.value());
  }
  return columns;
}

CpMap map_of(const std::vector<Column>& columns, int signals, int rows) {
  CpBuilder builder(signals, rows);
  for (const Column& column : columns)
    for (const auto& [row, weight] : column.weights) builder.add_normalised(row, weight, column.factors);
  return builder.build();
}

ColumnGroup group_of(const std::vector<Column>& columns) {
  const auto count = static_cast<Eigen::Index>(columns.size());
  ColumnGroup group;
  group.signals = sorted_firsts(columns, &Column::factors);
  group.rows = sorted_firsts(columns, &Column::weights);
  Eigen::MatrixXd absent(2, count);
  absent.row(0).setOnes();
  absent.row(1).setZero();
  group.factors.assign(group.signals.size(), absent);
  group.weights = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(group.rows.size()), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Column& column = columns[at(k)];
    for (const auto& [signal, S] : column.factors)
      group.factors[at(place(group.signals, signal))].col(k) << 1.0 - std::abs(S), S;
    for (const auto& [row, weight] : column.weights) group.weights(place(group.rows, row), k) = weight;
  }
  return group;
}

std::vector<Column> columns_of(const ColumnGroup& group) {
  constexpr double nothing = 1e-13;  // beside the other number of a factor, or the largest of a column
  std::vector<Column> columns(at(group.columns()));
  for (Eigen::Index k = 0; k < group.columns(); ++k) {
    Column& column = columns[at(k)];
    double scale = 1.0;
    for (std::size_t i = 0; i < group.signals.size(); ++i) {
      double a = group.factors[i](0, k), b = group.factors[i](1, k);
      if (std::abs(a) < nothing * std::abs(b)) a = 0.0;
      if (std::abs(b) < nothing * std::abs(a)) b = 0.0;
      const NormalisedFactor factor = normalise(a, b);
      scale *= factor.scale;
      if (factor.S != 0.0) column.factors.emplace_back(group.signals[i], factor.S);
    }
    const double largest = group.weights.col(k).cwiseAbs().maxCoeff();
    for (std::size_t j = 0; j < group.rows.size(); ++j) {
      const double weight = group.weights(static_cast<Eigen::Index>(j), k);
      if (std::abs(weight) > nothing * largest) column.weights.emplace_back(group.rows[j], scale * weight);
    }
  }
  return columns;
}

Eigen::MatrixXd khatri_rao_factor(const std::vector<Eigen::MatrixXd>& factors, int columns) {
  Eigen::MatrixXd R = Eigen::MatrixXd::Ones(1, columns);
  for (const Eigen::MatrixXd& factor : factors) {
    Eigen::MatrixXd product(R.rows() * factor.rows(), columns);
    for (Eigen::Index row = 0; row < factor.rows(); ++row)
      product.middleRows(row * R.rows(), R.rows()) = R.array().rowwise() * factor.row(row).array();
    if (product.rows() > columns) {
      const Eigen::HouseholderQR<Eigen::MatrixXd> qr(product);
      R = qr.matrixQR().topRows(columns).triangularView<Eigen::Upper>();
    } else {
      R = std::move(product);
    }
  }
  return R;
}

double norm(const ColumnGroup& group) {
  if (group.columns() == 0) return 0.0;
  return (khatri_rao_factor(group.factors, group.columns()) * group.weights.transpose()).norm();
}

double distance(const ColumnGroup& a, const ColumnGroup& b) {
  ColumnGroup difference = a;
  const auto beside = [](const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
    Eigen::MatrixXd both(left.rows(), left.cols() + right.cols());
    both << left, right;
    return both;
  };
  for (std::size_t i = 0; i < a.factors.size(); ++i)
    difference.factors[i] = beside(a.factors[i], b.factors[i]);
  difference.weights = beside(a.weights, -b.weights);
  return norm(difference);
}

}  // namespace mti::reduction
