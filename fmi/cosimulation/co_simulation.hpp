#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fmi/cosimulation/event_indicators.hpp"
#include "fmi/cosimulation/fmu_model.hpp"
#include "fmi/cosimulation/log.hpp"
#include "fmi/cosimulation/saved_state.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/linearization/tangent.hpp"
#include "solvers/stepping/run.hpp"

namespace mti::fmi {

/// What a step has come to.
struct StepReport {
  double time = 0.0;   ///< where the run stands
  bool event = false;  ///< the importer is to call for the discrete states here
  bool early = false;  ///< before the time that was asked for
  bool ended = false;  ///< nothing follows
  Status status = Status::ok;
};

/// What an importer wants of a step that is under way: to end it at a time, or nothing.
using IntermediateUpdate = std::function<std::optional<double>(double time)>;

/// What an importer does with an instance.
struct Use {
  bool event_mode = false,
       early_return = false;  ///< with event mode, a step returns early at an event if it may
  IntermediateUpdate intermediate_update = {};  ///< told of points within a step, where getters may be called
};

/// What has become of the discrete states.
struct UpdateReport {
  bool needs_update = false, ended = false, states_changed = false, nominals_changed = false;
  std::optional<double> next_event = {};
};

/// One instance for Co-Simulation, without the letters of an interface: a Run that is advanced from outside. One for Model
/// Exchange (fmi/exchange/model_exchange.hpp) is the same up to the end of the initialization.
///
///     instantiated → initialization → (event ⇄) step → terminated,    discarded: the run has ended early
///
/// Between an event that ends a step and the update of the discrete states, getters show the left limits; then the right
/// ones. Inputs that were set are decided, once for all, when a value that may depend on them is asked for or the run goes
/// on; in event mode by the update alone. So are parameters that are set in event mode: the run goes on where it stands, in
/// the model that is bound anew.
///
/// In event mode a model of discrete time is sampled by the update of the discrete states: inputs that are set there count for
/// the sample. Without it, samples are taken in steps, and inputs count for the next one.
///
/// A run needs a stop time, of which the tolerances of times are a part. It is that of the importer, or of the model's
/// experiment; where the run goes on beyond it, so long again as it has been already.
///
/// Calls that are not allowed throw Refused; what the model has against values throws FaultError.
class CoSimulation {
 public:
  /// `log` outlives it.
  CoSimulation(std::shared_ptr<const FmuModel> fmu, const Log& log, Use use);
  CoSimulation(const CoSimulation&) = delete;
  CoSimulation& operator=(const CoSimulation&) = delete;
  virtual ~CoSimulation() = default;

  [[nodiscard]] Phase phase() const noexcept { return now_.phase; }
  [[nodiscard]] const FmuModel& fmu() const noexcept { return *fmu_; }
  [[nodiscard]] double time() const noexcept { return now_.time; }

  void set_experiment(const Experiment& experiment);
  void enter_configuration() { now_.phase = Phase::configuration; }
  void exit_configuration() { now_.phase = Phase::instantiated; }
  virtual void enter_initialization();
  virtual void exit_initialization();
  virtual void enter_event_mode();
  void enter_step_mode();
  void terminate();
  virtual void reset();
  /// Nothing but a reset, or a state that is taken up, helps from here on.
  void fail() noexcept { now_.phase = Phase::failed; }

  /// The values of the variables at these places, one after the other.
  void get(std::span<const std::uint32_t> places, VariableType type,
           const std::function<void(std::size_t, double)>& take);
  /// All of them or, if one is refused, none.
  void set(std::span<const std::uint32_t> places, VariableType type,
           const std::function<double(std::size_t)>& value);
  /// Parameters are fixed in FMI 2.0; throws Refused if it is no input.
  void require_input(std::uint32_t place) const;
  /// du/dt, up to where the input is set again.
  void set_slopes(std::span<const std::uint32_t> places, const std::function<double(std::size_t)>& slope);

  /// J·seed for J = ∂unknowns/∂knowns where the instance stands, in its mode: unknowns are derivatives, states and algebraic
  /// signals; knowns states, inputs, and time for the inputs that stay inside. Throws Refused, and InvalidModel where rates
  /// and algebraic signals are no function of states and inputs: in modes of index above 1, as on most surfaces.
  virtual void directional_derivative(std::span<const std::uint32_t> unknowns,
                                      std::span<const std::uint32_t> knowns, std::span<const double> seed,
                                      std::span<double> sensitivity);
  /// Jᵀ·seed
  virtual void adjoint_derivative(std::span<const std::uint32_t> unknowns,
                                  std::span<const std::uint32_t> knowns, std::span<const double> seed,
                                  std::span<double> sensitivity);

  /// dy/dt of outputs where the instance stands, in its mode, of any index; inputs from outside hold their value, or their slope.
  void output_derivatives(std::span<const std::uint32_t> outputs, std::span<double> derivatives);

