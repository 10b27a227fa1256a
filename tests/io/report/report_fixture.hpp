#pragma once

#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "io/report/report.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/structure/sub_problems.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti::test {

/// Two masses with a coupling: three units, an auxiliary signal for v1^2, two binaries.
inline Model coupled_masses() {
  Source source;
  source.name = "masses";
  source.description =
      "Two masses & a coupling, <b>not bold</b> </script><script>throw new Error('escaped')</script>";
  source.states = {{.name = "p1", .unit = "m"}, {.name = "v1", .unit = "m/s"}, {.name = "v2", .unit = "m/s"}};
  source.algebraic = {{.name = "F", .unit = "N"}, {.name = "loss"}};
  source.binaries = {{.name = "closed"}, {.name = "slip"}};
  source.equations = {"der(p1) = v1", "der(v1) = -F", "der(v2) = F", "F = closed*(v1 - v2)", "loss = v1^2"};
  source.constraints = {{"near", "(1 - 2*closed)*(p1 - 1) <= 0"}, {"fast", "(1 - 2*slip)*(v1 - 2) <= 0"}};
  return build(source);
}

/// Two masses a distance of 1 apart, moving together: one mode, of index 2.
inline Model masses_on_a_rod() {
  Source source;
  source.name = "rod";
  source.states = {{.name = "x1", .start = 1.0},
                   {.name = "x2"},
                   {.name = "v1", .start = 0.5},
                   {.name = "v2", .start = 0.5}};
  source.algebraic = {{.name = "force"}};
  source.equations = {{"move1", "der(x1) = v1"},
                      {"move2", "der(x2) = v2"},
                      {"newton1", "der(v1) = -force"},
                      {"newton2", "2*der(v2) = force"},
                      {"rod", "x1 - x2 = 1"}};
  return build(source);
}

/// A made-up run of: jumps, a sliding binary, a value that is not finite, events with every kind of entry.
inline Trajectory made_up_run(const Model& model) {
  const auto& signature = model.signature;
  const std::vector<std::string> names = {"p1", "v1", "v2", "F", "loss", "closed", "slip"};
  std::vector<int> rows;
  for (const auto& name : names) rows.push_back(signature.find(name).value());
  Trajectory trajectory(names, rows);
  std::vector<double> v(at(signature.size()));
  const auto put = [&](double time, int side, std::vector<double> values) {
    for (std::size_t i = 0; i < rows.size(); ++i) v[at(rows[i])] = values[i];
    trajectory.append(time, side, v);
  };
  for (int k = 0; k <= 10; ++k) put(0.1 * k, 0, {0.1 * k, 1, std::sin(0.3 * k), 0, 1, 0, 0});
  put(1.0 + 1e-9, -1, {1.0 + 1e-9, 1, 0.1, 0, 1, 0, 0});
  put(1.0 + 1e-9, 1, {1.0 + 1e-9, 0.5, 0.6, -0.1, 0.25, 1, 0});
  for (int k = 11; k < 20; ++k) put(0.1 * k, 0, {1.0 + 0.05 * k, 0.5, 0.6, 1.0 / 3, 0.25, 1, 0});
  put(2, -1, {2, 0.5, 0.6, 1.0 / 3, 0.25, 1, 0});
  put(2, 1, {2, 0.5, 0.6, std::numeric_limits<double>::quiet_NaN(), 0.25, 1, 0.5});
  put(2.1, 0, {2, 0.5, 0.6, 0.1, 0.25, 1, 0.50000000000000011});
  put(2.5, -1, {2, 0.5, 0.6, 0.1, 0.25, 1, 0.75});
  put(2.5, 1, {2, 0.5, 0.6, 0.1, 0.25, 0, 1});
  put(3, 0, {2, 0.5, 0.6, 0.1, 0.25, 0, 1});
  const int closed = signature.find("closed").value(), slip = signature.find("slip").value(),
            v1 = signature.find("v1").value(), F = signature.find("F").value();
  trajectory.events.push_back({.time = 1.0 + 1e-9,
                               .kind = EventKind::law,
                               .constraints = {0},
                               .changed = {{closed, 0, 1}},
                               .jumps = {{v1, 1, 0.5}},
                               .impulses = {{F, -0.5, 1}},
                               .candidates_tried = 2,
                               .ties = {{{slip, 0, 1}}}});
  trajectory.events.push_back({.time = 2,
                               .kind = EventKind::slide_begin,
                               .constraints = {1},
                               .changed = {{slip, 0, 0.5}},
                               .candidates_tried = 4});
  trajectory.events.push_back({.time = 2.5,
                               .kind = EventKind::slide_end,
                               .constraints = {0, 1},
                               .changed = {{closed, 1, 0}, {slip, 0.75, 1}},
                               .candidates_tried = 3,
                               .steps = {{{slip, 0.75, 1}}, {{closed, 1, 0}}}});
  const auto mode = [](char is_closed, char slips) {
    return Mode{.z = {is_closed, slips}, .pre = {}, .binary_inputs = {}};
  };
  Mode sliding = mode(1, 0);
  sliding.slides = {{.constraint = 1, .binaries = {1}, .below = {0}, .above = {1}}};
  trajectory.modes = {{0, mode(0, 0)}, {1.0 + 1e-9, mode(1, 0)}, {2, sliding}};
  trajectory.statistics = {
      .steps = 31, .events = 3, .candidates = 9, .modes_visited = 4, .wall_seconds = 0.002};
  trajectory.outcome = {OutcomeKind::dead_end, "no mode continues </script><!-- the run", 3};
  return trajectory;
}

inline std::string report_of(const Model& model, const Trajectory& trajectory) {
  std::ostringstream out;
  write_report(out, model, trajectory, analyze_structure(model));
  return out.str();
}

}  // namespace mti::test
