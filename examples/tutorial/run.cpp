#include <algorithm>
#include <cstdio>

#include <mti/mti.hpp>

// The rectifier of docs/tutorial.md for several capacitors: between which voltages uC moves.
mti::Model rectifier(double C) {
  return mti::build(
      {.name = "rectifier",
       .parameters = {{"R", 2.0}, {"C", C}, {"load", 20.0}},
       .states = {{.name = "uC", .start = 0.0, .unit = "V"}},
       .inputs = {{.name = "u", .form = mti::SineSource{.amplitude = 10.0, .frequency = 50.0}, .unit = "V"}},
       .algebraic = {{.name = "i", .unit = "A"}, {.name = "v", .unit = "V"}},
       .binaries = {{"conducts"}},
       .equations = {"u = R*i - v + uC", "C*der(uC) = i - uC/load", "conducts*v + (1 - conducts)*i = 0"},
       .constraints = {"i >= 0", "v >= 0"}});
}

int main() {
  for (const double C : {1e-3, 2e-3, 4e-3}) {
    const mti::Trajectory run =
        mti::simulate(rectifier(C), {.stop = 0.4, .rtol = 1e-8, .atol = 1e-8, .output_interval = 1e-4});
    const std::size_t uC = run.column("uC");
    double low = 10.0, high = 0.0;
    for (std::size_t row = 0; row < run.size(); ++row)
      if (run.time(row) >= 0.38) {  // the last period
        low = std::min(low, run.value(row, uC));
        high = std::max(high, run.value(row, uC));
      }
    std::printf("C = %g F: %.4f V to %.4f V, %zu events\n", C, low, high, run.events.size());
  }
}
