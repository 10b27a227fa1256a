#include "solvers/equilibria/equilibrium.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/rounding.hpp"
#include "mti/common/wording.hpp"
#include "mti/model/delays.hpp"
#include "mti/model/freeze.hpp"
#include "mti/model/jacobian.hpp"
#include "solvers/blocks/start_point.hpp"
#include "solvers/equilibria/resting_model.hpp"
#include "solvers/linearization/linearization_points.hpp"
#include "solvers/mode/frozen_mode.hpp"

namespace mti {
namespace {

constexpr int most_binaries = 12;
constexpr Eigen::Index most_examined = 1500;
/// Of more unknowns Newton's method in the start mode is not tried before the successor problem is posed.
constexpr int most_refined = 300;

/// Unknowns with a share in what A leaves open, A being equilibrated by rows.
std::optional<std::vector<std::string>> open_unknowns(const Model& model, const Linearization& l) {
  if (l.A.cols() > most_examined) return std::nullopt;
  Eigen::MatrixXd A(l.A);
  const int n = model.signature.n(), p = model.signature.p();
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    const int k = static_cast<int>(j);
    if (k < n + p)
      A.col(j) *=
          k < n ? model.signature.states()[at(k)].nominal : model.signature.algebraic()[at(k - n)].nominal;
  }
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    if (const double size = A.row(i).cwiseAbs().maxCoeff(); size > 0.0) A.row(i) /= size;
  std::vector<std::string> open;
  if (A.cols() == 0) return open;
  if (A.rows() == 0) return l.unknowns;
  Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
  lu.setThreshold(1e-11);
  if (lu.dimensionOfKernel() == 0) return open;
  const Eigen::MatrixXd kernel = lu.kernel();
  const double largest = kernel.cwiseAbs().maxCoeff();
  for (Eigen::Index j = 0; j < A.cols(); ++j)
    if (kernel.row(j).cwiseAbs().maxCoeff() > 1e-8 * largest) open.push_back(l.unknowns[at(j)]);
  return open;
}

/// Where g = 0 and no equation keeps it there, the mode has the motion on one side only: x' = max(−x, 3x) is stable to the left
/// of 0 and runs away to the right.
std::string why_undecided(const Linearization& l) {
  if (!l.eigenvalues_computed) return l.eigenvalues_note;
  if (l.on_boundary.empty()) return {};
  return "beyond the boundary of " + joined(l.on_boundary) +
         ", on which the point lies, another mode may have the motion, and the eigenvalues are those of this "
         "one";
}

double rightmost_of(const Linearization& l) {
  double rightmost = -std::numeric_limits<double>::infinity();
  for (const std::complex<double>& value : l.eigenvalues) rightmost = std::max(rightmost, value.real());
  return rightmost;
}

/// What Newton's method may still miss the point by, by columns of A: the step from there, A δ = f, and √ε of each signal. At a
/// double root steps are as long as what they still miss. Of a point on surfaces √ε of nominal values, too.
Eigen::VectorXd misses(const Model& model, const LinearizationPoint& point, const Linearization& l) {
  const int n = model.signature.n(), p = model.signature.p();
  Eigen::VectorXd missed = Eigen::VectorXd::Zero(n + p);
  const auto row_of = [&](int k) {
    return k < n ? model.signature.state_row(k) : model.signature.algebraic_row(k - n);
  };
  for (int k = 0; k < n + p; ++k) missed[k] = std::sqrt(machine_epsilon) * std::abs(point.v[at(row_of(k))]);
  if (!point.mode.slides.empty()) {
    for (int k = 0; k < n + p; ++k)
      missed[k] += std::sqrt(machine_epsilon) * (k < n ? model.signature.states()[at(k)].nominal
                                                       : model.signature.algebraic()[at(k - n)].nominal);
    return missed;
  }
  const CpMap f = freeze(model, point.mode).f;
  const RowMap rows(f);
  std::vector<double> values;
  for (int row = 0; row < rows.rows(); ++row)
    if (form_of(rows, row) == RowForm::live) values.push_back(rows.value(row, point.v));
  if (std::ssize(values) != l.A.rows() || l.A.rows() != l.A.cols()) return missed;
  // Where A is singular but for rounding steps are long, and should be.
  const Eigen::VectorXd step = Eigen::PartialPivLU<Eigen::MatrixXd>(Eigen::MatrixXd(l.A))
                                   .solve(Eigen::Map<const Eigen::VectorXd>(values.data(), l.A.rows()));
  constexpr double several_steps = 4.0;  // at an m-fold root each is a part 1/m of what is missed
  if (step.allFinite()) missed += several_steps * step.cwiseAbs();
  return missed;
}

/// How far the rightmost eigenvalue goes where the point is moved by what Newton's method may miss it by: at a double root the
/// eigenvalue is 0, and what is found of it is a matter of the last iterate.
double uncertainty(const Model& model, const LinearizationPoint& point, const Linearization& l,
                   const LinearizationOptions& options) {
  const Eigen::VectorXd missed = misses(model, point, l);
  const Signature& signature = model.signature;
  double most = 0.0;
  for (const double side : {-1.0, 1.0}) {
    LinearizationPoint moved = point;
    const auto move = [&](int row, double by) {
      moved.v[at(row)] += std::cos(row + 1.0) < 0.0 ? -side * by : side * by;  // some one way, some the other
    };
    for (int i = 0; i < signature.n(); ++i) move(signature.state_row(i), missed[i]);
    for (int i = 0; i < signature.p(); ++i) move(signature.algebraic_row(i), missed[signature.n() + i]);
    const Linearization there = linearize(model, moved, options);
    if (there.eigenvalues_computed) most = std::max(most, std::abs(rightmost_of(there) - rightmost_of(l)));
  }
  return most;
}

Equilibrium::Stability stability_of(const Model& model, const LinearizationPoint& point,
                                    const Linearization& l, const LinearizationOptions& options) {
  using Stability = Equilibrium::Stability;
  constexpr double rounding = 1e-9;
  if (l.eigenvalues.empty()) return Stability::stable;
  double largest = 0.0;
  for (const std::complex<double>& value : l.eigenvalues) largest = std::max(largest, std::abs(value));
  const double rightmost = rightmost_of(l);
  if (std::abs(rightmost) <= rounding * largest) return Stability::marginal;
  if (l.A.cols() <= most_refined && std::abs(rightmost) <= uncertainty(model, point, l, options))
    return Stability::marginal;
  return rightmost > 0.0 ? Stability::unstable : Stability::stable;
}

class Search {
 public:
  Search(const Model& model, const EquilibriumOptions& options)
      : model_(model),
        options_(options),
        t_(options.time.value_or(model.experiment.start)),
        resting_(model, t_) {}

