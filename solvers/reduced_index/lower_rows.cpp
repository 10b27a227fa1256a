#include "solvers/reduced_index/lower_rows.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "mti/common/fault.hpp"

namespace mti {
namespace {

/// Expressions of equations that bind states, of all modes; each is looked at beside every other.
constexpr std::size_t most_lower_rows = 4000;

bool overlap(const ModeSet& a, const ModeSet& b) { return !(a & b).empty(); }
bool is_within(const ModeSet& a, const ModeSet& b) { return (a - b).empty(); }

std::string slope(const std::string& text, const std::string& name) {
  return derivative(text, along(name)).text;
}

}  // namespace

LowerRows::LowerRows(Replicates& replicates) : replicates_(replicates) {
  collect();
  do {
    while (give_one()) {
    }
  } while (split_one());
  for (LowerRow& row : rows_)
    if (!row.gives) project(row);
}

void LowerRows::collect() {
  for (int i = 0; i < replicates_.equations(); ++i)
    for (int order = 0; order < replicates_.most_differentiated(i); ++order)
      collect(i, order, replicates_.binds(i, order));
}

/// One row for each of the expressions that the equation is in different modes.
void LowerRows::collect(int equation, int order, const ModeSet& where) {
  const std::string text = replicates_.residual(equation, order, where);
  for (const int variable : replicates_.variables_in(text)) {
    const ModeSet is_true = where & ModeSet::where(variable);
    if (is_true.empty() || is_true == where) continue;
    collect(equation, order, is_true);
    collect(equation, order, where - is_true);
    return;
  }
  require_room(equation);
  rows_.push_back({.equation = equation, .order = order, .where = where, .text = text, .solved = text});
}

bool LowerRows::is_of_stage(const LowerRow& row, Replicate replicate) const {
  // Modes where c_i = c and d_j = d go together if order − c = replicate.order − d.
  ModeSet others = row.where;
  for (int c = row.order + 1; c <= replicates_.most_differentiated(row.equation); ++c) {
    const int d = replicate.order + c - row.order;
    if (d <= replicates_.most(replicate.signal))
      others -=
          replicates_.holds(row.equation, c) & replicates_.leads({.signal = replicate.signal, .order = d});
  }
  return others.empty();
}

bool LowerRows::may_be_given(const LowerRow& row, Replicate replicate) const {
  return is_within(row.where, replicates_.lower(replicate)) && is_of_stage(row, replicate) &&
         !is_given_within(row.where, replicate);
}

bool LowerRows::is_given_within(const ModeSet& where, Replicate replicate) const {
  return std::ranges::any_of(
      rows_, [&](const LowerRow& other) { return other.gives == replicate && overlap(other.where, where); });
}

/// What the signals of a row depend on by rows that give them in some of its modes. (Those that do in all of them have been
/// put in.) Elimination would bring it into the row, so that its coefficient there is another one.
std::set<std::string> LowerRows::follow_from(const LowerRow& row) const {
  std::set<std::string> result, open = names_in(row.solved);
  while (!open.empty()) {
    const std::string name = *open.begin();
    open.erase(open.begin());
    for (const LowerRow& other : rows_)
      if (other.gives && replicates_.name(*other.gives) == name && overlap(other.where, row.where))
        for (const std::string& one : names_in(other.value))
          if (result.insert(one).second) open.insert(one);
  }
  return result;
}

/// Of those with a constant coefficient: derivatives before what they are of, signals that are no states before states, later
/// ones before earlier ones.
std::optional<LowerRows::Choice> LowerRows::choice_of(const LowerRow& row) const {
  std::optional<Choice> best;
  const auto rank = [this](Replicate one) {
    return std::tuple(one.order, replicates_.is_state(one.signal) ? 0 : 1, one.signal);
  };
  const std::set<std::string> followed = follow_from(row);
  for (const std::string& name : names_in(row.solved)) {
    const std::optional<Replicate> replicate = replicates_.find(name);
    if (!replicate || followed.contains(name) || !may_be_given(row, *replicate)) continue;
    if (best && rank(*replicate) < rank(best->replicate)) continue;
    const std::string coefficient = slope(row.solved, name);
    if (replicates_.constant(coefficient).value_or(0.0) != 0.0)
      best = Choice{.replicate = *replicate, .coefficient = coefficient};
  }
  return best;
}

bool LowerRows::give_one() {
  LowerRow* chosen = nullptr;
  std::optional<Choice> best;
  for (LowerRow& row : rows_) {
    if (row.gives) continue;
    const std::optional<Choice> choice = choice_of(row);
    if (!choice || (best && choice->replicate.order <= best->replicate.order)) continue;
    best = choice;
    chosen = &row;
  }
  if (!best) return false;
  const std::string name = replicates_.name(best->replicate);
  const WrittenTerm rest = rewritten(chosen->solved, [&](const std::string& other) {
    return other == name ? std::optional(number_term(0.0)) : std::nullopt;
  });
  const WrittenTerm coefficient = term_of(best->coefficient);
  chosen->gives = best->replicate;
  chosen->value = ((number_term(0.0) - rest) / coefficient).text;
  put_in();
  return true;
}

/// What rows give in all of some modes, put into an expression of these modes. Values of rows may hold what others give in
/// these modes alone, so that it takes more than one round.
std::string LowerRows::with_given(std::string expression, const ModeSet& where) const {
  bool changes = true;
  for (std::size_t round = 0; changes && round <= rows_.size(); ++round) {
    changes = false;
    for (const std::string& name : names_in(expression)) {
      const std::optional<Replicate> replicate = replicates_.find(name);
      if (!replicate) continue;
      const auto giving = std::ranges::find_if(
          rows_, [&](const LowerRow& row) { return row.gives == replicate && is_within(where, row.where); });
      if (giving == rows_.end()) continue;
      const WrittenTerm value = term_of(giving->value);
      expression = rewritten(expression, [&](const std::string& other) {
                     return other == name ? std::optional(value) : std::nullopt;
                   }).text;
      changes = true;
    }
  }
  return expression;
}

/// All that is given, put into what is left.
void LowerRows::put_in() {
  for (LowerRow& row : rows_) {
    if (row.gives)
      row.value = with_given(std::move(row.value), row.where);
    else
      row.solved = with_given(std::move(row.solved), row.where);
  }
}

/// A row that holds what another one gives in a part of its modes is one row there, and another one elsewhere.
bool LowerRows::split_one() {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].gives) continue;
    for (const std::string& name : names_in(rows_[r].solved)) {
      const std::optional<Replicate> replicate = replicates_.find(name);
      if (!replicate) continue;
      const auto other = std::ranges::find_if(rows_, [&](const LowerRow& one) {
        return one.gives == replicate && overlap(one.where, rows_[r].where);
      });
      if (other == rows_.end()) continue;  // one that gives it everywhere has been put in
      require_room(rows_[r].equation);
      LowerRow part = rows_[r];
      part.where = rows_[r].where - other->where;
      rows_[r].where &= other->where;
      rows_.push_back(std::move(part));
      put_in();
      return true;
    }
  }
  return false;
}

