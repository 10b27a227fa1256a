#include "solvers/sensitivities/run_sensitivities.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"
#include "solvers/mode/run_text.hpp"

namespace mti {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Local errors of derivatives, in units of what is allowed to w itself for a change of p by its own size; rates are not
/// tested.
MatrixXd floor_of(const Model& model, const Accuracy& accuracy,
                  std::span<const ParameterDerivative> parameters) {
  MatrixXd floor(model.signature.size(), static_cast<Index>(parameters.size()));
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const double size = parameters[p].value != 0.0 ? std::abs(parameters[p].value) : 1.0;
    for (int row = 0; row < model.signature.size(); ++row)
      floor(row, static_cast<Index>(p)) =
          row < model.signature.state_row(0) ? -1.0 : accuracy.absolute[at(row)] / size;
  }
  return floor;
}

/// w and ẇ of the unknowns of a mode where its motion begins.
void enter_beginning(const SegmentUnknowns& unknowns, Motion& motion, std::vector<double>& w,
                     std::vector<double>& wp) {
  w.resize(at(unknowns.size()));
  wp.resize(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    const auto [row, order] = unknowns.slots()[i];
    w[i] = order == 0 ? motion.v()[at(row)] : factorial(order) * motion.signal(row, order).value;
    wp[i] = factorial(order + 1) * motion.signal(row, order + 1).value;
  }
}

}  // namespace

RunSensitivities::RunSensitivities(const Model& model, const Accuracy& accuracy, const Outputs& outputs,
                                   const SuccessorSearch& search,
                                   std::span<const ParameterDerivative> parameters, bool start_is_given)
    : model_(model),
      signature_(model.signature),
      accuracy_(accuracy),
      outputs_(outputs),
      search_(search),
      parameters_(parameters),
      start_is_given_(start_is_given),
      count_(static_cast<Index>(parameters.size())),
      equations_(accuracy.rtol, floor_of(model, accuracy, parameters)),
      of_v_(MatrixXd::Zero(signature_.size(), count_)),
      nominal_(at(signature_.size()), 1.0),
      undefined_(parameters.size(), 0),
      failures_(parameters.size()),
      total_(MatrixXd::Zero(signature_.size(), count_)),
      tau_(Eigen::RowVectorXd::Zero(count_)) {
  const auto show = [&](const std::vector<Signal>& signals, int first) {
    for (std::size_t i = 0; i < signals.size(); ++i) {
      if (signals[i].auxiliary) continue;
      names_.push_back(signals[i].name);
      rows_.push_back(first + static_cast<int>(i));
    }
  };
  const auto size = [&](const std::vector<Signal>& signals, int first) {
    for (std::size_t i = 0; i < signals.size(); ++i) nominal_[at(first) + i] = signals[i].nominal;
  };
  size(signature_.states(), signature_.derivative_row(0));
  size(signature_.states(), signature_.state_row(0));
  size(signature_.inputs(), signature_.input_row(0));
  size(signature_.algebraic(), signature_.algebraic_row(0));
  show(signature_.states(), signature_.state_row(0));
  show(signature_.algebraic(), signature_.algebraic_row(0));
}

SensitivityTable RunSensitivities::table() const {
  std::vector<std::string> names;
  for (const ParameterDerivative& parameter : parameters_) names.push_back(parameter.name);
  return {std::move(names), names_, rows_};
}

LinearisedMode& RunSensitivities::mode_of(const std::shared_ptr<const ModeSystem>& system) {
  if (const auto found = modes_.find(system.get()); found != modes_.end()) return *found->second;
  constexpr std::size_t most_kept = 128;
  if (modes_.size() >= most_kept)
    std::erase_if(modes_, [&](const auto& entry) { return entry.second.get() != mode_; });
  auto made = std::make_unique<LinearisedMode>(model_, accuracy_, system, outputs_, parameters_);
  return *modes_.emplace(system.get(), std::move(made)).first->second;
}

void RunSensitivities::undefine(int parameter, const std::string& reason) {
  if (undefined_[at(parameter)] != 0) return;
  undefined_[at(parameter)] = 1;
  const auto same = std::ranges::find(news_, reason, &UndefinedSensitivity::reason);
  if (same != news_.end())
    same->parameters.push_back(parameter);
  else
    news_.push_back({{parameter}, reason});
  live_ = std::ranges::find(undefined_, 0) != undefined_.end();
  for (MatrixXd* known : {&w_p_, &of_v_, &total_})
    if (known->cols() == count_) known->col(parameter).setZero();
  tau_[parameter] = 0.0;
}

