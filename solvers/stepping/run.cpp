#include "solvers/stepping/run.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/model/delays.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/plan/shared_products.hpp"
#include "solvers/run_limits/user_exception.hpp"
#include "solvers/simulation/discrete_simulation.hpp"
#include "solvers/simulation/simulation.hpp"
#include "solvers/solvability/singular_modes.hpp"
#include "solvers/stepping/followed_impacts.hpp"
#include "solvers/stepping/held_inputs.hpp"
#include "solvers/stepping/rates.hpp"
#include "solvers/stepping/saved_contents.hpp"

namespace mti {
namespace {

void add_statistics(IntegratorStatistics& sum, const IntegratorStatistics& more) {
  sum.steps += more.steps;
  sum.series_steps += more.series_steps;
  sum.flow_steps += more.flow_steps;
  sum.residual_evaluations += more.residual_evaluations;
  sum.jacobian_evaluations += more.jacobian_evaluations;
  sum.error_test_failures += more.error_test_failures;
}

}  // namespace

/// The parts of a run, each of which knows those before it.
class Run::State {
 public:
  State(const Model& model, SimulationOptions options, const SavedRun* saved)
      : model_(with_own_history(without_shared_products(model).value_or(model))),
        options_(validated(model, std::move(options))),
        stop_(resolve(model, options_).stop),
        recorder_(model_, options_),
        budget_(options_.max_seconds, options_.stop_token, told_progress()),
        held_(model.inputs.size()) {
    const ResolvedOptions resolved = resolve(model, options_);
    model_.experiment.rtol = resolved.rtol;  // by which is solved for where it stands
    model_.experiment.atol = resolved.atol;
    if (options_.warn && !model.is_discrete())
      if (std::optional<std::string> warning = warn_of_singular_modes(model)) {
        call_user([&] { options_.warn(*warning); });
        warnings_.push_back(*std::move(warning));
      }
    if (saved == nullptr)
      begin();
    else
      take_up(saved->contents());
    budget_.pause();
    rethrow();
  }

  StepEnd advance(double t) {
    if (!(t >= time()))
      throw InvalidOption("bad-option", "advance",
                          "a run goes on from t = " + number(time()) + "; found " + number(t));
    return go_on(t);
  }

  StepEnd settle() { return ended() ? StepEnd::ended : go_on(time()); }

  [[nodiscard]] bool ended() const noexcept {
    return continuous_ ? continuous_->ended() : discrete_->ended();
  }
  [[nodiscard]] double time() const noexcept { return continuous_ ? continuous_->time() : time_; }
  [[nodiscard]] std::span<const double> v() { return continuous_ ? continuous_->v() : discrete_->v(); }
  /// Where the run stands, or at other t and x in its mode, solved for anew.
  [[nodiscard]] LinearizationPoint solved(double t, std::optional<std::span<const double>> x) {
    if (ended() && outcome().kind != OutcomeKind::reached_stop)
      throw InvalidOption("bad-option", "derivative", "the run has ended: " + text_of(outcome()));
    const std::span<const double> here = v();
    LinearizationPoint point{.time = time(), .mode = mode(), .v = {here.begin(), here.end()}};
    if (x || t != time()) point.mode.resting.clear();  // elsewhere they need not
    return solved_at(model_, std::move(point), t, x);
  }
  [[nodiscard]] std::span<const double> derivative(double t, std::optional<std::span<const double>> x) {
    return rates_ = rates_of(model_, solved(t, x));
  }
  [[nodiscard]] SparseColumns derivative_jacobian() {
    return rates_jacobian(model_, solved(time(), std::nullopt));
  }
  [[nodiscard]] Linearization linearize(const LinearizationOptions& options) {
    return mti::linearize(model_, solved(time(), std::nullopt), options);
  }
  [[nodiscard]] const Mode& mode() const noexcept {
    return continuous_ ? continuous_->mode() : discrete_->mode();
  }
  [[nodiscard]] const Event* event() const noexcept {
    const std::vector<Event>& events = trajectory().events;
    return at_event_ && !events.empty() ? &events.back() : nullptr;
  }
  [[nodiscard]] const Trajectory& trajectory() const noexcept { return recorder_.trajectory(); }
  [[nodiscard]] const Model& model() const noexcept { return model_; }

