#include "io/sbml/choices.hpp"

#include <algorithm>
#include <utility>

#include "io/sbml/evaluate_math.hpp"

namespace mti::sbml {
namespace {

Math negative(Math math) { return {.op = "minus", .of = {std::move(math)}}; }

bool is_sum(const Math& math) {
  return math.op == "number" || math.op == "name" || math.op == "time" || math.op == "plus" ||
         math.op == "minus" || math.op == "times";
}

}  // namespace

bool chooses(const Math& math) {
  if (math.op == "piecewise") return math.of.size() % 2 == 1 && math.of.size() > 1;
  if (math.op == "max" || math.op == "min") return math.of.size() > 1;
  return (math.op == "abs" && math.of.size() == 1) || is_condition(math);
}

Choice choice_of(const Math& math) {
  if (math.op == "abs")
    return {{.op = "gt", .of = {math.of[0], {.value = 0.0}}}, math.of[0], negative(math.of[0])};
  if (math.op == "max" || math.op == "min") {
    Math rest{.op = math.op, .of = {math.of.begin() + 1, math.of.end()}};
    if (rest.of.size() == 1) rest = Math(rest.of[0]);
    Math condition{.op = math.op == "max" ? "gt" : "lt", .of = {math.of[0], rest}};
    return {std::move(condition), math.of[0], std::move(rest)};
  }
  if (math.op != "piecewise") return {math, {.value = 1.0}, {.value = 0.0}};
  Math rest{.op = "piecewise", .of = {math.of.begin() + 2, math.of.end()}};
  if (rest.of.size() == 1) rest = Math(rest.of[0]);
  return {math.of[1], math.of[0], std::move(rest)};
}

bool is_polynomial(const Math& math) { return is_sum(math) && std::ranges::all_of(math.of, is_polynomial); }

bool is_sum_of_choices(const Math& math) {
  if (math.op == "divide" && math.of.size() == 2 && math.of[1].op == "number")
    return is_sum_of_choices(math.of[0]);
  if (!chooses(math)) return is_sum(math) && std::ranges::all_of(math.of, is_sum_of_choices);
  if (is_condition(math)) return true;
  if (math.op != "piecewise") return std::ranges::all_of(math.of, is_sum_of_choices);
  for (std::size_t i = 0; i < math.of.size(); i += 2)
    if (!is_sum_of_choices(math.of[i])) return false;
  return true;
}

}  // namespace mti::sbml
