#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"

/// Whether two runs of one model in different writings went the same way.
namespace mti::test {

/// A run with the tolerances of the model, or finer ones.
[[nodiscard]] Trajectory run(const Model& model, double finer = 1.0);

/// The name of a model file, or example_ and the folder of a model.json, as the name of a test.
[[nodiscard]] std::string test_name(const std::filesystem::path& file);

/// What a run did, by names: events, and where it ended.
struct Course {
  using Changes = std::map<std::string, std::pair<double, double>>;  ///< by name: before, after
  struct Step {
    double time = 0.0;
    std::string kind;
    Changes changed;
    std::vector<Changes> ties;
  };
  std::vector<Step> steps;
  std::string outcome;
  double end_time = 0.0;
  std::map<std::string, double> states;  ///< at the end, in nominal values
};

/// Times are divided by `time_unit`.
[[nodiscard]] Course course_of(const Trajectory& trajectory, const Model& model, double time_unit = 1.0);

/// How far two runs at rtol may be apart. A run's own error is what it differs from a run at rtol/100; every
/// writing of the model is integrated under the same control of the local error, so its error is of the same
/// size, but not the same number: 20 times the largest error of any event, or end value, is allowed for, and
/// not less than 50·rtol of the time passed or of the value (an event may happen to be exact).
struct Spread {
  double rtol = 0.0, start = 0.0;
  double time = 0.0, state = 0.0;
  [[nodiscard]] double of_time(double t) const;
  [[nodiscard]] double of_state(double x) const;
};
[[nodiscard]] Spread spread_between(const Course& run, const Course& finer, double rtol, double start);

/// The first thing in which `other` differs from `reference` by more than `spread`; empty if nothing does.
///
/// Where the reference took one of several admissible changes of the same distance and `other` took another
/// of them because its binaries are declared in another order, the two may go different ways from there:
/// with `order_may_decide` the comparison then ends, and `compared` tells after how many steps.
struct Difference {
  std::string text;
  std::size_t compared = 0;
};
[[nodiscard]] Difference difference(const Course& reference, const Course& other, const Spread& spread,
                                    bool order_may_decide = false);

}  // namespace mti::test
