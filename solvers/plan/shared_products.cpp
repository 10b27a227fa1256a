#include "solvers/plan/shared_products.hpp"

#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"

namespace mti {
namespace {

/// What is less than this part of what cancels is small.
constexpr double small_part = 1e-4;
constexpr double rounded = 4.0 * std::numeric_limits<double>::epsilon();
/// Products of more rows than these are of no current between two nodes.
constexpr std::size_t most_rows = 8;
/// That decide together how small the rest of a row is: 2¹⁰ assignments are looked at.
constexpr std::size_t most_binaries = 10;
constexpr double infinite = std::numeric_limits<double>::infinity();

struct Replacement {
  int row, base;
  double lambda;
};

/// b = λ a to rounding.
bool is_ratio(double b, double a, double lambda) { return std::abs(b - lambda * a) <= rounded * std::abs(b); }

class SharedProducts {
 public:
  explicit SharedProducts(const Model& model)
      : model_(model), rows_(at(model.equations())), may_take_part_(rows_.size(), 1) {
    for (int column = 0; column < model.Phi_eq.cols(); ++column)
      for (SparseColumns::InnerIterator entry(model.Phi_eq, column); entry; ++entry)
        rows_[at(static_cast<int>(entry.row()))].emplace(column, entry.value());
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (std::ranges::any_of(rows_[row], [&](const auto& entry) {
            return is_function(entry.first) || holds_slope_or_auxiliary(entry.first);
          }))
        may_take_part_[row] = 0;
    for (const Transition& law : model.transitions)
      for (const int equation : law.replaces) may_take_part_[at(equation)] = 0;
  }

  std::optional<Model> run() {
    std::vector<char> is_base(rows_.size(), 0), is_replaced(rows_.size(), 0);
    std::vector<Replacement> replacements;
    std::map<Pair, Shared> pairs = shared_by_pairs();
    std::erase_if(pairs, [](const auto& entry) { return entry.second.size() < 2; });
    if (pairs.empty()) return std::nullopt;  // as in most models
    find_small_signals();
    for (auto& [pair, shared] : pairs) {
      const auto& [a, b, lambda] = pair;
      std::erase_if(shared, [&](int column) { return small_signals_.contains(single_signal(column)); });
      const int row = is_base[at(b)] != 0 ? a : b, base = row == a ? b : a;
      if (shared.size() < 2 || is_base[at(row)] != 0 || is_replaced[at(a)] != 0 || is_replaced[at(b)] != 0)
        continue;
      if (are_one(a, b, lambda)) continue;  // to be told as redundant
      if (!all_else_is_small(a, shared) || !all_else_is_small(b, shared)) continue;
      is_base[at(base)] = is_replaced[at(row)] = 1;
      replacements.push_back({row, base, row == b ? lambda : 1.0 / lambda});
    }
    if (replacements.empty()) return std::nullopt;
    Model changed = model_;
    changed.Phi_eq = with(replacements);
    return changed;
  }

 private:
  struct Pair {
    int a, b;
    double lambda;
    friend bool operator<(const Pair& one, const Pair& other) {
      return std::tie(one.a, one.b, one.lambda) < std::tie(other.a, other.b, other.lambda);
    }
  };
  using Shared = std::vector<int>;  ///< columns, ascending

  [[nodiscard]] bool is_function(int column) const {
    return std::ranges::binary_search(model_.functions, column, {}, &FunctionColumn::column);
  }

  /// f_b = λ f_a altogether.
  [[nodiscard]] bool are_one(int a, int b, double lambda) const {
    return std::ranges::equal(rows_[at(a)], rows_[at(b)], [&](const auto& of_a, const auto& of_b) {
      return of_a.first == of_b.first && is_ratio(of_b.second, of_a.second, lambda);
    });
  }

  template <class Is>
  [[nodiscard]] bool holds(int column, Is is) const {
    for (SparseColumns::InnerIterator factor(model_.S, column); factor; ++factor)
      if (is(static_cast<int>(factor.row()))) return true;
    return false;
  }
  [[nodiscard]] bool holds_slope_or_auxiliary(int column) const {
    const Signature& signature = model_.signature;
    return holds(column, [&](int row) {
      const int y = row - signature.algebraic_row(0);
      return row < signature.n() || (y >= 0 && y < signature.p() && signature.algebraic()[at(y)].auxiliary);
    });
  }
  [[nodiscard]] bool is_binary(int row) const { return row >= model_.signature.binary_row(0); }
  [[nodiscard]] bool holds_binary(int column) const {
    return holds(column, [&](int row) { return is_binary(row); });
  }

  /// What binaries leave of a product.
  [[nodiscard]] double size_of(int column, double Phi, const std::map<int, bool>& z) const {
    double size = std::abs(Phi);
    for (SparseColumns::InnerIterator factor(model_.S, column); factor; ++factor)
      if (const auto value = z.find(static_cast<int>(factor.row())); value != z.end())
        size *= std::abs(1.0 - std::abs(factor.value()) + (value->second ? factor.value() : 0.0));
    return size;
  }

  using Terms = std::vector<std::pair<int, double>>;  ///< column, Φ

