#include "solvers/initialization/start_search.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/common/sort_distinct.hpp"
#include "mti/common/wording.hpp"
#include "solvers/blocks/start_point.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/initialization/start_equations.hpp"
#include "solvers/initialization/start_solution.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/switching/candidate_set.hpp"

namespace mti {
namespace {

constexpr std::size_t most_told = 6;

/// The binaries that a solution which has failed depends on; nothing where that is not known. Only what affine rows
/// contradict or leave open is proved; whether Newton's method arrives depends on guesses and on all rows.
std::optional<std::vector<int>> binaries_behind(const StartSolution& solution, const CoupledRows& coupled,
                                                const SignalRows& rows, const ModeSystem& system) {
  using Kind = StartSolution::Kind;
  if (system.recombination || !system.plan->plain()) return std::nullopt;
  std::vector<int> signals, binaries;
  if (solution.kind == Kind::not_unique && !solution.open.empty()) {
    signals.push_back(rows.model.signature.state_row(solution.open.front()));
  } else if (solution.kind == Kind::contradiction && !solution.rows.empty()) {
    for (const StartEquations::Row& row : solution.rows) {
      const std::vector<int> more =
          row.is_initial() ? coupled.of_initial(row.equation) : coupled.of_equation(row.equation);
      signals.insert(signals.end(), more.begin(), more.end());
      // Its own ones too: a row that holds no unknown belongs to no group.
      const std::span<const int> own = row.is_initial()
                                           ? std::span<const int>(coupled.binaries_of_initial(row.equation))
                                           : rows.f.binaries(row.equation);
      binaries.insert(binaries.end(), own.begin(), own.end());
    }
  } else {
    return std::nullopt;
  }
  if (!coupled.are_affine(signals)) return std::nullopt;
  const std::vector<int> others = coupled.binaries_with(signals);
  binaries.insert(binaries.end(), others.begin(), others.end());
  sort_distinct(binaries);
  return binaries;
}

/// "z1 = 1, z2 = 0" of what is not as before; "unchanged".
std::string changes_text(const Model& model, const Mode& mode, const Mode& before) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < mode.z.size(); ++i)
    if (mode.z[i] != before.z[i])
      parts.push_back(model.signature.binaries()[i].name + " = " +
                      std::to_string(static_cast<int>(mode.z[i])));
  return parts.empty() ? "unchanged" : name_list(parts, most_told);
}

std::string warning_of(const std::vector<int>& superfluous, const Model& model) {
  if (superfluous.empty()) return {};
  std::vector<std::string> names;
  for (const int row : superfluous) names.push_back(model.initial()->equation_names[at(row)]);
  return "initial equations " + name_list(names, most_told) +
         " hold more than is free: some of them follow from the others and from the equations";
}

}  // namespace

StartSearch::StartSearch(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                         const SuccessorSearch& successors)
    : model_(model), cache_(cache), accuracy_(accuracy), successors_(successors) {}

FoundStart StartSearch::find(const Instant& start, Mode before) const {
  const Dependencies dependencies(cache_.rows());
  const SwitchingProblem problem{model_, cache_, accuracy_, dependencies, start};
  settle_outputs(problem.outputs(), before);
  std::vector<int> deciders;
  for (int binary = 0; binary < model_.signature.q(); ++binary)
    if (!problem.outputs().is_output(binary)) deciders.push_back(binary);

  const CoupledRows coupled(cache_.rows());
  FoundStart result;
  std::vector<std::string> told;
  NogoodStore nogoods;
  const auto is_found = [&](const Mode& mode) {
    check_budget();
    ++result.tried;
    Verdict verdict = judge(start, mode, coupled);
    if (verdict.admissible) {
      result.status = FoundStart::Status::found;
      result.mode = mode;
      result.v = std::move(verdict.v);
      result.warning = warning_of(verdict.superfluous, model_);
      if (verdict.from_elsewhere)
        result.warning += std::string(result.warning.empty() ? "" : "; ") +
                          "from the guesses themselves no start was found, and this one from values about "
                          "them: where there are several it may be another than that which is meant";
      return true;
    }
    if (told.size() < most_told)
      told.push_back(deciders.empty() ? verdict.why
                                      : changes_text(model_, mode, before) + ": " + verdict.why);
    // Outputs follow from deciders; assignments of few deciders know nothing of them.
    for (std::vector<int>& reason : verdict.reasons) reason = problem.outputs().deciders_behind(reason);
    nogoods.learn(mode.z, std::move(verdict.reasons));
    return false;
  };
  if (is_found(before)) return result;
  if (!deciders.empty()) {
    CandidateSet candidates(problem, before, deciders, Beginnings::unknown);
    for (;;) {
      const AssignmentSearch::Result next = candidates.next(nogoods);
      using Status = AssignmentSearch::Result::Status;
      if (next.status == Status::none) break;
      if (next.status == Status::limit || result.tried >= successors_.options().max_candidates) {
        result.status = FoundStart::Status::limit;
        break;
      }
      Mode mode = before;
      for (const int binary : next.flipped) mode.z[at(binary)] ^= 1;
      settle_outputs(problem.outputs(), mode);
      if (is_found(mode)) return result;
      nogoods.exclude_alone(mode.z);
    }
  }
  result.message = "no consistent start at t = " + number(start.t);
  for (std::size_t i = 0; i < told.size(); ++i) result.message += (i == 0 ? ": " : "; ") + told[i];
  if (result.tried > std::ssize(told))
    result.message += "; and " + std::to_string(result.tried - std::ssize(told)) + " more modes";
  return result;
}