  void set_input(int i, double value, double slope) {
    const HeldInput held{.input = i, .from = time(), .value = value, .slope = slope};
    require_settable(model_, held);
    std::vector<HeldInput>& list = held_[at(i)];
    if (ended()) return;
    if (goes_on_as(model_, list, held)) {
      if (!list.empty()) return;
      kept_[i] = held;  // other parameters may move what the model says of it
      saved_here_.reset();
      return;
    }
    kept_.erase(i);
    saved_here_.reset();
    // What modes are compiled to depends on which inputs vary: nothing is known of it any more. Where the run stands was
    // found with the inputs up to here.
    std::optional<RunSnapshot> anew;
    Simulation::Turns turns;
    if (list.empty() || (continuous_ && continuous_->before_limit())) {
      anew = snapshot_for_change();
      if (continuous_) turns = continuous_->turns_ahead();
    }
    forget_before(model_, list, held);
    list.push_back(held);
    hold(i);
    if (anew) restart(*anew, true);
    if (continuous_) {
      continuous_->forget_turned(turns);
      continuous_->take_new_inputs();
    }
    if (discrete_) discrete_->take_new_inputs();
  }

  void set_parameters(const Model& bound) {
    require_same_signals(model_, bound);
    require_no_delayed_signals(model_, "parameters that change in the course of a run");
    if (ended()) return;
    saved_here_.reset();
    RunSnapshot anew = snapshot_for_change();
    anew.accumulations = {};  // turns up to here have had other parameters
    anew.approach.clear();
    const Experiment experiment = model_.experiment;
    model_ = without_shared_products(bound).value_or(bound);
    model_.experiment = experiment;  // the run has begun with it
    let_clocks_go_on(model_, anew);
    for (const auto& [i, held] : kept_) held_[at(i)].push_back(held);
    kept_.clear();
    for (int i = 0; i < model_.signature.m(); ++i)
      if (!held_[at(i)].empty()) hold(i);
    restart(anew, true);
    if (continuous_) continuous_->take_new_inputs();
    if (discrete_) discrete_->take_new_inputs();
  }

  SavedRun save() {
    if (ended()) throw InvalidOption("bad-option", "save", "the run has ended: " + text_of(outcome()));
    require_no_delayed_signals(model_, "saved runs");
    if (saved_here_) return SavedRun(*saved_here_);
    budget_.go_on();
    const std::size_t events = recorder_.events();
    if (continuous_) continuous_->advance(time(), true);  // what follows from inputs
    has_untold_event_ = has_untold_event_ || recorder_.events() != events;
    SavedRun::Contents saved{snapshot(), {}};
    for (const std::vector<HeldInput>& held : held_)
      saved.inputs.insert(saved.inputs.end(), held.begin(), held.end());
    for (const auto& [input, held] : kept_) saved.kept.push_back(held);
    if (!ended()) restart(saved.snapshot, false);
    budget_.pause();
    rethrow();
    if (!ended()) saved_here_ = saved;
    return SavedRun(std::move(saved));
  }

  Trajectory finish() {
    // The polynomials of a step that is under way are kept with what leaves it.
    if (!ended() && is_whole_ && recorder_.keeps_dense()) static_cast<void>(snapshot());
    if (!ended() && is_whole_ && recorder_.ends_before(time())) recorder_.add_last_row(time(), 0, v());
    Trajectory trajectory = recorder_.take(budget_.budget().seconds(), statistics());
    trajectory.warnings.insert(trajectory.warnings.begin(), warnings_.begin(), warnings_.end());
    if (!ended())
      trajectory.outcome = {
          .kind = OutcomeKind::interrupted, .message = "left at t = " + number(time()), .end_time = time()};
    if (!ended()) {
      const std::span<const double> here = v();
      trajectory.end_point.assign(here.begin(), here.end());
    }
    return trajectory;
  }

