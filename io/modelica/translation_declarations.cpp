#include <algorithm>
#include <functional>

#include "io/modelica/translation.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/source/whole_number.hpp"

namespace mti::modelica {

std::string Translation::unit_of(const Variable& variable) const {
  const Node* unit = variable.attribute("unit");
  if (unit == nullptr) return {};
  if (!unit->name.starts_with('"')) refuse("modelica-type", unit->begin, "expected a text in double quotes");
  return unescaped(unit->name.substr(1, unit->name.size() - 2));
}

bool Translation::is_fixed(const Variable& variable) const {
  const Node* fixed = variable.attribute("fixed");
  if (fixed == nullptr) return false;
  const auto value = time_functions_.is_constant(*fixed) ? time_functions_.value(*fixed) : std::nullopt;
  if (!value) refuse("modelica-unsupported", fixed->begin, "expected true or false");
  return *value > 0.5;
}

Number Translation::number_of(const Node& node, const Variable& variable) const {
  if (!time_functions_.is_constant(node))
    refuse("signal-as-number", node.begin, "an attribute is an expression of parameters and numbers");
  const bool boolean = expressions_.is_boolean(node);
  if (boolean != variable.is_boolean())
    refuse("modelica-type", node.begin,
           boolean ? "expected a number, found a condition" : "expected true or false");
  require_integer(variable, node, node.begin);
  if (node.kind == Node::Kind::number) return node.number;
  return boolean ? expressions_.truth(node) : expressions_.number(node);
}

Number Translation::start_of(const Variable& variable) const {
  const auto initial = starts_.find(variable.name);
  if (initial != starts_.end()) return initial->second;
  const Node* start = variable.attribute("start");
  return start == nullptr ? Number(0.0) : number_of(*start, variable);
}

/// In the order in which they need each other.
void Translation::add_parameters() {
  std::set<std::string> done, open;
  const std::function<void(const Variable&)> add = [&](const Variable& variable) {
    if (done.contains(variable.name)) return;
    const Declaration& declaration = *variable.declaration;
    if (!open.insert(variable.name).second)
      refuse("parameter-order", declaration.begin, "the parameter " + variable.name + " needs its own value");
    const Node* value = declaration.binding ? &*declaration.binding : variable.attribute("start");
    if (variable.attribute("fixed") != nullptr && variable.attribute("fixed")->name == "false")
      refuse("modelica-unsupported", declaration.begin, "the parameter " + variable.name + " is not fixed");
    if (value == nullptr)
      refuse("modelica-unsupported", declaration.begin, "the parameter " + variable.name + " has no value");
    walk(*value, [&](const Node& part) {
      if (part.kind != Node::Kind::name) return;
      const Variable* other = names_.find(part.name);
      if (other != nullptr && other->role == Role::parameter) add(*other);
    });
    if (!time_functions_.is_constant(*value))
      refuse("signal-as-number", value->begin, "a parameter is an expression of parameters and numbers");
    places.push_back({"/parameters/" + variable.name, declaration.begin});
    source.parameters.push_back({variable.name, number_of(*value, variable)});
    done.insert(variable.name);
  };
  for (const Variable& variable : names_.all())
    if (variable.role == Role::parameter) guarded([&] { add(variable); });
  // Comparisons of whole numbers are written at halves (expressions.cpp), and what is neither true nor false would be some of
  // both.
  for (const Variable& variable : names_.all()) {
    if (variable.role != Role::parameter || !done.contains(variable.name)) continue;
    if (variable.type == Variable::Type::integer)
      source.parameters.push_back(whole_number_premise(variable.name));
    if (variable.type == Variable::Type::boolean) source.parameters.push_back(boolean_premise(variable.name));
  }
  for (const ParameterSource& parameter : source.parameters) parameters_.declare(parameter.name, {});
  try {
    Source alone;
    alone.parameters = source.parameters;
    for (const auto& [name, value] : parameter_values(alone)) parameters_.set_parameter(name, value);
  } catch (const InvalidModel&) {
    return;  // building reports it
  }
  for (const Variable& variable : names_.all()) {
    if (variable.role != Role::parameter || variable.is_boolean()) continue;
    const auto own = time_functions_.value({.kind = Node::Kind::name, .name = variable.declaration->name});
    for (const char* bound : {"min", "max"}) {
      const Node* limit = variable.attribute(bound);
      const auto value = limit == nullptr ? std::nullopt : time_functions_.value(*limit);
      if (limit == nullptr || !own || !value) continue;
      const bool is_min = bound == std::string_view("min");
      const std::string message = "the parameter " + variable.name + " lies beyond its " + bound + ", " +
                                  expressions_.written(*limit);
      if (is_min ? *own < *value : *own > *value) report_.add("modelica-range", limit->begin, message);
      premises.push_back({"(" + variable.name + (is_min ? " < " : " > ") + expressions_.number(*limit) + ")",
                          false, "modelica-range", message, limit->begin});
    }
  }
}

void Translation::add_inputs() {
  const auto number = [&](const Variable& variable, std::string_view attribute, double otherwise) {
    const Node* node = variable.attribute(attribute);
    return node == nullptr ? Number(otherwise) : number_of(*node, Variable{});
  };
  for (const Variable& variable : names_.all()) {
    if (variable.role == Role::input) {
      places.push_back({"/inputs/" + std::to_string(source.inputs.size()), variable.declaration->begin});
      source.inputs.push_back({.name = variable.name,
                               .form = start_of(variable),
                               .unit = unit_of(variable),
                               .nominal = number(variable, "nominal", 1.0),
                               .binary = variable.is_boolean()});
      continue;
    }
    if (variable.role != Role::algebraic && variable.role != Role::binary) continue;
    const auto is_own = [&](const Equality& one) {
      return one.left.kind == Node::Kind::name && one.left.name == variable.declaration->name;
    };
    if (std::ranges::count_if(equalities_, is_own) != 1) continue;
    const auto own = std::ranges::find_if(equalities_, is_own);
    bool comes_again = false;
    walk(own->right, [&](const Node& part) {
      comes_again = comes_again || (is_call(part, "mod") && !time_functions_.is_constant(part));
    });
    if (own->right.kind != Node::Kind::choice && variable.is_boolean() && !comes_again)
      continue;  // time >= 1 is a comparison
    std::optional<TimeFunctions::KnownInput> input = time_functions_.input(variable, plain(own->right));
    if (!input) continue;
    input->source.unit = unit_of(variable);
    input->source.nominal = number(variable, "nominal", 1.0);
    for (std::string& expression : input->fixed)
      source.decisions.push_back({std::move(expression), "/inputs/" + std::to_string(source.inputs.size()),
                                  "which times of " + variable.name + " are equal"});
    places.push_back({"/inputs/" + std::to_string(source.inputs.size()), own->begin});
    source.inputs.push_back(std::move(input->source));
    rely_on_conditions(own->right);
    names_.set_role(variable.declaration->name, Role::input);
    equalities_.erase(own);
  }
}

/// A comparison of an input that goes in steps with numbers is a binary input: nothing moves through equality.
void Translation::know_comparisons() {
  std::vector<InputSource> made;
  const auto know = [&](const Node& node) {
    if (!expressions_.is_ordering(node)) return;
    std::set<std::string_view> signals;
    walk(node, [&](const Node& part) {
      const Variable* variable = part.kind == Node::Kind::name ? names_.find(part.name) : nullptr;
      if (part.name == "time" || (variable != nullptr && variable->role != Role::parameter))
        signals.insert(part.name);
      if (part.kind == Node::Kind::call && (part.name == "der" || part.name == "pre")) signals.insert("time");
    });
    if (signals.size() != 1) return;
    const Variable* variable = names_.find(*signals.begin());
    if (variable == nullptr || variable->role != Role::input) return;
    const auto input = std::ranges::find(source.inputs, variable->name, &InputSource::name);
    const auto* table = std::get_if<TableSource>(&input->form);
    // A constant input may be set to another number, which its comparison has to follow.
    if (table == nullptr || table->interpolation != Interpolation::previous) return;
    guarded([&] {
      const std::string text = expressions_.comparison(node).text;
      if (expressions_.known_comparisons.contains(text)) return;
      const auto truth = [&](const Number& value) {
        std::string own = std::holds_alternative<double>(value) ? text::format_number(std::get<double>(value))
                                                                : std::get<std::string>(value);
        if (own.starts_with('-')) own = "(" + own + ")";
        const std::map<std::string_view, std::string> stands_for{{*signals.begin(), own}};
        return Number("(" + expressions_.comparison(node, {.stands_for = &stands_for}).text + ")");
      };
      InputSource made_input{.name = names_.fresh(variable->name + ".compared"), .binary = true};
      TableSource own = *table;
      own.interpolation.reset();
      for (Number& value : own.value) value = truth(value);
      made_input.form = std::move(own);
      expressions_.known_comparisons.emplace(text, made_input.name);
      made.push_back(std::move(made_input));
    });
  };
  for (const Equality& equality : equalities_) {
    walk(equality.left, know);
    walk(equality.right, know);
  }
  for (const Equation* when : whens_) walk(std::vector<Equation>{*when}, know);
  for (InputSource& input : made) source.inputs.push_back(std::move(input));
}

/// a > b and b > a share one binary in relations, with opposite values; where both are asked, one gets a binary of its own, so
/// that none holds while a and b are equal.
void Translation::separate_opposites() {
  std::map<std::string, const Node*> seen;
  const auto look = [&](const Node& node) {
    if (!expressions_.is_ordering(node) || time_functions_.is_constant(node)) return;
    guarded([&] {
      const Comparison compared = expressions_.comparison(node);
      if (compared.is_whole || expressions_.known_comparisons.contains(compared.text)) return;
      const std::size_t middle = compared.text.find(" > ");
      const std::string opposite = compared.text.substr(middle + 3) + " > " + compared.text.substr(0, middle);
      if (!seen.emplace(compared.text, &node).second || !seen.contains(opposite) || holds_conditions(node))
        return;
      if (expressions_.known_comparisons.contains(opposite)) return;
      Node strict = node;
      if (compared.negated) strict.name = node.name == "<=" ? ">" : "<";
      const std::string name = names_.fresh("opposite" + std::to_string(++opposites_));
      source.binaries.push_back({.name = name, .generated = expressions_.written(strict)});
      if (compared.negated) source.binaries.back().generated = "not " + expressions_.written(node);
      define_comparison(name, strict, node.begin);
      expressions_.known_comparisons.emplace(compared.text, name);
    });
  };
  for (const Equality& equality : equalities_) {
    if (expressions_.is_ordering(plain(equality.right))) continue;  // a Boolean variable of its own
    walk(equality.left, look);
    walk(equality.right, look);
  }
}

void Translation::add_signals() {
  const auto nominal = [&](const Variable& variable) {
    const Node* node = variable.attribute("nominal");
    return node == nullptr ? Number(1.0) : number_of(*node, Variable{});
  };
  for (const Variable& variable : names_.all())
    guarded([&] {
      const std::size_t begin = variable.declaration->begin;
      switch (variable.role) {
        case Role::state:
        case Role::held:
          places.push_back({"/states/" + std::to_string(source.states.size()), begin});
          source.states.push_back({variable.name, start_of(variable), unit_of(variable), nominal(variable)});
          if (variable.role == Role::held) add_equation("der(" + variable.name + ") = 0", begin);
          break;
        case Role::algebraic:
          if (is_fixed(variable))
            refuse("modelica-unsupported", begin,
                   "the start of " + variable.name +
                       " is fixed, which has no derivative: expected the start of a state");
          places.push_back({"/algebraic/" + std::to_string(source.algebraic.size()), begin});
          source.algebraic.push_back({.name = variable.name,
                                      .start = start_of(variable),
                                      .unit = unit_of(variable),
                                      .nominal = nominal(variable)});
          break;
        case Role::binary:
          places.push_back({"/binaries/" + std::to_string(source.binaries.size()), begin});
          source.binaries.push_back({variable.name, start_of(variable)});
          break;
        case Role::parameter:
        case Role::input:
          break;
      }
    });
}

/// x = number of a state, and of what is remembered: pre(b) = … or b = … .
void Translation::add_initial(const Equation& equation) {
  const Node& left = equation.left;
  const bool is_pre = is_call(left, "pre") && left.operands.size() == 1;
  const Node& name = is_pre ? left.operands.front() : left;
  if (equation.kind != Equation::Kind::equality || name.kind != Node::Kind::name ||
      !time_functions_.is_constant(equation.right))
    refuse("modelica-unsupported", equation.begin,
           "an initial equation gives a state or what pre remembers a value of parameters: x = 3, pre(b) = "
           "true");
  const Variable& variable = names_.at(name);
  if (variable.role == Role::algebraic || variable.role == Role::input || variable.role == Role::parameter)
    refuse("modelica-unsupported", equation.begin,
           variable.name + " is no state and not remembered: an initial equation cannot hold for it");
  const bool boolean = variable.is_boolean();
  starts_[variable.name] = boolean ? expressions_.truth(equation.right) : expressions_.number(equation.right);
}

/// min and max are assertions that hold at all times.
void Translation::add_ranges() {
  for (const Variable& variable : names_.all()) {
    if (variable.role == Role::parameter || variable.is_boolean()) continue;
    for (const char* bound : {"min", "max"}) {
      const Node* limit = variable.attribute(bound);
      if (limit == nullptr) continue;
      Node comparison{.kind = Node::Kind::comparison,
                      .name = bound == std::string_view("min") ? ">=" : "<=",
                      .begin = variable.declaration->begin,
                      .end = variable.declaration->begin + variable.declaration->name.size()};
      comparison.operands.push_back({.kind = Node::Kind::name, .name = variable.declaration->name});
      comparison.operands.push_back(*limit);
      check(comparison, variable.name + " is beyond its " + bound + ", " + expressions_.written(*limit), true,
            variable.declaration->begin);
    }
  }
}

void Translation::read_experiment() {
  for (const Modifier& entry : model_.annotation)
    for (const Modifier& member : entry.inner) {
      if (!member.value || !time_functions_.is_constant(*member.value)) continue;
      ExperimentSource& experiment = source.experiment;
      if (entry.name == "experiment") {
        if (member.name != "StartTime" && member.name != "StopTime" && member.name != "Tolerance" &&
            member.name != "Interval")
          continue;
        const Number value = number_of(*member.value, Variable{});
        if (member.name == "StartTime") experiment.start = value;
        if (member.name == "StopTime") experiment.stop = value;
        if (member.name == "Tolerance") experiment.rtol = value;
        if (member.name == "Interval") experiment.output_interval = value;
      } else if (member.name == "atol") {
        experiment.atol = number_of(*member.value, Variable{});
      } else if (member.name == "fixedStart") {
        experiment.fixed_start = time_functions_.value(*member.value).value_or(0.0) != 0.0;
      }
    }
}

}  // namespace mti::modelica
