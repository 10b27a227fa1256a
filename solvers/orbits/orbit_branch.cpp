#include "solvers/orbits/orbit_branch.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "solvers/budget/budget.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/orbits/branch_corrector.hpp"

namespace mti {
namespace {

using Eigen::VectorXd;
using Kind = BranchPoint::Kind;

/// What a bifurcation makes zero: τ_p, Π (μ − 1), Π (μ + 1), and |μ| − 1 of the pair that is nearest to the circle.
double test(Kind kind, const BranchOrbit& orbit) {
  if (kind == Kind::fold) return orbit.turn();
  if (kind == Kind::torus) {
    double nearest = HUGE_VAL;
    for (const Multiplier& one : orbit.stability.multipliers)
      if (one.value.imag() != 0.0 && std::abs(std::abs(one.value) - 1.0) < std::abs(nearest))
        nearest = std::abs(one.value) - 1.0;
    return nearest;
  }
  std::complex<double> product = 1.0;
  for (const Multiplier& one : orbit.stability.multipliers)
    product *= one.value + (kind == Kind::period_doubling ? 1.0 : -1.0);
  return product.real();
}

/// How many multipliers lie outside of the unit circle: left of −1, right of 1, and pairs.
struct Outside {
  int left = 0, right = 0, paired = 0;
  [[nodiscard]] int count() const { return left + right + paired; }
};

Outside outside(const BranchOrbit& orbit) {
  Outside result;
  for (const Multiplier& one : orbit.stability.multipliers) {
    if (std::abs(one.value) <= 1.0) continue;
    ++(one.value.imag() != 0.0 ? result.paired : one.value.real() < 0.0 ? result.left : result.right);
  }
  return result;
}

class BranchWalk {
 public:
  BranchWalk(const ModelOfParameter& model_at, const BranchOptions& options)
      : model_at_(model_at),
        options_(options),
        budget_(options.orbit.simulation.max_seconds, options.orbit.simulation.stop_token) {}

  OrbitBranch follow() {
    const BudgetWatch watch(budget_);
    try {
      walk();
    } catch (const BudgetEnded&) {
      end_by_budget(budget_.stop_requested() ? OutcomeKind::interrupted : OutcomeKind::time_budget);
    } catch (const NotReached& ended) {
      if (branch_.points.empty()) throw;
      branch_.message = ended.faults().front().message;
    }
    return std::move(branch_);
  }

 private:
  void end_by_budget(OutcomeKind kind) {
    const std::string text =
        std::string(kind == OutcomeKind::interrupted ? "stopped" : "the time budget was used up") +
        " on the branch of orbits";
    if (branch_.points.empty()) throw NotReached(to_string(kind), "", text);
    branch_.message = text;
  }

  void walk() {
    const DifferentiatedModel model = model_at_(options_.from);
    branch_.parameter = model.derivatives.at(0).name;
    const Orbit found = find_orbit(model.model, options_.orbit);
    if (!found.found) {
      branch_.message = found.message;
      return;
    }
    corrector_.emplace(model_at_, options_, budget_, model.model, found);
    BranchOrbit here = corrector_->first(found);
    if (!here.map.is_defined()) {
      branch_.message = here.map.message;
      return;
    }
    here = corrector_->away_from_events(std::move(here));
    add(here, Kind::regular);
    const double longest = 1.0 / options_.steps;
    double step = longest;
    while (static_cast<int>(branch_.points.size()) < options_.most_points) {
      const std::optional<Advance> next = advance(here, step);
      if (!next) return;
      if (next->change) mark_change(next->change->last, next->change->beyond);
      if (!next->change && !look_between(here, next->orbit)) return;
      add(next->orbit, Kind::regular);
      branch_.complete = next->is_end;
      if (next->is_end) return;
      constexpr int few = 3;
      if (next->orbit.iterations <= few) step = std::min(longest, 1.5 * step);
      here = corrector_->away_from_events(next->orbit);
    }
    branch_.message = "the branch has " + number(options_.most_points) + " points (most_points) and goes on";
  }

  /// Where the sequence of events changes: the last orbit of one, and the first that was found of the other.
  struct Change {
    BranchOrbit last;
    BranchOrbit first;
    RoundEvents beyond;  ///< also of an attempt that is no orbit
  };
  struct Advance {
    BranchOrbit orbit;
    bool is_end = false;                ///< of the range
    std::optional<Change> change = {};  ///< on the way
  };