  [[nodiscard]] const Outcome& outcome() const noexcept { return trajectory().outcome; }

 private:
  static SimulationOptions validated(const Model& model, SimulationOptions options) {
    if (std::vector<Fault> faults = options.validate(model); !faults.empty())
      throw InvalidOption(std::move(faults));
    if (!options.sensitivities.empty())
      throw InvalidOption("bad-option", "/experiment/sensitivities",
                          "a run that is advanced from outside, or saved, is not differentiated");
    return options;
  }

  static std::string text_of(const Outcome& outcome) {
    return to_string(outcome.kind) + (outcome.message.empty() ? "" : ", " + outcome.message);
  }

  [[nodiscard]] std::function<void(double time)> told_progress() {
    if (!options_.progress) return {};
    return [this](double t) { tell_progress(options_.progress, t); };
  }

  void make() {
    if (continuous_) add_statistics(retired_, continuous_->statistics());
    continuous_.reset();
    discrete_.reset();
    if (model_.is_discrete())
      discrete_ = std::make_unique<DiscreteSimulation>(model_, options_, recorder_, budget_);
    else
      continuous_ = std::make_unique<Simulation>(model_, options_, recorder_, budget_);
  }

  void begin() {
    make();
    if (continuous_)
      continuous_->begin();
    else
      advance_to(time_ = resolve(model_, options_).start);
  }

  void take_up(const SavedRun::Contents& saved) {
    require_fit(saved, model_, resolve(model_, options_).start, stop_);
    if (saved.clocks_go_on) let_clocks_go_on(model_, saved.snapshot);
    for (const HeldInput& held : saved.inputs) held_[at(held.input)].push_back(held);
    for (const HeldInput& held : saved.kept)
      if (goes_on_as(model_, {}, held))
        kept_[held.input] = held;
      else
        held_[at(held.input)].push_back(held);
    for (int i = 0; i < model_.signature.m(); ++i)
      if (!held_[at(i)].empty()) hold(i);
    restart(saved.snapshot, false);
    saved_here_ = saved;
  }

  void restart(const RunSnapshot& snapshot, bool inputs_are_new) {
    make();
    time_ = snapshot.time;
    if (continuous_)
      continuous_->resume(snapshot, inputs_are_new);
    else
      discrete_->resume(snapshot);
  }

  [[nodiscard]] RunSnapshot snapshot() {
    if (continuous_) return continuous_->snapshot();
    RunSnapshot snapshot = discrete_->snapshot();
    snapshot.time = snapshot.inputs_until = time_;
    return snapshot;
  }

  /// With what it has come to on its way to a limit that it may not reach any more.
  [[nodiscard]] RunSnapshot snapshot_for_change() {
    const std::optional<RunSnapshot> event = continuous_ ? continuous_->before_limit() : std::nullopt;
    RunSnapshot here = snapshot();
    if (!event) return here;
    return followed_impacts(model_, options_, *event, here.time).value_or(std::move(here));
  }

  void advance_to(double t) {
    if (continuous_)
      continuous_->advance(t, true);
    else
      discrete_->advance(t, true);
  }

  /// What is thrown in the middle of an instant would leave it half decided: it comes out where all is decided next.
  void tell_progress(const std::function<void(double)>& tell, double t) {
    try {
      tell(t);
    } catch (...) {
      thrown_ = std::current_exception();
      if (continuous_) continuous_->ask_to_pause();
      if (discrete_) discrete_->ask_to_pause();
    }
  }
  void rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

