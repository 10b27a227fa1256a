// Restarts of random linear pencils against the consistency projector by Wong sequences: from inconsistent
// starts, at breakpoints of inputs and between two pencils.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/structure/mode_structure.hpp"
#include "tests/solvers/random_pencil.hpp"
#include "tests/solvers/restart/restart_expectation.hpp"

namespace mti::test {
namespace pencil_restart_test {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int most_failures = 3;  // so many models are printed at most
constexpr double rtol = 1e-9;

Trajectory run_of(const Model& model, double stop) {
  SimulationOptions options;
  options.rtol = options.atol = rtol;
  options.stop = options.output_interval = stop;
  return simulate(model, options);
}

std::string text_of(const Source& source) {
  std::string text;
  for (const RelationSource& equation : source.equations) text += "  " + equation.text + "\n";
  for (const StateSource& state : source.states)
    text += "  " + state.name + "(0) = " + text::format_number(std::get<double>(state.start)) + "\n";
  return text;
}

bool reached_stop(const Trajectory& run) { return run.outcome.kind == OutcomeKind::reached_stop; }

/// Models that went wrong, of which a few are printed.
class Failures {
 public:
  void add(const std::string& label, const Source& source, const std::string& faults) {
    if (++count_ <= most_failures) ADD_FAILURE() << label << "\n" << text_of(source) << faults;
  }
  [[nodiscard]] int count() const { return count_; }

 private:
  int count_ = 0;
};

std::string label_of(const char* kind, int index, unsigned seed) {
  return std::string(kind) + ", index " + std::to_string(index) + ", seed " + std::to_string(seed);
}

/// x(t) by the Taylor series of the oracle's motion; |λ| t ≤ 1/5, so that 12 terms leave 10⁻¹⁶.
VectorXd motion_at(const RandomPencil& pencil, const VectorXd& x_plus, double t) {
  const std::vector<VectorXd> x = derivatives(pencil.form, x_plus, {pencil.b.front()}, 12);
  VectorXd sum = VectorXd::Zero(x_plus.size());
  double factor = 1.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    sum += factor * x[k];
    factor *= t / static_cast<double>(k + 1);
  }
  return sum;
}

/// From any x⁻ at the start, b constant. Danger: a projection that is not the one of the equations, weights
/// of the wrong sign or order, constraints that the motion leaves again.
TEST(PencilRestart, SparsePencilsStartOnTheConsistencyProjector) {
  Failures failures;
  int compared[4] = {}, with_impulses = 0, of_second_order = 0;
  for (unsigned seed = 0; seed < 334; ++seed)
    for (int index = 1; index <= 3; ++index) {
      const std::optional<RandomPencil> pencil = draw_sparse_pencil(index, seed);
      if (!pencil) continue;
      const Source source = source_of(*pencil);
      const Model model = build(source);
      const std::string label = label_of("sparse", index, seed);
      EXPECT_EQ(analyze_mode(model, Mode{}).degrees_of_freedom, pencil->form.V.cols()) << label;
      const LinearRestart expected = restart(pencil->form, pencil->x_minus, {pencil->b.front()});
      const double stop = 0.02;
      const Trajectory run = run_of(model, stop);
      ++compared[index];
      with_impulses += expected.impulses.norm() > 1e-3 ? 1 : 0;
      of_second_order += index == 3 && expected.impulses.col(1).norm() > 1e-3 ? 1 : 0;
      if (!reached_stop(run)) {
        failures.add(label, source, to_string(run.outcome.kind) + ": " + run.outcome.message + "\n");
        continue;
      }
      std::vector<std::string> faults = restart_faults(run, model, 0.0, pencil->x_minus, expected);
      const VectorXd at_stop = motion_at(*pencil, expected.x_plus, stop);
      // Errors of the integration, about ten steps, reach other signals through S and T.
      const double allowed = 10.0 * rtol * pencil->form.condition * (1.0 + at_stop.cwiseAbs().maxCoeff());
      const auto end = signals_at(run, stop, Limit::right, pencil->size());
      if (!end || !((*end - at_stop).cwiseAbs().maxCoeff() <= allowed))
        faults.push_back("x at the stop is off by " +
                         text::format_number(end ? (*end - at_stop).cwiseAbs().maxCoeff() : NAN));
      if (!faults.empty()) failures.add(label, source, lines_of(faults));
    }
  for (int index = 1; index <= 3; ++index) EXPECT_GE(compared[index], 333) << "index " << index;
  EXPECT_GE(with_impulses, 600);
  EXPECT_GE(of_second_order, 300);
  EXPECT_EQ(failures.count(), 0) << "of " << compared[1] + compared[2] + compared[3];
}

/// Full matrices show no structure: rows are recombined until one shows. Danger: a rank that is decided
/// wrong, x⁻ forgotten by rows that hold derivatives of constraints which x⁻ does not fulfil.
TEST(PencilRestart, DensePencilsAreRecombined) {
  Failures failures;
  int compared = 0, with_impulses = 0;
  for (unsigned seed = 0; seed < 100; ++seed)
    for (int index = 1; index <= 3; ++index) {
      const std::optional<RandomPencil> pencil = draw_dense_pencil(index, seed);
      if (!pencil) continue;
      ++compared;
      const Source source = source_of(*pencil);
      const Model model = build(source);
      const std::string label = label_of("dense", index, seed);
      const LinearRestart expected = restart(pencil->form, pencil->x_minus, {pencil->b.front()});
      const double stop = 0.001;
      const Trajectory run = run_of(model, stop);
      if (!reached_stop(run)) {
        failures.add(label, source, to_string(run.outcome.kind) + ": " + run.outcome.message + "\n");
        continue;
      }
      with_impulses += expected.impulses.norm() > 1e-3 ? 1 : 0;
      std::vector<std::string> faults = restart_faults(run, model, 0.0, pencil->x_minus, expected);
      const VectorXd at_stop = motion_at(*pencil, expected.x_plus, stop);
      const double allowed = 10.0 * rtol * pencil->form.condition * (1.0 + at_stop.cwiseAbs().maxCoeff());
      const auto end = signals_at(run, stop, Limit::right, pencil->size());
      if (!end || !((*end - at_stop).cwiseAbs().maxCoeff() <= allowed))
        faults.push_back("x at the stop is off by " +
                         text::format_number(end ? (*end - at_stop).cwiseAbs().maxCoeff() : NAN));
      if (!faults.empty()) failures.add(label, source, lines_of(faults));
    }
  EXPECT_GE(compared, 290);
  EXPECT_GE(with_impulses, 150);
  EXPECT_EQ(failures.count(), 0) << "of " << compared;
}

/// A pencil whose right sides are inputs: constants, sines and tables with a corner and a jump at
/// `breakpoint`.
struct DrivenPencil {
  DrivenPencil(int index, unsigned seed) : pencil(draw_sparse_pencil(index, seed).value()), random(seed) {
    declare_signals({&pencil}, source);
    for (Index i = 0; i < pencil.size(); ++i) {
      const std::string name = "u" + std::to_string(i + 1);
      source.inputs.push_back({name, draw_form()});
      source.equations.emplace_back(row_text(pencil, i) + " = " + name);
    }
  }

