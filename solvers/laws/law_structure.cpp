#include "solvers/laws/law_structure.hpp"

#include <algorithm>
#include <optional>

#include "mti/common/at.hpp"
#include "solvers/laws/repeated_rows.hpp"
#include "solvers/laws/rows_that_stay.hpp"

namespace mti {
namespace {

/// v, followed by the left limits: L(x⁺, Y, pre(v)) has twice the signals of the model.
std::vector<double> values_at_both_sides(const RestartPlace& place, std::ptrdiff_t size) {
  std::vector<double> point(place.v.begin(), place.v.begin() + size);
  point.insert(point.end(), place.instant.v.begin(), place.instant.v.begin() + size);
  return point;
}

}  // namespace

LawStructure::LawStructure(const RestartPlace& place, const DueLaws& laws, Surfaces surfaces)
    : due_(laws),
      surfaces_(surfaces),
      n_(place.model.signature.n()),
      first_algebraic_(place.model.signature.algebraic_row(0)),
      size_(place.model.signature.size()),
      replaced_(replaced_rows(laws, place.system.f)) {
  for (const Transition* law : laws) laws_.emplace_back(law->equations);
  enter(place);
  if (!parts_.structurally_regular() && keep_rows_of_other_signals(place)) enter(place);
  if (parts_.structurally_regular()) blocks_ = block_triangular_form(pattern_, parts_.row_match);
}

std::shared_ptr<const LawStructure> LawStructure::of(const RestartPlace& place, const DueLaws& laws,
                                                     Surfaces surfaces) {
  constexpr std::size_t most_kept = 4;  // of one mode
  std::vector<std::shared_ptr<const LawStructure>>& kept = place.system.law_structures();
  for (const auto& known : kept)
    if (known->due_ == laws && known->surfaces_ == surfaces) return known;
  auto made = std::make_shared<const LawStructure>(place, laws, surfaces);
  if (made->depends_on_values_) return made;
  if (kept.size() == most_kept) kept.erase(kept.begin());
  kept.push_back(made);
  return made;
}

/// Stage −1 of the plan without the replaced rows: fewer equations than unknowns, which is what the laws are for.
void LawStructure::enter(const RestartPlace& place) {
  rows_.clear();
  unknowns_.clear();
  balanced_.clear();
  order_.assign(place.v.size(), none);
  column_.assign(place.v.size(), -1);
  weighted_.assign(place.v.size(), 0);
  const bool apart = surfaces_ == Surfaces::apart;
  for (const SolutionBlock& block : place.system.plan->blocks) {
    for (std::size_t i = 0; i < block.equations.size(); ++i)
      if (!replaced_.contains(block.equations[i]) &&
          !(apart && block.equations[i] >= place.model.equations()))
        rows_.push_back({block.equations[i], (block.differentiated() ? block.c[i] : 0) - 1, -1});
    for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
      if (apart && block.unknowns[j] >= place.model.signature.binary_row(0)) continue;
      if (held_.contains(block.unknowns[j])) continue;
      order_[at(block.unknowns[j])] = (block.differentiated() ? block.e[j] : 0) - 1;
      column_[at(block.unknowns[j])] = static_cast<int>(unknowns_.size());
      unknowns_.push_back(block.unknowns[j]);
    }
  }
  add_absent_states(place);
  // Only rows whose Dirac part has to vanish multiply weights: their coefficients are examined afterwards.
  for (const Row& row : rows_)
    if (row.order < 0) balanced_.push_back(row.row);
  // Before the laws come in, which mean a weight where the other rows leave one.
  find_weighted(place.system.f);
  add_rows_of_laws(place);
  pattern_ = make_pattern(place.system.f);
  parts_ = dulmage_mendelsohn(pattern_);
}

void LawStructure::add_rows_of_laws(const RestartPlace& place) {
  RepeatedRows said(place.model.signature);
  const std::vector<double> point = values_at_both_sides(place, size_);
  for (std::size_t law = 0; law < laws_.size(); ++law)
    for (int row = 0; row < laws_[law].rows(); ++row)
      if (!said.repeats(laws_[law], row, point)) rows_.push_back({row, 0, static_cast<int>(law)});
  depends_on_values_ = said.compared();
}

