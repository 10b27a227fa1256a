#include "tests/program/run_comparison.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "mti/common/at.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::test {
namespace {

constexpr double times_error = 20.0, times_rtol = 50.0;
/// A binary that slides has a value in [0, 1] of the accuracy of the run; others are 0 or 1.
constexpr double change_tolerance = 1e-3;

Course::Changes changes_of(const std::vector<Change>& changes, const Signature& signature) {
  Course::Changes result;
  for (const Change& change : changes) result[signature.row_name(change.row)] = {change.before, change.after};
  return result;
}

bool same(const Course::Changes& a, const Course::Changes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one.first == other.first && std::abs(one.second.first - other.second.first) <= change_tolerance &&
           std::abs(one.second.second - other.second.second) <= change_tolerance;
  });
}

std::string text(const Course::Step& step) {
  std::ostringstream stream;
  stream.precision(17);
  stream << step.kind << " at " << step.time << ":";
  for (const auto& [name, values] : step.changed)
    stream << ' ' << name << ' ' << values.first << '>' << values.second;
  return stream.str();
}

std::string apart(const std::string& what, double expected, double found, double allowed) {
  std::ostringstream stream;
  stream.precision(17);
  stream << what << ' ' << found << " instead of " << expected << ", " << std::abs(found - expected)
         << " apart, allowed " << allowed;
  return stream.str();
}

}  // namespace

Trajectory run(const Model& model, double finer) {
  SimulationOptions options;
  options.rtol = model.experiment.rtol / finer;
  options.atol = model.experiment.atol / finer;
  return simulate(model, options);
}

std::string test_name(const std::filesystem::path& file) {
  std::string name = file.stem();
  if (name == "model") name = "example_" + file.parent_path().filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

Course course_of(const Trajectory& trajectory, const Model& model, double time_unit) {
  Course course;
  for (const Event& event : trajectory.events) {
    Course::Step step{
        event.time / time_unit, to_string(event.kind), changes_of(event.changed, model.signature), {}};
    for (const std::vector<Change>& tie : event.ties) step.ties.push_back(changes_of(tie, model.signature));
    course.steps.push_back(std::move(step));
  }
  course.outcome = to_string(trajectory.outcome.kind);
  course.end_time = trajectory.outcome.end_time / time_unit;
  for (int i = 0; i < model.signature.n() && !trajectory.end_point.empty(); ++i) {
    const Signal& state = model.signature.states()[at(i)];
    const double x = trajectory.end_point[at(model.signature.state_row(i))];
    course.states[state.name] = x / state.nominal;
  }
  return course;
}

double Spread::of_time(double t) const {
  return times_error * time + times_rtol * rtol * std::abs(t - start);
}

double Spread::of_state(double x) const {
  return times_error * state + times_rtol * rtol * (1.0 + std::abs(x));
}

Spread spread_between(const Course& run, const Course& finer, double rtol, double start) {
  Spread spread{rtol, start};
  for (std::size_t i = 0; i < std::min(run.steps.size(), finer.steps.size()); ++i)
    spread.time = std::max(spread.time, std::abs(run.steps[i].time - finer.steps[i].time));
  spread.time = std::max(spread.time, std::abs(run.end_time - finer.end_time));
  for (const auto& [name, x] : run.states)
    spread.state = std::max(spread.state, std::abs(x - finer.states.at(name)));
  return spread;
}

Difference difference(const Course& reference, const Course& other, const Spread& spread,
                      bool order_may_decide) {
  const std::size_t steps = std::min(reference.steps.size(), other.steps.size());
  for (std::size_t i = 0; i < steps; ++i) {
    const Course::Step &expected = reference.steps[i], &found = other.steps[i];
    const std::string where = "event " + std::to_string(i) + ": ";
    if (std::abs(expected.time - found.time) > spread.of_time(expected.time))
      return {where + apart("time", expected.time, found.time, spread.of_time(expected.time)), i};
    if (expected.kind == found.kind && same(expected.changed, found.changed)) continue;
    const auto is_found = [&](const Course::Changes& tie) { return same(tie, found.changed); };
    if (order_may_decide && std::any_of(expected.ties.begin(), expected.ties.end(), is_found)) return {"", i};
    return {where + text(found) + " instead of " + text(expected), i};
  }
  if (reference.steps.size() != other.steps.size())
    return {
        std::to_string(other.steps.size()) + " events instead of " + std::to_string(reference.steps.size()),
        steps};
  if (reference.outcome != other.outcome)
    return {"outcome " + other.outcome + " instead of " + reference.outcome, steps};
  if (std::abs(reference.end_time - other.end_time) > spread.of_time(reference.end_time))
    return {apart("end", reference.end_time, other.end_time, spread.of_time(reference.end_time)), steps};
  for (const auto& [name, x] : reference.states)
    if (const auto found = other.states.find(name); found == other.states.end())
      return {"no state " + name, steps};
    else if (!(std::abs(x - found->second) <= spread.of_state(x)))
      return {apart(name, x, found->second, spread.of_state(x)), steps};
  return {"", steps};
}

}  // namespace mti::test
