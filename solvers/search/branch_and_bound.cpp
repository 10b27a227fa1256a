#include "solvers/search/branch_and_bound.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "mti/common/wording.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/search/elimination.hpp"

namespace mti {
namespace {

/// With fewer undecided binaries the tree is smaller than the programme is worth.
constexpr long fewest_for_linear = 6;
/// Bounds of unknown signals that are asked of the linear relaxation before the search: in so many rounds, as
/// long as one shrinks to this part of its width, and no more than so many in all.
constexpr int most_passes = 6;
constexpr double worthwhile = 0.9;
constexpr int most_ranges = 1000;
/// A longer reason hardly ever needs a flip.
constexpr std::size_t longest_counted = 8;
/// Of more binaries, probing each costs too much.
constexpr int most_probed = 400;

/// Binaries in the order in which a breadth-first walk over rows meets them, begun at one met last by
/// another such walk: the decided ones are then together, and what lies between them is confined.
std::vector<int> order_of_neighbours(const ConstraintProblem& problem) {
  const std::size_t variables = at(problem.binaries + problem.unknowns);
  std::vector<std::vector<int>> rows_of(variables), variables_of;
  const auto enter = [&](std::vector<int> of_row) {
    for (const int variable : of_row) rows_of[at(variable)].push_back(static_cast<int>(variables_of.size()));
    variables_of.push_back(std::move(of_row));
  };
  for (const ProblemRow& row : problem.rows) {
    if (row.derived) continue;
    std::vector<int> of_row;
    for (const ProblemRow::Use& use : row.uses) of_row.push_back(use.variable);
    enter(std::move(of_row));
  }
  for (const TruthTable& table : problem.tables) enter(table.variables());
  const auto walk = [&](int first) {
    std::vector<char> met(variables, 0), row_met(variables_of.size(), 0);
    std::vector<int> order;
    const auto from = [&](int begin) {
      if (met[at(begin)] != 0) return;
      met[at(begin)] = 1;
      order.push_back(begin);
      for (std::size_t next = order.size() - 1; next < order.size(); ++next)
        for (const int row : rows_of[at(order[next])]) {
          if (std::exchange(row_met[at(row)], 1) != 0) continue;
          for (const int variable : variables_of[at(row)])
            if (std::exchange(met[at(variable)], 1) == 0) order.push_back(variable);
        }
    };
    from(first);
    for (int binary = 0; binary < problem.deciders; ++binary) from(binary);
    std::erase_if(order, [&](int variable) { return variable >= problem.deciders; });
    return order;
  };
  return problem.deciders == 0 ? std::vector<int>{} : walk(walk(0).back());
}

ConstraintProblem prepared(ConstraintProblem problem, bool solve_equations) {
  if (solve_equations && problem.deciders >= fewest_for_linear) add_solved_equations(problem);
  return problem;
}

}  // namespace

BranchAndBound::BranchAndBound(ConstraintProblem problem, bool solve_equations)
    : problem_(prepared(std::move(problem), solve_equations)), propagation_(problem_) {}

bool BranchAndBound::precedes(const Node& a, const Node& b) const {
  if (a.flips != b.flips) return a.flips < b.flips;
  // The first set with so many flips: undecided binaries flip as long as flips are left.
  const auto left_of = [&](const Node& node) {
    int left = node.flips;
    for (std::size_t i = 0; i < at(problem_.deciders); ++i)
      left -= static_cast<int>(node.z[i] != undecided && node.z[i] != problem_.before[i]);
    return left;
  };
  int left_a = left_of(a), left_b = left_of(b);
  const auto flips = [&](signed char value, std::size_t i, int& left) {
    if (value == undecided) return left-- > 0;
    return value != problem_.before[i];
  };
  for (std::size_t i = 0; i < at(problem_.deciders); ++i) {
    const bool flips_a = flips(a.z[i], i, left_a), flips_b = flips(b.z[i], i, left_b);
    if (flips_a != flips_b) return flips_a;
  }
  return false;
}

long BranchAndBound::open_deciders(const std::vector<signed char>& z) const {
  return std::count(z.begin(), z.begin() + problem_.deciders, undecided);
}

void BranchAndBound::push(Node node) {
  frontier_.push_back(std::move(node));
  std::ranges::push_heap(frontier_, Later{this});
}

BranchAndBound::Node BranchAndBound::pop() {
  std::ranges::pop_heap(frontier_, Later{this});
  Node node = std::move(frontier_.back());
  frontier_.pop_back();
  return node;
}

void BranchAndBound::begin(SearchEffort& effort) {
  begun_ = true;
  ++effort.nodes;
  if (!propagation_.start(root_)) return;
  const bool has_unknowns = std::ranges::any_of(
      problem_.rows, [&](const ProblemRow& row) { return row.uses.back().variable >= problem_.binaries; });
  if (has_unknowns && open_deciders(root_.z) >= fewest_for_linear) {
    if (!probe(root_)) return;
    if (effort.linear_relaxation && open_deciders(root_.z) >= fewest_for_linear)
      prepare_linear(root_, effort);
  }
  if (auto node = node_of(root_, 0, effort)) push(std::move(*node));
}

bool BranchAndBound::probe(ProblemState& state) {
  if (problem_.deciders > most_probed) return true;
  for (int binary = 0; binary < problem_.deciders; ++binary) {
    if (state.z[at(binary)] != undecided) continue;
    check_budget();
    ProblemState with_0 = state, with_1 = state;
    const bool possible_0 = propagation_.decide(with_0, binary, 0);
    const bool possible_1 = propagation_.decide(with_1, binary, 1);
    if (!possible_0 && !possible_1) return false;
    if (!possible_0 || !possible_1) {
      state = possible_0 ? std::move(with_0) : std::move(with_1);
      continue;
    }
    for (int i = 0; i < problem_.unknowns; ++i) {
      const Interval both = hull(with_0.unknowns[at(i)], with_1.unknowns[at(i)]);
      if (both == state.unknowns[at(i)]) continue;
      if (!propagation_.confine(state, i, both)) return false;
    }
  }
  return true;
}

void BranchAndBound::prepare_linear(ProblemState& state, SearchEffort& effort) {
  order_ = order_of_neighbours(problem_);
  std::vector<int> in_products;
  for (const ProblemRow& row : problem_.rows)
    for (const ProblemRow::Product& product : row.products)
      for (const int unknown : product.unknowns)
        if (product.unknowns.size() > 1 ||
            std::ranges::any_of(product.terms, [](const auto& term) { return !term.binaries.empty(); }))
          in_products.push_back(unknown - problem_.binaries);
  sort_distinct(in_products);

  // Products are tied to their factors by the factors' bounds: the closer these, the stronger the relaxation.
  for (int round = 0, asked = 0; round < most_passes; ++round) {
    linear_ = std::make_unique<LinearRelaxation>(problem_, state);
    bool gained = false;
    for (const int unknown : in_products) {
      if (++asked > most_ranges) break;
      check_budget();
      effort.linear_programmes += 2;
      const Interval old = state.unknowns[at(unknown)];
      const auto open = open_deciders(state.z);
      if (!propagation_.confine(state, unknown, linear_->range(state, unknown))) {
        problem_.impossible = true;
        return;
      }
      const Interval now = state.unknowns[at(unknown)];
      gained = gained || (now.bounded() && !old.bounded()) || open_deciders(state.z) < open ||
               now.hi - now.lo < worthwhile * (old.hi - old.lo);
    }
    if (!gained) return;
  }
  linear_ = std::make_unique<LinearRelaxation>(problem_, state);
}

void BranchAndBound::exclude(const Exclusion& exclusion) {
  propagation_.exclude(exclusion);
  if (exclusion.size() <= longest_counted) reasons_.push_back(exclusion);
}

int BranchAndBound::fewest_flips(const ProblemState& state) const {
  int flips = 0;
  for (std::size_t i = 0; i < at(problem_.deciders); ++i)
    flips += static_cast<int>(state.z[i] != undecided && state.z[i] != problem_.before[i]);
  // Tables without common undecided binaries each need their own flips.
  std::vector<char> counted(state.z.size(), 0);
  for (const TruthTable& table : problem_.tables) {
    const auto open = [&](int variable) {
      return variable < problem_.deciders && state.z[at(variable)] == undecided;
    };
    const auto& variables = table.variables();
    if (std::ranges::any_of(variables, [&](int v) { return open(v) && counted[at(v)] != 0; })) continue;
    const int more = table.fewest_changes(state.z, problem_.before, problem_.deciders);
    if (more == 0) continue;
    flips += more;
    for (const int variable : variables)
      if (open(variable)) counted[at(variable)] = 1;
  }
  return flips + flips_of_reasons(state, counted);
}

/// Reasons that hold before, and have no undecided binary in common, need a flip each.
int BranchAndBound::flips_of_reasons(const ProblemState& state, std::vector<char>& counted) const {
  int flips = 0;
  for (const Exclusion& reason : reasons_) {
    const bool needs_one = std::ranges::all_of(reason, [&](const auto& literal) {
      const auto [binary, value] = literal;
      if (state.z[at(binary)] != undecided) return state.z[at(binary)] == value;
      return binary < problem_.deciders && counted[at(binary)] == 0 && problem_.before[at(binary)] == value;
    });
    if (!needs_one) continue;
    ++flips;
    for (const auto& [binary, value] : reason)
      if (state.z[at(binary)] == undecided) counted[at(binary)] = 1;
  }
  return flips;
}

std::optional<BranchAndBound::Node> BranchAndBound::node_of(const ProblemState& state, int at_least,
                                                            SearchEffort& effort) {
  if (problem_.impossible) return std::nullopt;
  Node node{std::max(at_least, fewest_flips(state)), state.z};
  if (linear_) {
    ++effort.linear_programmes;
    const LinearRelaxation::Bound bound = linear_->bound(state);
    if (!bound.possible) return std::nullopt;
    node.flips = std::max(node.flips, bound.flips);
  }
  return node;
}

int BranchAndBound::branching_binary(const ProblemState& state) const {
  if (!order_.empty())
    return *std::ranges::find_if(order_, [&](int binary) { return state.z[at(binary)] == undecided; });
  int best = -1;
  double most = -1.0;
  const std::vector<double> importance = propagation_.importance(state);
  for (int binary = 0; binary < problem_.deciders; ++binary) {
    if (state.z[at(binary)] != undecided || importance[at(binary)] <= most) continue;
    most = importance[at(binary)];
    best = binary;
  }
  return best;
}

std::optional<BranchAndBound::Node> BranchAndBound::branch(const Node& node, ProblemState& state,
                                                           SearchEffort& effort) {
  const int binary = branching_binary(state);
  std::optional<Node> best;
  ProblemState best_state;
  for (const signed char value : {static_cast<signed char>(0), static_cast<signed char>(1)}) {
    check_budget();
    ++effort.nodes;
    ProblemState child_state = state;
    if (!propagation_.decide(child_state, binary, value)) continue;
    std::optional<Node> child = node_of(child_state, node.flips, effort);
    if (!child) continue;
    if (best && precedes(*best, *child)) {
      push(std::move(*child));
      continue;
    }
    if (best) push(std::move(*best));
    best = std::move(child);
    best_state = std::move(child_state);
  }
  if (best && !frontier_.empty() && precedes(frontier_.front(), *best)) {
    push(std::move(*best));
    best.reset();
  }
  if (best) state = std::move(best_state);
  return best;
}

BranchAndBound::Answer BranchAndBound::next(SearchEffort& effort) {
  if (!begun_) begin(effort);
  while (!frontier_.empty()) {
    if (effort.exhausted()) return {Status::limit, {}};
    std::optional<Node> node = pop();
    ProblemState state = root_;
    ++effort.nodes;
    if (!propagation_.decide(state, node->z)) continue;
    if (state.z != node->z) {  // something was excluded since
      node = node_of(state, node->flips, effort);
      if (!node) continue;
    } else {
      node->flips = std::max(node->flips, fewest_flips(state));
    }
    if (!frontier_.empty() && precedes(frontier_.front(), *node)) {
      push(std::move(*node));
      continue;
    }
    while (node) {
      if (open_deciders(node->z) == 0) return {Status::found, std::move(node->z)};
      if (effort.exhausted()) {
        push(std::move(*node));
        return {Status::limit, {}};
      }
      node = branch(*node, state, effort);
    }
  }
  return {Status::none, {}};
}

}  // namespace mti
