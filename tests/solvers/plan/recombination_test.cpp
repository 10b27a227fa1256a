// Systems that are regular in structure and singular in numbers, and equations that follow from others.

#include "solvers/plan/recombination.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "mti/build/build.hpp"
#include "mti/common/number.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/solvers/wong_sequences.hpp"

namespace mti::test {
namespace recombination_test {
namespace {

constexpr double rtol = 1e-9;

Trajectory run_of(const Model& model, double stop) {
  SimulationOptions options;
  options.rtol = rtol;
  options.atol = 1e-11;
  options.stop = options.output_interval = stop;
  return simulate(model, options);
}

double last(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

Recombination recombined(const Model& model) {
  std::vector<int> unknowns;
  for (int i = 0; i < model.signature.n(); ++i) unknowns.push_back(model.signature.derivative_row(i));
  for (int i = 0; i < model.signature.p(); ++i) unknowns.push_back(model.signature.algebraic_row(i));
  const auto result = recombine(model, RowMap(model.f()), unknowns);
  EXPECT_TRUE(result.has_value());
  return result.value_or(Recombination{});
}

/// A capacitor between two resistors, its current named by no signal: C(u1' − u2') stands in both balances.
Source floating_capacitor() {
  Source source;
  source.parameters = {{"C", 1e-6}, {"R", 1000.0}};
  source.states = {{.name = "u1"}, {.name = "u2"}};
  source.inputs = {{"e", SineSource{1.0, 50.0, 0.0, 0.0}}};
  source.equations = {{"node1", "C*(der(u1) - der(u2)) = (e - u1)/R"},
                      {"node2", "C*(der(u2) - der(u1)) = -u2/R"}};
  return source;
}

TEST(Recombination, SumOfTwoNodesHasNoCapacitorCurrent) {
  const Recombination result = recombined(build(floating_capacitor()));
  ASSERT_EQ(result.steps.size(), 1U);
  EXPECT_EQ(result.steps[0].equation, EquationRow(1));
  ASSERT_EQ(result.steps[0].parts.size(), 2U);
  EXPECT_EQ(result.steps[0].parts[0].factor, 1.0);
  EXPECT_EQ(result.steps[0].parts[0].times, 0);
  EXPECT_TRUE(result.plan.differentiated());
  EXPECT_TRUE(result.redundant.empty());
}

/// i = C (u1 − u2)' through 2R: τ = 2RC, u_C = the response of a first-order lag to the sine.
TEST(Recombination, FloatingCapacitorFollowsItsClosedForm) {
  const double tau = 2e-3, w = 2.0 * std::numbers::pi * 50.0;
  const Trajectory run = run_of(build(floating_capacitor()), 0.02);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  const double t = 0.02, d = 1.0 + w * w * tau * tau;
  const double uC = (std::sin(w * t) - w * tau * std::cos(w * t)) / d + w * tau / d * std::exp(-t / tau);
  const double i = (std::sin(w * t) - uC) / 2000.0;
  EXPECT_NEAR(last(run, "u1"), std::sin(w * t) - 1000.0 * i, 1e-7);
  EXPECT_NEAR(last(run, "u2"), 1000.0 * i, 1e-7);
}

/// Perfectly coupled inductors, M² = L1 L2: one flux. From i = (1, 0) the flux i1 + 2 i2 is kept, v2 = 2 v1.
TEST(Recombination, PerfectlyCoupledInductorsKeepTheirFlux) {
  Source source;
  source.states = {{.name = "i1", .start = 1.0}, {.name = "i2"}};
  source.equations = {{"winding1", "0.3*der(i1) + 0.6*der(i2) = -i1"},
                      {"winding2", "0.6*der(i1) + 1.2*der(i2) = -i2"}};
  const Trajectory run = run_of(build(source), 0.5);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  // i2 = 2 i1, i1 + 2 i2 = 5 i1 = 1 at 0+, and 0.3·5 i1' = −i1.
  const double i1 = 0.2 * std::exp(-0.5 / 1.5);
  EXPECT_NEAR(last(run, "i1"), i1, 1e-7);
  EXPECT_NEAR(last(run, "i2"), 2.0 * i1, 1e-7);
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].jumps.size(), 2U);
}

/// Fed by a current source the windings' voltage is L i', a derivative of the input. Danger: where i jumps
/// its impulse is lost, and so is that of a start off the source's current.
TEST(Recombination, DerivativesOfInputsJumpAsImpulses) {
  Source source;
  source.states = {{.name = "i1", .start = 0.25}, {.name = "i2", .start = 0.25}};
  source.algebraic = {{.name = "v1"}, {.name = "v2"}};
  source.inputs = {{"I", TableSource{{0.0, 1.0, 1.0, 2.0}, {1.0, 2.0, 5.0, 5.5}, {}}}};
  source.equations = {{"winding1", "2*der(i1) + 2*der(i2) = v1"},
                      {"winding2", "2*der(i1) + 2*der(i2) = v2 + i1"},
                      {"feed", "i1 + i2 = I"},
                      {"load", "v2 + 3*i2 = 0"}};
  const Trajectory run = run_of(build(source), 1.5);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  // v1 = 2 I', v2 = v1 − i1, i2 = −v2/3, i1 + i2 = I.
  EXPECT_NEAR(last(run, "v1"), 1.0, 1e-7);
  const double I = 5.25, i1 = (3.0 * I + 1.0) / 4.0;
  EXPECT_NEAR(last(run, "i1"), i1, 1e-7);
  EXPECT_NEAR(last(run, "i2"), I - i1, 1e-7);
  ASSERT_EQ(run.events.size(), 2U);
  const auto weight_of = [&](const Event& event, int row) {
    double weight = 0.0;
    for (const Impulse& impulse : event.impulses)
      if (impulse.row == row && impulse.order == 1.0) weight += impulse.weight;
    return weight;
  };
  const int v1 = build(source).signature.algebraic_row(0);
  EXPECT_NEAR(weight_of(run.events[0], v1), 2.0 * 0.5, 1e-7) << "from 0.5 to I(0) = 1";
  EXPECT_NEAR(weight_of(run.events[1], v1), 2.0 * 3.0, 1e-6) << "from 2 to 5";
}

/// Gear and Petzold: a + η t b = q, a' + η t b' + (1 + η) b = 0 has b = −q'.
TEST(Recombination, GearPetzoldWhateverEta) {
  for (const double eta : {-0.5, -1.0, 0.5, 2.0}) {
    Source source;
    source.parameters = {{"eta", eta}};
    source.states = {{.name = "a", .start = 0.0}, {.name = "b", .start = -1.0}};
    source.inputs = {{"q", SineSource{1.0, 0.5 / std::numbers::pi, 0.0, 0.0}}};
    source.equations = {{"position", "a + eta*time*b = q"},
                        {"motion", "der(a) + eta*time*der(b) + (1 + eta)*b = 0"}};
    const Trajectory run = run_of(build(source), 2.0);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(last(run, "b"), -std::cos(2.0), 1e-7) << eta;
    EXPECT_NEAR(last(run, "a"), std::sin(2.0) + eta * 2.0 * std::cos(2.0), 1e-7) << eta;
  }
}

/// Near to singular is not singular: k² = 1 − 1e-6 has a fast mode of its own.
TEST(Recombination, NotWhereNumbersAreOnlyClose) {
  Source source;
  source.states = {{.name = "i1", .start = 1.0}, {.name = "i2", .start = 2.0}};
  source.equations = {{"winding1", "0.3*der(i1) + 0.6*der(i2) = -i1"},
                      {"winding2", "0.6*der(i1) + 1.200001*der(i2) = -i2"}};
  const Model model = build(source);
  const std::vector<int> unknowns{0, 1};
  EXPECT_FALSE(recombine(model, RowMap(model.f()), unknowns).has_value());
  EXPECT_EQ(run_of(model, 0.5).outcome.kind, OutcomeKind::reached_stop);
}

TEST(Recombination, RedundantRowsAreLeftOutAndReported) {
  Source source;
  source.states = {{.name = "x", .start = 1.0}};
  source.algebraic = {{.name = "y"}};
  source.equations = {{"motion", "der(x) = -y"}, {"gain", "y = 2*x"}, {"again", "2*y = 4*x"}};
  const Trajectory run = run_of(build(source), 1.0);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(last(run, "x"), std::exp(-2.0), 1e-8);
  ASSERT_EQ(run.warnings.size(), 1U);
  EXPECT_EQ(run.warnings[0], "equation again follows from gain: left out");
}

/// The same, one derivative up: der(y) = 2 der(x) says nothing new, and may not start elsewhere either.
TEST(Recombination, RowsThatFollowByDifferentiation) {
  Source source;
  source.states = {{.name = "x", .start = 1.0}, {.name = "y", .start = 2.0}, {.name = "w", .start = 0.0}};
  source.equations = {{"motion", "der(x) + der(w) = -y"}, {"gain", "y = 2*x"}, {"rate", "der(y) = 2*der(x)"}};
  const Trajectory open = run_of(build(source), 1.0);
  EXPECT_EQ(open.outcome.kind, OutcomeKind::no_consistent_start) << "w is not determined";
  EXPECT_NE(open.outcome.message.find("w"), std::string::npos) << open.outcome.message;
}

TEST(Recombination, AContradictionNamesOnlyItsRows) {
  Source source;
  source.states = {{.name = "x", .start = 1.0}};
  source.algebraic = {{.name = "y"}, {.name = "b"}, {.name = "c"}};
  source.equations = {{"motion", "der(x) = -y"},
                      {"gain", "y = 2*x"},
                      {"other", "2*y = 4*x + 1"},
                      {"bystander", "b + c + y = 3"},
                      {"second_bystander", "b - c = y"}};
  const Trajectory run = run_of(build(source), 1.0);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::no_consistent_start);
  EXPECT_NE(run.outcome.message.find("no solution of gain, other"), std::string::npos) << run.outcome.message;
  EXPECT_EQ(run.outcome.message.find("bystander"), std::string::npos) << run.outcome.message;
}

/// Equal rows in one mode only: a level that is regulated at its limit by two relays with the same law.
TEST(Recombination, RedundantInOneModeOnly) {
  Source source;
  source.states = {{.name = "x", .start = 0.0}};
  source.algebraic = {{.name = "q"}};
  source.inputs = {{"open", TableSource{{0.0, 1.0}, {0.0, 1.0}, {}}, {}, 1.0, true}};
  source.equations = {{"level", "der(x) = q"},
                      {"law", "(1 - open)*(q - 1) + open*(q + x) = 0"},
                      {"twin", "open*(2*q + 2*x) = 0"}};
  const Trajectory run = run_of(build(source), 2.0);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(last(run, "x"), std::exp(-1.0), 1e-7);
  ASSERT_EQ(run.warnings.size(), 1U);
  EXPECT_NE(run.warnings[0].find("equation twin follows from law"), std::string::npos) << run.warnings[0];
}

/// A network of nodes with capacitors and resistors between any two, or to earth, in nodal form C u' + G u =
/// i with C singular wherever an island of capacitors floats. Oracle: Wong sequences of the pencil (C, G).
struct Network {
  explicit Network(unsigned seed) : random(seed) {
    const int n = 2 + static_cast<int>(seed % 5);
    C = G = Eigen::MatrixXd::Zero(n, n);
    b = Eigen::VectorXd::Zero(n);
    start = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < n; ++i) {
      b[i] = quarter();
      start[i] = quarter();
      connect(G, i, i > 0 ? pick(i) : -1, 0.25 * (1 + pick(8)));  // a tree of conductances, earthed at node 0
      if (pick(3) == 0) connect(G, i, -1, 0.25 * (1 + pick(8)));
    }
    for (int k = 0; k < n; ++k)
      if (const int i = pick(n), j = pick(n); i != j) connect(C, i, j, 0.25 * (1 + pick(8)));
    if (pick(4) == 0) connect(C, pick(n), -1, 0.5);
  }