FoundStart StartSearch::enter(Instant& start, Mode& mode) const {
  FoundStart found = find(start, mode);
  if (found.found()) {
    start.v = start.guess = found.v;
    mode.z = found.mode.z;
    write_mode(model_.signature, mode, start.v);
  }
  return found;
}

bool StartSearch::is_meant(const Mode& mode, std::vector<double> v) const {
  const Scenario* const initial = model_.initial();
  if (initial == nullptr || initial->modes.steps.empty()) return true;
  write_mode(model_.signature, mode, v);
  return initial->modes.evaluate([&](int row) { return v[at(row)] > 0.5; });
}

/// Binaries by which the formula is false whatever the others are (Kleene's logic): of a conjunction one.
std::vector<int> StartSearch::why_not_meant(const Mode& mode, std::vector<double> v) const {
  using Operation = BooleanFormula::Operation;
  const Signature& signature = model_.signature;
  const BooleanFormula& formula = model_.initial()->modes;
  write_mode(signature, mode, v);
  std::vector<int> named;
  for (const BooleanFormula::Step& step : formula.steps)
    if (step.operation == Operation::variable && step.row >= signature.binary_row(0) &&
        step.row < signature.pre_row(0))
      named.push_back(step.row);
  sort_distinct(named);
  std::vector<char> open(v.size(), 0);
  const auto is_false = [&] {
    std::vector<int> stack;  // 0, 1, 2: false, open, true
    for (const BooleanFormula::Step& step : formula.steps) {
      if (step.operation == Operation::variable)
        stack.push_back(open[at(step.row)] != 0 ? 1 : v[at(step.row)] > 0.5 ? 2 : 0);
      else if (step.operation == Operation::constant)
        stack.push_back(step.value ? 2 : 0);
      else if (step.operation == Operation::negation)
        stack.back() = 2 - stack.back();
      else {
        const int right = stack.back();
        stack.pop_back();
        stack.back() = step.operation == Operation::conjunction ? std::min(stack.back(), right)
                                                                : std::max(stack.back(), right);
      }
    }
    return !stack.empty() && stack.back() == 0;
  };
  std::vector<int> reason;
  for (const int row : named) {
    open[at(row)] = 1;
    if (is_false()) continue;
    open[at(row)] = 0;
    reason.push_back(row - signature.binary_row(0));
  }
  return reason;
}

StartSearch::Verdict StartSearch::judge(const Instant& start, const Mode& mode,
                                        const CoupledRows& coupled) const {
  Verdict verdict;
  if (!is_meant(mode, start.v)) {
    verdict.why = "not among the modes of the scenario, " + model_.initial()->modes.text;
    verdict.reasons.push_back(why_not_meant(mode, start.v));
    return verdict;
  }
  const std::shared_ptr<const ModeSystem> frozen = cache_.get(mode);
  Instant guess = start;
  write_mode(model_.signature, mode, guess.v);
  if (frozen->forbidden) {
    verdict.why = "an invariant excludes it";
    return verdict;
  }
  // Rates and algebraic signals of the start values are better guesses than those of the model, and a motion that is
  // singular has its rows put together anew.
  const std::shared_ptr<Motion> motion = motion_in(model_, frozen, accuracy_, guess);
  const std::shared_ptr<const ModeSystem> system =
      motion->solved() ? motion->shared_system() : preferred(frozen);
  if (!system->structurally_solvable()) {
    verdict.why = describe(motion->failure(), model_, mode);
    return verdict;
  }
  Instant better = guess;
  if (motion->solved()) {
    better.v = motion->v();
    std::copy_n(guess.v.begin() + model_.signature.state_row(0), model_.signature.n(),
                better.v.begin() + model_.signature.state_row(0));
  }
  StartEquations equations(model_, *system, better);
  StartSolution solution = solve_start_from_guess(equations);
  if (!solution.solved()) {
    StartEquations again(model_, *system, guess);
    StartSolution other;
    if (motion->solved()) {
      // From the guesses as they are, rather than from values about them; if it is a start of this mode.
      other = solve_start_from_guess(again);
      if (other.solved())
        if (Verdict found = begin_with(other, guess, mode, coupled); found.admissible) return found;
    }
    solution = solve_start_from_elsewhere(equations, std::move(solution));
    if (!solution.solved() && motion->solved()) {
      if (!other.solved()) other = solve_start_from_elsewhere(again, std::move(other));
      if (other.solved()) solution = std::move(other);
    }
  }
  if (!solution.solved()) {
    verdict.why = describe(solution, model_);
    if (auto reason = binaries_behind(solution, coupled, cache_.rows(), *system))
      verdict.reasons.push_back(*std::move(reason));
    return verdict;
  }
  return begin_with(solution, guess, mode, coupled);
}

