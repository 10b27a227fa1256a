// What defines the time of an instant, and whether it has a derivative.
#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/laws/transition_laws.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/sensitivities/run_sensitivities.hpp"

namespace mti {

/// The instant as the motion that ends has come to it: a constraint that it breaks, or a breakpoint of an input, defines the
/// time.
void RunSensitivities::find_times(const RunState& state) {
  Instant left = state.here;
  left.pieces = mode_->pieces();
  const Mode& mode = state.system->mode;
  Admissibility verdict = search_.check_unchanged(left, mode);
  // Where a function comes to the end of its domain, the mode has no motion beyond: up to there ẋ is what it is with its value.
  if (!verdict.motion) verdict = search_.check_at_ends(left, mode);
  std::vector<Arrival> arrivals;
  if (kind_ == EventKind::input) add_breakpoints(left.t, arrivals);
  if (verdict.motion && verdict.system)
    for (const int row : verdict.constraints) arrivals.push_back(arrival_of(verdict, row));
  if (arrivals.empty()) time_is_unknown_ = "no constraint arrives that defines the time of the event";
  for (Eigen::Index p = 0; p < count_; ++p) {
    if (undefined_[at(p)] != 0) continue;
    bool first = true;
    double noise = 0.0;
    for (const Arrival& arrival : arrivals) {
      if (!arrival.failure[at(p)].empty()) {
        failures_[at(p)] = arrival.failure[at(p)];
        break;
      }
      const double tau = arrival.tau[at(p)];
      if (!first && std::abs(tau - tau_[p]) > noise + arrival.noise[at(p)]) {
        failures_[at(p)] = "the order of what arrives together, " + arrivals.front().name + " and " +
                           arrival.name + ", depends on the parameter";
        break;
      }
      if (first) tau_[p] = tau;
      if (first) noise = arrival.noise[at(p)];
      first = false;
    }
  }
  // v(t*(p), p) of the motion that ends: s⁻ + v̇⁻ τ.
  total_ = of_v_;
  if (tau_.isZero(0.0)) return;
  if (!verdict.motion) {
    time_is_unknown_ = "the motion that ends has no derivatives there";
    return;
  }
  add_rates(*verdict.motion, total_);
}

/// += v̇ τ for x, y and sliding ζ.
void RunSensitivities::add_rates(Motion& motion, MatrixXd& of_v) {
  const auto add = [&](int row) {
    const Eigen::RowVectorXd change = motion.signal(row, 1).value * tau_;
    of_v.row(row) += change;
    size_.row(row) += change.cwiseAbs();
  };
  for (int row = signature_.state_row(0); row < signature_.input_row(0); ++row) add(row);
  for (int row = signature_.algebraic_row(0); row < signature_.binary_row(0); ++row) add(row);
  for (const int row : motion.system().sliding) add(row);
}

/// Σ ∂g_l/∂v_b s_b + g_l,p, and what is noise in it: each summand is known to rtol of what it was added up from itself, be it
/// as large as nominal/size(p) is. No signal that the constraint does not hold has a part in it, however large its derivative.
RunSensitivities::Change RunSensitivities::change_of(const ModeSystem& system, int row,
                                                     std::span<const double> v, const MatrixXd& of_v,
                                                     const MatrixXd& size) const {
  constexpr double several = 1e2;
  Eigen::RowVectorXd by_size(count_);
  for (Eigen::Index p = 0; p < count_; ++p) by_size[p] = 1.0 / parameters_[at(p)].size();
  Change result{Eigen::RowVectorXd::Zero(count_), Eigen::RowVectorXd::Zero(count_)};
  system.g.gradient(row, v, [&](int signal, double slope) {
    result.value += slope * of_v.row(signal);
    const double nominal = signal < static_cast<int>(nominal_.size()) ? nominal_[at(signal)] : 1.0;
    result.noise += std::abs(slope) * (nominal * by_size).cwiseMax(size.row(signal));
  });
  for (Eigen::Index p = 0; p < count_; ++p) {
    const double of_p = mode_->derivatives().constraint(at(p), row, v);
    result.value[p] += of_p;
    result.noise[p] += std::abs(of_p);
  }
  result.noise *= several * accuracy_.rtol;
  return result;
}

RunSensitivities::Arrival RunSensitivities::arrival_of(const Admissibility& verdict, int row) const {
  constexpr double graze = 4.0, rounding = 1e-10;
  const ModeSystem& system = *verdict.system;
  Arrival arrival{constraint_name(model_, system.mode, row), {}, {}, std::vector<std::string>(at(count_))};
  const Ball slope = verdict.motion->constraint(row, 1);
  const Change change = change_of(system, row, verdict.motion->v(), of_v_, size_);
  double summands = 0.0;
  system.g.gradient(row, verdict.motion->v(), [&](int signal, double value) {
    summands += std::abs(value * verdict.motion->signal(signal, 1).value);
  });
  const bool touches = std::abs(slope.value) <= std::max(graze * slope.error, rounding * summands);
  for (Eigen::Index p = 0; p < count_; ++p) {
    arrival.tau.push_back(touches ? 0.0 : -change.value[p] / slope.value);
    arrival.noise.push_back(touches ? 0.0 : change.noise[p] / std::abs(slope.value));
    // What does not depend on p arrives at the same time, however flatly.
    if (touches && std::abs(change.value[p]) > change.noise[p])
      arrival.failure[at(p)] = "the boundary of " + arrival.name + " is only touched";
  }
  return arrival;
}

void RunSensitivities::add_breakpoints(double t, std::vector<Arrival>& arrivals) const {
  constexpr double same_time = 1e-13;
  for (int i = 0; i < signature_.m(); ++i) {
    const Input& input = model_.inputs[at(i)];
    const double next =
        input.next_breakpoint(end_of_instant(input, segment_begin_, std::abs(segment_begin_)));
    if (!(std::abs(next - t) <= same_time * std::max(std::abs(t), std::abs(segment_begin_)))) continue;
    Arrival arrival{"a breakpoint of " + signature_.inputs()[at(i)].name,
                    std::vector<double>(at(count_), 0.0), std::vector<double>(at(count_), 0.0),
                    std::vector<std::string>(at(count_))};
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
      const InputDerivative& derivative = parameters_[p].inputs[at(i)];
      if (derivative.is_zero()) continue;
      if (const auto tau = derivative.breakpoint(next))
        arrival.tau[p] = *tau;
      else
        arrival.failure[p] = "the time of " + arrival.name + " has no derivative";
    }
    arrivals.push_back(std::move(arrival));
  }
}