void RunSensitivities::undefine(const std::string& reason) {
  for (int p = 0; p < static_cast<int>(count_); ++p) undefine(p, reason);
}

void RunSensitivities::undefine_beyond(const std::vector<double>& misfit, const std::string& reason) {
  const double limit = std::clamp(1e3 * accuracy_.rtol, 1e-7, 1e-2);
  for (std::size_t p = 0; p < misfit.size(); ++p)
    if (!(misfit[p] <= limit)) undefine(static_cast<int>(p), reason);
}

void RunSensitivities::begin_segment(const RunState& state) {
  if (!live_) return;
  segment_begin_ = state.here.t;
  if (!(entered_ && entered_ == state.motion)) {
    // The same mode goes on, with other unknowns or by another engine.
    if (!at_instant_) {
      of_v_ = MatrixXd::Zero(signature_.size(), count_);
      for (int row = signature_.state_row(0); row < signature_.size(); ++row)
        if (const auto place = mode_->unknowns().place(row, 0); place.slot >= 0 && !place.is_rate)
          of_v_.row(row) = w_p_.row(place.slot);
      size_ = of_v_.cwiseAbs();
    }
    enter(state.system, *state.motion, state.here, state.here.v);
    entered_ = state.motion;
  }
  equations_.begin();
}

/// What derivatives of states were added up from, and at least what is far below nominal values.
MatrixXd RunSensitivities::size_of_states() const {
  constexpr double far_below = 1e-4;
  MatrixXd size = size_.middleRows(signature_.state_row(0), signature_.n());
  for (int i = 0; i < signature_.n(); ++i)
    for (Index p = 0; p < count_; ++p) {
      const double value = std::abs(parameters_[at(p)].value);
      size(i, p) = std::max(size(i, p),
                            far_below * nominal_[at(signature_.state_row(i))] / (value > 0.0 ? value : 1.0));
    }
  return size;
}

/// The motion begins in a mode, where of_v_ holds the derivatives of states and of signals that keep their values.
void RunSensitivities::enter(const std::shared_ptr<const ModeSystem>& system, Motion& motion,
                             const Instant& here, std::span<const double> v) {
  LinearisedMode& mode = mode_of(system);
  mode.begin(here.t, here.pieces, v);
  MatrixXd held(static_cast<Index>(system->undetermined.size()), count_);
  for (std::size_t i = 0; i < system->undetermined.size(); ++i)
    held.row(static_cast<Index>(i)) = of_v_.row(system->undetermined[i]);
  mode.hold(std::move(held));
  enter_beginning(mode.unknowns(), motion, w_, wp_);
  mode_ = &mode;
  time_ = here.t;
  at_instant_ = true;
  const int first = signature_.state_row(0), n = signature_.n();
  const auto all = complete(mode, here.t, w_, wp_, of_v_.middleRows(first, n), size_of_states());
  if (!all) {
    w_p_ = MatrixXd::Zero(mode.size(), count_);
    return undefine("the linearised equations" + in_mode(signature_, motion.v()) + " are singular");
  }
  w_p_ = all->w;
  mode.look_for_constants(w_p_);
  of_v_ = mode.of_signals(here.t, all->w, all->wp);
  MatrixXd size = of_v_.cwiseAbs();
  size.middleRows(first, n) = size.middleRows(first, n).cwiseMax(size_.middleRows(first, n));
  size_ = std::move(size);
  undefine_beyond(all->misfit,
                  "no neighbouring run keeps to the constraints" + in_mode(signature_, motion.v()));
  for (std::size_t p = 0; p < parameters_.size(); ++p)
    if (mode.derivatives().is_unknown(p))
      undefine(static_cast<int>(p),
               "the parameter occurs in equations that were differentiated and recombined" +
                   in_mode(signature_, motion.v()));
}

