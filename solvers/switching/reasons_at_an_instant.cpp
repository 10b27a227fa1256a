#include "solvers/switching/reasons_at_an_instant.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

constexpr int most_binaries = 300;
/// Coefficients are made up to this order at most: decisions take 24.
constexpr int most_orders = 32;

/// Where an unknown is solved for: its block and its order beyond the stage.
struct Solver {
  int block = -1, e = 0;
};

class InstantReasons {
 public:
  InstantReasons(const SwitchingProblem& problem, const Admissibility& verdict)
      : problem_(problem),
        signature_(problem.model.signature),
        f_(problem.cache.rows().f),
        motion_(*verdict.motion),
        plan_(*verdict.system->plan),
        solver_(at(signature_.size())),
        c_(at(problem.model.equations()), 0) {
    for (std::size_t b = 0; b < plan_.blocks.size(); ++b) {
      const SolutionBlock& block = plan_.blocks[b];
      for (std::size_t i = 0; i < block.unknowns.size(); ++i)
        solver_[at(block.unknowns[i])] = {static_cast<int>(b), block.differentiated() ? block.e[i] : 0};
      for (std::size_t i = 0; i < block.equations.size(); ++i) {
        c_[at(block.equations[i])] = block.differentiated() ? block.c[i] : 0;
        largest_c_ = std::max(largest_c_, c_[at(block.equations[i])]);
      }
    }
  }

  /// False if that takes too many orders.
  bool prepare(int decided_at) {
    orders_ = decided_at + largest_c_ + 1;
    if (orders_ > most_orders) return false;
    nu_.assign(at(signature_.size()), 0);
    for (int row = 0; row < signature_.binary_row(0); ++row) {
      int& order = nu_[at(row)];
      while (order < orders_ && is_zero(motion_.signal(row, order))) ++order;
    }
    find_silent();
    find_changes();
    return true;
  }

  /// The binaries that order `order` of a constraint depends on; none where that takes more orders than there are.
  std::vector<int> behind(int constraint, int order) {
    is_lost_ = false;
    binaries_.clear();
    asked_.assign(at(signature_.size()), -1);
    const IndexedRowMap& g = problem_.cache.rows().g;
    const std::span<const int> own = g.binaries(constraint);
    binaries_.insert(own.begin(), own.end());
    follow_row(g, constraint, order);
    while (!open_.empty() && !is_lost_) {
      check_budget();
      const auto [signal, needed] = open_.back();
      open_.pop_back();
      if (needed == asked_[at(signal)]) follow_unknown(signal, needed);
    }
    open_.clear();
    if (is_lost_) return {};
    return {binaries_.begin(), binaries_.end()};
  }

 private:
  static bool is_zero(const Ball& number) { return std::abs(number.value) <= number.error; }
  [[nodiscard]] bool is_binary(int row) const {
    return row >= signature_.binary_row(0) && row < signature_.binary_row(0) + signature_.q();
  }
  [[nodiscard]] bool is_state(int row) const {
    return row >= signature_.state_row(0) && row < signature_.input_row(0);
  }

  /// min(ν, α) of a factor 1 − |s| + s·v.
  [[nodiscard]] int vanishing(const RowMap::Factor& factor) const {
    const int row = factor.signal;
    if (row >= signature_.binary_row(0) || std::abs(factor.S) != 1.0 || factor.S < 0.0) return 0;
    return std::min(nu_[at(row)], alpha_[at(row)]);
  }

  /// Order from which on a column changes if `changed` does from order 0 on; −1 for a binary beside no state that is zero.
  [[nodiscard]] int delay(std::span<const RowMap::Factor> factors, std::size_t changed) const {
    int sum = 0;
    bool beside_a_zero_state = false;
    for (std::size_t o = 0; o < factors.size(); ++o) {
      if (o == changed) continue;
      const int order = vanishing(factors[o]);
      sum += order;
      beside_a_zero_state = beside_a_zero_state || (order > 0 && is_state(factors[o].signal));
    }
    return is_binary(factors[changed].signal) && !beside_a_zero_state ? -1 : sum;
  }