  /// The next point, `step` or less ahead. Nothing where the branch ends.
  std::optional<Advance> advance(const BranchOrbit& here, double& step) {
    constexpr double bend = 0.9;    // from point to point, but where events change
    constexpr double joint = 1e-3;  // more than what a square root makes of `accuracy`
    for (;;) {
      check_budget();
      Advance next{.orbit = ahead(here, step)};
      if (next.orbit.map.is_defined()) stop_at_end(here, next);
      std::string reason = next.orbit.map.message;
      if (next.orbit.map.is_defined()) {
        if (next.orbit.events.is_sequence_of(here.events)) {
          if (next.orbit.direction.dot(here.direction) > bend) return next;
          reason = "the branch bends";
        } else {
          next.change = locate_change(here, next.orbit);
          if ((next.change->first.w - next.change->last.w).cwiseAbs().maxCoeff() <= joint) {
            if (!next.orbit.events.is_sequence_of(next.change->first.events)) {
              // A second change on the way is one of the next step.
              next.orbit = next.change->first;
              next.is_end = false;
            }
            // Beyond a grazing the branch may go on at any angle, but not back.
            const VectorXd way = next.orbit.w - next.change->last.w;
            if (way.norm() > joint && way.dot(next.orbit.direction) < 0.0)
              next.orbit.direction = -next.orbit.direction;
            return next;
          }
          reason = "the branch jumps";
        }
      }
      if (step <= smallest) {
        lose(here, next.orbit, reason);
        return std::nullopt;
      }
      step /= 2.0;
    }
  }

  /// An orbit beyond the end of the range becomes that at the end.
  void stop_at_end(const BranchOrbit& here, Advance& next) const {
    const double low = std::min(options_.from, options_.to), high = std::max(options_.from, options_.to);
    const double beyond = next.orbit.parameter;
    if (beyond > low && beyond < high) return;
    const double end = beyond <= low ? low : high;
    const double part = (end - here.parameter) / (beyond - here.parameter);
    next.is_end = true;
    next.orbit = corrector_->correct_at(here, here.w + part * (next.orbit.w - here.w), end);
    if (here.turn() < 0.0) next.orbit.direction = -next.orbit.direction;
  }

  [[nodiscard]] BranchOrbit ahead(const BranchOrbit& here, double step) const {
    return corrector_->correct(here, here.w + step * here.direction, here.direction);
  }

  /// No orbit is found any more.
  void lose(const BranchOrbit& here, const BranchOrbit& tried, const std::string& reason) {
    branch_.message = "no orbit is found beyond " + branch_.parameter + " = " + number(here.parameter);
    const RoundEvents events(tried.map.run);
    if (!tried.map.run.events.empty() && !events.is_sequence_of(here.events)) {
      mark_change(here, events);
      branch_.message += ", where events change";
    }
    branch_.message += ": " + reason;
  }

  /// The last point is one beyond which events change.
  void mark_change(const BranchOrbit& last, const RoundEvents& beyond) {
    const RoundEvents::Difference difference = last.events.difference_to(beyond);
    add(last, difference.in_number ? Kind::grazing : Kind::corner);
    branch_.points.back().constraints = difference.constraints;
  }

  /// Adds what happens between two points of one sequence of events. False where the branch ends there.
  bool look_between(const BranchOrbit& a, const BranchOrbit& b) {
    const bool turns = a.turn() * b.turn() < 0.0;
    const Outside before = outside(a), after = outside(b);
    if (turns) {
      const BranchOrbit fold = locate(Kind::fold, a, b);
      if (is_at_rest(fold, a)) {
        add(fold, Kind::rest);
        branch_.message = "the orbit shrinks to a point of rest at " + branch_.parameter + " = " +
                          number(as_known(fold.parameter));
        return false;
      }
      add(fold, Kind::fold);
    }
    if (before.count() == after.count()) return true;
    if ((before.left - after.left) % 2 != 0) add(locate(Kind::period_doubling, a, b), Kind::period_doubling);
    if (!turns && (before.right - after.right) % 2 != 0) add(locate(Kind::branching, a, b), Kind::branching);
    if ((before.paired - after.paired) % 4 == 2 || (before.paired - after.paired) % 4 == -2)
      if ((before.count() - after.count()) % 2 == 0 && std::isfinite(test(Kind::torus, a)) &&
          std::isfinite(test(Kind::torus, b)))
        add(locate(Kind::torus, a, b), Kind::torus);
    return true;
  }