  EquilibriumSearch run() {
    if (options_.mode) {
      try_mode(*options_.mode);
    } else {
      refine_guesses();
      search();
      if (options_.all) {
        try_all();
      } else if (result_.equilibria.empty()) {
        try_mode(start_mode(resting_.model, t_));
        // The search flips what the start breaks; a root that is farther away is for each mode to find.
        constexpr int few_binaries = 6;
        if (model_.signature.q() <= few_binaries && model_.signature.p() <= most_refined) try_all();
        if (result_.equilibria.size() > 1) result_.equilibria.resize(1);
      }
    }
    if (!result_.equilibria.empty()) result_.message.clear();
    return std::move(result_);
  }

 private:
  void throw_if_interrupted() const {
    if (options_.stop_token.stop_requested())
      throw NotReached("interrupted", "", "stopped before the search for equilibria was done");
  }

  /// Where the states rest already guesses of y become what Newton's steps of least norm make of them, if that is admissible in
  /// the start mode: a block that is solved from a guess of one signal, as of a force, would move the states too.
  void refine_guesses() {
    Model& model = resting_.model;
    if (model.signature.p() > most_refined) return;
    const Mode mode = start_mode(model, t_);
    const RestingPoint point = rest_in_mode(resting_, mode, options_.stop_token);
    throw_if_interrupted();
    if (!point.converged || !broken_by(mode, point.v).empty()) return;
    for (int i = 0; i < model_.signature.n(); ++i) {
      const double x = model.y_start[at(i)], found = point.v[at(model.signature.algebraic_row(i))];
      if (std::abs(found - x) > model.experiment.rtol * std::abs(x) +
                                    model.experiment.atol * model.signature.algebraic()[at(i)].nominal)
        return;
    }
    for (int i = 0; i < model.signature.p(); ++i)
      model.y_start[at(i)] = point.v[at(model.signature.algebraic_row(i))];
  }