  /// Binaries beside a state that is zero in every column: what is zero moves no state where such a binary changes.
  void find_silent() {
    silent_.assign(at(signature_.q()), 1);
    for (int equation = 0; equation < f_.rows(); ++equation)
      for (const RowMap::Term& term : f_.terms(equation)) {
        const std::span<const RowMap::Factor> factors = f_.factors(term.column);
        const bool beside_a_zero = std::ranges::any_of(factors, [&](const RowMap::Factor& factor) {
          return is_state(factor.signal) && std::abs(factor.S) == 1.0 && nu_[at(factor.signal)] > 0;
        });
        if (beside_a_zero) continue;
        for (const RowMap::Factor& factor : factors)
          if (is_binary(factor.signal)) silent_[at(factor.signal - signature_.binary_row(0))] = 0;
      }
  }

  /// By these a restart may move what is followed.
  void add_movers(std::span<const int> binaries) {
    for (const int binary : binaries)
      if (silent_[at(binary)] == 0) binaries_.insert(binary);
  }

  /// α of all signals where every binary may change: blocks from stage k on where one of their equations changes from order c + k
  /// on. Below stage 0 other blocks are solved; there all take part.
  void find_changes() {
    const int never = orders_ + 1;
    alpha_.assign(at(signature_.size()), never);
    for (int i = 0; i < signature_.q(); ++i) alpha_[at(signature_.binary_row(i))] = 0;
    std::vector<int> stages(plan_.blocks.size(), never);
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      check_budget();
      int early = never;
      for (std::size_t b = 0; b < plan_.blocks.size(); ++b) {
        for (const int equation : plan_.blocks[b].equations)
          stages[b] = std::min(stages[b], change_of(equation) - c_[at(equation)]);
        if (stages[b] < 0) early = std::min(early, stages[b]);
      }
      for (std::size_t b = 0; b < plan_.blocks.size(); ++b)
        for (const int unknown : plan_.blocks[b].unknowns)
          goes_on |= lower(unknown, solver_[at(unknown)].e + std::min(stages[b], early));
      for (int i = 0; i < signature_.n(); ++i)
        goes_on |= lower(signature_.state_row(i), alpha_[at(signature_.derivative_row(i))] + 1);
    }
  }

  bool lower(int signal, int order) {
    order = std::max(order, 0);
    if (order >= alpha_[at(signal)]) return false;
    alpha_[at(signal)] = order;
    return true;
  }

  [[nodiscard]] int change_of(int equation) const {
    int first = orders_ + 1;
    for (const RowMap::Term& term : f_.terms(equation)) {
      const std::span<const RowMap::Factor> factors = f_.factors(term.column);
      for (std::size_t s = 0; s < factors.size(); ++s)
        first = std::min(first, std::max(alpha_[at(factors[s].signal)] + delay(factors, s), 0));
    }
    return first;
  }

  /// What order `order` of a row depends on. A binary of the reason has its value: a column that it makes zero is nothing, as the
  /// rows of this mode are, from which offsets come. A state that is zero only helps if it stays: what may move it is of the reason.
  void follow_row(const RowMap& map, int row, int order) {
    for (const RowMap::Term& term : map.terms(row)) {
      const std::span<const RowMap::Factor> factors = map.factors(term.column);
      bool vanishes = false;
      for (std::size_t s = 0; s < factors.size(); ++s) {
        const int signal = factors[s].signal;
        if (is_state(signal) && vanishing(factors[s]) > 0) add_movers_of(signal);
        if (!is_binary(signal) || order < delay(factors, s)) continue;
        binaries_.insert(signal - signature_.binary_row(0));
        vanishes = vanishes || 1.0 - std::abs(factors[s].S) + factors[s].S * motion_.v()[at(signal)] == 0.0;
      }
      if (vanishes) continue;
      for (std::size_t s = 0; s < factors.size(); ++s)
        if (const int needed = order - delay(factors, s); !is_binary(factors[s].signal) && needed >= 0)
          ask(factors[s].signal, needed);
    }
  }

  void add_movers_of(int state) {
    add_movers(problem_.dependencies.jumps().of_state(state - signature_.state_row(0)));
  }

  void ask(int signal, int order) {
    is_lost_ = is_lost_ || order > orders_;
    if (is_lost_) return;
    if (is_state(signal)) add_movers_of(signal);
    if (is_state(signal) && solver_[at(signal)].block < 0) {
      if (order == 0) return;
      signal -= signature_.n();
      --order;
    }
    if (asked_[at(signal)] >= order) return;
    asked_[at(signal)] = order;
    open_.emplace_back(signal, order);
  }

  void follow_unknown(int signal, int order) {
    const Solver solver = solver_[at(signal)];
    if (solver.block <
        0) {  // an input, or a signal that keeps its value where other binaries do not determine it
      if (signal < signature_.input_row(0) || signal >= signature_.algebraic_row(0)) {
        const auto determining = problem_.dependencies.of_unknown(signal);
        binaries_.insert(determining.begin(), determining.end());
      }
      return;
    }
    const int stage = order - solver.e;
    for (std::size_t b = 0; b < plan_.blocks.size(); ++b) {
      if (stage >= 0 && static_cast<int>(b) != solver.block) continue;
      for (const int equation : plan_.blocks[b].equations)
        if (c_[at(equation)] + stage >= 0) {
          add_movers(problem_.dependencies.jumps().of_equation(equation));
          follow_row(f_, equation, c_[at(equation)] + stage);
        }
    }
  }

  const SwitchingProblem& problem_;
  const Signature& signature_;
  const IndexedRowMap& f_;
  Motion& motion_;
  const SolutionPlan& plan_;
  std::vector<Solver> solver_;  ///< by row of S
  std::vector<int> c_;          ///< by equation
  int largest_c_ = 0, orders_ = 0;
  std::vector<int> nu_, alpha_;  ///< by row of S
  std::vector<char> silent_;     ///< by binary
  std::set<int> binaries_;
  std::vector<int> asked_;  ///< by row of S: the highest order that is needed
  std::vector<std::pair<int, int>> open_;
  bool is_lost_ = false;
};

