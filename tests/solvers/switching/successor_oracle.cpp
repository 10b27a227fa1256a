#include "tests/solvers/switching/successor_oracle.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "tests/solvers/sub_problem_order.hpp"

namespace mti::test {
namespace {

constexpr std::size_t most_enumerated = 10;  // 2^12 for a few models would take half of all the time

std::vector<std::set<int>> binaries_in(const std::vector<PlainRow>& rows, const Signature& signature) {
  std::vector<std::set<int>> result;
  for (const PlainRow& row : rows) {
    std::set<int> binaries;
    for (const Monomial& term : row)
      for (const int signal : term.signals)
        if (signal >= signature.binary_row(0) && signal < signature.binary_row(0) + signature.q())
          binaries.insert(signal - signature.binary_row(0));
    result.push_back(std::move(binaries));
  }
  return result;
}

/// What is in `a` and not in `b`.
std::set<int> difference(const std::set<int>& a, const std::set<int>& b) {
  std::set<int> result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(result, result.end()));
  return result;
}

}  // namespace

std::vector<std::vector<int>> subsets_by_size(const std::set<int>& binaries) {
  const std::vector<int> list(binaries.begin(), binaries.end());
  std::vector<std::vector<int>> subsets;
  for (unsigned bits = 0; bits < 1U << list.size(); ++bits) {
    std::vector<int> subset;
    for (std::size_t i = 0; i < list.size(); ++i)
      if ((bits >> i & 1U) != 0) subset.push_back(list[i]);
    subsets.push_back(std::move(subset));
  }
  std::sort(subsets.begin(), subsets.end(),
            [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  return subsets;
}

SuccessorOracle::SuccessorOracle(const Model& model, const Instant& instant, const Mode& before,
                                 int most_orders)
    : model_(model),
      rows_(model),
      outputs_(model),
      instant_(instant),
      before_(before),
      most_orders_(most_orders),
      equation_binaries_(binaries_in(rows_.f, model.signature)),
      constraint_binaries_(binaries_in(rows_.g, model.signature)) {}

Mode SuccessorOracle::with(const std::vector<int>& flipped) const {
  Mode mode = before_;
  for (const int binary : flipped) mode.z[at(binary)] ^= 1;
  outputs_.put(mode);
  return mode;
}

const PlainVerdict& SuccessorOracle::check_admissibility(const std::vector<int>& flipped) {
  const auto [entry, is_new] = judged_.try_emplace(flipped);
  if (is_new) {
    const Mode mode = with(flipped);
    entry->second = PlainMode(rows_, mode, instant_, most_orders_).check_admissibility();
  }
  return entry->second;
}

/// The binaries in the row; if it has none, those in the equations that determine the lowest of g, Dg, D²g, …
/// that depends on a binary: for g the equations behind its ẋ and y, for each further D those behind the
/// rates of the states met so far.
std::set<int> SuccessorOracle::binaries_of_constraint(int row) const {
  if (!constraint_binaries_[at(row)].empty()) return constraint_binaries_[at(row)];
  const Signature& signature = model_.signature;
  const std::vector<int> unknowns = plain_unknowns(signature);
  const PlainPattern pattern = plain_pattern(rows_.f, signature);
  const std::vector<int> row_of = plain_matching(pattern, static_cast<int>(unknowns.size()));
  std::set<int> signals, equations;
  for (const Monomial& term : rows_.g[at(row)]) signals.insert(term.signals.begin(), term.signals.end());
  for (int order = 0; order <= signature.n() + 1; ++order) {
    // All equations behind the signals at this order, until nothing new is met.
    std::set<int> states;
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = 0; i < unknowns.size(); ++i)
        if (signals.contains(unknowns[i]) && row_of[i] >= 0 && equations.insert(row_of[i]).second) {
          grown = true;
          for (const Monomial& term : rows_.f[at(row_of[i])])
            signals.insert(term.signals.begin(), term.signals.end());
        }
    }
    std::set<int> binaries;
    for (const int equation : equations)
      binaries.insert(equation_binaries_[at(equation)].begin(), equation_binaries_[at(equation)].end());
    if (!binaries.empty()) return binaries;
    for (int i = 0; i < signature.n(); ++i)
      if (signals.contains(signature.state_row(i))) states.insert(signature.derivative_row(i));
    signals.merge(states);
  }
  return {};
}