  /// The successor problem of the model at rest.
  void search() {
    try {
      for (const LinearizationPoint& point :
           points_of_run(resting_.model, {.times = {t_}, .stop_token = options_.stop_token}))
        found(point.mode, point.v);
    } catch (const NotReached& none) {
      throw_if_interrupted();
      result_.message = "with der(x) = 0: " + none.faults().front().message;
    }
    // Both limits of a change at the start are points; the last one is the equilibrium.
    if (result_.equilibria.size() > 1)
      result_.equilibria.erase(result_.equilibria.begin(), result_.equilibria.end() - 1);
  }

  void try_all() {
    Mode mode = start_mode(resting_.model, t_);
    const unsigned long modes = 1UL << static_cast<unsigned>(model_.signature.q());
    for (unsigned long code = 0; code < modes; ++code) {
      throw_if_interrupted();
      for (std::size_t i = 0; i < mode.z.size(); ++i) mode.z[i] = static_cast<char>(code >> i & 1U);
      remember(resting_.model.signature, mode);
      const bool known = std::ranges::any_of(result_.equilibria, [&](const Equilibrium& equilibrium) {
        const Mode& other = equilibrium.linearization.mode;
        return other.slides.empty() && other.z == mode.z;
      });
      if (!known) try_mode(mode);
    }
  }

  void try_mode(const Mode& mode) {
    if (resting_.model.signature.p() > most_examined) {  // its matrices are full
      if (result_.message.empty())
        result_.message = "Newton's method in one mode is for " + std::to_string(most_examined) +
                          " unknowns at most, found " + std::to_string(resting_.model.signature.p());
      return;
    }
    ++result_.modes;
    const RestingPoint point = rest_in_mode(resting_, mode, options_.stop_token);
    throw_if_interrupted();
    if (!point.converged) {
      if (result_.message.empty())
        result_.message = "in this mode the equations have no solution with der(x) = 0 that was found" +
                          (point.worst_equation < 0 ? std::string()
                                                    : ": " + model_.equation_names[at(point.worst_equation)] +
                                                          " is not fulfilled");
      return;
    }
    if (const std::string broken = broken_by(mode, point.v); !broken.empty()) {
      if (finds_another(mode, point.v)) return;
      if (result_.message.empty())
        result_.message = "the point with der(x) = 0 in this mode breaks " + broken;
      return;
    }
    found(mode, point.v);
  }

  /// A root that the mode does not admit says nothing of others: x = −2 of 4 − x² = 0 where x > 0. Newton's method is begun
  /// anew on the other side of the start, opposite to that root, and at points about, the same in every run.
  bool finds_another(const Mode& mode, const std::vector<double>& excluded) {
    Model& model = resting_.model;
    if (model.signature.p() > most_refined) return false;
    const std::vector<double> start = model.y_start;
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    constexpr int starts = 12;
    bool finds = false;
    for (int k = 0; k < starts && !finds; ++k) {
      for (int i = 0; i < model.signature.p(); ++i) {
        const double root = excluded[at(model.signature.algebraic_row(i))], x = start[at(i)];
        const double size =
            std::max({std::abs(root), std::abs(x), model.signature.algebraic()[at(i)].nominal});
        model.y_start[at(i)] = k == 0 ? -root : (k == 1 ? 2.0 * x - root : k * size * normal(random) / 3.0);
      }
      const RestingPoint point = rest_in_mode(resting_, mode, options_.stop_token);
      throw_if_interrupted();
      finds = point.converged && broken_by(mode, point.v).empty();
      if (finds) found(mode, point.v);
    }
    model.y_start = start;
    return finds;
  }