/// Which derivatives are unknowns is chosen anew where the choice has become ill-conditioned.
void RunSensitivities::choose_anew(const MotionAt& motion) {
  if (!mode_->system().plan->differentiated()) return;
  motion(mode_->unknowns(), time_, w_, wp_);
  mode_->load(time_, w_, wp_);
  const MatrixXd x_p = w_p_.topRows(signature_.n());
  if (!mode_->choose_anew()) return;
  motion(mode_->unknowns(), time_, w_, wp_);
  const auto all = complete(*mode_, time_, w_, wp_, x_p, x_p.cwiseAbs());
  if (!all) return undefine("the linearised equations are singular at t = " + number(time_));
  w_p_ = all->w;
  equations_.begin();
}

void RunSensitivities::advance(double t, const MotionAt& motion, bool may_choose) {
  if (!live_ || !(t > time_)) return;
  // Times that the integrator does not tell apart are one: its steps are read no farther than they reach.
  constexpr double same_time = 1e-13;
  if (t - time_ <= same_time * std::max(std::abs(t), std::abs(time_))) {
    time_ = t;
    return;
  }
  if (may_choose) choose_anew(motion);
  if (!equations_.advance(*mode_, motion, time_, t, w_p_))
    undefine("the linearised equations could not be solved near t = " + number(t));
  time_ = read_at_ = t;
  at_instant_ = false;
}

std::span<const double> RunSensitivities::row(double t) {
  if (t != time_) return {};
  fill_row(row_);
  return row_;
}

void RunSensitivities::fill_row(std::vector<double>& row) const {
  row.clear();
  for (const int signal : rows_)
    for (Index p = 0; p < count_; ++p) {
      double value = std::numeric_limits<double>::quiet_NaN();
      if (undefined_[at(p)] == 0)
        value = at_instant_ ? of_v_(signal, p) : w_p_(mode_->unknowns().place(signal, 0).slot, p);
      row.push_back(value);
    }
}

void RunSensitivities::arrive(const RunState& state, EventKind kind, const MotionAt& motion,
                              bool may_choose) {
  kind_ = kind;
  time_is_unknown_.clear();
  tau_.setZero(count_);
  if (kind == EventKind::initial) {
    begin_at_start(state);
  } else if (kind == EventKind::zeno) {
    // The limit lies beyond the last step.
    undefine("infinitely many switches accumulate");
    time_ = state.here.t;
  } else if (live_) {
    const double t = state.here.t;
    advance(t, motion, may_choose);
    if (!at_instant_) {
      motion(mode_->unknowns(), read_at_, w_, wp_);
      const MatrixXd x_p = w_p_.topRows(signature_.n());
      if (const auto all = complete(*mode_, t, w_, wp_, x_p, x_p.cwiseAbs())) {
        w_p_ = all->w;
        of_v_ = mode_->of_signals(t, all->w, all->wp);
        size_ = of_v_.cwiseAbs();
        at_instant_ = true;
      } else {
        undefine("the linearised equations are singular at t = " + number(t));
      }
    }
  }
  fill_row(left_row_);
  if (live_ && kind != EventKind::initial) find_times(state);
  if (live_ && (kind == EventKind::initial || kind == EventKind::input)) examine_beginning(state);
}

void RunSensitivities::begin_at_start(const RunState& state) {
  of_v_ = MatrixXd::Zero(signature_.size(), count_);
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const auto column = static_cast<Index>(p);
    const ParameterDerivative& parameter = parameters_[p];
    for (int i = 0; i < signature_.n(); ++i)
      of_v_(signature_.state_row(i), column) = parameter.x_start[at(i)];
    for (int i = 0; i < signature_.p(); ++i)
      of_v_(signature_.algebraic_row(i), column) = parameter.y_start[at(i)];
    if (!start_is_given_) tau_[column] = parameter.start_time;
  }
  total_ = of_v_;
  size_ = of_v_.cwiseAbs();
  time_ = state.here.t;
  at_instant_ = true;
}

