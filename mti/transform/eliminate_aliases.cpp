#include "mti/transform/eliminate_aliases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/transform/model_change.hpp"

namespace mti {
namespace {

using transform::AffineRow;
using transform::Limits;

/// Σ_i coefficient_i v_i + constant = 0 with one or two signals.
struct Relation {
  int equation = -1;
  std::vector<std::pair<int, double>> signals;
  double constant = 0.0;
};

/// Adds a·b; false if that was rounded.
bool add_exactly(double a, double b, double& sum) {
  const double product = a * b, total = sum + product, taken = total - sum;
  const double rest = (sum - (total - taken)) + (product - taken);
  const bool exact = std::fma(a, b, -product) == 0.0 && rest == 0.0;
  sum = total;
  return exact;
}

/// Whether offset + scale·z keeps its digits at z = 1, where it is added up after both are rounded.
bool survives(double offset, double scale) {
  constexpr double least = 0.125;
  const double sum = std::abs(offset + scale);
  return offset == -scale || sum >= least * (std::abs(offset) + std::abs(scale));
}

/// A binary, a binary input or pre(z).
bool has_two_values(const Signature& signature, int row) {
  if (row >= signature.binary_row(0)) return true;
  const int input = row - signature.input_row(0);
  return input >= 0 && input < signature.m() && signature.inputs()[at(input)].binary;
}

/// The equations of this form. A factor 1 − |S| + S v alone in its column is affine too. Of a binary both z and
/// 1 − z may be there: such a sum is one only where nothing of it is rounded, as in 1e-6 z + 1e9 (1 − z) it is.
std::vector<Relation> relations_of(const Model& model, const Limits& limits) {
  constexpr std::size_t most_columns = 3;
  std::vector<Relation> relations;
  const Eigen::SparseMatrix<double, Eigen::RowMajor, int> Phi(model.Phi_eq);
  for (int j = 0; j < model.equations(); ++j) {
    if (limits.replaced[at(j)] != 0) continue;
    Relation relation{.equation = j, .signals = {}};
    std::size_t columns = 0;
    double size = 0.0;  // of the coefficients before they cancel
    bool good = true, exact = true, binary = false;
    for (decltype(Phi)::InnerIterator entry(Phi, j); entry && good; ++entry) {
      SparseColumns::InnerIterator factor(model.S, static_cast<int>(entry.col()));
      good = ++columns <= most_columns;
      if (!factor) {
        exact = add_exactly(entry.value(), 1.0, relation.constant) && exact;
        continue;
      }
      const int row = static_cast<int>(factor.row());
      const double S = factor.value();
      good = good && !++factor && row >= model.signature.state_row(0);
      binary = binary || has_two_values(model.signature, row);
      exact = add_exactly(entry.value(), 1.0 - std::abs(S), relation.constant) && exact;
      size += std::abs(entry.value() * S);
      const auto known = std::find_if(relation.signals.begin(), relation.signals.end(),
                                      [row](const auto& signal) { return signal.first == row; });
      double& sum =
          known == relation.signals.end() ? relation.signals.emplace_back(row, 0.0).second : known->second;
      exact = add_exactly(entry.value(), S, sum) && exact;
    }
    const double cancelled = 8.0 * machine_epsilon * size;
    for (const auto& [row, coefficient] : relation.signals) good = good && std::abs(coefficient) > cancelled;
    if (good && (exact || !binary) && !relation.signals.empty() && relation.signals.size() <= 2)
      relations.push_back(std::move(relation));
  }
  return relations;
}

/// Signals bound to each other, v = offset + scale · root, and the columns in which each group occurs.
class Groups {
 public:
  Groups(const Model& model, const Limits& limits)
      : model_(model),
        limits_(limits),
        in_law_(limits.in_law),
        in_scenario_(limits.in_scenario),
        in_constraint_(limits.in_constraint) {
    const int size = model.signature.size();
    for (int row = 0; row < size; ++row) links_.push_back({.row = row});
    columns_.resize(at(size));
    has_offsets_.resize(at(size), 0);
    int next = 0;
    const auto enter = [&](const CpMap& map, const auto& row_of) {
      for (int k = 0; k < map.columns(); ++k)
        for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor) {
          const auto [row, part] = row_of(static_cast<int>(factor.row()));
          columns_[at(row)].insert(next + 2 * k + part);
        }
      next += 2 * map.columns();
    };
    enter(model.f(), [](int row) { return std::pair(row, 0); });
    // Left limits are signals of their own, and so are the copies of a scenario.
    for (const Transition& law : model.transitions)
      enter(law.equations, [size](int row) { return std::pair(row % size, row / size); });
    for (const Scenario& scenario : model.scenarios)
      enter(scenario.equations,
            [&](int row) { return std::pair(scenario.original(row), row < size ? 0 : 1); });
  }

  /// v = offset + scale · root; row −1: a number.
  [[nodiscard]] AffineRow resolve(int row) {
    std::vector<int> path;
    int end = row;
    for (; end >= 0 && links_[at(end)].row != end; end = links_[at(end)].row) path.push_back(end);
    // Every signal on the way is bound to the end itself, so that no chain is walked along twice.
    for (std::size_t k = path.size(); k-- > 1;) {
      const AffineRow next = links_[at(path[k])];
      AffineRow& link = links_[at(path[k - 1])];
      link = {next.row, link.offset + link.scale * next.offset, link.scale * next.scale};
    }
    return links_[at(row)];
  }

