#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/places.hpp"

/// Derivatives that are solved for instead of integrated.
namespace mti {
namespace dummy_derivatives_test {

/// Three sections of a coaxial cable with a capacitance of 1e-300 F and a voltage that a current takes the place of: equations
/// of index above 1 in which rounding leaves one derivative less than there are rows. Fewer unknowns than equations
/// were written beyond their end.
TEST(DummyDerivatives, TooFewOfThemEndTheRun) {
  Source source = read_source_file(test::source_dir() / "tests/cases/faulty_coaxial_3.json");
  for (ParameterSource& parameter : source.parameters)
    if (parameter.name == "C") parameter.value = 1e-300;
  const auto insulator = std::ranges::find(
      source.equations, "open_2*i1_2 + (1 - open_2)*(u1_2 - v_2 - u2_2) = 0", &RelationSource::text);
  ASSERT_NE(insulator, source.equations.end());
  insulator->text = "open_2*i1_2 + (1 - open_2)*(u1_2 - j_3 - u2_2) = 0";
  const Trajectory run = simulate(build(source), {.max_seconds = 10.0});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::solver_failure);
  EXPECT_NE(run.outcome.message.find("only 6 determine a derivative"), std::string::npos)
      << run.outcome.message;
}

}  // namespace dummy_derivatives_test
}  // namespace mti
