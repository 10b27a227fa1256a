#include "mti/transform/eliminate_explicit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/transform/model_change.hpp"

namespace mti {
namespace {

using transform::Limits;
using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

/// c y + h = 0 by equation `equation`, where column `own` holds y alone.
struct Definition {
  int signal = -1;
  int equation = -1;
  int own = -1;
  int growth = 0;
};

/// Chooses definitions that can be used side by side: no column holds two of their signals, and none holds
/// the signal of another.
class Choice {
 public:
  Choice(const Model& model, const Limits& limits, int most_new_columns)
      : model_(model),
        limits_(limits),
        most_new_columns_(most_new_columns),
        map_(transform::rows_of(model)),
        by_row_(map_.Phi()),
        by_signal_(map_.S()),
        mark_(at(map_.signals()), 0),
        blocked_(at(map_.signals()), 0),
        definition_(at(map_.signals()), -1) {
    for (int j = 0; j < model.equations(); ++j)
      if (limits.replaced[at(j)] == 0) choose(j);
  }

  [[nodiscard]] const std::vector<Definition>& chosen() const { return chosen_; }
  [[nodiscard]] const CpMap& map() const { return map_; }
  [[nodiscard]] const RowMajor& by_row() const { return by_row_; }
  /// The definition of a row of S, or null.
  [[nodiscard]] const Definition* of(int signal) const {
    const int index = definition_[at(signal)];
    return index < 0 ? nullptr : &chosen_[at(index)];
  }

 private:
  void choose(int equation) {
    // How many columns of the row hold each signal.
    touched_.clear();
    bool free = true;
    for (RowMajor::InnerIterator entry(by_row_, equation); entry; ++entry)
      for (SparseColumns::InnerIterator factor(map_.S(), static_cast<int>(entry.col())); factor; ++factor) {
        const int row = static_cast<int>(factor.row());
        if (mark_[at(row)]++ == 0) touched_.push_back(row);
        free = free && row >= model_.signature.state_row(0) && definition_[at(row)] < 0;
      }
    if (free)
      if (const auto best = best_of(equation)) accept(*best);
    for (const int row : touched_) mark_[at(row)] = 0;
  }

  [[nodiscard]] std::optional<Definition> best_of(int equation) const {
    std::optional<Definition> best;
    for (RowMajor::InnerIterator entry(by_row_, equation); entry; ++entry) {
      const int own = static_cast<int>(entry.col());
      if (map_.S().col(own).nonZeros() != 1) continue;
      const int row = static_cast<int>(SparseColumns::InnerIterator(map_.S(), own).row());
      if (mark_[at(row)] != 1 || blocked_[at(row)] != 0 || limits_.stays[at(row)] != 0 ||
          limits_.in_law[at(row)] != 0 || limits_.in_scenario[at(row)] != 0 ||
          (limits_.in_constraint[at(row)] != 0 && touches_binary()))
        continue;
      const auto growth = growth_of(row, equation, own);
      if (!growth || *growth > most_new_columns_ || (best && best->growth < *growth)) continue;
      best = {row, equation, own, *growth};
    }
    return best;
  }

  [[nodiscard]] bool touches_binary() const {
    return std::ranges::any_of(touched_,
                               [&](int row) { return transform::is_binary(model_.signature, row); });
  }

  /// Columns more after the substitution; nothing if it would make a power.
  [[nodiscard]] std::optional<int> growth_of(int signal, int equation, int own) const {
    int terms = 0, only_here = 0;
    for (RowMajor::InnerIterator entry(by_row_, equation); entry; ++entry) {
      const int k = static_cast<int>(entry.col());
      if (k != own) ++terms;
      if (map_.Phi().col(k).nonZeros() == 1) ++only_here;
    }
    if (is_affine(SparseColumns::InnerIterator(map_.S(), own).value())) ++terms;
    int growth = -only_here;
    for (RowMajor::InnerIterator use(by_signal_, signal); use; ++use) {
      const int k = static_cast<int>(use.col());
      if (k == own && map_.Phi().col(k).nonZeros() == 1) continue;
      for (SparseColumns::InnerIterator factor(map_.S(), k); factor; ++factor) {
        const int row = static_cast<int>(factor.row());
        if (row != signal && (mark_[at(row)] != 0 || definition_[at(row)] >= 0)) return std::nullopt;
      }
      growth += terms + (is_affine(use.value()) ? 1 : 0) - 1;
    }
    return growth;
  }

  void accept(const Definition& definition) {
    definition_[at(definition.signal)] = static_cast<int>(chosen_.size());
    chosen_.push_back(definition);
    for (const int row : touched_) blocked_[at(row)] = 1;
    for (RowMajor::InnerIterator use(by_signal_, definition.signal); use; ++use)
      for (SparseColumns::InnerIterator factor(map_.S(), static_cast<int>(use.col())); factor; ++factor)
        blocked_[at(factor.row())] = 1;
  }

  static bool is_affine(double S) { return std::abs(S) != 1.0; }

