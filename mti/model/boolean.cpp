#include "mti/model/boolean.hpp"

namespace mti {

bool BooleanFormula::evaluate(const std::function<bool(int)>& value_of) const {
  std::vector<bool> stack;
  for (const Step& step : steps) {
    switch (step.operation) {
      case Operation::variable:
        stack.push_back(value_of(step.row));
        break;
      case Operation::constant:
        stack.push_back(step.value);
        break;
      case Operation::negation:
        stack.back() = !stack.back();
        break;
      case Operation::conjunction:
      case Operation::disjunction: {
        const bool right = stack.back();
        stack.pop_back();
        const bool left = stack.back();
        stack.back() = step.operation == Operation::conjunction ? left && right : left || right;
        break;
      }
    }
  }
  return stack.empty() || stack.back();
}

}  // namespace mti
