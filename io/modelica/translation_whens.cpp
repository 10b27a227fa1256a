#include <algorithm>
#include <cmath>

#include "io/modelica/translation.hpp"
#include "io/modelica_expressions/logic.hpp"
#include "mti/common/number.hpp"

namespace mti::modelica {
namespace {

std::string factor(const std::string& text) { return "(" + text + ")"; }

/// walk(), but for left limits: pre(y).
template <typename Visit>
void walk_outside_pre(const Node& node, const Visit& visit) {
  if (is_call(node, "pre")) return;
  visit(node);
  for (const Node& operand : node.operands) walk_outside_pre(operand, visit);
}

}  // namespace

void Translation::add_law(const std::string& when, const std::string& equation, std::size_t begin) {
  auto law = std::ranges::find(source.transitions, when, &TransitionSource::when);
  if (law == source.transitions.end()) {
    places.push_back({"/transitions/" + std::to_string(source.transitions.size()), begin});
    source.transitions.push_back({.when = when});
    law = source.transitions.end() - 1;
  }
  if (std::ranges::find(law->equations, equation) == law->equations.end()) law->equations.push_back(equation);
}

std::string Translation::run_start() const {
  const Number& start = source.experiment.start;
  return factor(std::holds_alternative<double>(start) ? text::format_number(std::get<double>(start))
                                                      : std::get<std::string>(start));
}

/// start + k·period, the first of these that is not before the run, k >= 0.
std::string Translation::first_sample(const Node& sample) {
  std::string start = expressions_.number(sample.operands[0]);
  const std::string period = expressions_.number(sample.operands[1]);
  const auto first = time_functions_.value(sample.operands[0]),
             step = time_functions_.value(sample.operands[1]), from = time_functions_.value(run_start());
  if (!first || !step || !from || !(*step > 0.0)) return start;
  constexpr double rounding = 1e-9;  // of a period: a sample that is due as the run begins
  const double passed = std::ceil((*from - *first) / *step - rounding);
  std::string next =
      passed > 0.0 ? "(" + start + " + " + text::format_number(passed) + "*" + period + ")" : start;
  const auto is_number = [](const Node& node) { return node.kind == Node::Kind::number; };
  if (std::ranges::all_of(sample.operands, is_number) &&
      std::holds_alternative<double>(source.experiment.start))
    return next;
  const std::string wait = "(" + next + " - " + run_start() + ")/" + period;
  rely_on("(" + wait + " > -1e-8)", true, sample.begin);
  if (passed > 0.0) rely_on("(" + wait + " < 1 - 1e-10)", true, sample.begin);
  return next;
}

Translation::Trigger Translation::trigger_of_sample(const Node& sample) {
  if (sample.operands.size() != 2)
    refuse("wrong-arguments", sample.begin, "sample takes a start and a period");
  for (const Node& operand : sample.operands)
    if (!time_functions_.is_constant(operand))
      refuse("signal-as-number", operand.begin,
             "the times of samples are expressions of parameters and numbers");
  const std::string begin = expressions_.number(sample.operands[0]),
                    period = expressions_.number(sample.operands[1]), start = first_sample(sample);
  const auto known = clocks_.find(start + "," + period);
  const auto first = time_functions_.value(sample.operands[0]),
             step = time_functions_.value(sample.operands[1]);
  Trigger trigger;
  trigger.sample_start = begin;
  trigger.sample_period = period;
  if (first && step) trigger.sample.emplace(*first, *step);
  if (!trigger.sample) trigger.sample.emplace(0.0, 0.0);
  if (known != clocks_.end()) {
    trigger.when = known->second;
    return trigger;
  }
  if (step && !(*step > 0.0))
    refuse("modelica-range", sample.operands[1].begin,
           "samples have a period above 0, found " + text::format_number(*step));
  const std::string name = names_.fresh("sample" + std::to_string(clocks_.size() + 1));
  // Parameters may be set to others.
  if (sample.operands[1].kind != Node::Kind::number)
    source.parameters.push_back({name + ".period.is_positive", "log(" + period + ")"});
  source.experiment.fixed_start = true;
  source.states.push_back({.name = name, .start = period + " - (" + start + " - " + run_start() + ")"});
  add_equation("der(" + name + ") = 1", sample.begin);
  add_constraint(name + " - " + period + " <= 0", sample.begin, name + ".due");
  const std::string when = "reach(" + source.constraints.back().name + ")";
  clocks_.emplace(start + "," + period, when);
  add_law(when, name + " = pre(" + name + ") - " + period, sample.begin);
  trigger.when = when;
  return trigger;
}

std::vector<Translation::Trigger> Translation::triggers(const Node& outer, bool needs_edge) {
  const Node node = trigger_of_edge(simplified(outer, {}, false));
  if (is_call(node, "sample")) {
    if (needs_edge)
      refuse("modelica-unsupported", node.begin,
             "Boolean variables that are set at samples are not read: expected a number");
    return {trigger_of_sample(node)};
  }
  if (!expressions_.is_boolean(node))
    refuse("modelica-type", node.begin, "the condition of a when-equation is no condition");
  ++clauses_;
  const std::vector<Node> comparisons = conjunction_of(node);
  if (const auto impact = impacts_.find(key_of(comparisons));
      impact != impacts_.end() && impact->second.is_impact) {
    if (needs_edge)
      refuse("modelica-unsupported", node.begin,
             "a when-equation that sets Boolean variables and what its own condition depends on is not read");
    if (impact->second.triggers.empty()) impact->second.triggers = impacts(comparisons, node.begin);
    return impact->second.triggers;
  }
  require_no_impact(node);
  const Variable* binary = node.kind == Node::Kind::name ? names_.find(node.name) : nullptr;
  if (binary != nullptr && binary->role == Role::binary) {
    const std::string& b = binary->name;
    return {{"risen(" + b + ")", b + "*(1 - pre(" + b + "))"}};
  }
  const std::string own = names_.fresh("when" + std::to_string(clauses_));
  source.binaries.push_back({.name = own});
  if (expressions_.is_ordering(node) && !is_known(node))
    define_comparison(own, node, node.begin);
  else
    add_equation(own + " = " + expressions_.truth(node), node.begin);
  return {{"risen(" + own + ")", own + "*(1 - pre(" + own + "))"}};
}

/// Some variable that is no Boolean one stands in two factors: a square, in effect.
bool Translation::repeats_a_variable(const Node& product) const {
  std::map<std::string_view, std::size_t> factor_with;
  bool repeats = false;
  for (std::size_t i = 0; i < product.operands.size(); ++i)
    walk(product.operands[i], [&](const Node& part) {
      const Variable* variable = part.kind == Node::Kind::name ? names_.find(part.name) : nullptr;
      const bool varies = part.name == "time" || (variable != nullptr && variable->role != Role::binary &&
                                                  !time_functions_.is_constant(part));
      if (part.kind == Node::Kind::name && varies)
        repeats = repeats || factor_with.try_emplace(part.name, i).first->second != i;
    });
  return repeats;
}

bool Translation::is_multilinear(const Node& node) const {
  bool result = true;
  walk(node, [&](const Node& part) {
    if (part.kind == Node::Kind::comparison)
      result = false;  // no law holds conditions, nor those of parameters
    if (part.kind == Node::Kind::power) result = result && time_functions_.is_constant(part);
    if (part.kind == Node::Kind::call && part.name != "pre" && part.name != "noEvent" &&
        part.name != "smooth")
      result = result && time_functions_.is_constant(part);
    if (part.kind == Node::Kind::product)
      for (const Node& operand : part.operands)
        result = result && (!operand.inverse || time_functions_.is_constant(operand));
    if (part.kind == Node::Kind::product) result = result && !repeats_a_variable(part);
  });
  return result;
}

/// An algebraic signal that follows the value at all times: the law takes its left limit.
std::string Translation::hoisted(const Variable& variable, const std::string& next, const Node& value,
                                 const std::map<std::string_view, std::string>& stands_for,
                                 std::size_t begin) {
  source.algebraic.push_back({.name = next, .start = start_of(variable)});
  add_equation(next + " = " + expressions_.number(value, {.stands_for = &stands_for}), begin);
  return "pre(" + next + ")";
}

/// Algebraic signals as what they are defined to be: at an instant a law has inputs as they are behind it, but algebraic signals
/// as they were before it.
Node Translation::inlined(const Node& node, int depth) const {
  if (is_call(node, "pre")) return node;  // the left limit of a signal, whatever defines it
  constexpr int deepest = 50;
  const Variable* variable = node.kind == Node::Kind::name ? names_.find(node.name) : nullptr;
  if (variable != nullptr && variable->role == Role::algebraic && depth < deepest) {
    const Node* definition = nullptr;
    int count = 0;
    for (const Equality& equality : equalities_)
      if (equality.left.kind == Node::Kind::name && equality.left.name == node.name) {
        definition = &equality.right;
        ++count;
      }
    if (count == 1) {
      Node result = inlined(*definition, depth + 1);
      result.inverse = node.inverse;
      return result;
    }
  }
  Node result = node;
  for (Node& operand : result.operands) operand = inlined(operand, depth);
  return result;
}

/// An input whose values on both sides of an instant may differ.
bool Translation::steps(std::string_view name) const {
  const Variable* variable = names_.find(name);
  if (variable == nullptr || variable->role != Role::input) return false;
  const auto input = std::ranges::find(source.inputs, variable->name, &InputSource::name);
  if (input == source.inputs.end()) return false;
  const auto* table = std::get_if<TableSource>(&input->form);
  if (table == nullptr) return std::holds_alternative<PulseSource>(input->form);
  const auto same = [](const Number& a, const Number& b) { return a == b; };
  return input->binary || table->repeat || table->interpolation == Interpolation::previous ||
         std::ranges::adjacent_find(table->time, same) != table->time.end();
}

/// Values of before an instant serve as those behind it as long as no input steps there.
void Translation::require_steady(const Node& value, const Trigger& trigger) {
  NameSet names;
  add_names_of(value, names);
  for (const std::string_view name : names) {
    if (!steps(name)) continue;
    bool meets = trigger.follows_inputs;
    if (trigger.sample) {
      const auto& table = std::get<TableSource>(
          std::ranges::find(source.inputs, names_.find(name)->name, &InputSource::name)->form);
      const auto [start, period] = *trigger.sample;
      for (const auto& [text, number] :
           {std::pair(trigger.sample_start, start), std::pair(trigger.sample_period, period)})
        rely_on("(abs(" + text + " - " + factor(text::format_number(number)) + ") > 0)", false, value.begin);
      meets = table.repeat.has_value() || !(period > 0.0);
      for (const Number& time : table.time) {
        const auto* t = std::get_if<double>(&time);
        const double turns = t == nullptr ? 0.0 : (*t - start) / period;
        meets = meets || t == nullptr || std::abs(turns - std::round(turns)) < 1e-6;
      }
    }
    if (meets)
      refuse("modelica-unsupported", value.begin,
             "the input " + std::string(name) +
                 " may step at the instant of the when-equation, and the value depends on it by conditions, "
                 "functions or "
                 "equations that are not explicit: expected a sum of products");
  }
}

void Translation::add_branch(const Equation& when, const Branch& branch, const std::vector<Trigger>& triggers,
                             const NameSet& set_here) {
  std::vector<Node> values;
  std::vector<bool> is_hoisted;
  const std::size_t count = branch.equations.size();
  for (const Equation& equation : branch.equations) {
    const Node& value =
        equation.kind == Equation::Kind::call ? equation.left.operands.back() : equation.right;
    values.push_back(inlined(value, 0));
    values.back().begin = value.begin;  // where faults point
    values.back().end = value.end;
    is_hoisted.push_back(!is_multilinear(values.back()) && !expressions_.is_boolean(values.back()));
  }
  // What a hoisted value takes from the same when-equation is hoisted too: it is new there.
  std::map<std::string_view, std::string> stands_for{{"pre", ""}};
  std::vector<std::string> next(count);
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t i = 0; i < count; ++i) {
      const Equation& equation = branch.equations[i];
      const bool is_reinit = equation.kind == Equation::Kind::call;
      const Node& target = is_reinit ? equation.left.operands.front() : equation.left;
      if (!is_hoisted[i] || !next[i].empty() || names_.at(target).is_boolean()) continue;
      grows = true;
      next[i] = names_.fresh(names_.at(target).name + ".next");
      if (!is_reinit) stands_for.emplace(target.name, next[i]);
      walk_outside_pre(values[i], [&](const Node& part) {
        for (std::size_t j = 0; j < count; ++j)
          if (part.kind == Node::Kind::name && branch.equations[j].kind != Equation::Kind::call &&
              branch.equations[j].left.name == part.name)
            is_hoisted[j] = true;
      });
    }
  }
  for (std::size_t i = 0; i < branch.equations.size(); ++i) {
    const Equation& equation = branch.equations[i];
    const bool is_reinit = equation.kind == Equation::Kind::call;
    const Node& target = is_reinit ? equation.left.operands.front() : equation.left;
    const Node& value = is_reinit ? equation.left.operands.back() : equation.right;
    const Variable& variable = names_.at(target);
    if (variable.is_boolean()) {
      for (const Trigger& trigger : triggers)
        edges_[variable.name].emplace_back(trigger.edge, expressions_.truth(value));
      continue;
    }
    if (variable.role != (is_reinit ? Role::state : Role::held))
      refuse("modelica-unsupported", target.begin,
             is_reinit ? "reinit is for variables with a derivative, which " + variable.name + " is not"
                       : variable.name + " cannot be set by a when-equation");
    require_integer(variable, value, value.begin);
    bool left_limits = is_hoisted[i];
    walk_outside_pre(values[i], [&](const Node& part) {
      const Variable* other = part.kind == Node::Kind::name ? names_.find(part.name) : nullptr;
      left_limits = left_limits || (other != nullptr && other->role == Role::algebraic);
    });
    for (const Trigger& trigger : triggers)
      if (left_limits) require_steady(value, trigger);
    if (left_limits) require_settled(values[i], is_hoisted[i], when, branch, stands_for);
    require_smooth_limits(values[i], branch);
    require_one_iteration(values[i], when, branch);
    const std::string text = is_hoisted[i]
                                 ? hoisted(variable, next[i], values[i], stands_for, equation.begin)
                                 : expressions_.number(values[i], {.is_law = true, .set_here = &set_here});
    for (const Trigger& trigger : triggers)
      add_law(trigger.when, variable.name + " = " + text, equation.begin);
  }
}