  /// Where a test function passes zero between a and b: the secant, and halves where that does not help (Illinois).
  [[nodiscard]] BranchOrbit locate(Kind kind, const BranchOrbit& a, const BranchOrbit& b) const {
    double low = 0.0, high = here_to(a, b), f_low = test(kind, a), f_high = test(kind, b);
    BranchOrbit best = std::abs(f_low) < std::abs(f_high) ? a : b;
    constexpr int most = 60;
    for (int k = 0; k < most && high - low > accuracy; ++k) {
      double middle = low - f_low * (high - low) / (f_high - f_low);
      const double margin = 0.01 * (high - low);
      if (!(middle > low + margin && middle < high - margin) || k % 4 == 3) middle = 0.5 * (low + high);
      BranchOrbit trial = ahead(a, middle);
      if (!trial.map.is_defined()) break;
      const double f = test(kind, trial);
      if (std::abs(f) < std::abs(test(kind, best))) best = trial;
      if (f == 0.0) break;
      if ((f < 0.0) == (f_low < 0.0)) {
        low = middle;
        f_low = f;
      } else {
        high = middle;
        f_high = f;
      }
    }
    return best;
  }

  [[nodiscard]] Change locate_change(const BranchOrbit& a, const BranchOrbit& b) const {
    Change change{a, b, b.events};
    double step = 0.5 * here_to(a, b);
    constexpr int most = 200;
    // From the newest orbit on: beside a grazing the branch bends as a square root does.
    for (int k = 0; k < most && step > accuracy; ++k) {
      BranchOrbit trial = ahead(change.last, step);
      if (trial.map.is_defined() && trial.events.is_sequence_of(a.events)) {
        change.last = std::move(trial);
        continue;
      }
      step /= 2.0;
      if (trial.map.is_defined()) {
        change.beyond = trial.events;
        change.first = std::move(trial);
      }
    }
    return change;
  }

  /// To as many digits as a point of rest is known: x there is a square root of the parameter.
  [[nodiscard]] double as_known(double parameter) const {
    const double unit = 1e-6 * corrector_->range();
    return std::round(parameter / unit) * unit + 0.0;
  }

  /// τᵀ (w_b − w_a).
  static double here_to(const BranchOrbit& a, const BranchOrbit& b) { return a.direction.dot(b.w - a.w); }

  /// Far smaller than the orbits beside it.
  [[nodiscard]] bool is_at_rest(const BranchOrbit& orbit, const BranchOrbit& beside) const {
    constexpr double part = 1e-2;
    return orbit.events.count() == 0 && size_of(orbit) <= part * size_of(beside);
  }
  [[nodiscard]] double size_of(const BranchOrbit& orbit) const {
    std::vector<double> lowest, highest;
    corrector_->measure(orbit, lowest, highest);
    double size = 0.0;
    for (std::size_t i = 0; i < lowest.size(); ++i)
      size = std::max(size, (highest[i] - lowest[i]) / corrector_->units()[static_cast<Eigen::Index>(i)]);
    return size;
  }

  void add(const BranchOrbit& orbit, Kind kind) {
    BranchPoint point;
    point.kind = kind;
    point.parameter = orbit.parameter;
    point.period = orbit.period;
    point.stable = orbit.stability.stable;
    point.marginal = orbit.stability.marginal;
    for (const Multiplier& one : orbit.multipliers) point.multipliers.push_back(one.value);
    for (Eigen::Index i = 0; i < corrector_->units().size(); ++i)
      point.x.push_back(orbit.w[i] * corrector_->units()[i]);
    corrector_->measure(orbit, point.lowest, point.highest);
    point.events = orbit.events.count();
    branch_.points.push_back(std::move(point));
  }

  static constexpr double smallest = 1e-6, accuracy = 1e-7;  // of steps, in units of the branch

  const ModelOfParameter& model_at_;
  const BranchOptions& options_;
  Budget budget_;
  std::optional<BranchCorrector> corrector_;
  OrbitBranch branch_;
};

}  // namespace

std::string to_string(BranchPoint::Kind kind) {
  switch (kind) {
    case Kind::regular:
      return "regular";
    case Kind::fold:
      return "fold";
    case Kind::branching:
      return "branching";
    case Kind::period_doubling:
      return "period doubling";
    case Kind::torus:
      return "torus";
    case Kind::grazing:
      return "grazing";
    case Kind::corner:
      return "corner";
    case Kind::rest:
      return "rest";
  }
  return "regular";
}

OrbitBranch follow_orbit(const ModelOfParameter& model_at, const BranchOptions& options) {
  if (!std::isfinite(options.from) || !std::isfinite(options.to) || options.from == options.to)
    throw InvalidOption("bad-option", "--follow", "expected two values that differ");
  if (options.steps < 1 || options.most_points < 2)
    throw InvalidOption("bad-option", "--steps", "expected at least one step and two points");
  return BranchWalk(model_at, options).follow();
}

}  // namespace mti
