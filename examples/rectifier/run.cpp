#include <cstdio>

#include <mti/mti.hpp>

// A rectifier: source u, resistor R, ideal diode (current i ≥ 0, reverse voltage v ≥ 0), loaded capacitor.
int main() {
  const mti::Source rectifier{
      .parameters = {{"R", 0.5}, {"C", 2e-3}, {"load", 20.0}},
      .states = {{.name = "uC", .start = 0.0, .unit = "V"}},
      .inputs = {{.name = "u", .form = mti::SineSource{.amplitude = 10.0, .frequency = 50.0}, .unit = "V"}},
      .algebraic = {{.name = "i", .unit = "A"}, {.name = "v", .unit = "V"}},
      .binaries = {{"conducts"}},
      .equations = {"u = R*i - v + uC", "C*der(uC) = i - uC/load", "conducts*v + (1 - conducts)*i = 0"},
      .constraints = {"i >= 0", "v >= 0"}};
  const auto run = mti::simulate(mti::build(rectifier), {.stop = 0.04, .rtol = 1e-8, .atol = 1e-8});
  for (const mti::Event& event : run.events)
    std::printf("t = %8.6f s: conducts = %g\n", event.time, event.changed[0].after);
  std::printf("uC = %.6f V at the end\n", run.value(run.size() - 1, run.column("uC")));
}