  /// min over z of the largest of these products with binaries; ∞: of too many binaries.
  [[nodiscard]] double least_of(const Terms& terms) const {
    std::vector<std::pair<std::vector<int>, Terms>> groups;  // that share no binary
    for (const auto& term : terms) {
      std::vector<int> binaries;
      for (SparseColumns::InnerIterator factor(model_.S, term.first); factor; ++factor)
        if (is_binary(static_cast<int>(factor.row()))) binaries.push_back(static_cast<int>(factor.row()));
      std::pair<std::vector<int>, Terms> joined{std::move(binaries), {term}};
      std::erase_if(groups, [&](auto& group) {
        const bool meets = std::ranges::find_first_of(group.first, joined.first) != group.first.end();
        if (!meets) return false;
        joined.first.insert(joined.first.end(), group.first.begin(), group.first.end());
        joined.second.insert(joined.second.end(), group.second.begin(), group.second.end());
        return true;
      });
      sort_distinct(joined.first);
      groups.push_back(std::move(joined));
    }
    double least = 0.0;
    for (const auto& [binaries, joined] : groups) {
      if (binaries.size() > most_binaries) return infinite;
      double of_group = infinite;
      for (unsigned set = 0; set < 1U << binaries.size(); ++set) {
        std::map<int, bool> z;
        for (std::size_t k = 0; k < binaries.size(); ++k) z[binaries[k]] = (set >> k & 1U) != 0;
        double largest = 0.0;
        for (const auto& [column, Phi] : joined) largest = std::max(largest, size_of(column, Phi, z));
        of_group = std::min(of_group, largest);
      }
      least = std::max(least, of_group);
    }
    return least;
  }

  /// The algebraic signal that a column is; −1: it is another product.
  [[nodiscard]] int single_signal(int column) const {
    int signal = -1, count = 0;
    for (SparseColumns::InnerIterator factor(model_.S, column); factor; ++factor, ++count)
      if (std::abs(factor.value()) == 1.0) signal = static_cast<int>(factor.row());
    const Signature& signature = model_.signature;
    return count == 1 && signal >= signature.algebraic_row(0) && !is_binary(signal) ? signal : -1;
  }

  /// y with a row in which everything else is multiplied by what binaries make small, as in i = s·(z + (1 − z)·G).
  void find_small_signals() {
    for (const auto& row : rows_) {
      int defined = -1;
      double own = 0.0;
      bool is_definition = true;
      Terms others;
      for (const auto& [column, Phi] : row) {
        if (holds_binary(column)) {
          others.emplace_back(column, Phi);
          continue;
        }
        is_definition = is_definition && defined < 0 && single_signal(column) >= 0;
        defined = single_signal(column);
        own = std::abs(Phi);
      }
      if (!is_definition || defined < 0 || others.empty()) continue;
      if (const double least = least_of(others); least <= small_part * own)
        small_signals_.emplace(defined, least / own);
    }
  }

  [[nodiscard]] bool all_else_is_small(int row, const Shared& shared) const {
    if (rows_[at(row)].size() == shared.size()) return false;  // there is nothing that they could hide
    double least_shared = infinite, most_else = 0.0;
    Terms with_binaries;
    for (const auto& [column, Phi] : rows_[at(row)])
      if (std::ranges::binary_search(shared, column))
        least_shared = std::min(least_shared, std::abs(Phi));
      else if (holds_binary(column))
        with_binaries.emplace_back(column, Phi);
      else if (const auto known = small_signals_.find(single_signal(column)); known != small_signals_.end())
        most_else = std::max(most_else, std::abs(Phi) * known->second);
      else
        return false;
    return std::max(most_else, least_of(with_binaries)) <= small_part * least_shared;
  }

  /// Columns without binaries, of rows a < b with Φ_b = λ Φ_a there.
  [[nodiscard]] std::map<Pair, Shared> shared_by_pairs() const {
    std::map<Pair, Shared> pairs;
    for (int column = 0; column < model_.Phi_eq.cols(); ++column) {
      if (!holds(column, [](int) { return true; }) || holds_binary(column)) continue;
      std::vector<std::pair<int, double>> with;
      for (SparseColumns::InnerIterator entry(model_.Phi_eq, column); entry; ++entry)
        if (const auto row = static_cast<int>(entry.row()); may_take_part_[at(row)] != 0)
          with.emplace_back(row, entry.value());
      if (with.size() > most_rows) continue;
      for (std::size_t i = 0; i < with.size(); ++i)
        for (std::size_t j = i + 1; j < with.size(); ++j)
          pairs[{with[i].first, with[j].first, with[j].second / with[i].second}].push_back(column);
    }
    return pairs;
  }

  [[nodiscard]] SparseColumns with(const std::vector<Replacement>& replacements) const {
    std::vector<std::map<int, double>> rows = rows_;
    for (const auto& [row, base, lambda] : replacements)
      for (const auto& [column, Phi] : rows_[at(base)]) {
        double& sum = rows[at(row)][column];
        sum = is_ratio(sum, Phi, lambda) ? 0.0 : sum - lambda * Phi;
      }
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (const auto& [column, Phi] : rows[row])
        if (Phi != 0.0) entries.emplace_back(static_cast<int>(row), column, Phi);
    SparseColumns Phi(model_.Phi_eq.rows(), model_.Phi_eq.cols());
    Phi.setFromTriplets(entries.begin(), entries.end());
    return Phi;
  }

  const Model& model_;
  std::vector<std::map<int, double>> rows_;  ///< Φ by column
  std::vector<char> may_take_part_;          ///< by row
  std::map<int, double> small_signals_;      ///< rows of S, and how small beside what they follow from
};

}  // namespace

std::optional<Model> without_shared_products(const Model& model) {
  if (model.is_discrete() || model.signature.q() == 0) return std::nullopt;
  return SharedProducts(model).run();
}

}  // namespace mti
