#include "tests/solvers/restart/restart_expectation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

namespace mti::test {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

bool same_time(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b)); }

std::string name_of(Index i) { return "x" + std::to_string(i + 1); }

template <class... Parts>
std::string line(const Parts&... parts) {
  std::ostringstream text;
  text.precision(15);
  (text << ... << parts);
  return text.str();
}

}  // namespace

std::optional<VectorXd> signals_at(const Trajectory& run, double time, Limit limit, Index n) {
  for (std::size_t k = 0; k < run.size(); ++k) {
    const std::size_t row = limit == Limit::left ? k : run.size() - 1 - k;
    if (!same_time(run.time(row), time)) continue;
    VectorXd values(n);
    for (Index i = 0; i < n; ++i) values[i] = run.value(row, run.column(name_of(i)));
    return values;
  }
  return std::nullopt;
}

const Event* event_at(const Trajectory& run, double time) {
  const auto found = std::find_if(run.events.begin(), run.events.end(),
                                  [time](const Event& event) { return same_time(event.time, time); });
  return found == run.events.end() ? nullptr : &*found;
}

std::vector<std::string> restart_faults(const Trajectory& run, const Model& model, double time,
                                        const VectorXd& x_minus, const LinearRestart& expected,
                                        double accuracy) {
  std::vector<std::string> faults;
  const Index n = x_minus.size();
  const double scale = 1.0 + x_minus.cwiseAbs().maxCoeff() + expected.x_plus.cwiseAbs().maxCoeff() +
                       expected.impulses.reshaped().lpNorm<Eigen::Infinity>();
  const double allowed = accuracy * scale, visible = 100.0 * allowed;
  const auto differ = [&](double a, double b) { return !(std::abs(a - b) <= allowed); };

  const std::optional<VectorXd> right = signals_at(run, time, Limit::right, n);
  if (!right) return {line("nothing recorded at t = ", time)};
  for (Index i = 0; i < n; ++i)
    if (differ((*right)[i], expected.x_plus[i]))
      faults.push_back(line(name_of(i), "+ is ", (*right)[i], " instead of ", expected.x_plus[i]));

  std::map<std::string, Change> jumps;
  std::map<std::pair<std::string, double>, double> impulses;  // weight by name and order
  if (const Event* event = event_at(run, time)) {
    for (const Change& jump : event->jumps) jumps[model.signature.row_name(jump.row)] = jump;
    for (const Impulse& impulse : event->impulses)
      impulses[{model.signature.row_name(impulse.row), impulse.order}] = impulse.weight;
  }
  for (Index i = 0; i < n; ++i) {
    const std::string name = name_of(i);
    const auto& states = model.signature.states();
    const bool is_state =
        std::any_of(states.begin(), states.end(), [&](const auto& state) { return state.name == name; });
    const double size = std::abs(expected.x_plus[i] - x_minus[i]);
    if (const auto jump = jumps.find(name); jump != jumps.end()) {
      if (!is_state || size <= allowed)
        faults.push_back(line(name, " is said to jump by ", jump->second.after - jump->second.before));
      if (differ(jump->second.before, x_minus[i]) || differ(jump->second.after, expected.x_plus[i]))
        faults.push_back(line("jump of ", name, " from ", jump->second.before, " to ", jump->second.after,
                              " instead of from ", x_minus[i], " to ", expected.x_plus[i]));
    } else if (is_state && size > visible) {
      faults.push_back(line("jump of ", name, " by ", size, " is not reported"));
    }
    for (Index m = 0; m < expected.impulses.cols(); ++m) {
      const auto reported = impulses.find({name, static_cast<double>(m + 1)});
      const double weight = expected.impulses(i, m);
      if (reported == impulses.end() ? std::abs(weight) > visible : differ(reported->second, weight))
        faults.push_back(line("impulse of ", name, ", order ", m + 1, ", has weight ",
                              reported == impulses.end() ? 0.0 : reported->second, " instead of ", weight));
      if (reported != impulses.end()) impulses.erase(reported);
    }
  }
  for (const auto& [key, weight] : impulses)
    faults.push_back(
        line("impulse of ", key.first, ", order ", key.second, ", weight ", weight, ", is not there"));
  return faults;
}

std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& each : lines) text += "  " + each + "\n";
  return text;
}

}  // namespace mti::test
