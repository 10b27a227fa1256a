#include "io/modelica_writing/reset_texts.hpp"

#include <algorithm>
#include <cmath>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/text/parse.hpp"
#include "solvers/linearization/linearization_points.hpp"
#include "solvers/reduced_index/own_impulse.hpp"

namespace mti::modelica {
namespace {

using Parsed = std::vector<std::unique_ptr<ParsedRelation>>;

/// The model without laws, and without the constraints that they wait for.
Source without_laws(const Source& source) {
  Source result = source;
  result.transitions.clear();
  result.constraints.clear();
  for (std::size_t i = 0; i < source.constraints.size(); ++i) {
    const std::string& name = source.constraints[i].name;
    const std::string when = "reach(" + (name.empty() ? "c" + std::to_string(i + 1) : name) + ")";
    if (std::ranges::find(source.transitions, when, &TransitionSource::when) == source.transitions.end())
      result.constraints.push_back(source.constraints[i]);
  }
  return result;
}

}  // namespace

void require_quiet_start(const Source& source) {
  const auto follows_binary = [](const TransitionSource& law) {
    return law.when.starts_with("rise(") || law.when.starts_with("fall(");
  };
  if (std::ranges::none_of(source.transitions, follows_binary)) return;
  std::vector<char> before;
  std::vector<double> v;
  Signature signature;
  try {
    const Model model = build(without_laws(source));
    v = start_of_run(model);
    before = model.z_start;
    signature = model.signature;
  } catch (const FaultError&) {
    return;  // a run says what is wrong with its start
  }
  for (std::size_t i = 0; i < source.transitions.size(); ++i) {
    const text::Condition condition = text::parse_condition(source.transitions[i].when);
    const auto row = signature.find(condition.target);
    if ((condition.trigger != "rise" && condition.trigger != "fall") || !row) continue;
    const bool was = before[at(*row - signature.binary_row(0))] != 0, is = v[at(*row)] > 0.5;
    if (was == is || is != (condition.trigger == "rise")) continue;
    unwritable("/transitions/" + std::to_string(i),
               "the law " + source.transitions[i].when + " holds at the start already, where " +
                   std::string(condition.target) + " goes from " + (was ? "1 to 0" : "0 to 1") +
                   ": in Modelica nothing becomes true at the start; expected a start value of " +
                   (is ? "1" : "0"));
  }
}

std::map<std::string, double> starts_behind_laws(const Source& source) {
  const auto waits = [](const TransitionSource& law) { return law.when.starts_with("reach("); };
  if (std::ranges::none_of(source.transitions, waits)) return {};
  std::map<std::string, double> starts;
  try {
    const Model model = build(source);
    const std::vector<double> with = start_of_run(model), without = start_of_run(build(without_laws(source)));
    constexpr double least = 1e-9;
    for (const StateSource& state : source.states) {
      const auto row = model.signature.find(state.name);
      if (!row) continue;
      const double a = with[at(*row)], b = without[at(*row)];
      if (std::abs(a - b) > least * std::max(std::abs(a), std::abs(b))) starts.emplace(state.name, a);
    }
  } catch (const FaultError&) {
    return {};  // a run says what is wrong with its start
  }
  return starts;
}

Reset reset_of(const Source& source, std::size_t index, const Parsed& constraints, const Kinds& kinds,
               ModelicaNotation& notation) {
  const TransitionSource& law = source.transitions[index];
  const std::string pointer = "/transitions/" + std::to_string(index);
  const text::Condition condition = text::parse_condition(law.when);
  Reset reset;
  const std::string target(condition.target);
  std::string when;
  if (condition.trigger == "reach") {
    for (std::size_t i = 0; i < constraints.size(); ++i)
      if ((constraints[i]->name.empty() ? "c" + std::to_string(i + 1) : constraints[i]->name) == target)
        reset.constraint = constraints[i].get();
    if (reset.constraint == nullptr || !reset.constraint->binaries.empty())
      unwritable(pointer, "the law " + law.when + " waits for a constraint that belongs to a binary");
    const text::Relation& relation = reset.constraint->relation;
    const bool less = relation.comparison == text::Relation::Comparison::less_equal;
    when = at_level(notation.number(less ? relation.left : relation.right), 1) + " > " +
           at_level(notation.number(less ? relation.right : relation.left), 1);
  } else {
    when = (condition.trigger == "fall" ? "not " : "") + identifier(target);
  }
  std::set<std::string> states;
  std::string lines;
  bool is_said = false;
  for (const std::string& text : law.equations) {
    const auto says_it = [&](const TransitionSource& other) {
      return other.when == law.when && std::ranges::find(other.equations, text) != other.equations.end();
    };
    if (std::any_of(source.transitions.begin(),
                    source.transitions.begin() + static_cast<std::ptrdiff_t>(index), says_it)) {
      is_said = true;  // one reinit for one state
      continue;
    }
    const text::Relation relation = text::parse_relation(text);
    const bool assigns = relation.left.kind == text::Node::Kind::name && kinds.is_state(relation.left.name);
    std::set<std::string> names;
    collect_names(relation.right, true, names);
    const bool of_left_limits = std::ranges::none_of(names, [&](const std::string& name) {
      return kinds.is_state(name) || kinds.is_algebraic(name) || name.starts_with("der(");
    });
    if (!assigns || !of_left_limits)
      unwritable(
          pointer,
          "the law " + law.when + ": " + text +
              " is no reset of a state to a value of left limits, and an equation of right limits has no "
              "form in Modelica");
    states.insert(std::string(relation.left.name));
    lines += "    reinit(" + identifier(std::string(relation.left.name)) + ", " +
             notation.number(relation.right).text + ");\n";
  }
  if (lines.empty() && is_said) return reset;
  if (lines.empty()) unwritable(pointer, "the law " + law.when + " resets no state");
  require_own_impulse(source, law, states, pointer);
  const char* once = condition.trigger == "risen" ? " annotation(__mti(once = true))" : "";
  reset.text = "  when " + when + " then\n" + lines + "  end when" + once + ";\n";
  return reset;
}

}  // namespace mti::modelica