/// Binaries of what `verdict` breaks and `without` does not. docs/theory.md says nothing of a signal that a
/// candidate leaves undetermined: here it counts as broken by all equations that hold it.
std::set<int> SuccessorOracle::binaries_of(const PlainVerdict& verdict, const PlainVerdict& without) const {
  std::set<int> binaries;
  const auto add = [&](const std::set<int>& more) { binaries.insert(more.begin(), more.end()); };
  for (const int row : difference(verdict.equations, without.equations)) add(equation_binaries_[at(row)]);
  for (const int row : difference(verdict.constraints, without.constraints)) add(binaries_of_constraint(row));
  for (const int formula : verdict.invariants)
    for (const BooleanFormula::Step& step : model_.invariants[at(formula)].steps)
      if (step.row >= model_.signature.binary_row(0))
        binaries.insert(step.row - model_.signature.binary_row(0));
  for (const int unknown : verdict.undetermined)
    for (std::size_t row = 0; row < rows_.f.size(); ++row)
      if (contains(rows_.f[row], unknown)) add(equation_binaries_[row]);
  return binaries;
}

ExpectedSuccessor SuccessorOracle::find() {
  using Fate = PlainVerdict::Fate;
  ExpectedSuccessor expected;
  const auto use = [&](const PlainVerdict& verdict) {
    expected.usable = expected.usable && verdict.fate != Fate::outside && verdict.fate != Fate::near;
  };
  std::size_t distance = 0;
  const auto changed = [&](const std::vector<int>& flipped) {
    const Mode mode = with(flipped);
    std::vector<int> list;
    for (std::size_t i = 0; i < mode.z.size(); ++i)
      if (mode.z[i] != before_.z[i]) list.push_back(static_cast<int>(i));
    return list;
  };
  const PlainVerdict first = check_admissibility({});
  use(first);
  expected.triggered.assign(first.constraints.begin(), first.constraints.end());
  expected.found = first.admissible();
  if (expected.found) expected.flipped = changed({});
  expected.admissible = expected.found ? 1 : 0;
  if (expected.found) return expected;
  expected.usable = expected.usable && !outputs_.has_loop();
  expected.A = outputs_.deciders_behind(binaries_of(first, {}));
  while (expected.usable) {
    expected.usable = expected.A.size() <= most_enumerated;
    if (!expected.usable) break;
    std::set<int> extension;
    for (const std::vector<int>& flipped : subsets_by_size(expected.A)) {
      if (flipped.empty()) continue;
      const PlainVerdict& verdict = check_admissibility(flipped);
      use(verdict);
      if (!verdict.admissible()) {
        extension.merge(binaries_of(verdict, first));
        continue;
      }
      ++expected.admissible;
      if (!expected.found) {
        expected.flipped = changed(flipped);
        distance = flipped.size();
      } else if (flipped.size() == distance) {
        expected.ties.push_back(changed(flipped));
      }
      expected.found = true;
    }
    extension = outputs_.deciders_behind(extension);
    const bool more = !difference(extension, expected.A).empty();
    if (expected.found || !more) break;
    expected.extended = true;
    expected.A.merge(extension);
  }
  return expected;
}

bool SuccessorOracle::greedy_choice_succeeds(const std::set<int>& A) {
  const SubProblemOrder order(rows_.f, rows_.g, model_.signature);
  std::set<int> flipped, equations, constraints;  // chosen so far; rows whose unknowns are known
  for (int sub_problem = 0; sub_problem < order.sub_problems(); ++sub_problem) {
    std::set<int> own;
    for (const int binary : A)
      if (order.of_binary(binary) == sub_problem) own.insert(binary);
    for (int row = 0; row < model_.equations(); ++row)
      if (order.of_equation(row) == sub_problem) equations.insert(row);
    for (int row = 0; row < model_.constraints(); ++row)
      if (order.of_constraint(row) == sub_problem) constraints.insert(row);
    bool chosen = false;
    for (const std::vector<int>& choice : subsets_by_size(own)) {
      std::set<int> tried = flipped;
      tried.insert(choice.begin(), choice.end());
      if (!allows(tried, equations, constraints)) continue;
      chosen = true;
      flipped = tried;
      break;
    }
    if (!chosen) return false;
  }
  return check_admissibility({flipped.begin(), flipped.end()}).admissible();
}

/// The rows hold by their values, and by their derivatives if these can be had with all other binaries as
/// before.
bool SuccessorOracle::allows(const std::set<int>& flipped, const std::set<int>& equations,
                             const std::set<int>& constraints) {
  const Mode mode = with({flipped.begin(), flipped.end()});
  const PlainVerdict part = PlainMode(rows_, mode, instant_).check_values(equations, constraints);
  if (part.fate == PlainVerdict::Fate::rejected) return false;
  const PlainVerdict& whole = check_admissibility({flipped.begin(), flipped.end()});
  if (!whole.equations.empty() || !whole.undetermined.empty()) return true;
  return std::none_of(whole.constraints.begin(), whole.constraints.end(),
                      [&](int row) { return constraints.contains(row); });
}

}  // namespace mti::test