  /// b, ḃ, b̈ at t, of tables those of the piece that holds at `piece`.
  [[nodiscard]] std::vector<VectorXd> b(double t) const { return b(t, t); }
  [[nodiscard]] std::vector<VectorXd> b(double t, double piece) const {
    std::vector<VectorXd> result(3, VectorXd::Zero(pencil.size()));
    for (Index i = 0; i < pencil.size(); ++i) {
      const auto& form = source.inputs[at(i)].form;
      if (const auto* number = std::get_if<Number>(&form)) result[0][i] = std::get<double>(*number);
      if (const auto* sine = std::get_if<SineSource>(&form)) {
        const double a = std::get<double>(sine->amplitude),
                     w = 2.0 * std::numbers::pi * std::get<double>(sine->frequency),
                     phase = w * t + std::get<double>(sine->phase);
        result[0][i] = std::get<double>(sine->offset) + a * std::sin(phase);
        result[1][i] = a * w * std::cos(phase);
        result[2][i] = -a * w * w * std::sin(phase);
      }
      if (const auto* table = std::get_if<TableSource>(&form)) {
        const std::size_t k = piece < breakpoint ? 0 : 2;
        const auto at = [&](const std::vector<Number>& list, std::size_t j) {
          return std::get<double>(list[j]);
        };
        const double slope =
            (at(table->value, k + 1) - at(table->value, k)) / (at(table->time, k + 1) - at(table->time, k));
        result[0][i] = at(table->value, k) + slope * (t - at(table->time, k));
        result[1][i] = slope;
      }
    }
    return result;
  }

  /// Largest jump of E x at the breakpoint. It depends on w₂ alone, which b determines on both sides.
  [[nodiscard]] double jump_of_states() const {
    const VectorXd zero = VectorXd::Zero(pencil.size());
    const VectorXd before = restart(pencil.form, zero, b(breakpoint, 0.0)).x_plus,
                   after = restart(pencil.form, zero, b(breakpoint)).x_plus;
    return (pencil.E * (after - before)).cwiseAbs().maxCoeff();
  }

  static constexpr double breakpoint = 0.03125;
  RandomPencil pencil;
  Source source;

 private:
  double quarter() { return 0.25 * std::uniform_int_distribution<int>(-8, 8)(random); }
  decltype(InputSource::form) draw_form() {
    const int kind = std::uniform_int_distribution<int>(0, 3)(random);
    if (kind == 0) return Number{quarter()};
    if (kind == 1) return SineSource{quarter(), 0.125, quarter(), quarter()};
    const double first = quarter(), corner = first + quarter() / 8.0;
    const double after = kind == 2 ? corner : corner + quarter();
    return TableSource{{0.0, breakpoint, breakpoint, 1.0}, {first, corner, after, after + quarter()}, {}};
  }

