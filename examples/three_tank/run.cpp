// The three tanks of README.md by the C++ interface: prints the switches and, given a directory, writes the
// same trajectory.csv and events.json there as `mti simulate model.json`.
#include <cstdio>

#include <mti/mti.hpp>

int main(int argc, char** argv) {
  mti::Source tanks{.name = "three_tank"};
  tanks.parameters = {{"c", 4200.0}, {"m", 5.0},         {"a1", 125.0},
                      {"a2", 125.0}, {"g", "a1 + 2*a2"}, {"fv", 0.09}};
  tanks.states = {{"x1", 37.0, "degC", 40.0}, {"x2", 30.0, "degC", 40.0}, {"x3", 40.0, "degC", 40.0}};
  tanks.inputs = {{"u1", 0.0},  {"u2", 80.0}, {"u3", 30.0}, {"u4", 40.0},
                  {"u5", 25.0}, {"u6", 35.0}, {"u7", 35.0}, {"u8", 45.0}};
  tanks.algebraic = {{"y1", 1.0}};
  tanks.binaries = {{"z1"}, {"z2"}, {"z3"}, {"z4"}, {"z5"}, {"z6"}};
  tanks.equations = {{"tank1", "(c*m*der(x1) + g*x1 - a1*(x2 + x3) - a2*u1)*y1 + c*fv*(x1 - u2)*z1 = 0"},
                     {"tank2", "(c*m*der(x2) + g*x2 - a1*(x1 + x3) - a2*u1)*y1 + c*fv*(x2 - u2)*z3 = 0"},
                     {"tank3", "(c*m*der(x3) + g*x3 - a1*(x1 + x2) - a2*u1)*y1 + c*fv*(x3 - u2)*z5 = 0"},
                     {"open_valves", "y1 = 1 + z1*z3 + z1*z5 + z3*z5 - z1*z3*z5"}};
  tanks.constraints = {
      {"tank1_low", "(u3 - x1)*(1 - z1 + z2) <= 0"},  {"tank2_low", "(u5 - x2)*(1 - z3 + z4) <= 0"},
      {"tank3_low", "(u7 - x3)*(1 - z5 + z6) <= 0"},  {"tank1_high", "(x1 - u4)*(1 - z2 + z1) <= 0"},
      {"tank2_high", "(x2 - u6)*(1 - z4 + z3) <= 0"}, {"tank3_high", "(x3 - u8)*(1 - z6 + z5) <= 0"}};
  const mti::Model model = mti::build(tanks);

  const mti::SimulationOptions options{.stop = 1000.0, .rtol = 1e-8, .atol = 1e-8, .output_interval = 1.0};
  const mti::Trajectory trajectory = mti::simulate(model, options);
  for (const mti::Event& event : trajectory.events)
    for (const mti::Change& change : event.changed)
      std::printf("%10.5f s  %s = %g\n", event.time, model.signature.row_name(change.row).c_str(),
                  change.after);
  if (argc > 1) mti::write_results(argv[1], model, trajectory, options, mti::WithReport::no);
  return trajectory.outcome.kind == mti::OutcomeKind::reached_stop ? 0 : 1;
}
