#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fmi/cosimulation/co_simulation.hpp"
#include "solvers/mode/mode_cache.hpp"

namespace mti::fmi {

/// One instance for Model Exchange: an importer integrates, and asks for derivatives and event indicators in a mode.
///
///     instantiated → initialization → event ⇄ continuous → terminated,    discarded: nothing follows
///
/// Between events the mode is kept, and rates and algebraic signals are solved for from the states and inputs that are set. At
/// an event a Run begins with these as left limits, and each update of the discrete states poses one successor problem.
///
/// Importers restart their integrators where states or nominal values have changed, and those that do so for nothing else
/// would go on with the history of another mode. That states have changed may be said only if they have; so the nominal
/// values of states, √(nominal² + x²), are others after every event at which the motion does not go on smoothly, and after
/// each update of it, as some importers look at the last one only.
///
/// In DAE mode (layered standard fmi-ls-dae) an importer solves f(ẋ, x, u, y, z) = 0 itself: ẋ and y are what it has set, and
/// z changes at events as ever, at which the states are put onto what constrains them. Motions along surfaces are none of it.
///
/// Where the mode slides, rates are those at the nearest point of the surfaces, which move with the mean slopes of the inputs since
/// the last step, so that the motion runs along them, and the
/// states that an importer has are put back there by an event once they are off by some times what counts as zero. The
/// constraint of a surface shows what is left of 0 ≤ θ ≤ 1 in place of itself, which an importer would find at zero all the time.
class ModelExchange : public CoSimulation {
 public:
  /// Throws Refused if the model has none (why_no_model_exchange()). `log` outlives it.
  ModelExchange(std::shared_ptr<const FmuModel> fmu, const Log& log);

  void reset() override;
  void enter_initialization() override;
  void exit_initialization() override;
  void enter_event_mode() override;
  void enter_continuous_time();
  UpdateReport update_discrete_states() override;
  [[nodiscard]] SavedState save() override;
  void take_up(const SavedState& state) override;

  /// In DAE mode unknowns are residuals and their rates, and knowns ẋ, x, y and u; in others as in Co-Simulation.
  void directional_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                              std::span<const double> seed, std::span<double> sensitivity) override;
  void adjoint_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                          std::span<const double> seed, std::span<double> sensitivity) override;

  void set_time(double time);
  void set_states(std::span<const double> x);
  void get_states(std::span<double> x);
  void get_derivatives(std::span<double> rates);
  void get_indicators(std::span<double> values);
  void get_nominals(std::span<double> nominals) const;
  [[nodiscard]] std::size_t states() const { return static_cast<std::size_t>(fmu_->model.signature.n()); }
  [[nodiscard]] std::size_t number_of_indicators() const {
    return static_cast<std::size_t>(fmu_->model.constraints());
  }
  /// An event is to be handled: a boundary has been passed although no indicator changed its sign in the step.
  /// So it is where the states have left the surfaces of the mode.
  [[nodiscard]] bool completed_step();

 private:
  /// The model with its parameters, and the modes met so far.
  struct Equations {
    Equations(Model with_parameters, double rtol)
        : model(std::move(with_parameters)), accuracy(model, rtol, model.experiment.atol), cache(model) {}

    Model model;
    Accuracy accuracy;
    ModeCache cache;
    std::vector<int> original =
        originals_of(model);  ///< by row of S: of a copy made for powers, else the row itself
  };
  [[nodiscard]] static std::vector<int> originals_of(const Model& model);
  void prepare_values() override;
  void prepare_start();
  void forget_motion();
  void take_new_parameters() override;
  void check_parameters(const Model& model) const override;
  void hold_input(const Variable& variable, const InputValue& input) override;
  [[nodiscard]] bool is_importers(const Variable& variable) const override;
  void take_value(const Variable& variable, double value) override;
  void choose_dae_mode(bool on) override;
  [[nodiscard]] int row_of(const Variable& variable) const;
  [[nodiscard]] std::vector<int> rows_of_knowns(std::span<const std::uint32_t> knowns) const;
  /// ∂(an unknown of DAE mode)/∂v, without zeros of structure.
  void gradient_of(std::uint32_t unknown, const std::function<void(int row, double slope)>& take);
  [[nodiscard]] Equations& equations();
  void adopt_run();
  /// Throws Refused for slides that Model Exchange does not provide: all in DAE mode, else pinned ones.
  void refuse_slides() const;
  [[nodiscard]] double indicator(int constraint, std::span<const double> v) override;
  /// Puts the states of v onto the surfaces of the mode; the largest distance to one in units of what counts as zero.
  double project(std::vector<double>& v);
  /// Moves the states of v to where the rows of the map are zero, by the shortest way in units of what counts as zero of each
  /// state; how far the first row was off, in these units.
  double move_onto(const RowMap& map, std::span<const int> rows, std::vector<double>& v);
  /// The row holds states and inputs alone.
  [[nodiscard]] bool is_of_states(const RowMap& map, int row, std::span<const double> v);
  /// Puts v_ back onto constraints that the importer has passed in its last step; false if there is none.
  bool return_to_passed_constraints();
  [[nodiscard]] std::vector<InputPiece> present_pieces() const;
  void begin_inputs();
  void remember_point();
  [[nodiscard]] double slope_of(int input) const;
  [[nodiscard]] double running_slope(int input) const;
  [[nodiscard]] double mean_slope(int input) const;
  void hold_inputs_here();
  void evaluate();
  /// v of the mode at the time, the inputs and x of v_, which is put onto what constrains it.
  [[nodiscard]] std::vector<double> solve_here();
  void pose_again();
  void change_nominals();
  void tell_event_here(bool inputs_are_others) const;
  void check_size(std::size_t found, std::size_t expected, const char* of) const;

  std::shared_ptr<Equations> equations_ = {};
  Mode mode_ = {};
  std::vector<double> v_ = {};           ///< with the states that were set; rates and signals as solved last
  std::vector<InputPiece> pieces_ = {};  ///< of inputs that stay inside, since the last event
  std::optional<double> next_event_ = {};  ///< of these inputs
  bool is_stale_ = true;                   ///< v_ is to be solved anew
  bool has_moved_ = false;                 ///< something has changed at the present event
  bool decides_anew_ = false;              ///< the next update begins with a run from v_
};

}  // namespace mti::fmi