void LowerRows::require_room(int equation) const {
  if (rows_.size() == most_lower_rows)
    throw InvalidModel("modes-too-large", "/equations/" + std::to_string(equation),
                       "equations bind states in more than " + std::to_string(most_lower_rows) +
                           " different ways (most_lower_rows)");
}

void LowerRows::project(LowerRow& row) {
  const std::string& equation = replicates_.equation_name(row.equation);
  for (const std::string& name : names_in(row.solved)) {
    const std::optional<Replicate> replicate = replicates_.find(name);
    if (!replicate || !is_within(row.where, replicates_.lower(*replicate)) || !is_of_stage(row, *replicate))
      continue;
    if (std::string along = slope(row.solved, name); along != "0")
      row.gradient.emplace(*replicate, std::move(along));
  }
  if (row.gradient.empty())
    throw InvalidModel("no-state-selection", "/equations/" + std::to_string(row.equation),
                       equation + ": " + replicates_.in_modes(row.where) +
                           " it says what others say, or binds no signal that could be a state");
  row.multiplier = replicates_.fresh("mu_" + name_of_derivative(equation, row.order));
}

std::vector<const LowerRow*> LowerRows::given_by(Replicate replicate) const {
  std::vector<const LowerRow*> result;
  for (const LowerRow& row : rows_)
    if (row.gives == replicate) result.push_back(&row);
  return result;
}

std::vector<const LowerRow*> LowerRows::moved_by(Replicate replicate) const {
  std::vector<const LowerRow*> result;
  for (const LowerRow& row : rows_)
    if (row.gradient.contains(replicate)) result.push_back(&row);
  return result;
}

ModeSet LowerRows::is_state(Replicate replicate) const {
  ModeSet where = replicates_.lower(replicate);
  for (const LowerRow* row : given_by(replicate)) where -= row->where;
  return where;
}

}  // namespace mti
