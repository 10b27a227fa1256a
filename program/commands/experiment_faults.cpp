#include "program/commands/experiment_faults.hpp"

#include "solvers/simulation/simulate.hpp"

namespace mti {

std::vector<Fault> experiment_faults(const Model& model) {
  std::vector<Fault> faults = SimulationOptions().validate(model);
  for (Fault& fault : faults) fault.id = "bad-experiment";
  return faults;
}

}  // namespace mti
