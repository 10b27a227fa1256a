#include "io/kinetics/counters.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "io/sbml/evaluate_math.hpp"
#include "mti/common/number.hpp"

namespace mti::sbml {

std::string Counters::floor_of(const std::string& argument, std::optional<double> start, int q,
                               const std::string& element) {
  if (const auto found = known_.find(argument); found != known_.end()) return found->second;
  std::string name = (element.empty() ? "" : element + ".") + "floor" + std::to_string(++count_[element]);
  known_[argument] = name;
  const bool is_finite = start && std::isfinite(*start);
  const std::string part = q != 0 ? text::format_number(0.5 / q) : "";
  const std::string signal = name + ".argument", rate = name + ".rate";
  source_.algebraic.push_back({.name = signal, .start = is_finite ? *start : 0.0});
  source_.equations.emplace_back(signal, signal + " = " + argument);
  source_.states.push_back({.name = name, .start = is_finite ? std::floor(*start) : 0.0});
  source_.equations.emplace_back(rate, "der(" + name + ") = 0");
  for (const bool up : {true, false}) {
    const std::string constraint = name + (up ? ".up" : ".down");
    source_.constraints.emplace_back(
        constraint, up ? signal + " - " + name + " - 1" + (q != 0 ? " + " + part : "") + " <= 0"
                       : name + " - " + signal + (q != 0 ? " - " + part : "") + " <= 0");
    source_.transitions.push_back(
        {"reach(" + constraint + ")", {rate}, {name + " = pre(" + name + ")" + (up ? " + 1" : " - 1")}});
  }
  return name;
}

namespace {

/// Formulas, and those of the variables in them that rules determine.
class JumpSearch {
 public:
  explicit JumpSearch(const Quantities& quantities) : quantities_(quantities) {
    for (const Event& event : quantities.document().events)
      for (const Assignment& assignment : event.assignments) written_.insert(assignment.variable);
  }

  bool is_in(const Math& math, bool counted) {
    if (math.op == "name") {
      if (counted && jumps(math.name)) return true;
      const Quantity* const quantity = quantities_.find(math.name);
      return quantity != nullptr && quantity->by == Quantity::By::rule && quantity->rule != nullptr &&
             seen_.emplace(math.name, counted).second && is_in(*quantity->rule, counted);
    }
    const bool steps = is_stepwise(math.op) && !quantities_.is_fixed(math);
    if (counted && (steps || is_condition(math) || math.op == "piecewise")) return true;
    return std::ranges::any_of(math.of, [&](const Math& part) { return is_in(part, counted || steps); });
  }

 private:
  [[nodiscard]] bool jumps(const std::string& id) const {
    const std::set<std::string> sources = quantities_.sources_of(id);
    return std::ranges::any_of(sources, [this](const std::string& name) { return written_.contains(name); });
  }

  const Quantities& quantities_;
  std::set<std::string> written_;
  std::set<std::pair<std::string, bool>> seen_;
};

}  // namespace

bool follows_counter_of_jumps(const Quantities& quantities, const Math& math) {
  return JumpSearch(quantities).is_in(math, false);
}

}  // namespace mti::sbml
