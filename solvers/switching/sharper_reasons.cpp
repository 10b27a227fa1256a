#include "solvers/switching/sharper_reasons.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/admissibility/conflicts.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/mode_outputs.hpp"

namespace mti {
namespace {

constexpr std::size_t most_ahead = 3;

/// A broken row, the binaries of the order that decided, and those that only the order behind it depends on.
struct Row {
  int constraint;
  std::vector<int> core, ahead, all;
  std::size_t reason;  ///< its place among the reasons
  bool holds = true;   ///< in all modes so far
};

/// The rows of the verdict that are worth a look, with their reasons as places among `reasons`, which end with theirs.
std::vector<Row> rows_that_look_ahead(const SwitchingProblem& problem, const Admissibility& verdict,
                                      std::size_t reasons) {
  std::vector<Row> rows;
  const Mode& mode = verdict.system->mode;
  std::size_t place = reasons;
  for (std::size_t i = verdict.constraints.size(); i-- > 0;) {
    if (verdict.decided_at[i] < 0) continue;
    --place;
    if (verdict.decided_at[i] < 2) continue;
    const auto behind = [&](int order) {
      return binaries_behind(*verdict.system, problem.model, problem.dependencies, verdict.constraints[i],
                             order);
    };
    Row row{
        verdict.constraints[i], behind(verdict.decided_at[i] - 1), {}, behind(verdict.decided_at[i]), place};
    std::ranges::set_difference(row.all, row.core, std::back_inserter(row.ahead));
    const bool is_free = std::ranges::none_of(row.ahead, [&](int binary) {
      return problem.outputs().is_output(binary) || slide_of(mode, binary) != nullptr;
    });
    if (!row.ahead.empty() && row.ahead.size() <= most_ahead && is_free &&
        problem.outputs().outputs_behind(row.ahead).empty())
      rows.push_back(std::move(row));
  }
  return rows;
}

/// Some rows without binaries in common, which are taken out.
std::vector<Row> without_common_binaries(std::vector<Row>& rows) {
  std::set<int> taken;
  std::vector<Row> apart, others;
  for (Row& row : rows) {
    if (std::ranges::any_of(row.all, [&](int binary) { return taken.contains(binary); })) {
      others.push_back(std::move(row));
      continue;
    }
    taken.insert(row.all.begin(), row.all.end());
    apart.push_back(std::move(row));
  }
  rows = std::move(others);
  return apart;
}

/// A row holds in a mode if it turns it down for a reason that the other binaries of the model are no part of either.
void judge(const SwitchingProblem& problem, const Mode& mode, const Admissibility& base,
           std::vector<Row>& rows) {
  const std::shared_ptr<const ModeSystem> system = problem.cache.get(mode);
  std::vector<int> constraints;
  for (const Row& row : rows) constraints.push_back(row.constraint);
  const std::vector<int> orders = orders_that_exclude(problem.model, problem.cache.rows(), system,
                                                      problem.accuracy, problem.instant, base, constraints);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].holds =
        rows[i].holds && orders[i] >= 0 && system->graph &&
        std::ranges::includes(rows[i].all, binaries_behind(*system, problem.model, problem.dependencies,
                                                           rows[i].constraint, orders[i]));
}

}  // namespace

std::vector<std::vector<int>> sharper_reasons(const SwitchingProblem& problem, const Admissibility& verdict,
                                              const Admissibility& base, int& looks) {
  std::vector<std::vector<int>> reasons = reasons_of(verdict, problem.model, problem.dependencies);
  const bool by_rows = verdict.system->graph && verdict.motion && verdict.rejection != Rejection::forbidden;
  if (!by_rows || looks == 0) return reasons;
  std::vector<Row> open = rows_that_look_ahead(problem, verdict, reasons.size());
  while (!open.empty()) {
    std::vector<Row> rows = without_common_binaries(open);
    std::size_t most = 0;
    for (const Row& row : rows) most = std::max(most, row.ahead.size());
    for (unsigned flips = 1; flips < 1U << most && !rows.empty(); ++flips) {
      if (looks == 0) return reasons;
      --looks;
      check_budget();
      Mode mode = verdict.system->mode;
      for (const Row& row : rows)
        for (std::size_t i = 0; i < row.ahead.size(); ++i)
          mode.z[at(row.ahead[i])] = static_cast<char>(mode.z[at(row.ahead[i])] ^ (flips >> i & 1U));
      judge(problem, mode, base, rows);
      std::erase_if(rows, [](const Row& row) { return !row.holds; });
    }
    for (Row& row : rows) reasons[row.reason] = std::move(row.core);
  }
  return reasons;
}

}  // namespace mti
