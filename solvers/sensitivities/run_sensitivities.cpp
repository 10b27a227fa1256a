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

/// Local errors of derivatives: what is allowed to w itself for a change of p by its size, atol·nominal/size(p); rates are
/// not tested.
MatrixXd floor_of(const Model& model, const Accuracy& accuracy,
                  std::span<const ParameterDerivative> parameters) {
  MatrixXd floor(model.signature.size(), static_cast<Index>(parameters.size()));
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const double size = parameters[p].size();
    for (int row = 0; row < model.signature.size(); ++row)
      floor(row, static_cast<Index>(p)) =
          row < model.signature.state_row(0) ? -1.0 : accuracy.absolute[at(row)] / size;
  }
  return floor;
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
  back_ = std::numeric_limits<double>::infinity();
}

/// What derivatives of states were added up from, and at least what is far below nominal values.
MatrixXd RunSensitivities::size_of_rows(int first, int rows) const {
  constexpr double far_below = 1e-4;
  MatrixXd size = size_.middleRows(first, rows);
  for (int i = 0; i < rows; ++i)
    for (Index p = 0; p < count_; ++p)
      size(i, p) = std::max(size(i, p), far_below * nominal_[at(first + i)] / parameters_[at(p)].size());
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
  mode.read_beginning(motion, w_, wp_);
  mode_ = &mode;
  time_ = here.t;
  at_instant_ = true;
  const int first = signature_.state_row(0), n = signature_.n();
  const auto all = complete(mode, here.t, w_, wp_, of_v_.middleRows(first, n), size_of_rows(first, n));
  if (!all) {
    w_p_ = MatrixXd::Zero(mode.size(), count_);
    return undefine("the linearised equations" + in_mode(signature_, motion.v()) + " are singular");
  }
  w_p_ = all->w;
  mode.look_for_constants(w_p_);
  of_v_ = mode.of_signals(here.t, all->w, all->wp);
  MatrixXd size = mode.of_signals(here.t, all->w_size, all->wp_size).cwiseAbs();
  size.middleRows(first, n) = size.middleRows(first, n).cwiseMax(size_.middleRows(first, n));
  size_ = std::move(size);
  undefine_beyond(all->misfit,
                  "no neighbouring run keeps to the constraints" + in_mode(signature_, motion.v()));
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    if (mode.derivatives().contradicts(p, v))
      undefine(static_cast<int>(p),
               "an equation that was left out follows from others with this value of the parameter only" +
                   in_mode(signature_, motion.v()));
    if (mode.derivatives().is_unknown(p))
      undefine(static_cast<int>(p),
               "the parameter occurs in equations that were differentiated and recombined" +
                   in_mode(signature_, motion.v()));
  }
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

/// What has been found beyond t, where something happens, does not count.
void RunSensitivities::go_back(double t) {
  if (!(t < time_) || !(back_ <= t)) return;
  time_ = read_at_ = back_;
  w_p_ = back_w_p_;
  at_instant_ = false;
  back_ = std::numeric_limits<double>::infinity();
}

std::span<const double> RunSensitivities::row(double t, double reach, const MotionAt& motion,
                                              bool may_choose) {
  while (live_ && t > time_) {
    back_ = time_;
    if (may_choose) choose_anew(motion);
    back_w_p_ = w_p_;
    if (!live_) break;
    if (!equations_.go_on(*mode_, motion, time_, std::max(t, reach), w_p_))
      undefine("the linearised equations could not be solved near t = " + number(t));
    read_at_ = time_;
    at_instant_ = false;
    examine_resting(motion);
  }
  if (!live_ || t == time_ || !(back_ <= t)) return row(live_ ? t : time_);
  fill_row(equations_.at_time(t), row_);
  return row_;
}

void RunSensitivities::advance(double t, const MotionAt& motion, bool may_choose) {
  if (live_) go_back(t);
  if (!live_ || !(t > time_)) return;
  // Times that the integrator does not tell apart are one: its steps are read no farther than they reach.
  constexpr double same_time = 1e-13;
  if (t - time_ <= same_time * std::max(std::abs(t), std::abs(time_))) {
    time_ = t;
    return;
  }
  // The choice may become ill-conditioned within one long step of the motion.
  const bool chooses = may_choose && mode_->system().plan->differentiated();
  while (live_ && time_ < t) {
    if (chooses) choose_anew(motion);
    const double rest = t - time_, step = equations_.length();
    const double next = chooses && rest > 1.2 * step ? time_ + step : t;
    if (!equations_.advance(*mode_, motion, time_, next, w_p_))
      undefine("the linearised equations could not be solved near t = " + number(t));
    time_ = next;
  }
  time_ = read_at_ = t;
  at_instant_ = false;
  examine_resting(motion);
}

std::span<const double> RunSensitivities::row(double t) {
  if (t != time_) return {};
  fill_row(row_);
  return row_;
}

void RunSensitivities::fill_row(const MatrixXd& w_p, std::vector<double>& row) const {
  row.clear();
  for (const int signal : rows_)
    for (Index p = 0; p < count_; ++p)
      row.push_back(undefined_[at(p)] != 0 ? std::numeric_limits<double>::quiet_NaN()
                                           : w_p(mode_->unknowns().place(signal, 0).slot, p));
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
        size_ = mode_->of_signals(t, all->w_size, all->wp_size).cwiseAbs();
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

void RunSensitivities::take_start(const std::shared_ptr<const ModeSystem>& system, const Instant& here) {
  const ModeDerivatives of_mode(model_, outputs_, *system, parameters_);
  start_ = differentiate_start(model_, *system, here, of_mode, parameters_);
  for (std::size_t p = 0; p < parameters_.size(); ++p)
    if (!start_is_given_ && parameters_[p].start_time != 0.0)
      start_->failure[p] = "it moves the start, which initial equations determine";
}

void RunSensitivities::begin_at_start(const RunState& state) {
  of_v_ = MatrixXd::Zero(signature_.size(), count_);
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const auto column = static_cast<Index>(p);
    const ParameterDerivative& parameter = parameters_[p];
    for (int i = 0; i < signature_.n(); ++i)
      of_v_(signature_.state_row(i), column) = start_ ? start_->x(i, column) : parameter.x_start[at(i)];
    for (int i = 0; i < signature_.p(); ++i)
      of_v_(signature_.algebraic_row(i), column) = parameter.y_start[at(i)];
    if (!start_is_given_) tau_[column] = parameter.start_time;
  }
  total_ = of_v_;
  size_ = of_v_.cwiseAbs();
  time_ = state.here.t;
  at_instant_ = true;
  examine_start(time_);
  for (std::size_t p = 0; start_ && p < parameters_.size(); ++p)
    if (!start_->failure[p].empty()) failures_[p] = start_->failure[p];
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
    // Of what is rounding of zero nothing is asked.
    const int first = signature_.state_row(0), n = signature_.n(), moving = signature_.binary_row(0) - first;
    MatrixXd size = size_;
    size.middleRows(first, moving) = size_of_rows(first, moving);
    const RestartDerivative restart = differentiate_restart(
        {model_, accuracy_, here, mode.derivatives(), parameters_, input}, step, size, total_);
    if (!restart.failure.empty()) return undefine(restart.failure);
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
