#include "solvers/linearization/linearization_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/common/rounding.hpp"
#include "mti/common/wording.hpp"
#include "mti/model/freeze.hpp"
#include "solvers/blocks/start_point.hpp"
#include "solvers/linearization/absent_signals.hpp"
#include "solvers/mode/mode_cache.hpp"
#include "solvers/motion/motion.hpp"
#include "solvers/run_options/samples.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace {

/// Solves for what follows from x and u in the modes of one model.
class Solver {
 public:
  explicit Solver(const Model& model)
      : model_(model), accuracy_(model, model.experiment.rtol, model.experiment.atol), cache_(model) {}

  /// ẋ, y and ζ of the point, if they can be found. The motion must not outlive this.
  std::shared_ptr<Motion> solve(const LinearizationPoint& point, bool has_past) {
    Instant instant;
    instant.t = point.time;
    // Before an event inputs still follow their old pieces.
    const double t =
        point.side < 0 ? std::nextafter(point.time, -std::numeric_limits<double>::infinity()) : point.time;
    std::vector<InputPiece> pieces;
    for (const Input& input : model_.inputs) pieces.push_back(input.piece(t));
    instant.pieces = std::move(pieces);
    instant.v = point.v;
    instant.guess = point.v;
    for (int i = 0; i < model_.signature.p(); ++i)
      instant.guess[at(model_.signature.algebraic_row(i))] = model_.y_start[at(i)];
    instant.has_past = has_past;
    return std::make_shared<Motion>(model_, cache_.get(point.mode), accuracy_, instant);
  }

 private:
  const Model& model_;
  Accuracy accuracy_;
  ModeCache cache_;
};

constexpr std::size_t most_motion_names = 6;

std::string why_not(const Model& model, const Motion& motion) {
  const SolveFailure& failure = motion.failure();
  const bool structure = failure.kind == SolveFailure::Kind::structure;
  std::vector<std::string> equations, signals;
  for (const int row : failure.equations)
    equations.push_back(equation_name(model, motion.system().mode, row));
  for (const int row : structure ? motion.system().ambiguous : failure.signals)
    signals.push_back(model.signature.row_name(row));
  const std::string in_equations =
      equations.empty() ? "" : ": equations " + name_list(equations, most_motion_names);
  const std::string of_signals =
      signals.empty() ? "" : "; not determined: " + name_list(signals, most_motion_names);
  switch (failure.kind) {
    case SolveFailure::Kind::contradiction:
    case SolveFailure::Kind::off_position:
      return "the equations contradict each other or the states" + in_equations + of_signals;
    case SolveFailure::Kind::no_convergence:
    case SolveFailure::Kind::not_finite:
      return "no solution of the equations was found" + in_equations;
    case SolveFailure::Kind::jumping_coefficient:
    case SolveFailure::Kind::product_of_impulses:
      return "what the states become would depend on how the model is written" + in_equations;
    default:
      return "rates and algebraic signals do not follow from states and inputs" + in_equations + of_signals;
  }
}

std::shared_ptr<Motion> consistent_motion(const Model& model, Solver& solver,
                                          const LinearizationPoint& point) {
  auto motion = solver.solve(point, false);
  if (!motion->solved())
    throw InvalidModel("inconsistent-mode", "",
                       "there is no consistent point in this mode: " + why_not(model, *motion));
  return motion;
}

/// Keeps what a run passes at the wanted times and events.
class Collector {
 public:
  Collector(const Model& model, const PointsOfRun& wanted, std::vector<double> times)
      : model_(model), wanted_(wanted), times_(std::move(times)) {}

  /// Of discrete time: there is one row for each sample, with the mode that begins there.
  void pass_sample(double time, const Mode& mode, std::span<const double> v) {
    const bool asked = is_asked(time);
    const bool event = wanted_.events && last_mode_ &&
                       (last_mode_->z != mode.z || last_mode_->binary_inputs != mode.binary_inputs);
    last_mode_ = mode;
    if (asked || event) points_.push_back({time, 0, mode, {v.begin(), v.end()}});
  }

  void pass(double time, int side, const Mode& mode, std::span<const double> v) {
    // An event takes the place of an output of the same time.
    if (side == -1 && !points_.empty() && points_.back().side == 0 && coincide(points_.back().time, time))
      points_.pop_back();
    const bool asked = is_asked(time);
    const bool event = wanted_.events && time > model_.experiment.start;
    if (side == 0 ? asked : (event || (side == 1 && asked)))
      points_.push_back({time, side, mode, {v.begin(), v.end()}});
  }

  [[nodiscard]] std::vector<LinearizationPoint>& points() { return points_; }

 private:
  /// What two times at `time` may differ by and be the same: a part of the time that has passed, whatever its
  /// unit, so that what happens early in a long run is told apart as well.
  [[nodiscard]] double coincidence(double time) const {
    constexpr double same = 1e-9;
    if (model_.is_discrete()) return same * model_.sample_time;
    return same * std::abs(time - model_.experiment.start) + 4.0 * machine_epsilon * std::abs(time);
  }
  [[nodiscard]] bool coincide(double a, double b) const { return std::abs(a - b) <= coincidence(b); }
  [[nodiscard]] bool is_asked(double time) const {
    const auto next = std::lower_bound(times_.begin(), times_.end(), time - coincidence(time));
    return next != times_.end() && coincide(*next, time);
  }

