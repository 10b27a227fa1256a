#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/sliding/sliding_queries.hpp"

/// x' = c + φ(w − 2 w ζ): where x = 0 attracts, φ = −c holds it, φ being monotone.
namespace mti {
namespace slides_on_flat_functions_test {

struct Flat {
  std::string name;
  std::function<double(double)> value, inverse;
};

class SlidesOnFlatFunctions : public testing::TestWithParam<int> {};

const Flat& flat(int index) {
  static const Flat functions[] = {
      {"tanh", [](double u) { return std::tanh(u); }, [](double y) { return std::atanh(y); }},
      {"erf", [](double u) { return std::erf(u); },
       [](double y) {
         double low = -1.0, high = 1.0;
         for (int k = 0; k < 60; ++k) (std::erf((low + high) / 2) < y ? low : high) = (low + high) / 2;
         return low;
       }},
      {"atan", [](double u) { return std::atan(u); }, [](double y) { return std::tan(y); }}};
  return functions[index];
}

// Danger: Newton's method for the weight starts at a side, where φ' is 0.07 for w = 2, and took its first step whole, to where
// φ' is zero to the last digit: "not determined", and a dead end.
TEST_P(SlidesOnFlatFunctions, TheWeightIsThatOfTheInverse) {
  const Flat& function = flat(GetParam());
  for (const double w : {0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0})
    for (const double c : {0.1, -0.3})
      for (const double accuracy : {1e-4, 1e-9}) {
        SCOPED_TRACE(function.name + ", w = " + std::to_string(w) + ", c = " + std::to_string(c));
        Source source;
        source.parameters = {{"c", c}};
        // A state: of binaries alone a function is the straight line between its values at the sides.
        source.states = {{"x", 1.0}, {"w", w}};
        source.binaries = {{"z", 1.0}};
        source.equations = {"der(x) = c + " + function.name + "(w - 2*w*z)", "der(w) = 0"};
        test::add_relay(source, "z", "x");
        source.experiment.stop = 8.0;
        const Trajectory run = test::run(source, test::with_accuracy(accuracy));
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
        test::expect_kinds(run, 0.0, {{-1.0 / (c + function.value(-w)), EventKind::slide_begin}},
                           100.0 * accuracy);
        EXPECT_NEAR(test::last(run, "x"), 0.0, accuracy);
        EXPECT_NEAR(w - 2.0 * w * test::last(run, "z"), function.inverse(-c), 1e-9 * w);
      }
}
INSTANTIATE_TEST_SUITE_P(Functions, SlidesOnFlatFunctions, testing::Range(0, 3),
                         [](const auto& instance) { return flat(instance.param).name; });

}  // namespace slides_on_flat_functions_test
}  // namespace mti
