#include "solvers/surfaces/affine_relations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

/// a + b = 0 where |a + b| is this far below |a| + |b|: what rounding leaves of coefficients that cancel.
constexpr double cancels_below = 1e-12;

double sum_or_zero(double a, double b) {
  const double sum = a + b;
  return std::abs(sum) <= cancels_below * (std::abs(a) + std::abs(b)) ? 0.0 : sum;
}

/// form + factor·other
void add(AffineForm& form, double factor, const AffineForm& other) {
  form.constant = sum_or_zero(form.constant, factor * other.constant);
  for (const auto& [signal, slope] : other.slopes) {
    double& sum = form.slopes[signal];
    sum = sum_or_zero(sum, factor * slope);
    if (sum == 0.0) form.slopes.erase(signal);
  }
}

/// The row as a form; nothing if it multiplies signals with each other or holds a function.
std::optional<AffineForm> affine_row(const RowMap& f, int row) {
  AffineForm form;
  for (const RowMap::Term& term : f.terms(row)) {
    const auto factors = f.factors(term.column);
    if (!f.is_affine(term.column)) return std::nullopt;
    if (factors.empty())
      add(form, term.Phi, {1.0, {}});
    else
      add(form, term.Phi, {1.0 - std::abs(factors[0].S), {{factors[0].signal, factors[0].S}}});
  }
  return form;
}

/// ẋ before y before x: what is left is said in states and inputs, whose values do not depend on the mode.
int rank_of(const Signature& signature, int signal) {
  if (signal < signature.state_row(0)) return 0;
  if (signal < signature.input_row(0)) return 2;
  const int y = signal - signature.algebraic_row(0);
  return y >= 0 && y < signature.p() ? 1 : 3;
}

/// The signal that the form is solved for, −1 if there is none: of the first kind the one of largest coefficient.
int pivot_of(const AffineForm& form, const Signature& signature) {
  int pivot = -1, rank = 3;
  double size = 0.0;
  for (const auto& [signal, slope] : form.slopes) {
    const int own = rank_of(signature, signal);
    if (own > rank || own == 3 || (own == rank && std::abs(slope) <= size)) continue;
    pivot = signal;
    rank = own;
    size = std::abs(slope);
  }
  return pivot;
}

}  // namespace

AffineRelations::AffineRelations(const RowMap& f, std::span<const int> rows, const Signature& signature) {
  for (const int row : rows) {
    check_budget();
    std::optional<AffineForm> form = affine_row(f, row);
    if (!form || !reduce(*form)) continue;
    const int pivot = pivot_of(*form, signature);
    if (pivot < 0) continue;
    const double slope = form->slopes.at(pivot);
    form->slopes.erase(pivot);
    AffineForm solved;
    add(solved, -1.0 / slope, *form);
    order_.emplace(pivot, forms_.size());
    forms_.push_back(std::move(solved));
  }
  // The latest hold free signals only. From them on, each form takes one step for each of its signals.
  for (std::size_t i = forms_.size(); i-- > 0;) {
    check_budget();
    AffineForm closed = forms_[i];
    if (reduce(closed)) forms_[i] = std::move(closed);
  }
}

/// The form of a signal holds none that was eliminated before it, so putting them in by age ends.
bool AffineRelations::reduce(AffineForm& form) const {
  while (form.slopes.size() <= most_joined) {
    int oldest = -1;
    std::size_t age = std::numeric_limits<std::size_t>::max();
    for (const auto& [signal, slope] : form.slopes)
      if (const auto found = order_.find(signal); found != order_.end() && found->second < age) {
        oldest = signal;
        age = found->second;
      }
    if (oldest < 0) return true;
    const double slope = form.slopes.at(oldest);
    form.slopes.erase(oldest);
    add(form, slope, forms_[age]);
  }
  return false;
}

AffineForm AffineRelations::form_of(int signal) const {
  AffineForm form{0.0, {{signal, 1.0}}};
  if (!reduce(form)) form = {0.0, {{signal, 1.0}}};
  return form;
}

}  // namespace mti