/// Of several rows that hold der(s) of a law's "s = …" that one goes which the law stands for; a = der(v) is about a. Where
/// the laws and the rows of others leave too much open without them: the rows that determine the rest stay, and
/// states that are held by them alone do not jump. True if the rows or the unknowns are others now.
bool LawStructure::keep_rows_of_other_signals(const RestartPlace& place) {
  std::set<int> named;
  for (const Transition* law : due_) named.insert(law->replaces.begin(), law->replaces.end());
  std::vector<int> open;
  Incidence might_go(static_cast<int>(unknowns_.size()));
  for (const SolutionBlock& block : place.system.plan->blocks)
    for (std::size_t i = 0; i < block.equations.size(); ++i)
      if (replaced_.contains(block.equations[i]) && !named.contains(block.equations[i])) {
        open.push_back(block.equations[i]);
        add_to(might_go, place.system.f,
               {block.equations[i], (block.differentiated() ? block.c[i] : 0) - 1, -1});
      }
  if (open.empty()) return false;
  std::vector<PatternColumn> jumps;
  for (std::size_t column = 0; column < unknowns_.size(); ++column)
    if (unknowns_[column] < n_ && order_[at(unknowns_[column])] == -1)
      jumps.emplace_back(static_cast<int>(column));
  const std::optional<RowsThatStay> found = rows_that_stay(pattern_, jumps, might_go);
  if (!found) return false;
  for (std::size_t i = 0; i < open.size(); ++i)
    if (found->stays[i] != 0) replaced_.erase(open[i]);
  for (const PatternColumn column : found->held) held_.insert(unknown(column));
  return true;
}

/// States that no equation of the mode holds jump where a law gives them values.
void LawStructure::add_absent_states(const RestartPlace& place) {
  for (const int slope : place.system.plan->absent.slopes) {
    if (std::ranges::none_of(due_, [&](const Transition* law) { return holds(*law, slope + n_); })) continue;
    order_[at(slope)] = -1;
    column_[at(slope)] = static_cast<int>(unknowns_.size());
    unknowns_.push_back(slope);
  }
}

/// Order k of a row holds its signals up to order k, and linearly those of order k itself. x_j has order k
/// where ẋ_j has order k − 1, so a state counts as its ẋ, unless it is an unknown itself (its derivative is
/// absent).
int LawStructure::unknown_in_equation(int signal, int order) const {
  const bool state = signal >= n_ && signal < 2 * n_;
  const bool through_state = state && order_[at(signal)] == none;
  const int unknown = through_state ? signal - n_ : signal;
  return order_[at(unknown)] != none && order == order_[at(unknown)] + (through_state ? 1 : 0)
             ? column_[at(unknown)]
             : -1;
}

int LawStructure::unknown_in_law(int signal) const {
  if (signal >= size_) return -1;
  const bool state = signal >= n_ && signal < 2 * n_;
  if (state) return order_[at(signal - n_)] == -1 ? column_[at(signal - n_)] : -1;
  if (order_[at(signal)] == 0 && signal >= first_algebraic_) return column_[at(signal)];
  return weighted_[at(signal)] != 0 ? column_[at(signal)] : -1;
}

/// Which unknowns stand in which rows: what matching, Dulmage–Mendelsohn parts and blocks are found from.
Incidence LawStructure::make_pattern(const RowMap& f) const {
  Incidence pattern(static_cast<int>(unknowns_.size()));
  for (const Row& row : rows_) add_to(pattern, f, row);
  return pattern;
}

void LawStructure::add_to(Incidence& pattern, const RowMap& f, const Row& row) const {
  std::vector<int> columns;
  const RowMap& map = row.law < 0 ? f : laws_[at(row.law)];
  for (const RowMap::Term& term : map.terms(row.row))
    for (const RowMap::Factor& factor : map.factors(term.column)) {
      const int column =
          row.law < 0 ? unknown_in_equation(factor.signal, row.order) : unknown_in_law(factor.signal);
      if (column >= 0) columns.push_back(column);
    }
  pattern.add_row(positions<PatternColumn>(columns));
}

/// Algebraic signals to which the rows that stay in force leave a weight: those of the under-determined
/// part. A signal that these rows determine alone has the weight they give it, mostly 0, and a law is about
/// its value.
void LawStructure::find_weighted(const RowMap& f) {
  const DulmageMendelsohn parts = dulmage_mendelsohn(make_pattern(f));
  for (const PatternColumn column : parts.under_columns) {
    const int row = unknown(column);
    if (row >= first_algebraic_ && order_[at(row)] == -1) weighted_[at(row)] = 1;
  }
}

}  // namespace mti
