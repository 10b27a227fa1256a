#include "tests/solvers/plain_rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "mti/common/at.hpp"

namespace mti::test {
namespace {}  // namespace

bool contains(const PlainRow& row, int signal) {
  return std::any_of(row.begin(), row.end(), [&](const Monomial& term) {
    return std::find(term.signals.begin(), term.signals.end(), signal) != term.signals.end();
  });
}

std::vector<PlainRow> plain_rows(const Model& model, const SparseColumns& Phi) {
  std::vector<PlainRow> rows(at(static_cast<int>(Phi.rows())));
  for (int k = 0; k < model.columns(); ++k) {
    Monomial column{1.0, {}};
    for (SparseColumns::InnerIterator factor(model.S, k); factor; ++factor) {
      if (std::abs(factor.value()) != 1.0) throw std::logic_error("a factor is neither v nor -v");
      column.weight *= factor.value();
      column.signals.push_back(static_cast<int>(factor.row()));
    }
    for (SparseColumns::InnerIterator entry(Phi, k); entry; ++entry)
      rows[at(static_cast<int>(entry.row()))].push_back({column.weight * entry.value(), column.signals});
  }
  return rows;
}

std::vector<int> plain_unknowns(const Signature& signature) {
  std::vector<int> unknowns;
  for (int i = 0; i < signature.n(); ++i) unknowns.push_back(signature.derivative_row(i));
  for (int i = 0; i < signature.p(); ++i) unknowns.push_back(signature.algebraic_row(i));
  return unknowns;
}

PlainPattern plain_pattern(const std::vector<PlainRow>& rows, const Signature& signature) {
  const std::vector<int> unknowns = plain_unknowns(signature);
  PlainPattern pattern(rows.size());
  for (std::size_t j = 0; j < rows.size(); ++j)
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      if (contains(rows[j], unknowns[i])) pattern[j].push_back(static_cast<int>(i));
  return pattern;
}

std::vector<int> plain_matching(const PlainPattern& pattern, int columns) {
  std::vector<int> row_of(at(columns), -1);
  for (int row = 0; row < static_cast<int>(pattern.size()); ++row) {
    std::vector<char> visited(at(columns), 0);
    const std::function<bool(int)> augment = [&](int r) {
      for (const int column : pattern[at(r)]) {
        if (visited[at(column)] != 0) continue;
        visited[at(column)] = 1;
        if (row_of[at(column)] < 0 || augment(row_of[at(column)])) {
          row_of[at(column)] = r;
          return true;
        }
      }
      return false;
    };
    augment(row);
  }
  return row_of;
}

}  // namespace mti::test