  const Model& model_;
  const PointsOfRun& wanted_;
  std::vector<double> times_;
  std::optional<Mode> last_mode_ = {};
  std::vector<LinearizationPoint> points_;
};

}  // namespace

Mode mode_of(const Model& model, std::span<const double> v) {
  const Signature& signature = model.signature;
  Mode mode;
  const auto bit = [&](int row) {
    const double value = v[at(row)];
    if (value != 0.0 && value != 1.0)
      throw InvalidOption("not-binary", "",
                          signature.row_name(row) + " = " + text::format_number(value, 9) +
                              ", expected 0 or 1: where a binary slides, the mode is to be given with it");
    return value == 1.0 ? char{1} : char{0};
  };
  for (int i = 0; i < signature.q(); ++i) mode.z.push_back(bit(signature.binary_row(i)));
  for (int i = 0; i < signature.r(); ++i) mode.pre.push_back(bit(signature.pre_row(i)));
  for (int i = 0; i < signature.m(); ++i)
    if (signature.inputs()[at(i)].binary) mode.binary_inputs.push_back(bit(signature.input_row(i)));
  return mode;
}

LinearizationPoint start_point(const Model& model, const Mode& mode) {
  if (model.solves_start())
    throw InvalidOption("bad-option", "--mode",
                        "start values of a model with initial equations are guesses: expected the time of a "
                        "run as well (--at)");
  const double start = model.experiment.start;
  return {.time = start, .mode = mode, .v = start_instant(model, start, mode).v};
}

LinearizationPoint in_mode(const Model& model, LinearizationPoint point, const Mode& mode) {
  point.mode = mode;
  write_mode(model.signature, mode, point.v);
  return point;
}

LinearizationPoint consistent_point(const Model& model, LinearizationPoint point) {
  Solver solver(model);
  const auto motion = consistent_motion(model, solver, point);
  point.v = motion->v();
  write_mode(model.signature, point.mode, point.v);
  return point;
}

std::vector<double> slopes_at(const Model& model, const LinearizationPoint& point,
                              std::span<const int> rows) {
  Solver solver(model);
  const auto motion = consistent_motion(model, solver, point);
  std::vector<double> slopes;
  for (const int row : rows) slopes.push_back(motion->signal(row, 1).value);
  return slopes;
}

std::vector<LinearizationPoint> points_of_run(const Model& model, const PointsOfRun& wanted) {
  std::vector<double> times = wanted.times;
  if (!std::ranges::all_of(times, [](double t) { return std::isfinite(t); }))
    throw InvalidOption("bad-option", "/experiment/stop", "--at: expected finite times");
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const double start = model.experiment.start;
  if (!times.empty() && times.front() < start)
    throw InvalidOption("bad-option", "/experiment/start", "--at lies before the start time");
  SimulationOptions options;
  options.stop = wanted.stop.value_or(times.empty() ? model.experiment.stop : times.back());
  if (!times.empty()) options.stop = std::max(*options.stop, times.back());
  options.output_interval = *options.stop > start ? *options.stop - start : 1.0;
  options.output_times = times;
  options.stop_token = wanted.stop_token;
  if (model.is_discrete()) {
    options.output_interval = model.sample_time;
    options.output_times.clear();
    for (double& time : times) time = last_sample_until(model, start, time);
  }
  Collector collector(model, wanted, times);
  options.observe = [&](double time, int side, const Mode& mode, std::span<const double> v) {
    if (model.is_discrete())
      collector.pass_sample(time, mode, v);
    else
      collector.pass(time, side, mode, v);
  };
  const Trajectory run = simulate(model, options);
  const Outcome& outcome = run.outcome;
  if (outcome.kind == OutcomeKind::interrupted) throw NotReached("interrupted", "", outcome.message);
  if (outcome.kind != OutcomeKind::reached_stop)  // at the start the message says it all
    throw NotReached(
        "not-reached", "/experiment/stop",
        (*options.stop > start ? "no consistent point at t = " + text::format_number(*options.stop, 9) + ": "
                               : std::string()) +
            outcome.message);
  if (model.is_discrete()) return std::move(collector.points());  // solved to rounding
  Solver solver(model);
  for (LinearizationPoint& point : collector.points()) {
    const auto motion = solver.solve(point, true);
    if (motion->solved())
      point.v = motion->v();
    else  // rates and algebraic signals as the integrator has them
      std::copy_n(motion->v().begin() + model.signature.input_row(0), model.signature.m(),
                  point.v.begin() + model.signature.input_row(0));
    write_mode(model.signature, point.mode, point.v);
  }
  return std::move(collector.points());
}

std::vector<double> start_of_run(const Model& model) {
  LinearizationPoint start = points_of_run(model, {.times = {model.experiment.start}}).back();
  if (!model.is_discrete()) give_absent_signals(model, start.mode, start.v);
  return std::move(start.v);
}

}  // namespace mti