  StepEnd go_on(double t) {
    if (!is_whole_)
      throw InvalidOption("bad-option", "advance", "an exception of an observer or a sink has ended the run");
    if (std::exchange(has_untold_event_, false)) {
      at_event_ = true;
      return ended() ? StepEnd::ended : StepEnd::event;
    }
    budget_.go_on();
    saved_here_.reset();
    const std::size_t events = recorder_.events();
    is_whole_ = false;
    advance_to(t);
    is_whole_ = true;
    at_event_ = recorder_.events() != events;
    const bool to_t = !at_event_ && !ended() && !thrown_;
    // The time of a sample may lie beyond t by its rounding.
    if (discrete_) time_ = std::max(time_, to_t ? t : std::min(t, discrete_->time()));
    budget_.pause();
    rethrow();
    if (ended()) return StepEnd::ended;
    return at_event_ ? StepEnd::event : StepEnd::reached;
  }

  void hold(int i) { hold_input(model_, i, held_[at(i)], stop_); }

  [[nodiscard]] IntegratorStatistics statistics() const {
    IntegratorStatistics sum = retired_;
    if (continuous_) add_statistics(sum, continuous_->statistics());
    return sum;
  }

  Model model_;  ///< with the inputs that were set
  SimulationOptions options_;
  double stop_;
  RunRecorder recorder_;
  RunBudget budget_;
  std::vector<std::vector<HeldInput>> held_;  ///< by input, one after the other; the last one counts
  std::map<int, HeldInput> kept_ = {};        ///< inputs that were set to what the model says of them
  std::unique_ptr<Simulation> continuous_;    ///< one of the two
  std::unique_ptr<DiscreteSimulation> discrete_;
  double time_ = 0.0;  ///< in discrete time: of the last advance, which may lie between samples
  std::optional<SavedRun::Contents> saved_here_ = {};  ///< where nothing has moved since: the same once more
  bool at_event_ = false, has_untold_event_ = false;   ///< the second was carried out for save()
  bool is_whole_ = true;                               ///< no advance was left by an exception
  std::exception_ptr thrown_ = {};                     ///< by `progress`, in the present advance
  IntegratorStatistics retired_;                       ///< of what has been replaced
  std::vector<std::string> warnings_;                  ///< told before the run
  std::vector<double> rates_;                          ///< that derivative() has told last
};

namespace {

/// What a function of the user's threw comes out as it is.
template <class Call>
decltype(auto) out_as_it_is(Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (const UserException& user) {
    std::rethrow_exception(user.thrown);
  }
}

}  // namespace

Run::Run(const Model& model, SimulationOptions options)
    : state_(out_as_it_is([&] { return std::make_unique<State>(model, std::move(options), nullptr); })) {}
Run::Run(const Model& model, SimulationOptions options, const SavedRun& saved)
    : state_(out_as_it_is([&] { return std::make_unique<State>(model, std::move(options), &saved); })) {}
Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

StepEnd Run::advance(double t) {
  return out_as_it_is([&] { return state_->advance(t); });
}
StepEnd Run::settle() {
  return out_as_it_is([&] { return state_->settle(); });
}
void Run::set_input(int i, double value, double slope) {
  out_as_it_is([&] { state_->set_input(i, value, slope); });
}
void Run::set_parameters(const Model& bound) {
  out_as_it_is([&] { state_->set_parameters(bound); });
}
SavedRun Run::save() {
  return out_as_it_is([&] { return state_->save(); });
}
Trajectory Run::finish() {
  return out_as_it_is([&] { return state_->finish(); });
}
bool Run::ended() const noexcept { return state_->ended(); }
const Outcome& Run::outcome() const noexcept { return state_->outcome(); }
double Run::time() const noexcept { return state_->time(); }
std::span<const double> Run::v() { return state_->v(); }
std::span<const double> Run::derivative() { return state_->derivative(time(), std::nullopt); }
std::span<const double> Run::derivative(double t, std::span<const double> x) {
  return state_->derivative(t, x);
}
SparseColumns Run::derivative_jacobian() { return state_->derivative_jacobian(); }
Linearization Run::linearize(const LinearizationOptions& options) { return state_->linearize(options); }
const Mode& Run::mode() const noexcept { return state_->mode(); }
const Event* Run::event() const noexcept { return state_->event(); }
const Trajectory& Run::trajectory() const noexcept { return state_->trajectory(); }
const Model& Run::model() const noexcept { return state_->model(); }

}  // namespace mti