  /// Throws Refused unless there are variables at all of these places.
  void check_intermediate(std::span<const std::uint32_t> places) const;

  StepReport do_step(double time, double size);
  virtual UpdateReport update_discrete_states();

  /// Makes the run begin anew where it stands, so that it and what is taken up from the state are one, bit for bit.
  [[nodiscard]] virtual SavedState save();
  virtual void take_up(const SavedState& state);

 protected:
  [[nodiscard]] const Variable& variable(std::uint32_t place, VariableType type, const char* access) const;
  void check_setting(const Variable& variable, double value) const;
  /// The variable is the importer's at present, as derivatives are of one that solves the equations.
  [[nodiscard]] virtual bool is_importers(const Variable& /*variable*/) const { return false; }
  virtual void take_value(const Variable& /*variable*/, double /*value*/) {}
  virtual void choose_dae_mode(bool on);
  /// f of the model with its parameters.
  [[nodiscard]] const RowMap& residual_rows();
  /// Of an equation, or of its derivative by time.
  [[nodiscard]] double residual(const Variable& variable, std::span<const double> v);
  [[nodiscard]] bool may_depend_on_inputs(const Variable& variable) const;
  [[nodiscard]] double value_of(std::size_t place, const Variable& variable);
  [[nodiscard]] double parameter(std::size_t place, const Variable& variable);
  [[nodiscard]] std::optional<double> next_known_event() const;
  [[nodiscard]] bool is_same_time(double a, double b, double size) const;

  struct PresentTangent {
    LinearizationPoint point;
    Tangent tangent;
  };
  [[nodiscard]] LinearizationPoint present_point();
  [[nodiscard]] const Tangent& present_tangent();
  [[nodiscard]] Eigen::VectorXd direction_of(const Variable& known) const;
  [[nodiscard]] int unknown_of(const Variable& unknown) const;
  void check_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns) const;

  /// What getters show is there.
  virtual void prepare_values();
  void require_run();
  /// `model` with the inputs of the FMU, as constants.
  void place_inputs(Model& model, const std::vector<InputValue>& inputs) const;
  [[nodiscard]] Model model_to_run() const;
  [[nodiscard]] const EventIndicators& indicators();
  [[nodiscard]] virtual double indicator(int constraint, std::span<const double> v) {
    return indicators().value(constraint, v);
  }
  void forget_equations();
  /// Other parameters at an event: getters show what was, up to the update of the discrete states.
  void tune(const Settings& changed);
  /// Throws Refused for a model that the instance cannot go on with.
  virtual void check_parameters(const Model& model) const;
  /// The parameters are others, and the values up to here are kept.
  virtual void take_new_parameters() { parameters_are_new_ = true; }
  void go_on_with_new_parameters();
  [[nodiscard]] SimulationOptions options();
  virtual void hold_input(const Variable& variable, const InputValue& input);
  [[nodiscard]] double until_next_sample() const;
  [[nodiscard]] double next_sample() const;
  /// Of discrete time with event mode: a sample not behind `goal` of a step of this size.
  [[nodiscard]] std::optional<double> sample_up_to(double goal, double size) const;
  [[nodiscard]] bool is_sampled_in_event_mode() const { return use_.event_mode && fmu_->model.is_discrete(); }
  /// Decides what follows at the present time: the sample of an event, if it has not been taken, and new inputs.
  StepEnd take_sample();
  /// Up to `goal`, which the importer may bring forward, or an event before it.
  StepEnd go_on(double& goal);
  /// Not closer than `least` on their grid; infinite where there is none.
  [[nodiscard]] double next_intermediate_point(double least) const;
  [[nodiscard]] std::optional<double> tell_intermediate_point();
  /// Lets the run reach to `time`. An event where what follows from new inputs was decided and told by the way: the run that
  /// goes on does not know of it.
  StepEnd extend_horizon(double time);
  struct Settled {
    StepEnd end;  ///< reached or ended
    bool has_event;
  };
  Settled settle_all();
  void decide_inputs();
  void show_here();
  void tell_event() const;
  /// Tells which assertions of the model have been broken, of each once; true if any was.
  bool tell_assertions();
  /// Tells how the run has ended; how a call ends with it.
  Status tell_end();

  std::shared_ptr<const FmuModel> fmu_;
  const Log& log_;
  Use use_;
  SavedState now_ = {};  ///< without the run, which is run_
  std::optional<Run> run_ = {};
  std::optional<std::vector<double>> parameters_ = {};  ///< with the settings, once they are asked for
  std::optional<PresentTangent> tangent_ = {};          ///< of the point that was asked for last
  std::optional<EventIndicators> indicators_ = {};
  std::optional<RowMap> residual_rows_ = {};
  bool inputs_are_new_ = false, parameters_are_new_ = false;
  bool keeps_left_limits_ = false;
  std::set<int> told_ = {};  ///< rows of assertions
};

}  // namespace mti::fmi