  /// The constraint or invariant that a point breaks; empty if none.
  [[nodiscard]] std::string broken_by(const Mode& mode, const std::vector<double>& v) const {
    const Model& model = resting_.model;
    for (const BooleanFormula& formula : model.invariants)
      if (!formula.evaluate([&](int row) { return v[at(row)] > 0.5; })) return formula.text;
    const std::vector<int> unknowns = algebraic_rows(model.signature);
    Jacobian g(freeze(model, mode).g, {unknowns});
    g.evaluate(v);
    const Eigen::MatrixXd slopes(g.matrix(0));
    for (int row = 0; row < model.constraints(); ++row) {
      double error = 0.0;  // ε of the unknowns in g
      for (std::size_t j = 0; j < unknowns.size(); ++j)
        error += std::abs(slopes(row, static_cast<Eigen::Index>(j))) *
                 (model.experiment.rtol * std::abs(v[at(unknowns[j])]) +
                  model.experiment.atol * model.signature.algebraic()[j].nominal);
      if (!(g.value()[at(row)] <= error)) return model.constraint_names[at(row)];
    }
    return {};
  }

  void found(const Mode& mode, const std::vector<double>& v) {
    Equilibrium equilibrium;
    const LinearizationPoint point{.time = t_, .side = 0, .mode = mode, .v = resting_.original_v(v)};
    equilibrium.linearization = linearize(model_, point, options_.linearization);
    throw_if_interrupted();
    equilibrium.undecided = why_undecided(equilibrium.linearization);
    if (equilibrium.undecided.empty())
      equilibrium.stability = stability_of(model_, point, equilibrium.linearization, options_.linearization);
    equilibrium.open = open_unknowns(model_, equilibrium.linearization);
    throw_if_interrupted();
    see_whether_it_rests(equilibrium);
    result_.equilibria.push_back(std::move(equilibrium));
  }

  /// The motion that begins there: laws, hidden constraints and the sides of surfaces have their say.
  void see_whether_it_rests(Equilibrium& equilibrium) const {
    const Signature& signature = model_.signature;
    const std::vector<double>& v = equilibrium.linearization.v;
    Model there = model_;
    there.fix_start();
    there.experiment.start = there.experiment.stop = t_;
    there.inputs = resting_.model.inputs;
    for (int i = 0; i < signature.n(); ++i) there.x_start[at(i)] = v[at(signature.state_row(i))];
    for (int i = 0; i < signature.p(); ++i) there.y_start[at(i)] = v[at(signature.algebraic_row(i))];
    there.z_start = equilibrium.linearization.mode.z;
    there.sign_binaries.clear();
    double fastest = 1.0;
    for (const std::complex<double>& value : equilibrium.linearization.eigenvalues)
      fastest = std::max(fastest, std::abs(value));
    const double allowed = 1e3 * fastest * std::max(model_.experiment.rtol, model_.experiment.atol);
    try {
      const std::vector<LinearizationPoint> points =
          points_of_run(there, {.times = {t_}, .stop_token = options_.stop_token});
      for (int i = 0; i < signature.n() && !points.empty(); ++i) {
        const double rate = std::abs(points.back().v[at(signature.derivative_row(i))]);
        const double size = std::abs(v[at(signature.state_row(i))]) + signature.states()[at(i)].nominal;
        if (rate <= allowed * size) continue;
        equilibrium.rests = false;
        equilibrium.leaves =
            "the motion that begins there leaves: " + signature.states()[at(i)].name + " moves";
        return;
      }
    } catch (const NotReached& none) {
      throw_if_interrupted();
      equilibrium.rests = false;
      equilibrium.leaves = none.faults().front().message;
    }
  }

  const Model& model_;
  const EquilibriumOptions& options_;
  double t_;
  RestingModel resting_;
  EquilibriumSearch result_;
};

}  // namespace

EquilibriumSearch find_equilibria(const Model& model, const EquilibriumOptions& options) {
  require_no_delayed_signals(model, "equilibria");
  if (model.is_discrete())
    throw InvalidOption("bad-option", "",
                        "an equilibrium is one of continuous time: the model has a sample_time");
  if (const std::vector<int> sampled = sampled_states(model); !sampled.empty())
    throw InvalidOption(
        "bad-option", "",
        "an equilibrium is one of continuous time: " + model.signature.states()[at(sampled.front())].name +
            " is sampled, and der = 0 between the ticks of its clock says nothing of it");
  if (options.all && model.signature.q() > most_binaries)
    throw InvalidOption("bad-option", "",
                        "--all tries every mode: found " + std::to_string(model.signature.q()) +
                            " binaries, expected " + std::to_string(most_binaries) + " at most");
  return Search(model, options).run();
}

}  // namespace mti