/// A breakpoint that stands exactly at the start t₀ and at which an input jumps: where it leaves t₀ with p, a neighbouring
/// run has it, to one side of p, and has another value before it; to the other side it has not.
void RunSensitivities::examine_start(double t) {
  constexpr double same_time = 1e-13, rounding = 1e-12;
  for (int i = 0; i < signature_.m(); ++i) {
    const Input& input = model_.inputs[at(i)];
    const double next = input.next_breakpoint(t);
    const double scale = std::max(std::abs(t), std::isfinite(next) ? next - t : 0.0);
    const double before = t - same_time * scale, breakpoint = input.next_breakpoint(before);
    const double end = end_of_instant(input, t, std::abs(t));
    if (!(breakpoint <= end)) continue;
    const double left = input.piece(before).value(breakpoint), right = input.piece(end).value(end);
    if (std::abs(right - left) <= rounding * std::max(std::abs(left), std::abs(right))) continue;
    const std::string name = "a breakpoint of " + signature_.inputs()[at(i)].name;
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
      const InputDerivative& derivative = parameters_[p].inputs[at(i)];
      const auto moves = derivative.is_zero() ? std::optional(0.0) : derivative.breakpoint(breakpoint);
      const double start = tau_[static_cast<Eigen::Index>(p)];
      if (!moves || std::abs(*moves - start) > rounding * std::max(std::abs(*moves), std::abs(start)))
        failures_[p] = name + " stands at the start, and leaves it with the parameter";
    }
  }
}

