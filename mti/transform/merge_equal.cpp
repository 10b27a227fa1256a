#include "mti/transform/merge_equal.hpp"

#include <cmath>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/transform/model_change.hpp"

namespace mti {
namespace {

using transform::ModelChange;
using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

/// −v as v with the sign in Φ; columns that are equal then become one.
CpMap with_merged_columns(const CpMap& map) {
  CpBuilder builder(map.signals(), map.rows());
  std::vector<std::pair<int, double>> factors;
  for (int k = 0; k < map.columns(); ++k) {
    factors.clear();
    double sign = 1.0;
    for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor) {
      const bool negative = factor.value() == -1.0;
      if (negative) sign = -sign;
      factors.emplace_back(static_cast<int>(factor.row()), negative ? 1.0 : factor.value());
    }
    for (SparseColumns::InnerIterator entry(map.Phi(), k); entry; ++entry)
      builder.add_normalised(static_cast<int>(entry.row()), sign * entry.value(), factors);
  }
  return builder.build();
}

/// a · b = c · d without rounding: a product of two doubles is the rounded one and a remainder.
bool same_product(double a, double b, double c, double d) {
  const double left = a * b, right = c * d;
  return left == right && std::fma(a, b, -left) == std::fma(c, d, -right);
}

/// Finds rows that are multiples of each other.
class Multiples {
 public:
  explicit Multiples(const SparseColumns& Phi) : Phi_(Phi) {}

  [[nodiscard]] bool is_empty(int row) const { return !RowMajor::InnerIterator(Phi_, row); }

  /// The quotient row/other if `row` is a multiple of `other`, else 0.
  [[nodiscard]] double quotient(int row, int other) const {
    RowMajor::InnerIterator a(Phi_, row), b(Phi_, other);
    const double first = a.value(), other_first = b.value();
    for (; a && b; ++a, ++b)
      if (a.col() != b.col() || !same_product(a.value(), other_first, b.value(), first)) return 0.0;
    return a || b ? 0.0 : first / other_first;
  }

  /// Equal for multiples: equal quotients of numbers are equal after rounding too.
  [[nodiscard]] std::size_t hash(int row) const {
    std::size_t result = 0;
    RowMajor::InnerIterator entry(Phi_, row);
    const double first = entry.value();
    for (; entry; ++entry) {
      result = result * 1099511628211ULL + std::hash<int>{}(static_cast<int>(entry.col()));
      result = result * 1099511628211ULL + std::hash<double>{}(entry.value() / first);
    }
    return result;
  }

 private:
  RowMajor Phi_;
};

/// For each row the row it is a multiple of (itself, if of none before). `may_join(row, earlier, quotient)`.
struct Duplicate {
  int of = -1;
  double factor = 1.0;
};
template <class MayJoin>
std::vector<Duplicate> find_duplicates(const Multiples& rows, const std::vector<int>& order, int count,
                                       const MayJoin& may_join) {
  std::vector<Duplicate> result(at(count));
  std::unordered_map<std::size_t, std::vector<int>> known;
  for (const int row : order) {
    result[at(row)].of = row;
    if (rows.is_empty(row)) continue;
    std::vector<int>& alike = known[rows.hash(row)];
    for (const int earlier : alike) {
      const double factor = rows.quotient(row, earlier);
      if (factor == 0.0 || !may_join(row, earlier, factor)) continue;
      result[at(row)] = {earlier, factor};
      break;
    }
    if (result[at(row)].of == row) alike.push_back(row);
  }
  return result;
}

/// Takes duplicates out of a list of rows; what became of them points to the row that stays.
void leave_out_duplicates(const std::vector<Duplicate>& duplicates, const std::vector<char>& is_void,
                          std::vector<int>& kept, std::vector<RowOrigin>& origins) {
  std::vector<char> stays(duplicates.size());
  for (std::size_t row = 0; row < duplicates.size(); ++row)
    stays[row] = static_cast<char>(duplicates[row].of == static_cast<int>(row) && is_void[row] == 0);
  transform::keep_rows(stays, kept, origins);
  for (std::size_t row = 0; row < duplicates.size(); ++row)
    if (duplicates[row].of != static_cast<int>(row))
      origins[row] = {origins[at(duplicates[row].of)].row, duplicates[row].factor};
}

}  // namespace

Transformed merge_equal(const Model& model) {
  Model merged = model;
  transform::set_rows(with_merged_columns(transform::rows_of(model)), model.equations(), merged);

  std::vector<std::vector<int>> laws(at(model.equations()));  // that put an equation out of force
  std::vector<char> is_target(at(model.constraints()), 0);
  for (std::size_t i = 0; i < model.transitions.size(); ++i) {
    for (const int equation : model.transitions[i].replaces)
      laws[at(equation)].push_back(static_cast<int>(i));
    if (model.transitions[i].when == Transition::When::reach) is_target[at(model.transitions[i].target)] = 1;
  }
  std::vector<int> equations, constraints;
  for (int j = 0; j < model.equations(); ++j) equations.push_back(j);
  for (const int wanted : {1, 0})
    for (int l = 0; l < model.constraints(); ++l)
      if (is_target[at(l)] == wanted) constraints.push_back(l);

  ModelChange change = transform::no_change(merged);
  const Multiples f(merged.Phi_eq), g(merged.Phi_ineq);
  const auto same_laws = [&](int row, int earlier, double) { return laws[at(row)] == laws[at(earlier)]; };
  const auto one_target = [&](int row, int earlier, double factor) {
    return factor > 0.0 && (is_target[at(row)] == 0 || is_target[at(earlier)] == 0);
  };
  std::vector<char> is_void(at(model.equations()), 0);
  for (int j = 0; j < model.equations(); ++j)
    is_void[at(j)] = static_cast<char>(f.is_empty(j) && laws[at(j)].empty());
  leave_out_duplicates(find_duplicates(f, equations, model.equations(), same_laws), is_void,
                       change.kept_equations, change.equations);
  leave_out_duplicates(find_duplicates(g, constraints, model.constraints(), one_target),
                       std::vector<char>(at(model.constraints()), 0), change.kept_constraints,
                       change.constraints);
  return transform::apply(merged, change);
}

}  // namespace mti