void Translation::add_when(const Equation& when) {
  require_one_activation(when);
  NameSet first_set;
  for (const Branch& branch : when.branches) {
    NameSet set_here, reset;
    bool needs_edge = false;
    for (const Equation& equation : branch.equations) {
      const bool is_reinit = equation.kind == Equation::Kind::call && is_call(equation.left, "reinit") &&
                             equation.left.operands.size() == 2;
      const Node& target = is_reinit ? equation.left.operands.front() : equation.left;
      if (!is_reinit && equation.kind != Equation::Kind::equality)
        refuse("modelica-unsupported", equation.begin, "a when-equation holds v = … and reinit(x, …) alone");
      if (target.kind != Node::Kind::name)
        refuse("modelica-unsupported", target.begin, "a when-equation sets a variable alone to the left");
      const Variable& variable = names_.at(target);
      if (!reset.insert(target.name).second)
        refuse("modelica-unsupported", target.begin, variable.name + " is set twice");
      if (!is_reinit) set_here.insert(target.name);
      needs_edge = needs_edge || variable.is_boolean();
    }
    // Of branches that are due at one instant the first counts; two that differ contradict each other here, with a message.
    if (&branch == &when.branches.front()) first_set = reset;
    if (reset != first_set)
      refuse("modelica-unsupported", when.begin,
             "the branches of a when-equation need to set the same variables");
    std::vector<Trigger> all;
    for (const Node& one : conditions_of(branch.condition.value()))
      for (Trigger& trigger : triggers(one, needs_edge)) {
        NameSet behind;
        add_names_of(one, behind);
        trigger.follows_inputs =
            std::ranges::any_of(behind, [this](std::string_view name) { return steps(name); });
        all.push_back(std::move(trigger));
      }
    add_branch(when, branch, all, set_here);
  }
}

}  // namespace mti::modelica
