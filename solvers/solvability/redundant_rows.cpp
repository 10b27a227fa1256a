#include "solvers/solvability/redundant_rows.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "mti/common/at.hpp"
#include "solvers/multimode/solvable_modes.hpp"
#include "solvers/multimode/symbolic_incidence.hpp"

namespace mti {
namespace {

/// Modes that are frozen and planned one by one, and their equations in all: some tens of milliseconds.
constexpr int most_modes_examined = 64, most_rows_examined = 20'000;

/// The equations of the model and their factors, of a sum without derivatives.
std::map<int, double> factors_of(const DroppedRow::Sum& sum) {
  std::map<int, double> factors;
  for (const auto& [origin, factor] : sum) factors[origin.first.value()] = factor;
  return factors;
}

bool has_derivatives(const DroppedRow& row) {
  return std::ranges::any_of(row.sum, [](const auto& part) { return part.first.second > 0; });
}

/// Every binary 0.
Mode first_mode(const Signature& signature) {
  Mode mode{.z = std::vector<char>(at(signature.q()), 0), .pre = {}, .binary_inputs = {}};
  for (const Signal& input : signature.inputs())
    if (input.binary) mode.binary_inputs.push_back(0);
  return mode;
}

}  // namespace

RedundantRows::RedundantRows(const Model& model, const ModeSpace& space)
    : model_(model),
      space_(space),
      signal_rows_(model),
      modes_left_(std::min(most_modes_examined, most_rows_examined / std::max(1, model.equations()))) {}

bool RedundantRows::find_more(const ModeSet& over_determined) {
  for (;;) {
    const ModeSet rest = space_.considered(over_determined - examined_);
    if (rest.empty() || modes_left_ <= 0) return false;
    --modes_left_;
    const Mode mode = mode_within(rest, space_, model_.signature, first_mode(model_.signature));
    const ModeSet here = only_mode(mode, space_);
    examined_ |= here;
    if (examine(mode, here, over_determined)) return true;
  }
}

bool RedundantRows::examine(const Mode& mode, const ModeSet& here, const ModeSet& over_determined) {
  const ModeSystem system(signal_rows_, mode);
  const std::shared_ptr<const ModeSystem> other = system.recombined(model_);
  if (!other) return false;
  bool found = false;
  for (const DroppedRow& row : dropped_rows(*other->recombination)) {
    const bool differentiated = has_derivatives(row);
    // Where nothing is over-determined, what derivatives show leaves as many rows as unknowns.
    if (differentiated && !row.surplus) continue;
    const int equation = row.equation.value();
    const ModeSet known = left_out_.empty() ? ModeSet::none() : left_out_[at(equation)];
    const ModeSet same = differentiated ? where_same(row.sum, system) : where_zero(factors_of(row.sum));
    ModeSet where = ((same & over_determined) | here) - known;
    if (space_.considered(where & here).empty()) continue;
    if (left_out_.empty()) left_out_.resize(at(model_.equations()));
    left_out_[at(equation)] |= where;
    enter({equation, std::move(where), redundancy_text(*other, equation, model_)});
    found = true;
  }
  return found;
}

/// The same row that follows from the same others in more modes is one finding.
void RedundantRows::enter(RedundantRow row) {
  const auto same = std::ranges::find(rows_, row.text, &RedundantRow::text);
  if (same == rows_.end())
    rows_.push_back(std::move(row));
  else
    same->where |= row.where;
}

/// The modes in which a sum of equations vanishes as a function of the signals.
ModeSet RedundantRows::where_zero(const std::map<int, double>& sum) const {
  const CpMap& f = model_.f();
  CpBuilder builder(f.signals(), 1);
  std::vector<std::pair<int, double>> factors;
  for (int k = 0; k < f.columns(); ++k) {
    double coefficient = 0.0;
    for (SparseColumns::InnerIterator weight(f.Phi(), k); weight; ++weight)
      if (const auto part = sum.find(static_cast<int>(weight.row())); part != sum.end())
        coefficient += part->second * weight.value();
    if (coefficient == 0.0) continue;
    factors.clear();
    for (SparseColumns::InnerIterator factor(f.S(), k); factor; ++factor)
      factors.emplace_back(static_cast<int>(factor.row()), factor.value());
    if (const ElementaryFunction* const phi = f.function_of(k))
      builder.add_function(0, coefficient, factors.front().first, *phi);
    else
      builder.add_normalised(0, coefficient, factors);
  }
  return !symbolic_incidence(builder.build(), model_.signature, space_).active[0];
}

/// The modes in which each row of a sum is the same function of the signals as in this mode.
ModeSet RedundantRows::where_same(const DroppedRow::Sum& sum, const ModeSystem& system) const {
  std::set<int> rows;
  for (const auto& [origin, factor] : sum) rows.insert(origin.first.value());
  const CpMap& f = model_.f();
  CpBuilder builder(f.signals(), model_.equations());
  std::vector<std::pair<int, double>> factors;
  for (int k = 0; k < f.columns(); ++k)
    for (SparseColumns::InnerIterator weight(f.Phi(), k); weight; ++weight) {
      const auto row = static_cast<int>(weight.row());
      if (!rows.contains(row)) continue;
      factors.clear();
      for (SparseColumns::InnerIterator factor(f.S(), k); factor; ++factor)
        factors.emplace_back(static_cast<int>(factor.row()), factor.value());
      if (const ElementaryFunction* const phi = f.function_of(k))
        builder.add_function(row, weight.value(), factors.front().first, *phi);
      else
        builder.add_normalised(row, weight.value(), factors);
    }
  for (const int row : rows) {
    if (row >= model_.equations()) return ModeSet::none();
    for (const RowMap::Term& term : system.f.terms(row)) {
      factors.clear();
      for (const RowMap::Factor& factor : system.f.factors(term.column))
        factors.emplace_back(factor.signal, factor.S);
      builder.add_normalised(row, -term.Phi, factors);
    }
  }
  ModeSet changed;
  for (const ModeSet& different : symbolic_incidence(builder.build(), model_.signature, space_).active)
    changed |= different;
  return !changed;
}

}  // namespace mti
