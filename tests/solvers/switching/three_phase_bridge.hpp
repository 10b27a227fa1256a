#pragma once

#include <numbers>
#include <sstream>
#include <string>

#include "tests/solvers/simulation/run_queries.hpp"

/// Three phases with inductances that feed a bridge of six diodes, in the idioms in which users write these.
namespace mti::test {

enum class Diode {
  ideal,       ///< min(i, v) = 0
  leaking,     ///< d v + (1 − d)(i + g v) = 0, i + g v ≥ 0, v ≥ 0
  conducting,  ///< i = −(1000 d + g (1 − d)) v, in the direction in which the voltage drops
};

inline Source three_phase_bridge(Diode diode, double leak) {
  Source source;
  const double phase = 2.0 * std::numbers::pi / 3.0;
  source.states = {{"ia", 0.0}, {"ib", 0.0}};
  for (const char* name : {"va", "vb", "vc", "vp", "vn", "ia1", "ib1", "ic1", "ia2", "ib2", "ic2", "vd"})
    source.algebraic.push_back({name});
  const auto line = [](const char* name, double shift) {
    return InputSource{.name = name,
                       .form = SineSource{.amplitude = 380.0, .frequency = 50.0, .phase = shift}};
  };
  source.inputs = {line("ea", 0.0), line("eb", -phase), line("ec", phase)};
  for (const char* equation :
       {"va = ea - 3.4e-3*der(ia)", "vb = eb - 3.4e-3*der(ib)", "vc = ec + 3.4e-3*der(ia) + 3.4e-3*der(ib)",
        "ia = ia1 - ia2", "ib = ib1 - ib2", "-ia - ib = ic1 - ic2", "ia1 + ib1 + ic1 = Id", "vd = vp - vn"})
    source.equations.emplace_back(equation);
  std::ostringstream text;
  text << leak;
  const std::string g = text.str();
  for (const std::string of : {"a1", "a2", "b1", "b2", "c1", "c2"}) {
    const std::string d = "d" + of, i = "i" + of, line_voltage = "v" + of.substr(0, 1);
    const std::string v = of[1] == '1' ? "(vp - " + line_voltage + ")" : "(" + line_voltage + " - vn)";
    if (diode == Diode::ideal) {
      source.equations.emplace_back("min(" + i + ", " + v + ") = 0");
      continue;
    }
    source.binaries.push_back({d});
    if (diode == Diode::conducting) {
      source.equations.emplace_back(i + " = -(1e3*" + d + " + " + g + "*(1 - " + d + "))*" + v);
      source.constraints.emplace_back("(2*" + d + " - 1)*" + v + " <= 0");
      continue;
    }
    const std::string passed = "(" + i + " + " + g + "*" + v + ")";
    source.equations.emplace_back(d + "*" + v + " + (1 - " + d + ")*" + passed + " = 0");
    source.constraints.emplace_back(passed + " >= 0");
    source.constraints.emplace_back(v + " >= 0");
  }
  source.experiment.stop = 0.04;
  return source;
}

/// A capacitor and a resistance behind it.
inline Source bridge_with_capacitor(Diode diode, double leak) {
  Source source = three_phase_bridge(diode, leak);
  source.states.push_back({"uC", 560.0});
  source.algebraic.push_back({"Id"});
  source.equations.emplace_back("vd = uC");
  source.equations.emplace_back("4e-4*der(uC) = Id - uC/60");
  return source;
}

/// A coil behind a resistance that grows with the current: stiff and not affine.
inline Source bridge_with_coil(Diode diode, double leak) {
  Source source = three_phase_bridge(diode, leak);
  source.states.push_back({"Id", 20.0});
  source.states[1].start = -20.0;
  source.equations.emplace_back("0.05*der(Id) = vd - 20*Id - 0.1*Id^2");
  return source;
}

}  // namespace mti::test