/// Constraints that break the mode z⁻ at the start, or with what inputs do from here on: they arrive just then. Not where an impulse
/// excludes z⁻: what is zero behind that has not been so before, and a neighbouring run has the impulse, too.
void RunSensitivities::examine_beginning(const RunState& state) {
  constexpr double rounding = 1e-12;
  const Admissibility verdict = search_.check_unchanged(state.here, state.mode);
  if (!verdict.motion || !verdict.system || verdict.by_impulse) return;
  const std::vector<double>& v = verdict.motion->v();
  std::vector<int> rows;
  for (const int row : verdict.constraints)
    if (std::abs(verdict.system->g.value(row, v)) <= rounding * verdict.system->g.magnitude(row, v))
      rows.push_back(row);
  if (rows.empty()) return;
  LinearisedMode& mode = mode_of(verdict.system);
  LinearisedMode* const present = std::exchange(mode_, &mode);
  mode.begin(state.here.t, state.here.pieces, v);
  mode.read_beginning(*verdict.motion, w_, wp_);
  const MatrixXd x_p = total_.middleRows(signature_.state_row(0), signature_.n());
  if (const auto all = complete(mode, state.here.t, w_, wp_, x_p, x_p.cwiseAbs())) {
    Eigen::MatrixXd of_v = mode.of_signals(state.here.t, all->w, all->wp);
    const MatrixXd size = mode.of_signals(state.here.t, all->w_size, all->wp_size).cwiseAbs();
    for (const int row : rows) {
      const Change change = change_of(*verdict.system, row, v, of_v, size);
      for (Eigen::Index p = 0; p < count_; ++p)
        if (std::abs(change.value[p]) > change.noise[p] &&
            !passes_smoothly(*verdict.motion, row, p, v, of_v, size))
          failures_[at(p)] = constraint_name(model_, state.mode, row) +
                             " is exactly at its boundary, and leaves it with the parameter";
    }
  }
  mode_ = present;
}

/// A constraint that stands exactly on its boundary, and leaves it with p, decides on one side of p otherwise than on the
/// other: a start value at a threshold. So does one that begins there with every p, if it stays.
void RunSensitivities::examine_boundaries(const RunState& state) {
  constexpr double rounding = 1e-12;
  resting_.clear();
  const std::vector<double>& v = state.motion->v();
  for (const int row : state.system->live_constraints) {
    const auto vanishes = [&](int order) {
      const Ball change = state.motion->constraint(row, order);
      return std::abs(change.value) <= change.error;
    };
    if (std::abs(state.system->g.value(row, v)) <= rounding * state.system->g.magnitude(row, v)) {
      const Change change = change_of(*state.system, row, v, total_, size_);
      for (Eigen::Index p = 0; p < count_; ++p)
        if (std::abs(change.value[p]) > change.noise[p] &&
            !passes_smoothly(*state.motion, row, p, v, total_, size_))
          undefine(static_cast<int>(p), constraint_name(model_, state.mode, row) +
                                            " is exactly at its boundary, and leaves it with the parameter");
    }
    if (vanishes(0) && vanishes(1) && vanishes(2)) resting_.push_back(row);
  }
}

/// g_l = 0 along the motion, and ∂g_l/∂v · s + g_l,p ≠ 0: another mode follows on one side of p.
void RunSensitivities::examine_resting(const MotionAt& motion) {
  if (resting_.empty() || !live_) return;
  motion(mode_->unknowns(), read_at_, w_, wp_);
  const MatrixXd x_p = w_p_.topRows(signature_.n());
  const auto all = complete(*mode_, time_, w_, wp_, x_p, x_p.cwiseAbs());
  if (!all) return;
  const MatrixXd of_v = mode_->of_signals(time_, all->w, all->wp);
  const MatrixXd size = mode_->of_signals(time_, all->w_size, all->wp_size).cwiseAbs();
  const ModeSystem& system = mode_->system();
  std::erase_if(resting_, [&](int row) {
    const std::vector<double>& v = mode_->v();
    double zero = 0.0;  // what rtol of the signals that the constraint holds makes of it
    system.g.gradient(row, v, [&](int signal, double slope) {
      const double nominal = signal < static_cast<int>(nominal_.size()) ? nominal_[at(signal)] : 1.0;
      zero += std::abs(slope) * accuracy_.rtol * std::max(nominal, std::abs(v[at(signal)]));
    });
    if (std::abs(system.g.value(row, v)) > zero) return true;
    const Change change = change_of(system, row, v, of_v, size);
    for (Eigen::Index p = 0; p < count_; ++p)
      if (std::abs(change.value[p]) > change.noise[p] && !is_smooth_across(row, p, v, of_v, size, 1))
        undefine(static_cast<int>(p), constraint_name(model_, system.mode, row) +
                                          " stays exactly at its boundary, and leaves it with the parameter");
    return false;
  });
}

