#pragma once

// Models whose orbits are followed, by equations.

#include <algorithm>
#include <iterator>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "io/model/read_model.hpp"
#include "mti/source/overrides.hpp"
#include "solvers/orbits/orbit_branch.hpp"
#include "tests/places.hpp"

namespace branch_models {

inline mti::ModelOfParameter source_of(const std::string& parameter, mti::Source source) {
  return [parameter, source = std::move(source)](double value) {
    mti::Source at = source;
    mti::override_values(at, {{parameter, value}});
    return mti::build_with_derivatives(at, {parameter});
  };
}

inline mti::ModelOfParameter buck() {
  static const mti::ReadModel model =
      mti::ReadModel::of_file(mti::test::source_dir() / "examples/buck_converter/model.json");
  return [](double E) { return model.with_derivatives({"E"}, {{"E", E}}); };
}

inline std::vector<mti::BranchPoint> special(const mti::OrbitBranch& branch) {
  std::vector<mti::BranchPoint> result;
  std::ranges::copy_if(branch.points, std::back_inserter(result), [](const mti::BranchPoint& point) {
    return point.kind != mti::BranchPoint::Kind::regular;
  });
  return result;
}

/// x and y with r' = r ρ(r²) and φ' = 1.
inline mti::Source round(const std::string& rho, double radius) {
  mti::Source source;
  source.parameters = {{.name = "c", .value = 1.0}};
  source.states = {{.name = "x", .start = radius}, {.name = "y"}};
  source.algebraic = {{.name = "q"}};
  source.equations = {"der(x) = x*(" + rho + ") - y", "der(y) = y*(" + rho + ") + x", "q = x^2 + y^2"};
  return source;
}

/// A map u⁺ = F(u) once in a unit of time.
inline mti::Source strobed(std::vector<mti::StateSource> states, const std::string& q,
                           const std::vector<std::string>& map) {
  mti::Source source;
  source.parameters = {{.name = "c", .value = 1.0}};
  source.states = std::move(states);
  source.states.push_back({.name = "tau"});
  for (std::size_t i = 0; i + 1 < source.states.size(); ++i)
    source.equations.push_back("der(" + source.states[i].name + ") = 0");
  source.equations.push_back("der(tau) = 1");
  source.algebraic = {{.name = "q"}};
  source.equations.push_back(q);
  source.constraints = {{"tick", "tau <= 1"}};
  mti::TransitionSource law{.when = "reach(tick)"};
  for (const std::string& row : map) law.equations.push_back(row);
  law.equations.push_back("tau = 0");
  source.transitions = {law};
  return source;
}

/// x'' + 0.2 x' + 1.69 x = A sin t with a wall at x = 1.
inline mti::Source impacting() {
  mti::Source source;
  source.parameters = {{.name = "A", .value = 0.2}};
  source.states = {{.name = "x"}, {.name = "v"}};
  source.inputs = {
      {.name = "u", .form = mti::SineSource{.amplitude = 1.0, .frequency = 0.5 / std::numbers::pi}}};
  source.equations = {"der(x) = v", "der(v) = -1.69*x - 0.2*v + A*u"};
  source.constraints = {{"wall", "x <= 1"}};
  source.transitions = {{.when = "reach(wall)", .equations = {"v = -0.8*pre(v)"}}};
  return source;
}

}  // namespace branch_models