/// The instant as the motion that ends has come to it: a constraint that it breaks, or a breakpoint of an input, defines the
/// time.
void RunSensitivities::find_times(const RunState& state) {
  Instant left = state.here;
  left.pieces = mode_->pieces();
  const Admissibility verdict = search_.check_unchanged(left, state.system->mode);
  std::vector<Arrival> arrivals;
  if (kind_ == EventKind::input) add_breakpoints(left.t, arrivals);
  if (verdict.motion && verdict.system)
    for (const int row : verdict.constraints) arrivals.push_back(arrival_of(verdict, row));
  if (arrivals.empty()) time_is_unknown_ = "no constraint arrives that defines the time of the event";
  for (Index p = 0; p < count_; ++p) {
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

/// Σ ∂g_l/∂v_b s_b + g_l,p, and what is noise in it: derivatives are known to rtol of the largest one of a state, in units of
/// nominal values, and to what a change of p by its own size does to signals of their nominal size.
RunSensitivities::Change RunSensitivities::change_of(const ModeSystem& system, int row,
                                                     std::span<const double> v, const MatrixXd& of_v) const {
  constexpr double several = 1e2;
  Eigen::RowVectorXd of_states = Eigen::RowVectorXd::Zero(count_), by_size(count_);
  for (int i = 0; i < signature_.n(); ++i)
    of_states =
        of_states.cwiseMax(size_.row(signature_.state_row(i)) / nominal_[at(signature_.state_row(i))]);
  for (Index p = 0; p < count_; ++p) {
    const double value = std::abs(parameters_[at(p)].value);
    by_size[p] = value > 0.0 ? 1.0 / value : 1.0;
  }
  Change result{Eigen::RowVectorXd::Zero(count_), Eigen::RowVectorXd::Zero(count_)};
  system.g.gradient(row, v, [&](int signal, double slope) {
    result.value += slope * of_v.row(signal);
    const double nominal = signal < static_cast<int>(nominal_.size()) ? nominal_[at(signal)] : 1.0;
    const Eigen::RowVectorXd known = (nominal * (of_states + by_size)).cwiseMax(size_.row(signal));
    result.noise += std::abs(slope) * known;
  });
  for (Index p = 0; p < count_; ++p) {
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
  const Change change = change_of(system, row, verdict.motion->v(), of_v_);
  double summands = 0.0;
  system.g.gradient(row, verdict.motion->v(), [&](int signal, double value) {
    summands += std::abs(value * verdict.motion->signal(signal, 1).value);
  });
  const bool touches = std::abs(slope.value) <= std::max(graze * slope.error, rounding * summands);
  for (Index p = 0; p < count_; ++p) {
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
    const double next = model_.inputs[at(i)].next_breakpoint(segment_begin_);
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

void RunSensitivities::depart(const RunState& state, const std::vector<RestartStep>& steps, Event* event) {
  const bool passes = event != nullptr || kind_ == EventKind::input || kind_ == EventKind::initial;
  if (live_ && passes) {
    for (Index p = 0; p < count_; ++p)
      if (!failures_[at(p)].empty()) undefine(static_cast<int>(p), failures_[at(p)]);
    if (!time_is_unknown_.empty() && event != nullptr) undefine(time_is_unknown_);
    if (event != nullptr && !event->ties.empty()) undefine("another mode of the same distance is admissible");
    if (live_) pass_steps(state, steps);
    if (live_) examine_boundaries(state);
  }
  std::ranges::fill(failures_, std::string());
  if (event == nullptr) return;
  for (Index p = 0; p < count_; ++p)
    event->sensitivity.push_back(undefined_[at(p)] != 0 ? std::numeric_limits<double>::quiet_NaN() : tau_[p]);
  event->undefined = std::exchange(news_, {});
}

/// One restart after the other, all at the same instant.
void RunSensitivities::pass_steps(const RunState& state, const std::vector<RestartStep>& steps) {
  const Instant& here = state.here;
  for (const RestartStep& step : steps) {
    LinearisedMode& mode = mode_of(step.system);
    mode.begin(here.t, here.pieces, step.before);
    const auto input = [&](int i, int k) {
      Eigen::RowVectorXd of_u(count_);
      for (Index p = 0; p < count_; ++p)
        of_u[p] = mode.input_derivative(at(p), i, here.t, k) + mode.input(i, here.t, k + 1) * tau_[p];
      return of_u;
    };
    for (int i = 0; i < signature_.m(); ++i)
      if (!signature_.inputs()[at(i)].binary) total_.row(signature_.input_row(i)) = input(i, 0);
    const RestartDerivative restart = differentiate_restart(
        {model_, accuracy_, here, mode.derivatives(), parameters_, input}, step, size_, total_);
    if (!restart.failure.empty()) return undefine(restart.failure);
    const int first = signature_.state_row(0), n = signature_.n();
    size_.middleRows(first, n) = size_.middleRows(first, n).cwiseMax(total_.middleRows(first, n).cwiseAbs());
    undefine_beyond(restart.misfit,
                    "no neighbouring run keeps to the constraints" + in_mode(signature_, step.motion->v()));
    if (step.is_law_alone) continue;
    // At a fixed time, to the right: s⁺ = x⁺_p − ẋ⁺ τ. What keeps its value keeps the one at the instant.
    of_v_ = total_;
    for (int i = 0; i < signature_.n(); ++i) {
      const Eigen::RowVectorXd change = step.motion->v()[at(signature_.derivative_row(i))] * tau_;
      of_v_.row(signature_.state_row(i)) -= change;
      size_.row(signature_.state_row(i)) += change.cwiseAbs();
    }
    // The segment chooses its unknowns at v of the state.
    enter(step.system, *step.motion, here, &step == &steps.back() ? here.v : step.motion->v());
    entered_ = step.motion;
    total_ = of_v_;
    add_rates(*step.motion, total_);
    for (int i = 0; i < signature_.m(); ++i)
      if (!signature_.inputs()[at(i)].binary) total_.row(signature_.input_row(i)) = input(i, 0);
  }
}

/// The same of constraints that break the mode z⁻ at the start, or with what inputs do from here on: they arrive just then.
void RunSensitivities::examine_beginning(const RunState& state) {
  constexpr double rounding = 1e-12;
  const Admissibility verdict = search_.check_unchanged(state.here, state.mode);
  if (!verdict.motion || !verdict.system) return;
  const std::vector<double>& v = verdict.motion->v();
  std::vector<int> rows;
  for (const int row : verdict.constraints)
    if (std::abs(verdict.system->g.value(row, v)) <= rounding * verdict.system->g.magnitude(row, v))
      rows.push_back(row);
  if (rows.empty()) return;
  LinearisedMode& mode = mode_of(verdict.system);
  LinearisedMode* const present = std::exchange(mode_, &mode);
  mode.begin(state.here.t, state.here.pieces, v);
  enter_beginning(mode.unknowns(), *verdict.motion, w_, wp_);
  const MatrixXd x_p = total_.middleRows(signature_.state_row(0), signature_.n());
  if (const auto all = complete(mode, state.here.t, w_, wp_, x_p, x_p.cwiseAbs())) {
    MatrixXd of_v = mode.of_signals(state.here.t, all->w, all->wp);
    size_.conservativeResizeLike(MatrixXd::Zero(of_v.rows(), count_));
    for (const int row : rows) {
      const Change change = change_of(*verdict.system, row, v, of_v);
      for (Index p = 0; p < count_; ++p)
        if (std::abs(change.value[p]) > change.noise[p])
          failures_[at(p)] = constraint_name(model_, state.mode, row) +
                             " is exactly at its boundary, and leaves it with the parameter";
    }
  }
  mode_ = present;
}

/// A constraint that stands exactly on its boundary, and leaves it with p, decides on one side of p otherwise than on the
/// other: a start value at a threshold.
void RunSensitivities::examine_boundaries(const RunState& state) {
  constexpr double rounding = 1e-12;
  const std::vector<double>& v = state.motion->v();
  for (const int row : state.system->live_constraints) {
    if (std::abs(state.system->g.value(row, v)) > rounding * state.system->g.magnitude(row, v)) continue;
    const Change change = change_of(*state.system, row, v, total_);
    for (Index p = 0; p < count_; ++p)
      if (std::abs(change.value[p]) > change.noise[p])
        undefine(static_cast<int>(p), constraint_name(model_, state.mode, row) +
                                          " is exactly at its boundary, and leaves it with the parameter");
  }
}

std::vector<std::string> RunSensitivities::take_news() {
  std::vector<std::string> texts;
  for (const UndefinedSensitivity& one : std::exchange(news_, {})) {
    std::string names;
    for (const int p : one.parameters) names += (names.empty() ? "" : ", ") + parameters_[at(p)].name;
    texts.push_back("derivatives by " + names + " are undefined: " + one.reason);
  }
  return texts;
}

}  // namespace mti
