// The signs of impulses take part in the choice of the mode: networks with ideal diodes whose start values
// several modes could continue, against the enumeration of all modes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "mti/build/build.hpp"
#include "mti/common/number.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/solvers/diode_network.hpp"
#include "tests/solvers/restart/restart_expectation.hpp"

namespace mti::test {
namespace impulse_signs_test {

constexpr int most_failures = 3;

struct Tally {
  int models = 0, found = 0, found_by_jumps = 0, nowhere = 0, decided_by_impulses = 0, several = 0,
      several_by_values = 0, failures = 0;
};

std::string text_of(const DiodeNetwork& network) {
  const Source source = network.source();
  std::string text;
  for (const RelationSource& equation : source.equations) text += "  " + equation.text + "\n";
  for (const RelationSource& constraint : source.constraints) text += "  " + constraint.text + "\n";
  for (const StateSource& state : source.states)
    text += "  " + state.name + "(0) = " + text::format_number(std::get<double>(state.start)) + "\n";
  for (const BinarySource& binary : source.binaries)
    text += "  " + binary.name + " was " + text::format_number(std::get<double>(binary.start)) + "\n";
  return text;
}

std::string mode_text(const std::vector<char>& z) {
  std::string text = "z =";
  for (const char each : z) text += each != 0 ? " 1" : " 0";
  return text;
}

std::vector<char> mode_after_start(const Trajectory& run, int diodes) {
  std::vector<char> z;
  for (std::size_t row = 0; row < run.size() && run.time(row) == run.time(0); ++row) {
    z.clear();
    for (int k = 1; k <= diodes; ++k)
      z.push_back(run.value(row, run.column("z" + std::to_string(k))) > 0.5 ? 1 : 0);
  }
  return z;
}

/// Where no mode is admissible impulses may pass in one, and lead to where another one is. The states then are those of the
/// implicit Euler method with ever smaller steps, which knows nothing of modes that follow each other.
std::string faults_of_jump(const DiodeNetwork& network, const Model& model, const Trajectory& run) {
  constexpr double h = 1e-7;
  const std::optional<Eigen::VectorXd> stepped = implicit_step(network, h);
  if (!stepped) return "  it runs, and no step of the implicit Euler method does\n";
  std::size_t row = 0;  // the last of the start
  while (row + 1 < run.size() && run.time(row + 1) == run.time(0)) ++row;
  std::string faults;
  for (const Signal& state : model.signature.states()) {
    const double expected = (*stepped)[std::stol(state.name.substr(1)) - 1],
                 found = run.value(row, run.column(state.name));
    if (std::abs(found - expected) > 1e-5 * std::max(1.0, std::abs(expected)))
      faults += "  " + state.name + " is " + text::format_number(found) + ", by the implicit Euler method " +
                text::format_number(expected) + "\n";
  }
  return faults;
}

/// Where the program's start differs from the enumeration.
std::string faults_of(const DiodeNetwork& network, const NetworkAnswer& answer, Tally& tally) {
  const Model model = build(network.source());
  SimulationOptions options;
  options.rtol = options.atol = 1e-9;
  options.stop = options.output_interval = 1e-4;
  const Trajectory run = simulate(model, options);
  const bool ran = run.outcome.kind == OutcomeKind::reached_stop;
  if (!answer.nearest) {
    ++(ran ? tally.found_by_jumps : tally.nowhere);
    return ran ? faults_of_jump(network, model, run) : "";
  }
  if (!ran)
    return "  " + to_string(run.outcome.kind) + " instead of " + mode_text(*answer.nearest) + ": " +
           run.outcome.message + "\n";
  const std::vector<char> z = mode_after_start(run, network.diodes());
  if (z != *answer.nearest) {
    const bool admissible = check_admissibility(network, z).admissible();
    return "  enters " + mode_text(z) + (admissible ? " (admissible, farther)" : " (not admissible)") +
           " instead of " + mode_text(*answer.nearest) + "\n";
  }
  return lines_of(restart_faults(run, model, 0.0, network.x_minus,
                                 check_admissibility(network, *answer.nearest).restart));
}

void compare(const DiodeNetwork& network, const std::string& label, Tally& tally) {
  const NetworkAnswer answer = enumerate_modes(network);
  if (!answer.clear) return;
  ++tally.models;
  tally.found += answer.nearest ? 1 : 0;
  tally.several += answer.admissible.size() > 1 ? 1 : 0;
  tally.several_by_values += answer.allowed_by_values > 1 ? 1 : 0;
  tally.decided_by_impulses += answer.allowed_by_values > 1 && answer.admissible.size() == 1 ? 1 : 0;
  const std::string faults = faults_of(network, answer, tally);
  if (faults.empty()) return;
  if (++tally.failures <= most_failures) ADD_FAILURE() << label << "\n" << text_of(network) << faults;
}

/// Danger: a mode whose values are in order and whose restart needs a charge backwards through a diode.
TEST(ImpulseSigns, RandomNetworksEnterTheModeThatEnumerationFinds) {
  Tally tally;
  for (unsigned seed = 0; seed < 700; ++seed)
    compare(draw_network(seed), "network " + std::to_string(seed), tally);
  EXPECT_GE(tally.models, 600);
  EXPECT_GE(tally.found, 450);
  EXPECT_GE(tally.decided_by_impulses, 100);
  EXPECT_EQ(tally.failures, 0) << "of " << tally.models;
  EXPECT_GE(tally.found_by_jumps, 20);
  RecordProperty("found_by_jumps", tally.found_by_jumps);
  RecordProperty("nowhere", tally.nowhere);
  RecordProperty("several", tally.several);
  RecordProperty("decided_by_impulses", tally.decided_by_impulses);
}

TEST(ImpulseSigns, Rldc2FromManyStarts) {
  Tally tally;
  for (int a = -2; a <= 2; ++a)
    for (int b = -2; b <= 2; ++b)
      for (int c = -1; c <= 1; ++c)
        for (unsigned z = 0; z < 4; ++z) {
          // Off the round numbers, where several numbers vanish at once.
          DiodeNetwork network = rldc2({a + 0.125, b - 0.25}, {0.5 * c, 1.0 - 0.75 * c});
          network.z_minus = {static_cast<char>(z & 1U), static_cast<char>(z >> 1U)};
          compare(network, "start " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c),
                  tally);
        }
  EXPECT_GE(tally.models, 250);
  EXPECT_GE(tally.found, 150);
  EXPECT_GE(tally.decided_by_impulses, 60);
  EXPECT_EQ(tally.failures, 0) << "of " << tally.models;
}

/// The published start: three modes by their values, one by its impulses.
TEST(ImpulseSigns, Rldc2AsPublished) {
  const DiodeNetwork network = rldc2({-2.0, -1.0}, {0.5, 1.0});
  const NetworkAnswer answer = enumerate_modes(network);
  EXPECT_EQ(answer.allowed_by_values, 3);
  ASSERT_EQ(answer.admissible.size(), 1U);
  EXPECT_EQ(*answer.nearest, (std::vector<char>{1, 0}));
  Tally tally;
  EXPECT_EQ(faults_of(network, answer, tally), "");
}

/// A charged capacitor beside an empty one: the diode passes the charge q = C1 C2/(C1 + C2) (v1 − v2) from 1
/// to 2 at once if v1 > v2, and nothing backwards. With z⁻ = 1 and v1 < v2 the values of z = 1 are in order.
TEST(ImpulseSigns, TwoCapacitorsAndADiode) {
  DiodeNetwork network;
  network.E = network.A = Eigen::MatrixXd::Zero(2, 3);
  network.E(0, 0) = 1.0, network.E(1, 1) = 3.0;  // C v̇ = ∓ i − G v
  network.A(0, 2) = 1.0, network.A(1, 2) = -1.0;
  network.A(1, 1) = 0.5;
  network.b = Eigen::VectorXd::Zero(2);
  network.U = Eigen::RowVector3d(1, -1, 0);
  network.I = Eigen::RowVector3d(0, 0, 1);
  network.z_minus = {1};
  for (const double v1 : {2.0, -2.0}) {
    network.x_minus = Eigen::Vector3d(v1, 1.0 - 0.5 * v1, 0.0);
    const NetworkAnswer answer = enumerate_modes(network);
    EXPECT_EQ(*answer.nearest, std::vector<char>{v1 > 0.0 ? char{1} : char{0}});
    Tally tally;
    EXPECT_EQ(faults_of(network, answer, tally), "") << "v1 = " << v1;
    if (v1 > 0.0) {
      EXPECT_NEAR(check_admissibility(network, {1}).restart.impulses(2, 0), 0.75 * 2.0, 1e-12);
    } else {
      EXPECT_FALSE(check_admissibility(network, {1}).impulses_allowed);
    }
  }
}

}  // namespace impulse_signs_test
}  // namespace mti::test
