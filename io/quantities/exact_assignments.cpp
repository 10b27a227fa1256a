#include "io/quantities/exact_assignments.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/denominators.hpp"

namespace mti::sbml {
namespace {

class Search {
 public:
  Search(const Quantities& quantities, Refusals& refusals) : quantities_(quantities), refusals_(refusals) {}

  void look_at(const std::optional<Math>& math, const std::string& element) {
    if (math) look_at(*math, element);
  }

 private:
  void look_at(const Math& math, const std::string& element) {
    if (math.op == "lt" || math.op == "leq" || math.op == "gt" || math.op == "geq")
      for (std::size_t i = 0; i + 1 < math.of.size(); ++i) compare(math.of[i], math.of[i + 1], element);
    for (const Math& part : math.of) look_at(part, element);
  }

  void compare(const Math& a, const Math& b, const std::string& element) {
    if (denominator_of_sum(quantities_.denominator(a), quantities_.denominator(b)) != 0) return;
    for (const auto& [variable, threshold] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      const Quantity* const quantity = variable->op == "name" ? quantities_.find(variable->name) : nullptr;
      if (quantity == nullptr || quantity->by != Quantity::By::events) continue;
      for (const std::string& event : exact_assignments(quantities_, *variable, *threshold))
        refusals_.add("sbml-event", element, exact_text(*variable, event));
    }
  }

  const Quantities& quantities_;
  Refusals& refusals_;
};

}  // namespace

std::vector<std::string> exact_assignments(const Quantities& quantities, const Math& variable,
                                           const Math& threshold) {
  std::vector<std::string> found;
  if (variable.op != "name" || !quantities.is_constant(threshold)) return found;
  for (const Event& event : quantities.document().events)
    for (const Assignment& assignment : event.assignments)
      if (assignment.variable == variable.name && assignment.math &&
          quantities.is_constant(*assignment.math) &&
          quantities.start_value(*assignment.math) == quantities.start_value(threshold))
        found.push_back(event.id);
  return found;
}

std::string exact_text(const Math& variable, const std::string& event) {
  return "compares " + variable.name + " with exactly the number that " + event +
         " assigns to it: on which side of its threshold it is then cannot be told";
}

void refuse_exact_assignments(const Quantities& quantities, Refusals& refusals) {
  Search search(quantities, refusals);
  const Document& document = quantities.document();
  for (const Rule& rule : document.rules)
    search.look_at(rule.math, rule.variable.empty() ? "algebraicRule" : rule.variable);
  for (const Reaction& reaction : document.reactions) search.look_at(reaction.law, reaction.id);
  for (const Event& event : document.events) {
    search.look_at(event.delay, event.id);
    for (const Assignment& assignment : event.assignments) search.look_at(assignment.math, event.id);
  }
}

}  // namespace mti::sbml
