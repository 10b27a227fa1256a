#include "solvers/orbits/return_map.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/model/signature.hpp"
#include "solvers/mode/run_text.hpp"

namespace mti {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void start_at(Model& model, const std::vector<double>& v) {
  const Signature& signature = model.signature;
  for (int i = 0; i < signature.n(); ++i) model.x_start[at(i)] = v[at(signature.state_row(i))];
  for (int i = 0; i < signature.p(); ++i) model.y_start[at(i)] = v[at(signature.algebraic_row(i))];
  for (int i = 0; i < signature.q(); ++i)
    model.z_start[at(i)] = v[at(signature.binary_row(i))] >= 0.5 ? 1 : 0;
  model.sign_binaries.clear();  // they are known
  model.fix_start();
}

std::string early_end_of(const Trajectory& run) {
  if (run.outcome.kind == OutcomeKind::reached_stop) return {};
  if (run.outcome.kind == OutcomeKind::interrupted || run.outcome.kind == OutcomeKind::time_budget)
    throw NotReached(to_string(run.outcome.kind), "", run.outcome.message + " of the search for an orbit");
  return "the run ends at t = " + number(run.outcome.end_time) + " (" + to_string(run.outcome.kind) +
         "): " + run.outcome.message;
}

SimulationOptions options_of_round(const SimulationOptions& asked, double seconds_used, double start,
                                   double length) {
  constexpr double usual = 1e-11;
  SimulationOptions run = asked;
  if (!run.rtol) run.rtol = usual;
  if (!run.atol) run.atol = usual;
  run.start = start;
  run.stop = start + length;
  if (length > 0.0) run.output_interval = length;
  if (run.max_seconds > 0.0)
    run.max_seconds = std::max(run.max_seconds - seconds_used, std::numeric_limits<double>::min());
  return run;
}

ReturnMap return_map(const Model& model, const SimulationOptions& options) {
  ReturnMap map;
  map.run = simulate(model, options);
  map.message = early_end_of(map.run);
  if (!map.is_defined()) return map;
  const Signature& signature = model.signature;
  const int n = signature.n(), parameters = static_cast<int>(options.sensitivities.size()) - n;
  const std::vector<double>& end = map.run.end_point;
  const std::span<const double> row = map.run.sensitivities.row(map.run.size() - 1);
  map.M.resize(n, n);
  map.left.resize(n);
  map.rate.resize(n);
  map.by_parameter.resize(parameters > 0 ? n : 0);
  for (int i = 0; i < n; ++i) {
    const Signal& state = signature.states()[at(i)];
    map.left[i] = end[at(signature.state_row(i))] - model.x_start[at(i)];
    map.rate[i] = end[at(signature.derivative_row(i))];
    map.residual = std::max(map.residual,
                            std::abs(map.left[i]) / std::max(state.nominal, std::abs(model.x_start[at(i)])));
    const std::size_t first = map.run.sensitivities.column(state.name, options.sensitivities.front().name);
    for (int j = 0; j < n; ++j) map.M(i, j) = row[first + at(j)];
    if (parameters > 0) map.by_parameter[i] = row[first + at(n)];
  }
  if (!map.M.allFinite() || !map.by_parameter.allFinite()) {
    map.message = "derivatives are undefined on the way";
    for (const std::string& warning : map.run.warnings)
      if (warning.starts_with("derivatives by ")) map.message += ": " + warning;
    for (const Event& event : map.run.events)
      for (const UndefinedSensitivity& one : event.undefined)
        map.message += ", from t = " + number(event.time) + " on: " + one.reason;
    return map;
  }
  for (int i = 0; i < signature.q(); ++i)
    if ((end[at(signature.binary_row(i))] >= 0.5) != (model.z_start[at(i)] != 0)) {
      map.message = "after one period of " + number(*options.stop - *options.start) +
                    " the mode is another one: " + signature.binaries()[at(i)].name +
                    " has changed; where the motion comes slowly to an orbit, a longer time to settle "
                    "(--settle) may lead "
                    "to it";
      return map;
    }
  return map;
}

MatrixXd newton_matrix(const ReturnMap& map, const VectorXd& nominal, double period, bool free_period) {
  const Index n = map.left.size(), size = n + (free_period ? 1 : 0);
  MatrixXd J = MatrixXd::Zero(size, size);
  J.topLeftCorner(n, n) =
      nominal.cwiseInverse().asDiagonal() * (map.M - MatrixXd::Identity(n, n)) * nominal.asDiagonal();
  if (free_period) {
    const VectorXd slope = map.rate.cwiseQuotient(nominal) * period;
    J.block(0, n, n, 1) = slope;
    J.block(n, 0, 1, n) = slope.transpose() / std::max(slope.norm(), 1e-300);
  }
  return J;
}

MatrixXd with_conserved(const MatrixXd& J, Index n, double rounding) {
  const VectorXd sizes = J.rowwise().norm().cwiseMax(1.0);  // that of I, of which M is taken
  const Eigen::JacobiSVD<MatrixXd> svd(sizes.cwiseInverse().asDiagonal() * J, Eigen::ComputeFullU);
  MatrixXd result = J;
  for (Index k = J.cols() - 1; k >= 0 && svd.singularValues()[k] <= rounding; --k) {
    VectorXd gradient = svd.matrixU().col(k).cwiseQuotient(sizes);
    gradient /= std::max(gradient.norm(), 1e-300);
    VectorXd of_x = VectorXd::Zero(J.cols());
    of_x.head(n) = gradient.head(n);
    result += gradient * of_x.transpose();
  }
  return result;
}

std::vector<double> breakpoints_between(const Model& model, double a, double b) {
  constexpr int most = 1000;
  std::vector<double> times;
  for (const Input& input : model.inputs) {
    double t = a;
    for (int k = 0; k < most; ++k) {
      t = input.next_breakpoint(t);
      if (!(t <= b)) break;
      times.push_back(t);
    }
  }
  std::ranges::sort(times);
  return times;
}

namespace {

ParameterDerivative derivative_by_start(const Model& model, int i) {
  const int size = model.signature.size();
  const auto none = [](int signals, int rows) {
    return CpMap(SparseColumns(signals, 0), SparseColumns(rows, 0));
  };
  ParameterDerivative by_start;
  by_start.name = "start(" + model.signature.states()[at(i)].name + ")";
  by_start.value = model.x_start[at(i)];
  by_start.nominal = model.signature.states()[at(i)].nominal;
  by_start.f = none(size, model.equations());
  by_start.g = none(size, model.constraints());
  for (const Transition& law : model.transitions)
    by_start.laws.push_back(none(2 * size, law.equations.rows()));
  for (const Scenario& scenario : model.scenarios)
    by_start.scenarios.push_back(none(scenario.equations.signals(), scenario.equations.rows()));
  by_start.x_start.assign(model.x_start.size(), 0.0);
  by_start.x_start[at(i)] = 1.0;
  by_start.y_start.assign(model.y_start.size(), 0.0);
  by_start.inputs.resize(model.inputs.size());
  return by_start;
}

}  // namespace

std::vector<ParameterDerivative> derivatives_by_starts(const Model& model) {
  std::vector<ParameterDerivative> all;
  for (int i = 0; i < model.signature.n(); ++i) all.push_back(derivative_by_start(model, i));
  return all;
}

}  // namespace mti
