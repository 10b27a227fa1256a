#include "mti/lifting/lift_functions.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/lifting/continuity.hpp"
#include "mti/lifting/lifting.hpp"

namespace mti {
namespace {

bool is_replaced_by_law(const Model& model, int equation) {
  return std::ranges::any_of(model.transitions, [&](const Transition& law) {
    return std::ranges::find(law.replaces, equation) != law.replaces.end();
  });
}

void require_size(std::size_t found, int expected, const char* what) {
  if (found != at(expected))
    throw InvalidOption("matrix-size", "",
                        std::string(what) + ": found " + std::to_string(found) + " entries, expected " +
                            std::to_string(expected));
}

/// An integral of φ'(a)·a' does not follow a jump of a.
void require_continuous_arguments(const Model& model, const Continuity& continuity) {
  std::vector<Fault> faults;
  for (std::size_t i = 0; i < model.functions.size(); ++i) {
    const FunctionText& row = model.function_texts[i];
    if (!is_integrated(model.functions[i].phi)) continue;
    const std::string& name = model.equation_names[at(row.equation)];
    if (model.is_discrete())
      faults.push_back({"argument-may-jump", "",
                        name + ": in discrete time every signal jumps, and " + row.text + " with it"});
    else if (!continuity.is_continuous(row.argument))
      faults.push_back(
          {"argument-may-jump", "",
           name + ": the argument of " + row.text + " may jump, since " + continuity.reason(row.argument)});
    else if (is_replaced_by_law(model, row.equation))
      faults.push_back(
          {"argument-may-jump", "",
           name + ": " + row.text + " may jump, since a transition law puts its row out of force"});
  }
  if (!faults.empty()) throw InvalidModel(std::move(faults));
}

}  // namespace

Model lift_functions(const Model& model, std::span<const double> start, std::span<const std::string> jumps) {
  if (model.is_multilinear() && model.divisors.empty()) return model;
  require_size(start.size(), model.signature.size(), "the start");
  require_size(jumps.size(), model.signature.n(), "the states that may jump");
  const Continuity continuity(model, jumps);
  require_continuous_arguments(model, continuity);
  Lifting lifting(model, start, continuity);
  lifting.lift_functions();
  lifting.bound_divisors();
  return build(std::move(lifting).finish());
}

}  // namespace mti