  /// Binds a signal by a relation; false if the relation has to stay an equation.
  bool bind(const Relation& relation) {
    double constant = relation.constant;
    std::vector<std::pair<int, double>> roots;
    for (const auto& [row, coefficient] : relation.signals) {
      const AffineRow root = resolve(row);
      constant += coefficient * root.offset;
      if (root.row >= 0) roots.emplace_back(root.row, coefficient * root.scale);
    }
    if (roots.empty() || (roots.size() == 2 && roots[0].first == roots[1].first)) return false;
    if (roots.size() == 1) {
      const auto [victim, coefficient] = roots[0];
      if (limits_.stays[at(victim)] != 0) return false;
      links_[at(victim)] = {-1, -constant / coefficient, 0.0};
      return true;
    }
    if (rank(roots[0].first) < rank(roots[1].first)) std::swap(roots[0], roots[1]);
    const auto [root, root_coefficient] = roots[0];
    const auto [victim, coefficient] = roots[1];
    if (limits_.stays[at(victim)] != 0 || !may_replace(victim, root, constant != 0.0)) return false;
    if (meet(root, victim)) return false;
    const AffineRow link{root, -constant / coefficient, -root_coefficient / coefficient};
    if (has_two_values(model_.signature, root) &&
        (has_offsets_[at(victim)] != 0 || !survives(link.offset, link.scale)))
      return false;
    std::unordered_set<int>&mine = columns_[at(root)], &its = columns_[at(victim)];
    if (mine.size() < its.size()) std::swap(mine, its);
    mine.insert(its.begin(), its.end());
    its.clear();
    in_law_[at(root)] = static_cast<char>(in_law_[at(root)] != 0 || in_law_[at(victim)] != 0);
    in_constraint_[at(root)] =
        static_cast<char>(in_constraint_[at(root)] != 0 || in_constraint_[at(victim)] != 0);
    in_scenario_[at(root)] = static_cast<char>(in_scenario_[at(root)] != 0 || in_scenario_[at(victim)] != 0);
    if (has_offsets_[at(victim)] != 0 || link.offset != 0.0) has_offsets_[at(root)] = 1;
    links_[at(victim)] = link;
    return true;
  }

 private:
  /// Whether some column holds signals of both groups.
  [[nodiscard]] bool meet(int a, int b) const {
    const std::unordered_set<int>*few = &columns_[at(a)], *many = &columns_[at(b)];
    if (few->size() > many->size()) std::swap(few, many);
    return std::any_of(few->begin(), few->end(), [&](int column) { return many->contains(column); });
  }

  /// The higher one stays: by kind, then the one declared first.
  [[nodiscard]] std::pair<int, int> rank(int row) const {
    const Signature& signature = model_.signature;
    int kind = 2;
    if (row < signature.input_row(0)) {
      kind = 5;
    } else if (row < signature.algebraic_row(0)) {
      kind = 4;
    } else if (row >= signature.binary_row(0)) {
      kind = 3;
    } else if (limits_.stays[at(row)] == 0) {
      const int i = row - signature.algebraic_row(0);
      kind = signature.algebraic()[at(i)].auxiliary ? 0 : 1;
    }
    return {kind, -row};
  }

  /// In a law pre(z) is the memory of a binary, not the left limit of what was equal to it; and impulsive
  /// signals stand for their weights, of which a constant between two signals is no part.
  [[nodiscard]] bool may_replace(int victim, int root, bool has_offset) const {
    const Signature& signature = model_.signature;
    if (in_constraint_[at(victim)] != 0 && transform::is_binary(signature, root)) return false;
    if (in_law_[at(victim)] == 0 && in_scenario_[at(victim)] == 0) return true;
    if (root >= signature.binary_row(0)) return false;
    if (root >= signature.algebraic_row(0)) return !has_offset || in_law_[at(victim)] == 0;
    return !has_two_values(signature, root);
  }

  const Model& model_;
  const Limits& limits_;
  std::vector<char> in_law_, in_scenario_, in_constraint_;  ///< by root: whether a signal of its group is
  std::vector<char> has_offsets_;  ///< by root: whether a signal of its group is it and a constant
  std::vector<AffineRow> links_;
  std::vector<std::unordered_set<int>> columns_;
};

}  // namespace

Transformed eliminate_aliases(const Model& model, const EliminationOptions& options) {
  const Limits limits = transform::limits_of(model, options);
  Groups groups(model, limits);
  std::vector<char> stays(at(model.equations()), 1);
  for (const Relation& relation : relations_of(model, limits))
    if (groups.bind(relation)) stays[at(relation.equation)] = 0;

  const Signature& signature = model.signature;
  std::vector<char> goes(at(signature.p()), 0);
  for (int i = 0; i < signature.p(); ++i) {
    const int row = signature.algebraic_row(i);
    goes[at(i)] = static_cast<char>(groups.resolve(row).row != row);
  }
  transform::ModelChange change = transform::no_change(model);
  transform::keep_rows(stays, change.kept_equations, change.equations);
  transform::leave_out(goes, signature, change);
  for (int i = 0; i < signature.p(); ++i) {
    if (goes[at(i)] == 0) continue;
    AffineRow unit = groups.resolve(signature.algebraic_row(i));
    if (unit.row >= 0) unit.row = change.rows[at(unit.row)].row;
    change.rows[at(signature.algebraic_row(i))] = unit;
  }
  Transformed result = transform::apply(model, change);
  // A guess for a signal that goes is one for the signal it was equal to, if that has none.
  for (int i = 0; i < signature.p(); ++i) {
    const AffineRow root = groups.resolve(signature.algebraic_row(i));
    const int k = root.row - signature.algebraic_row(0);
    if (goes[at(i)] == 0 || model.y_start[at(i)] == 0.0 || k < 0 || k >= signature.p()) continue;
    double& start =
        result.model.y_start[at(change.rows[at(root.row)].row - result.model.signature.algebraic_row(0))];
    if (start == 0.0) start = (model.y_start[at(i)] - root.offset) / root.scale;
  }
  return result;
}

}  // namespace mti
