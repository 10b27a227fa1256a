#include "solvers/orbits/orbit_branch.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "solvers/budget/budget.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/orbits/bifurcations.hpp"
#include "solvers/orbits/branch_corrector.hpp"

namespace mti {
namespace {

using Eigen::VectorXd;
using Kind = BranchPoint::Kind;

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
      const bool interrupted = ended.faults().front().id == to_string(OutcomeKind::interrupted);
      end_by_budget(interrupted ? OutcomeKind::interrupted : OutcomeKind::time_budget);
    }
    return std::move(branch_);
  }

 private:
  void end_by_budget(OutcomeKind kind) {
    const std::string text =
        std::string(kind == OutcomeKind::interrupted ? "stopped" : "the time budget was used up") +
        " on the branch of orbits";
    if (branch_.points.empty()) throw NotReached(to_string(kind), "", text);
    branch_.message = text + ", at " + branch_.parameter + " = " + number(branch_.points.back().parameter);
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
    double step = longest_from(here);
    const int most_points = std::max(options_.most_points, 25 * options_.steps);
    while (static_cast<int>(branch_.points.size()) < most_points) {
      const std::optional<Advance> next = advance(here, step);
      if (!next) return;
      if (!enter(here, next->before)) return;
      if (next->change) mark_change(next->change->last, next->change->beyond);
      if (!enter(here, next->after)) return;
      add(next->orbit, Kind::regular);
      branch_.complete = next->is_end;
      if (next->is_end) return;
      here = corrector_->away_from_events(next->orbit);
      constexpr int few = 3;
      if (next->orbit.iterations <= few) step *= 1.5;
      step = std::min(longest_from(here), step);
    }
    branch_.message = "the branch has " + number(most_points) + " points (most_points) and goes on";
  }

  /// A `steps`-th of the range, or of what the orbit itself is, whichever part of the branch is larger.
  [[nodiscard]] double longest_from(const BranchOrbit& here) const {
    const double part = 1.0 / options_.steps, turn = std::max(std::abs(here.turn()), 1e-9);
    return part * std::min(BranchCorrector::size_of(here.w), 1.0 / turn);
  }

  /// Where the sequence of events changes: the last orbit of one, and the first that was found of the other.
  struct Change {
    BranchOrbit last;
    BranchOrbit first;
    RoundEvents beyond;  ///< also of an attempt that is no orbit
  };
  struct Advance {
    BranchOrbit orbit;
    bool is_end = false;                                 ///< of the range
    std::optional<Change> change = {};                   ///< on the way
    std::vector<BranchPassage> before = {}, after = {};  ///< of the change; without one, `before`
  };

  /// The next point, `step` or less ahead. Nothing where the branch ends.
  std::optional<Advance> advance(const BranchOrbit& here, double& step) {
    for (;;) {
      check_budget();
      Advance next = attempt(here, step);
      std::string reason = next.orbit.map.message;
      if (next.orbit.map.is_defined()) {
        reason = next.orbit.events.is_sequence_of(here.events) ? what_bends(here, next, step)
                                                               : what_breaks(here, next);
        if (reason.empty()) return next;
      }
      if (step <= accuracy) {
        lose(here, reason);
        return std::nullopt;
      }
      step /= 2.0;
    }
  }

  /// Not beyond the range, where there may be no model.
  [[nodiscard]] Advance attempt(const BranchOrbit& here, double step) const {
    const double low = std::min(options_.from, options_.to), high = std::max(options_.from, options_.to);
    const double predicted = corrector_->parameter_of(here.w + step * here.direction);
    Advance next;
    if (predicted > low && predicted < high) next.orbit = ahead(here, step);
    const double found =
        next.orbit.map.is_defined() && next.orbit.w.size() > 0 ? next.orbit.parameter : predicted;
    if (found > low && found < high) return next;
    const double end = found <= low ? low : high;
    next.is_end = true;
    const double part = (end - here.parameter) / (predicted - here.parameter);
    next.orbit = corrector_->correct_at(
        here, here.w + (std::isfinite(part) ? part : 1.0) * step * here.direction, end);
    if (here.turn() < 0.0) next.orbit.direction = -next.orbit.direction;
    return next;
  }

  /// Why a step of one sequence of events is too long; with what happens on the way if it is not.
  std::string what_bends(const BranchOrbit& here, Advance& next, double step) const {
    constexpr double bend = 0.9;
    const VectorXd way = next.orbit.w - here.w;
    const double length = way.norm(), off = (way - here.direction.dot(way) * here.direction).norm();
    if (next.orbit.direction.dot(here.direction) < bend || way.dot(next.orbit.direction) < bend * length ||
        (step > 10.0 * smallest && off > 0.25 * length))
      return "the branch bends";
    std::optional<std::vector<BranchPassage>> passages = look(here, next.orbit);
    if (!passages) return "multipliers change too fast";
    next.before = std::move(*passages);
    return {};
  }

  /// The same where the sequence of events changes: the branch goes on where it is in one piece.
  std::string what_breaks(const BranchOrbit& here, Advance& next) const {
    constexpr double joint = 1e-3;  // more than what a square root makes of `accuracy`
    next.change = locate_change(here, next.orbit);
    const Change& change = *next.change;
    if ((change.first.w - change.last.w).cwiseAbs().maxCoeff() > joint) return "the branch jumps";
    if (!next.orbit.events.is_sequence_of(change.first.events)) {
      // A second change on the way is one of the next step.
      next.orbit = change.first;
      next.is_end = false;
    }
    std::optional<std::vector<BranchPassage>> before = look(here, change.last),
                                              after = look(change.first, next.orbit);
    // Beyond a grazing the branch may go on at any angle, but not back.
    const VectorXd way = next.orbit.w - change.last.w;
    if (way.norm() > joint && way.dot(next.orbit.direction) < 0.0)
      next.orbit.direction = -next.orbit.direction;
    if (!before || !after) return "multipliers change too fast";
    next.before = std::move(*before);
    next.after = std::move(*after);
    return {};
  }

  /// What happens between two orbits of one sequence of events.
  [[nodiscard]] std::optional<std::vector<BranchPassage>> look(const BranchOrbit& a,
                                                               const BranchOrbit& b) const {
    const double length = a.direction.dot(b.w - a.w);
    if (!(length > accuracy)) return std::vector<BranchPassage>();
    return passages_between(a, b, length, [&](double place) { return ahead(a, place); });
  }

  /// Adds what happens; false where the branch ends there.
  bool enter(const BranchOrbit& beside, const std::vector<BranchPassage>& passages) {
    for (const BranchPassage& passage : passages) {
      const BranchOrbit& orbit = passage.orbit;
      if (passage.kind != Kind::rest) {
        add(orbit, passage.kind);
        continue;
      }
      const std::string place = branch_.parameter + " = " + number(as_known(orbit.parameter));
      constexpr double part = 1e-2;  // of what it is elsewhere
      if (orbit.events.count() == 0 && size_of(orbit) <= part * std::max(size_of(beside), largest_)) {
        add(orbit, Kind::rest);
        branch_.message = "the orbit shrinks to a point of rest at " + place;
      } else if (const double off = corrector_->half_way(beside);
                 std::isfinite(off) && corrector_->half_way(orbit) <= part * off) {
        add(orbit, Kind::halving);
        branch_.message = "the orbit becomes one of half the period, which doubles it, at " + place;
      } else {
        add(orbit, Kind::fold);
        continue;
      }
      return false;
    }
    return true;
  }

  [[nodiscard]] BranchOrbit ahead(const BranchOrbit& here, double step) const {
    return corrector_->correct(here, here.w + step * here.direction, here.direction);
  }

  /// No orbit is found any more. Events of the rounds just beyond say what changes there, if anything does.
  void lose(const BranchOrbit& here, const std::string& reason) {
    branch_.message = "no orbit is found beyond " + branch_.parameter + " = " + number(here.parameter);
    if (const Event* touching = touching_event(here)) {
      add(here, Kind::grazing);
      branch_.points.back().constraints = touching->constraints;
      branch_.message += ", where events change: " + reason;
      return;
    }
    for (const double times : {1.0, 10.0, 100.0, 1000.0}) {
      const BranchOrbit guess = ahead(here, times * smallest);
      if (!guess.has_guess || guess.events_of_guess.is_sequence_of(here.events)) continue;
      mark_change(here, guess.events_of_guess);
      branch_.message += ", where events change";
      break;
    }
    branch_.message += ": " + reason;
  }

  /// The first event whose time the start moves far more than those before it, as where its boundary is touched: ∂t/∂x(0) grows as 1/Dg there,
  /// and stays large behind it.
  [[nodiscard]] static const Event* touching_event(const BranchOrbit& orbit) {
    constexpr double far_more = 100.0, as_large = 10.0;
    std::vector<std::pair<const Event*, double>> sizes;
    for (const Event& event : orbit.map.run.events) {
      double size = 0.0;
      for (const double by_start : event.sensitivity) size += std::abs(by_start);
      if (!event.constraints.empty() && std::isfinite(size)) sizes.emplace_back(&event, size);
    }
    if (sizes.empty()) return nullptr;
    const double largest = std::ranges::max(sizes, {}, &std::pair<const Event*, double>::second).second;
    double before = 0.0;
    for (const auto& [event, size] : sizes) {
      if (size * as_large > largest) return before > 0.0 && before * far_more < largest ? event : nullptr;
      before = std::max(before, size);
    }
    return nullptr;
  }

  /// The last point is one beyond which events change.
  void mark_change(const BranchOrbit& last, const RoundEvents& beyond) {
    const RoundEvents::Difference difference = last.events.difference_to(beyond);
    add(last, difference.in_number ? Kind::grazing : Kind::corner);
    branch_.points.back().constraints = difference.constraints;
  }

  [[nodiscard]] Change locate_change(const BranchOrbit& a, const BranchOrbit& b) const {
    Change change{a, b, b.events};
    double step = 0.5 * a.direction.dot(b.w - a.w);
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
    largest_ = std::max(largest_, size_of(orbit));
  }

  static constexpr double smallest = 1e-6, accuracy = 1e-7;  // of steps, in units of the branch

  const ModelOfParameter& model_at_;
  const BranchOptions& options_;
  Budget budget_;
  std::optional<BranchCorrector> corrector_;
  OrbitBranch branch_;
  double largest_ = 0.0;  ///< size of an orbit so far
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
    case Kind::halving:
      return "halving";
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
