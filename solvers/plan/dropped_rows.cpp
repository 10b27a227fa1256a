#include "solvers/plan/dropped_rows.hpp"

namespace mti {

std::vector<DroppedRow> dropped_rows(const Recombination& recombination) {
  std::map<EquationRow, DroppedRow::Sum> replaced;
  std::vector<DroppedRow> dropped;
  for (const Recombination::Step& step : recombination.steps) {
    DroppedRow::Sum sum;
    for (const Recombination::Step::Part& part : step.parts) {
      const auto known = replaced.find(part.equation);
      if (known == replaced.end()) {
        sum[{part.equation, part.times}] += part.factor;
        continue;
      }
      for (const auto& [origin, factor] : known->second)
        sum[{origin.first, origin.second + part.times}] += part.factor * factor;
    }
    if (step.dropped) dropped.push_back({step.equation, step.surplus, sum});
    replaced[step.equation] = std::move(sum);
  }
  return dropped;
}

}  // namespace mti
