#include "solvers/reduced_index/own_impulse.hpp"

#include <algorithm>
#include <vector>

#include "mti/common/fault.hpp"
#include "solvers/reduced_index/expressions.hpp"

namespace mti {

void require_own_impulse(const Source& source, const TransitionSource& law,
                         const std::set<std::string>& states, const std::string& pointer) {
  if (law.replaces.empty()) return;
  std::vector<std::set<std::string>> names;
  std::vector<char> is_replaced;
  for (const RelationSource& equation : source.equations) {
    names.push_back(names_in_relation(equation.text));
    const std::string name = equation.name.empty() ? "eq" + std::to_string(names.size()) : equation.name;
    is_replaced.push_back(std::ranges::find(law.replaces, name) != law.replaces.end() ? 1 : 0);
  }
  const auto moves = [&](const std::set<std::string>& row) {
    return std::ranges::any_of(states,
                               [&](const std::string& state) { return row.contains("der(" + state + ")"); });
  };
  for (std::size_t row = 0; row < names.size(); ++row) {
    if (!moves(names[row])) continue;
    for (const AlgebraicSource& signal : source.algebraic)
      for (std::size_t other = 0; other < names.size(); ++other)
        if (other != row && is_replaced[other] == 0 && names[row].contains(signal.name) &&
            names[other].contains(signal.name))
          throw InvalidModel("modelica-unwritable", pointer,
                             "the law " + law.when + " leaves an impulse of " + signal.name +
                                 " to other equations, which no reinit does");
  }
}

}  // namespace mti