bool begins_with_a_jump(const SwitchingProblem& problem, const Motion& motion) {
  const Signature& signature = problem.model.signature;
  const Restart& restart = motion.restart();
  if (!restart.impulsive_parts().empty() || !restart.leading.empty()) return true;
  for (int i = 0; i < signature.n(); ++i) {
    const auto row = at(signature.state_row(i));
    const double before = problem.instant.v[row];
    if (std::abs(motion.v()[row] - before) > problem.accuracy.of(signature.state_row(i), before)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::vector<int>> reasons_at_an_instant(const SwitchingProblem& problem,
                                                    const Admissibility& verdict) {
  const Model& model = problem.model;
  const ModeSystem& system = *verdict.system;
  const bool by_rows = verdict.rejection == Rejection::constraint_violated ||
                       verdict.rejection == Rejection::constraint_rising;
  if (!by_rows || !verdict.motion || !model.transitions.empty() || model.signature.q() > most_binaries ||
      model.is_discrete() || !system.mode.slides.empty() || system.recombination ||
      !system.structurally_solvable() || begins_with_a_jump(problem, *verdict.motion))
    return {};
  int highest = -1;
  for (const int order : verdict.decided_at) highest = std::max(highest, order);
  InstantReasons reasons(problem, verdict);
  if (highest < 0 || !reasons.prepare(highest)) return {};
  std::vector<std::vector<int>> found;
  for (std::size_t i = 0; i < verdict.constraints.size(); ++i)
    if (verdict.decided_at[i] >= 0 && verdict.constraints[i] < model.constraints())
      if (std::vector<int> reason = reasons.behind(verdict.constraints[i], verdict.decided_at[i]);
          !reason.empty())
        found.push_back(std::move(reason));
  return found;
}

}  // namespace mti