StartSearch::Verdict StartSearch::begin_with(const StartSolution& solution, const Instant& guess,
                                             const Mode& mode, const CoupledRows& coupled) const {
  Instant solved = guess;
  solved.v = solution.v;
  solved.guess = solution.v;
  Verdict verdict = follow(solved, mode, coupled);
  verdict.superfluous = solution.superfluous;
  verdict.from_elsewhere = solution.from_elsewhere;
  if (!verdict.admissible) return verdict;
  // Outputs that follow from pre(z) change with it, and so does pre(z) then.
  std::set<std::vector<char>> seen;
  for (Mode now = mode; seen.insert(now.pre).second;) {
    check_budget();
    Mode next = now;
    remember(model_.signature, next);
    if (next.pre == now.pre) return verdict;
    settle_outputs(cache_.outputs(), next);
    write_mode(model_.signature, next, solved.v);
    if (Verdict later = follow(solved, next, coupled); !later.admissible) {
      verdict.admissible = false;
      verdict.why = "with pre(z) = z " + later.why;
      return verdict;
    }
    now = std::move(next);
  }
  verdict.admissible = false;
  verdict.why = "pre(z) = z does not come to rest";
  return verdict;
}

StartSearch::Verdict StartSearch::follow(const Instant& solved, const Mode& mode,
                                         const CoupledRows& coupled) const {
  Verdict verdict;
  const Admissibility motion = successors_.check_unchanged(solved, mode);
  if (!motion.admissible()) {
    verdict.why = describe(motion, model_);
    // A value g > 0 follows from the groups of unknowns in g.
    if (motion.rejection == Rejection::constraint_violated && !motion.by_impulse &&
        !motion.system->plan->differentiated() && !motion.system->recombination) {
      for (std::size_t i = 0; i < motion.constraints.size(); ++i) {
        const int row = motion.constraints[i];
        if (row >= model_.constraints() || i >= motion.decided_at.size() || motion.decided_at[i] != 0)
          continue;
        const std::vector<int> held = coupled.of_constraint(row);
        if (!coupled.are_affine(held)) continue;  // it may have other solutions
        std::vector<int> reason = coupled.binaries_with(held);
        const auto own = cache_.rows().g.binaries(row);
        reason.insert(reason.end(), own.begin(), own.end());
        sort_distinct(reason);
        verdict.reasons.push_back(std::move(reason));
      }
    }
    return verdict;
  }
  const Signature& signature = model_.signature;
  const std::vector<double>& v = motion.motion->v();
  constexpr double own_accuracy = 8.0;
  for (int s = 0; s < signature.n(); ++s) {
    const int row = signature.state_row(s);
    if (std::abs(v[at(row)] - solved.v[at(row)]) > own_accuracy * accuracy_.of(row, solved.v[at(row)])) {
      verdict.why = "the motion from there begins with a jump of " + signature.states()[at(s)].name;
      return verdict;
    }
  }
  verdict.admissible = holds_initially(*motion.motion);
  if (!verdict.admissible) verdict.why = "the motion from there does not fulfil the initial equations";
  verdict.v = v;
  return verdict;
}

/// |h_j| ≤ Σ_i |∂h_j/∂v_i| (ε_i + rounding), where ε of ẋ and y is what that of x leaves open.
bool StartSearch::holds_initially(Motion& motion) const {
  const Scenario* const initial = model_.initial();
  if (initial == nullptr) return true;
  const RowMap h(initial->equations);
  const std::vector<double>& v = motion.v();
  std::vector<double> of_h(at(initial->equations.signals()));
  for (std::size_t i = 0; i < of_h.size(); ++i) of_h[i] = v[at(initial->original(static_cast<int>(i)))];
  for (int row = 0; row < h.rows(); ++row) {
    double error = 0.0;
    h.gradient(row, of_h, [&](int signal, double slope) {
      const int original = initial->original(signal);
      error +=
          std::abs(slope) * (motion.signal(original, 0).error + start_rounding * std::abs(v[at(original)]));
    });
    if (std::abs(h.value(row, of_h)) > error) return false;
  }
  return true;
}

}  // namespace mti
