// Amounts and concentrations: what a species' identifier means, in compartments that stay and in such that change.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/io/kinetics/sbml_model.hpp"

namespace mti {
namespace species_test {

using test::SbmlModel;
using test::SbmlRun;

constexpr double close = 1e-7;  // runs at rtol 1e-9

TEST(SbmlSpecies, DecayByItsConcentration) {
  // d(amount)/dt = −k·S·V, S = amount/V: S = S₀ exp(−k t) in any volume
  SbmlModel model;
  model.compartment("C", "size='2'")
      .species("S", "initialAmount='3'")
      .species("P", "initialConcentration='0'");
  model.parameter("k", "0.7").reaction("R", "S", "P", "k*S*C");
  const SbmlRun run(model, 2);
  const double decayed = 1.5 * std::exp(-1.4);
  EXPECT_NEAR(run("S", 2), decayed, close);
  EXPECT_NEAR(run("S.amount", 2), 2 * decayed, close);
  EXPECT_NEAR(run("P", 2), 1.5 - decayed, close);
  EXPECT_NEAR(run("R", 2), 0.7 * 2 * decayed, close);
  // Constants are results too.
  EXPECT_EQ(run("k", 1), 0.7);
  EXPECT_EQ(run("C", 1), 2.0);
}

TEST(SbmlSpecies, ByItsAmount) {
  SbmlModel model;
  model.compartment("C", "size='2'").species("S", "initialConcentration='3'", true).parameter("k", "0.7");
  model.reaction("R", "2 S", "", "k*S");
  const SbmlRun run(model, 1);
  EXPECT_NEAR(run("S", 1), 6 * std::exp(-1.4), close);
  EXPECT_NEAR(run("S.concentration", 1), 3 * std::exp(-1.4), close);
}

TEST(SbmlSpecies, AreDilutedInACompartmentThatGrows) {
  // C = exp(t/2): an amount that nothing changes has the concentration n exp(−t/2); a reaction of first order
  // k·A·C = k·(amount of A) makes A.amount = exp(−k t)
  SbmlModel model;
  model.compartment("C", "size='1'", false).rate("C", "0.5*C").species("S", "initialAmount='4'");
  model.species("A", "initialAmount='1'")
      .species("F", "initialAmount='2' constant='true' boundaryCondition='true'");
  model.species("N", "initialAmount='5'", true);
  model.reaction("R", "A", "", "0.3*A*C");
  const SbmlRun run(model, 2);
  EXPECT_NEAR(run("S", 2), 4 * std::exp(-1.0), close);
  EXPECT_NEAR(run("S.amount", 2), 4, close);
  EXPECT_NEAR(run("F", 2), 2 * std::exp(-1.0), close);
  EXPECT_NEAR(run("A.amount", 2), std::exp(-0.6), close);
  EXPECT_NEAR(run("A", 2), std::exp(-1.6), close);
  EXPECT_NEAR(run("N", 2), 5, close);
  EXPECT_NEAR(run("N.concentration", 2), 5 * std::exp(-1.0), close);
}

TEST(SbmlSpecies, FollowACompartmentThatIsAssigned) {
  SbmlModel model;
  model.compartment("C", "size='1'", false).assignment("C", "1 + time").species("S", "initialAmount='4'");
  model.reaction("R", "S", "", "0.3*S*C");
  const SbmlRun run(model, 2);
  EXPECT_NEAR(run("S.amount", 2), 4 * std::exp(-0.6), close);
  EXPECT_NEAR(run("S", 2), 4 * std::exp(-0.6) / 3, close);
}

TEST(SbmlSpecies, ARateRuleIsThatOfTheConcentration) {
  // S' = 1 whatever the compartment does; the amount is S·C
  SbmlModel grows, assigned;
  grows.compartment("C", "size='1'", false).rate("C", "1").species("S", "initialAmount='2'").rate("S", "1");
  assigned.compartment("C", "size='1'", false).assignment("C", "1 + time");
  assigned.species("S", "initialAmount='2'").rate("S", "1");
  for (const SbmlModel* model : {&grows, &assigned}) {
    const SbmlRun run(*model, 3);
    EXPECT_NEAR(run("S", 3), 5, close);
    EXPECT_NEAR(run("S.amount", 3), 20, 10 * close);
  }
}

TEST(SbmlSpecies, AtABoundaryAreNotChangedByReactions) {
  SbmlModel model;
  model.compartment("C")
      .species("B", "initialAmount='2' boundaryCondition='true'")
      .species("S", "initialAmount='0'");
  model.species("G", "initialAmount='1' boundaryCondition='true'").rate("G", "-G");
  model.reaction("R", "B", "S", "0.5*B").reaction("Q", "G", "S", "G");
  const SbmlRun run(model, 1);
  EXPECT_NEAR(run("B", 1), 2, close);
  EXPECT_NEAR(run("S", 1), 1 + 1 - std::exp(-1.0), close);
}

TEST(SbmlSpecies, AreConvertedByFactors) {
  SbmlModel model;
  model.attributes("conversionFactor='f'").compartment("C").parameter("f", "2").parameter("g", "5");
  model.species("A", "initialAmount='0'").species("B", "initialAmount='0' conversionFactor='g'");
  model.reaction("R", "", "A + B", "3");
  const SbmlRun run(model, 1);
  EXPECT_NEAR(run("A", 1), 6, close);
  EXPECT_NEAR(run("B", 1), 15, close);
}

TEST(SbmlSpecies, WithoutASizeAreAmounts) {
  SbmlModel model;
  model.compartment("C", "spatialDimensions='0'")
      .species("S", "initialAmount='3'", true)
      .reaction("R", "S", "", "S");
  EXPECT_NEAR(SbmlRun(model, 1)("S", 1), 3 * std::exp(-1.0), close);
}

TEST(SbmlSpecies, StoichiometriesAreSymbols) {
  // n' = 1 and S' = n·1: S = t²/2 + t from n = 1
  const auto reference = [](const char* id, const char* rest) {
    return "<speciesReference id='" + std::string(id) + "' species='S' " + rest + "/>";
  };
  SbmlModel rated, assigned, constant;
  rated.compartment("C").species("S", "initialAmount='0'").rate("n", "1");
  rated.reaction("R", "", reference("n", "stoichiometry='1' constant='false'"), "1");
  EXPECT_NEAR(SbmlRun(rated, 2)("S", 2), 4, close);
  assigned.compartment("C").species("S", "initialAmount='0'").assignment("n", "1 + time");
  assigned.reaction("R", "", reference("n", "constant='false'"), "1");
  EXPECT_NEAR(SbmlRun(assigned, 2)("S", 2), 4, close);
  constant.compartment("C").species("S", "initialAmount='0'").initial("n", "3*2").parameter("p", "1", false);
  constant.assignment("p", "2*n").reaction("R", "", reference("n", "constant='true'"), "1");
  const SbmlRun run(constant, 2);
  EXPECT_NEAR(run("S", 2), 12, close);
  EXPECT_NEAR(run("p", 2), 12, close);
}

TEST(SbmlSpecies, OfLevel2) {
  SbmlModel model(2, 4);
  model.compartment("C", "size='2'")
      .species("S", "initialConcentration='3'")
      .species("P", "initialAmount='0'");
  model.parameter("k", "0.7").parameter("m", "0.5", false).assignment("m", "2 + 0*time");
  model.reaction("R", "S",
                 "<speciesReference species='P'><stoichiometryMath>" + test::math("m*1.5") +
                     "</stoichiometryMath></speciesReference>",
                 "k*S*C", {{"k", "0.2"}});
  const SbmlRun run(model, 1);
  EXPECT_NEAR(run("S", 1), 3 * std::exp(-0.2), close);
  EXPECT_NEAR(run("P", 1), 9 * (1 - std::exp(-0.2)), close);
}

}  // namespace species_test
}  // namespace mti