  const Model& model_;
  const Limits& limits_;
  int most_new_columns_;
  CpMap map_;
  RowMajor by_row_, by_signal_;
  std::vector<int> mark_;  ///< of the present row: columns that hold a signal
  std::vector<int> touched_;
  std::vector<char> blocked_;
  std::vector<int> definition_;
  std::vector<Definition> chosen_;
};

/// Adds coefficient · P · y with y by its definition, P the factors `others`.
template <class Add>
void add_substituted(const Choice& choice, const Definition& definition,
                     const std::vector<std::pair<int, double>>& others, double coefficient, const Add& add) {
  const SparseColumns& S = choice.map().S();
  const double own_S = SparseColumns::InnerIterator(S, definition.own).value();
  const double own_Phi = choice.by_row().coeff(definition.equation, definition.own);
  const double scale = -coefficient / (own_Phi * own_S);
  std::vector<std::pair<int, double>> factors;
  for (RowMajor::InnerIterator entry(choice.by_row(), definition.equation); entry; ++entry) {
    const int l = static_cast<int>(entry.col());
    factors = others;
    if (l == definition.own) {
      add(scale * own_Phi * (1.0 - std::abs(own_S)), factors);
      continue;
    }
    for (SparseColumns::InnerIterator factor(S, l); factor; ++factor)
      factors.emplace_back(static_cast<int>(factor.row()), factor.value());
    add(scale * entry.value(), factors);
  }
}

/// f and g with the definitions put in; the rows of the definitions come out empty.
CpMap substituted(const Choice& choice) {
  const CpMap& map = choice.map();
  std::vector<char> is_definition(at(map.rows()), 0);
  for (const Definition& definition : choice.chosen()) is_definition[at(definition.equation)] = 1;
  CpBuilder builder(map.signals(), map.rows());
  std::vector<std::pair<int, double>> others;
  for (int k = 0; k < map.columns(); ++k) {
    others.clear();
    const Definition* definition = nullptr;
    double S = 0.0;
    for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor) {
      const Definition* const found = choice.of(static_cast<int>(factor.row()));
      if (found == nullptr) {
        others.emplace_back(static_cast<int>(factor.row()), factor.value());
      } else {
        definition = found;
        S = factor.value();
      }
    }
    for (SparseColumns::InnerIterator entry(map.Phi(), k); entry; ++entry) {
      const int row = static_cast<int>(entry.row());
      if (is_definition[at(row)] != 0) continue;
      if (definition == nullptr) {
        builder.add_normalised(row, entry.value(), others);
        continue;
      }
      builder.add_normalised(row, entry.value() * (1.0 - std::abs(S)), others);
      add_substituted(choice, *definition, others, entry.value() * S,
                      [&](double coefficient, const auto& factors) {
                        builder.add_normalised(row, coefficient, factors);
                      });
    }
  }
  return builder.build();
}

/// v in the signals that stay.
CpMap recovered_values(const Choice& choice, const transform::ModelChange& change) {
  CpBuilder builder(change.signature.size(), choice.map().signals());
  for (int i = 0; i < choice.map().signals(); ++i) {
    const auto add = [&](double coefficient, const std::vector<std::pair<int, double>>& factors) {
      std::vector<std::pair<int, double>> renumbered = factors;
      for (auto& factor : renumbered) factor.first = change.rows[at(factor.first)].row;
      builder.add_normalised(i, coefficient, renumbered);
    };
    if (const Definition* definition = choice.of(i))
      add_substituted(choice, *definition, {}, 1.0, add);
    else
      add(1.0, {{i, 1.0}});
  }
  return builder.build();
}

/// Eliminates signals side by side; nothing if there is none.
std::optional<Transformed> eliminate_once(const Model& model, const EliminationOptions& options) {
  const Limits limits = transform::limits_of(model, options);
  const Choice choice(model, limits, options.most_new_columns);
  if (choice.chosen().empty()) return std::nullopt;
  transform::ModelChange change = transform::no_change(model);
  std::vector<char> stays(at(model.equations()), 1), goes(at(model.signature.p()), 0);
  for (const Definition& definition : choice.chosen()) {
    stays[at(definition.equation)] = 0;
    goes[at(definition.signal - model.signature.algebraic_row(0))] = 1;
  }
  transform::keep_rows(stays, change.kept_equations, change.equations);
  transform::leave_out(goes, model.signature, change);
  Model multiplied_out = model;
  transform::set_rows(substituted(choice), model.equations(), multiplied_out);
  Transformed result = transform::apply(multiplied_out, change);
  result.recovery.stages.front().v = recovered_values(choice, change);
  return result;
}

}  // namespace

Transformed eliminate_explicit(const Model& model, const EliminationOptions& options) {
  Transformed result = transform::apply(model, transform::no_change(model));
  while (auto next = eliminate_once(result.model, options))
    result = {std::move(next->model), result.recovery.followed_by(next->recovery)};
  return result;
}

}  // namespace mti