  std::mt19937 random;
};

/// Danger: derivatives of inputs left out of constraints that are differentiated, or taken from the wrong
/// side; a corner of an input that makes a state jump and passes unseen.
TEST(PencilRestart, DrivenPencilsRestartAtTheStartAndAtBreakpoints) {
  Failures failures;
  int compared = 0, with_event = 0;
  for (unsigned seed = 5000; seed < 5080; ++seed)
    for (int index = 1; index <= 3; ++index) {
      const DrivenPencil driven(index, seed);
      const RandomPencil& pencil = driven.pencil;
      const Model model = build(driven.source);
      const std::string label = label_of("driven", index, seed);
      const Trajectory run = run_of(model, 0.0625);
      ++compared;
      if (!reached_stop(run)) {
        failures.add(label, driven.source, to_string(run.outcome.kind) + ": " + run.outcome.message + "\n");
        continue;
      }
      std::vector<std::string> faults = restart_faults(run, model, 0.0, pencil.x_minus,
                                                       restart(pencil.form, pencil.x_minus, driven.b(0.0)));
      const double t = DrivenPencil::breakpoint;
      if (const auto left = signals_at(run, t, Limit::left, pencil.size());
          left && event_at(run, t) != nullptr) {
        ++with_event;
        const std::vector<std::string> later =
            restart_faults(run, model, t, *left, restart(pencil.form, *left, driven.b(t)));
        faults.insert(faults.end(), later.begin(), later.end());
        if (event_at(run, t)->kind != EventKind::input) faults.emplace_back("not of kind input");
      } else if (driven.jump_of_states() > 1e-6) {
        faults.push_back("states jump by " + text::format_number(driven.jump_of_states()) +
                         " at the breakpoint, and no event is reported");
      }
      if (!faults.empty()) failures.add(label, driven.source, lines_of(faults));
    }
  EXPECT_GE(compared, 240);
  EXPECT_GE(with_event, 80);
  EXPECT_EQ(failures.count(), 0) << "of " << compared;
}

/// Two pencils on the same signals, (1 − p)·(E_a ẋ + A_a x − b_a) + p·(E_b ẋ + A_b x − b_b) = 0, with p from
/// 0 to 1 at `t` and back at 2 t.
Source switched(const RandomPencil& a, const RandomPencil& b, double t) {
  Source source;
  declare_signals({&a, &b}, source);
  source.inputs.push_back({"p", TableSource{{0.0, t, 2.0 * t}, {0.0, 1.0, 0.0}, {}}, {}, 1.0, true});
  for (Index i = 0; i < a.size(); ++i) {
    const auto row = [i](const RandomPencil& pencil) {
      return "(" + row_text(pencil, i) + " - (" + text::format_number(pencil.b.front()[i]) + "))";
    };
    source.equations.emplace_back("(1 - p)*" + row(a) + " + p*" + row(b) + " = 0");
  }
  return source;
}

/// Danger: structure taken over both modes at once; left limits of signals that are algebraic in the mode
/// left and states in the mode entered; a state set free that keeps an old projection.
TEST(PencilRestart, PencilsSwitchedByABinaryInput) {
  Failures failures;
  int compared = 0, index_changes = 0;
  const double t = 0.03125;
  for (unsigned seed = 7000; seed < 7300; ++seed) {
    const int index_a = 1 + static_cast<int>(seed % 3), index_b = 1 + static_cast<int>(seed / 3 % 3);
    const std::optional<RandomPencil> a = draw_sparse_pencil(index_a, seed);
    std::optional<RandomPencil> b;
    for (unsigned other = 0; other < 40 && (!b || b->size() != a->size()); ++other)
      b = draw_sparse_pencil(index_b, seed + 1000 * (other + 1));
    if (!a || !b || a->size() != b->size()) continue;
    const Source source = switched(*a, *b, t);
    const Model model = build(source);
    const std::string label =
        label_of("switched from", index_a, seed) + " to index " + std::to_string(index_b);
    const Trajectory run = run_of(model, 2.5 * t);
    ++compared;
    index_changes += index_a != index_b ? 1 : 0;
    if (!reached_stop(run)) {
      failures.add(label, source, to_string(run.outcome.kind) + ": " + run.outcome.message + "\n");
      continue;
    }
    std::vector<std::string> faults =
        restart_faults(run, model, 0.0, a->x_minus, restart(a->form, a->x_minus, {a->b.front()}));
    for (const auto& [time, entered] : {std::pair{t, &std::as_const(*b)}, std::pair{2.0 * t, &*a}}) {
      const auto left = signals_at(run, time, Limit::left, a->size());
      const Event* event = event_at(run, time);
      if (!left || event == nullptr) {
        faults.emplace_back("no event at the breakpoint");
        continue;
      }
      if (event->kind != EventKind::input || event->changed.size() != 1)
        faults.emplace_back("not a change of p, of kind input");
      const std::vector<std::string> here =
          restart_faults(run, model, time, *left, restart(entered->form, *left, {entered->b.front()}));
      faults.insert(faults.end(), here.begin(), here.end());
    }
    if (!faults.empty()) failures.add(label, source, lines_of(faults));
  }
  EXPECT_GE(compared, 250);
  EXPECT_GE(index_changes, 150);
  EXPECT_EQ(failures.count(), 0) << "of " << compared;
}

}  // namespace pencil_restart_test
}  // namespace mti::test