  [[nodiscard]] Source source() const {
    Source result;
    const auto n = b.size();
    for (Eigen::Index i = 0; i < n; ++i) {
      result.states.push_back({.name = "u" + std::to_string(i), .start = start[i]});
      std::string text;
      for (Eigen::Index j = 0; j < n; ++j) {
        const auto add = [&](double factor, const std::string& name) {
          if (factor != 0.0)
            text += (text.empty() ? "" : " + ") + ("(" + text::format_number(factor)) + ")*" + name;
        };
        add(C(i, j), "der(u" + std::to_string(j) + ")");
        add(G(i, j), "u" + std::to_string(j));
      }
      result.equations.emplace_back(text + " = " + text::format_number(b[i]));
    }
    return result;
  }

  Eigen::MatrixXd C, G;
  Eigen::VectorXd b, start;

 private:
  int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); }
  double quarter() { return 0.25 * (pick(17) - 8); }
  static void connect(Eigen::MatrixXd& A, int i, int j, double value) {
    A(i, i) += value;
    if (j < 0) return;
    A(j, j) += value;
    A(i, j) -= value;
    A(j, i) -= value;
  }

  std::mt19937 random;
};

/// Danger: charges of floating islands not kept at the start, or nodes of an island that drift apart.
TEST(Recombination, NodalNetworksWithFloatingCapacitors) {
  int compared = 0, singular = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Network network(seed);
    const std::optional<WongForm> form = wong_form(network.C, network.G);
    ASSERT_TRUE(form.has_value()) << "G is positive definite";
    if (form->clearance < 1e-3 || form->condition > 1e3) continue;
    const Model model = build(network.source());
    const LinearRestart expected = restart(*form, network.start, {network.b});
    const double stop = 0.03125;
    const Trajectory run = run_of(model, stop);
    ++compared;
    singular += Eigen::FullPivLU<Eigen::MatrixXd>(network.C).rank() < network.C.rows() ? 1 : 0;
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << "seed " << seed << ": " << run.outcome.message;
    // The motion by its Taylor series in steps of an eighth.
    Eigen::VectorXd u = expected.x_plus;
    for (int step = 0; step < 8; ++step) {
      const std::vector<Eigen::VectorXd> d = derivatives(*form, u, {network.b}, 14);
      double factor = 1.0;
      Eigen::VectorXd next = Eigen::VectorXd::Zero(u.size());
      for (std::size_t k = 0; k < d.size(); ++k) {
        next += factor * d[k];
        factor *= stop / 8.0 / static_cast<double>(k + 1);
      }
      u = next;
    }
    const double fastest = form->J.rows() > 0 ? form->J.eigenvalues().cwiseAbs().maxCoeff() : 0.0;
    if (fastest * stop / 8.0 > 1.0) continue;  // the series would not do
    for (Eigen::Index i = 0; i < u.size(); ++i)
      EXPECT_NEAR(last(run, "u" + std::to_string(i)), u[i], 1e-6 * (1.0 + u.cwiseAbs().maxCoeff()))
          << "seed " << seed;
  }
  EXPECT_GE(compared, 200);
  EXPECT_GE(singular, 100);
}

}  // namespace
}  // namespace recombination_test
}  // namespace mti::test
