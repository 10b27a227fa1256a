#include "solvers/switching/influenced_binaries.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/model/freeze.hpp"
#include "solvers/admissibility/conflicts.hpp"
#include "solvers/mode/mode_outputs.hpp"

namespace mti {

bool is_sliding(const Mode& mode, int binary) {
  return slide_of(mode, binary) != nullptr || std::ranges::binary_search(mode.blended, binary);
}

/// Deciders determine outputs uniquely, so every assignment of outputs that can follow is reached by flipping deciders.
void InfluencedBinaries::add(std::span<const int> binaries) {
  const Outputs& outputs = problem_.outputs();
  if (std::ranges::none_of(binaries, [&](int binary) { return outputs.is_output(binary); })) {
    A_.insert(binaries.begin(), binaries.end());
    return;
  }
  const std::vector<int> deciders = outputs.deciders_behind(binaries);
  A_.insert(deciders.begin(), deciders.end());
}

void InfluencedBinaries::remove_sliding(const Mode& mode) {
  std::erase_if(A_, [&](int binary) { return is_sliding(mode, binary); });
}

void InfluencedBinaries::begin_with(const Admissibility& of_z_minus) {
  const std::set<int> broken = broken_by(of_z_minus);
  add(std::vector<int>(broken.begin(), broken.end()));
  // From here on these rows extend A no more: all they depend on is in it.
  triggered_constraints_.insert(of_z_minus.constraints.begin(), of_z_minus.constraints.end());
  triggered_equations_.insert(of_z_minus.failure.equations.begin(), of_z_minus.failure.equations.end());
  collected_.clear();
}

/// All constraints that hold it are clearly inside with both of its values.
bool InfluencedBinaries::is_between_limits(int binary, const Mode& mode) const {
  constexpr double clearly = 2.0;
  const auto& g = problem_.cache.rows().g;
  const Signature& signature = problem_.model.signature;
  const int own = signature.binary_row(binary);
  std::vector<double> v = problem_.instant.v;
  write_mode(signature, mode, v);
  const auto is_inside = [&](int row) {
    const double epsilon = tolerance_of_row(g, row, v, signature, problem_.accuracy);
    // A row that this value makes 0 ≤ 0.
    const double value = g.value(row, v), rounding = 16.0 * machine_epsilon * g.magnitude(row, v);
    return (std::abs(value) <= rounding && epsilon <= rounding) || value < -clearly * epsilon;
  };
  const std::span<const int> rows = g.with(own);
  return !rows.empty() && std::ranges::all_of(std::array{0.0, 1.0}, [&](double value) {
    v[at(own)] = value;
    return std::ranges::all_of(rows, is_inside);
  });
}

void InfluencedBinaries::collect(const Admissibility& verdict) {
  const std::set<int> broken = broken_by(verdict);
  collected_.insert(broken.begin(), broken.end());
  std::erase_if(presumed_, [&](int binary) { return broken.contains(binary); });
}

void InfluencedBinaries::collect_constraints(std::span<const int> constraints) {
  for (const int row : constraints) {
    if (row >= problem_.model.constraints() || triggered_constraints_.contains(row)) continue;
    for (const int binary : problem_.dependencies.of_trigger(row)) collected_.insert(binary);
  }
}

/// What is not determined may be so where a binary lets another signal go: a diode that conducts ties an island to the ground by
/// its voltage, which follows from the island otherwise. From signal to signal by equations that hold both, up to the first that
/// hold binaries.
std::vector<int> InfluencedBinaries::nearest_to(std::span<const int> signals) const {
  const auto& f = problem_.cache.rows().f;
  const Signature& signature = problem_.model.signature;
  std::set<int> visited(signals.begin(), signals.end()), equations;
  std::vector<int> level(visited.begin(), visited.end()), found;
  while (!level.empty() && found.empty()) {
    std::vector<int> next;
    for (const int signal : level)
      for (const int equation : f.with(signal)) {
        if (!equations.insert(equation).second) continue;
        const std::span<const int> held = problem_.dependencies.of_equation(equation);
        found.insert(found.end(), held.begin(), held.end());
        for (const int other : f.signals(equation))
          if (is_unknown(signature, other) && visited.insert(other).second) next.push_back(other);
      }
    level.swap(next);
  }
  return found;
}

/// Rows beyond the model's are those of surfaces and weights, which belong to the mode and not to binaries.
std::set<int> InfluencedBinaries::broken_by(const Admissibility& verdict) const {
  const Model& model = problem_.model;
  const Dependencies& dependencies = problem_.dependencies;
  std::set<int> broken;
  const auto add_all = [&](std::span<const int> binaries) {
    broken.insert(binaries.begin(), binaries.end());
  };
  for (const int row : verdict.failure.equations)
    if (row < model.equations() && !triggered_equations_.contains(row))
      add_all(dependencies.of_equation(row));
  // √ of a negative number, or q² that is to be one: the binaries are those of the number, and those of modes that do without
  // the root.
  if (verdict.failure.kind == SolveFailure::Kind::not_finite ||
      verdict.failure.kind == SolveFailure::Kind::no_convergence) {
    const auto& f = problem_.cache.rows().f;
    const auto add_rows_with = [&](int signal) {
      for (const int row : f.with(signal)) add_all(dependencies.of_equation(row));
    };
    for (const int row : verdict.failure.equations) {
      if (row >= model.equations()) continue;
      if (verdict.system->graph) {
        add_all(binaries_behind_equation(*verdict.system, model, dependencies, row));
        continue;
      }
      for (const int signal : f.signals(row))  // what determines them stands in one of their rows
        if (signal >= model.signature.algebraic_row(0)) add_rows_with(signal);
    }
    if (verdict.system->graph) std::ranges::for_each(verdict.failure.signals, add_rows_with);
  }
  for (const int row : verdict.constraints)
    if (row < model.constraints() && !triggered_constraints_.contains(row))
      add_all(dependencies.of_trigger(row));
  if (verdict.rejection == Rejection::not_unique)
    for (const int row : verdict.failure.signals) add_all(dependencies.of_unknown(row));
  if (verdict.rejection == Rejection::forbidden)
    for (const std::vector<int>& binaries : binaries_of_broken_invariants(model, verdict.system->mode))
      add_all(binaries);
  if (broken.empty() && verdict.rejection != Rejection::forbidden)
    add_all(nearest_to(verdict.failure.signals));
  if (verdict.failure.kind == SolveFailure::Kind::not_finite)
    std::erase_if(broken, [&](int binary) { return is_between_limits(binary, verdict.system->mode); });
  return broken;
}

void InfluencedBinaries::collect_dependents(const Mode& z_minus) {
  const std::shared_ptr<const ModeSystem> system = problem_.cache.get(z_minus);
  const auto& rows = problem_.cache.rows();
  const std::vector<int> A = binaries();
  std::set<int> constraints, blocks;
  std::vector<int> open, moved = problem_.outputs().outputs_behind(A);
  moved.insert(moved.end(), A.begin(), A.end());
  const auto reach = [&](int block) {
    if (block >= 0 && blocks.insert(block).second) open.push_back(block);
  };
  const auto collect_all = [&](std::span<const int> binaries) {
    for (const int binary : binaries)
      if (!A_.contains(binary) && collected_.insert(binary).second) presumed_.insert(binary);
  };
  // The rows that hold a binary of A: constraints directly, equations by the blocks that they are solved in. An
  // equation that has a solution in every mode is not broken by a candidate.
  for (const int binary : moved) {
    const int row = problem_.model.signature.binary_row(binary);
    const std::span<const int> with = rows.g.with(row);
    constraints.insert(with.begin(), with.end());
    for (const int equation : rows.f.with(row)) {
      if (!triggered_equations_.contains(equation) &&
          !problem_.dependencies.jumps().is_matched_in_every_mode(equation))
        collect_all(problem_.dependencies.of_equation(equation));
      if (system->graph) reach(system->graph->solver_of(equation));
    }
  }
  // Unknowns of these blocks move others, and with them the constraints that hold them.
  while (!open.empty()) {
    const int block = open.back();
    open.pop_back();
    for (const int unknown : system->plan->blocks[at(block)].unknowns) {
      const std::span<const int> with = rows.g.with(unknown);
      constraints.insert(with.begin(), with.end());
    }
    for (const int dependent : system->graph->dependents(block)) reach(dependent);
  }
  for (const int constraint : constraints)
    if (!triggered_constraints_.contains(constraint))
      collect_all(problem_.dependencies.of_trigger(constraint));
}

/// What slides has a weight that its surface determines, and is not for A to flip.
bool InfluencedBinaries::grow(const Mode& z_minus) {
  const std::size_t size = A_.size();
  std::vector<int> more;
  for (const int binary : collected_)
    if (!is_sliding(z_minus, binary)) more.push_back(binary);
  add(more);
  remove_sliding(z_minus);
  return A_.size() != size;
}

}  // namespace mti
