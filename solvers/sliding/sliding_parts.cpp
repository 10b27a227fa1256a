#include "solvers/sliding/sliding_parts.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <set>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/admissibility/conflicts.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/sliding/surface_rows.hpp"

namespace mti {
namespace {

/// Which binaries of A depend on which.
class SlidingInfluence {
 public:
  SlidingInfluence(const Outputs& outputs, std::span<const int> A)
      : outputs_(outputs), A_(A), depends_on_(A.size()) {}

  /// Positions in A of the deciders behind the binaries that are in it.
  [[nodiscard]] std::vector<std::size_t> positions(std::span<const int> binaries) const {
    std::vector<std::size_t> found;
    for (const int binary : outputs_.deciders_behind(binaries)) {
      const auto place = std::ranges::lower_bound(A_, binary);
      if (place != A_.end() && *place == binary)
        found.push_back(static_cast<std::size_t>(place - A_.begin()));
    }
    return found;
  }

  void add(std::span<const int> dependent, std::span<const int> needed) {
    const std::vector<std::size_t> behind = positions(needed);
    for (const std::size_t i : positions(dependent)) depends_on_[i].insert(behind.begin(), behind.end());
  }
  void join(std::span<const int> binaries) { add(binaries, binaries); }

  /// The strongly connected components, each behind those that it depends on.
  [[nodiscard]] std::vector<std::vector<int>> components() const {
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(A_.size());
    for (std::size_t i = 0; i < A_.size(); ++i)
      for (const std::size_t needed : depends_on_[i]) boost::add_edge(i, needed, graph);
    std::vector<int> component(A_.size());
    // Boost numbers a component before those that lead to it.
    const int count = boost::strong_components(
        graph, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph)));
    std::vector<std::vector<int>> parts(at(count));
    for (std::size_t i = 0; i < A_.size(); ++i) parts[at(component[i])].push_back(A_[i]);
    return parts;
  }

 private:
  const Outputs& outputs_;
  std::span<const int> A_;
  std::vector<std::set<std::size_t>> depends_on_;
};

/// The equation says what an unknown is.
bool holds_unknown(const RowMap& f, const Signature& signature, int equation) {
  return std::ranges::any_of(f.terms(equation), [&](const RowMap::Term& term) {
    return std::ranges::any_of(f.factors(term.column), [&](const RowMap::Factor& factor) {
      return factor.signal < signature.state_row(0) ||
             (factor.signal >= signature.algebraic_row(0) && factor.signal < signature.binary_row(0));
    });
  });
}

/// What lies on one surface slides on it together.
void join_on_surfaces(const SwitchingProblem& problem, const Admissibility& first,
                      std::span<const int> constraints, const SurfaceRows& rows,
                      SlidingInfluence& influence) {
  std::vector<int> surfaces;  // by their first row
  for (const int row : constraints) {
    if (!rows.may_be_surface(*first.system, row)) continue;
    check_budget();
    const auto known = std::ranges::find_if(surfaces, [&](int surface) {
      return rows.sign_on({first.system, surface}, *first.system, row) != 0;
    });
    if (known == surfaces.end()) {
      surfaces.push_back(row);
      continue;
    }
    std::vector<int> both;
    for (const int one : {*known, row}) {
      const std::span<const int> binaries = problem.dependencies.of_constraint(one);
      both.insert(both.end(), binaries.begin(), binaries.end());
    }
    influence.join(both);
  }
}

}  // namespace

std::vector<std::vector<int>> sliding_parts(const SwitchingProblem& problem, std::span<const int> A,
                                            const Admissibility& first) {
  if (!first.motion || !first.system->graph) return {{A.begin(), A.end()}};
  const SignalRows& rows = problem.cache.rows();
  SlidingInfluence influence(problem.outputs(), A);
  std::vector<int> constraints = first.near;
  constraints.insert(constraints.end(), first.constraints.begin(), first.constraints.end());
  for (const int binary : A) {
    const int row = problem.model.signature.binary_row(binary);
    for (const int equation : rows.f.with(row))
      if (!holds_unknown(rows.f, problem.model.signature, equation))
        influence.join(problem.dependencies.of_equation(equation));
    for (const int constraint : rows.g.with(row))
      influence.join(problem.dependencies.of_constraint(constraint));
  }
  sort_distinct(constraints);
  join_on_surfaces(problem, first, constraints, SurfaceRows(problem, first.system->mode, A), influence);
  for (const int constraint : constraints) {
    if (constraint >= problem.model.constraints()) continue;  // 0 ≤ θ ≤ 1
    influence.add(problem.dependencies.of_trigger(constraint),
                  binaries_behind(*first.system, problem.model, problem.dependencies, constraint, 1));
  }
  return influence.components();
}

}  // namespace mti