/// The motion passes the boundary, ġ ≠ 0, at which f is the same on both sides, as with max(x, 0) at x = 0: a neighbouring run passes
/// it at t + O(Δp), up to where it has moved as this one has but for O(Δp²).
bool RunSensitivities::passes_smoothly(Motion& motion, int row, Eigen::Index p, std::span<const double> v,
                                       const MatrixXd& of_v, const MatrixXd& size) {
  const bool is_reached = !reach_laws(model_, std::span(&row, 1)).empty();
  if (is_reached || !motion.system().plan->plain()) return false;  // or where derivatives of f take part
  const Ball slope = motion.constraint(row, 1);
  return std::abs(slope.value) > slope.error && is_smooth_across(row, p, v, of_v, size, 0);
}

/// What the binaries of the constraint multiply in f is 0, and so is its derivative if `order` is 1: f and f_p are the same on both
/// sides, as with q·|q| at q = 0. Nor does anything else hear of them: no law, no memory, no other constraint that is not 0 there.
bool RunSensitivities::is_smooth_across(int row, Eigen::Index p, std::span<const double> v,
                                        const MatrixXd& of_v, const MatrixXd& size, int order) {
  if (!unfrozen_) unfrozen_.emplace(model_);
  const std::span<const int> binaries = unfrozen_->g.binaries(row);
  return std::ranges::all_of(binaries, [&](int binary) {
    const bool is_heard = signature_.find_pre(binary).has_value() ||
                          std::ranges::any_of(model_.transitions, [&](const Transition& law) {
                            return law.when != Transition::When::reach && law.target == binary;
                          });
    const int signal = signature_.binary_row(binary);
    return !is_heard && std::ranges::all_of(unfrozen_->f.with(signal), [&](int i) {
      return vanishes_beside(unfrozen_->f, i, binaries, p, v, of_v, size, order);
    }) && std::ranges::all_of(unfrozen_->g.with(signal), [&](int i) {
      return vanishes_beside(unfrozen_->g, i, binaries, p, v, of_v, size, 0);
    });
  });
}

/// The products beside the binaries in a row are 0, and so are their derivatives by p if `order` is 1. A factor is 0 within
/// 10⁻⁹ of its nominal value, for it is one of a motion that stays there.
bool RunSensitivities::vanishes_beside(const RowMap& map, int row, std::span<const int> binaries,
                                       Eigen::Index p, std::span<const double> v, const MatrixXd& of_v,
                                       const MatrixXd& size, int order) const {
  constexpr double zero = 1e-9, several = 1e2;
  const auto is_one = [&](const RowMap::Factor& factor) {
    return std::ranges::count(binaries, factor.signal - signature_.binary_row(0)) > 0;
  };
  return std::ranges::all_of(map.terms(row), [&](const RowMap::Term& term) {
    const std::span<const RowMap::Factor> factors = map.factors(term.column);
    if (std::ranges::none_of(factors, is_one)) return true;
    double product = 1.0, change = 0.0, noise = 0.0;  // of the other factors, in units of nominal values
    for (const RowMap::Factor& factor : factors) {
      if (is_one(factor)) continue;
      const double constant = 1.0 - std::abs(factor.S);
      const double unit = std::max(constant, std::abs(factor.S) * nominal_[at(factor.signal)]);
      const double value = (constant + factor.S * v[at(factor.signal)]) / unit;
      const double by_p = factor.S / unit * parameters_[at(p)].size();
      change = change * value + product * by_p * of_v(factor.signal, p);
      noise = noise * std::abs(value) + std::abs(product * by_p) * size(factor.signal, p);
      product *= value;
    }
    return std::abs(product) <= zero &&
           (order == 0 || std::abs(change) <= zero + several * accuracy_.rtol * noise);
  });
}

}  // namespace mti
