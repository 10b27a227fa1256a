#include "io/modelica_expressions/names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "io/modelica_text/parse.hpp"
#include "mti/source/declarations.hpp"

namespace mti::modelica {
namespace {

constexpr std::array<std::string_view, 10> attributes = {
    "start", "fixed", "unit", "displayUnit", "nominal", "min", "max", "stateSelect", "quantity", "unbounded"};

bool is_parameter(const Declaration& declaration) {
  return declaration.variability == "parameter" || declaration.variability == "constant";
}

/// `constant Real pi = 3.14159…`: the number has that name here too.
bool is_pi(const Declaration& declaration) {
  return declaration.name == "pi" && is_parameter(declaration) && declaration.binding &&
         ((declaration.binding->kind == Node::Kind::number &&
           std::abs(declaration.binding->number - std::numbers::pi) < 1e-14) ||
          declaration.binding->name == "Modelica.Constants.pi");
}

std::optional<Variable::Type> type_of(std::string_view type) {
  if (type == "Real") return Variable::Type::real;
  if (type == "Integer") return Variable::Type::integer;
  if (type == "Boolean") return Variable::Type::boolean;
  return std::nullopt;
}

void check_attributes(const Declaration& declaration, Report& report) {
  for (const Modifier& modifier : declaration.modifiers)
    if (std::ranges::find(attributes, modifier.name) == attributes.end() || !modifier.value ||
        !modifier.inner.empty())
      report.add(
          "modelica-unsupported", modifier.begin,
          std::string(modifier.name) +
              " is no attribute that is read: expected start, fixed, unit, displayUnit, nominal, min, max, "
              "quantity, stateSelect or unbounded with a value");
}

/// Names that when-equations set.
void collect_set(const std::vector<Equation>& equations, bool in_when, std::set<std::string_view>& names) {
  for (const Equation& equation : equations) {
    if (in_when && equation.kind == Equation::Kind::equality && equation.left.kind == Node::Kind::name)
      names.insert(equation.left.name);
    for (const Branch& branch : equation.branches)
      collect_set(branch.equations, in_when || equation.kind == Equation::Kind::when, names);
  }
}

}  // namespace

void refuse(const std::string& id, std::size_t offset, const std::string& message) {
  throw text::SyntaxError({id, offset, message});
}

void Report::add(const text::TextFault& fault) {
  faults_.push_back({fault.id, place_of(text_, fault.offset), fault.message});
}

const Node* Variable::attribute(std::string_view attribute) const {
  if (declaration == nullptr) return nullptr;
  for (const Modifier& modifier : declaration->modifiers)
    if (modifier.name == attribute && modifier.value) return &*modifier.value;
  return nullptr;
}

std::string bare(std::string_view name) {
  return name.starts_with('\'') ? unescaped(name.substr(1, name.size() - 2)) : std::string(name);
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size();
    if (escape) ++i;
    result += escape && text[i] == 'n' ? '\n' : escape && text[i] == 't' ? '\t' : text[i];
  }
  return result;
}

Names::Names(const FlatModel& model, Report& report) {
  std::set<std::string_view> derived, set;
  walk(model.equations, [&](const Node& node) {
    if (is_call(node, "der") && node.operands.size() == 1) derived.insert(node.operands.front().name);
  });
  for (const Declaration& declaration : model.declarations)
    if (declaration.binding)
      walk(*declaration.binding, [&](const Node& node) {
        if (is_call(node, "der") && node.operands.size() == 1) derived.insert(node.operands.front().name);
      });
  collect_set(model.equations, false, set);
  for (const Declaration& declaration : model.declarations) {
    if (is_pi(declaration)) continue;
    const auto type = type_of(declaration.type);
    if (!type) {
      report.add("modelica-unsupported", declaration.begin,
                 "the type " + std::string(declaration.type) + " of " + std::string(declaration.name) +
                     " is not read: expected Real, Integer or Boolean");
      continue;
    }
    check_attributes(declaration, report);
    Variable variable{.type = *type, .name = bare(declaration.name), .declaration = &declaration};
    if (!is_name(variable.name) || is_reserved(variable.name)) {
      report.add(
          "bad-name", declaration.begin,
          std::string(declaration.name) +
              " cannot be a name here: expected letters, digits, _ and dots, and no word of the language");
      continue;
    }
    const bool is_set = set.contains(declaration.name);
    if (is_parameter(declaration)) {
      variable.role = Variable::Role::parameter;
    } else if (variable.is_boolean()) {
      variable.role = Variable::Role::binary;
    } else if (derived.contains(declaration.name)) {
      variable.role = Variable::Role::state;
      if (variable.type == Variable::Type::integer)
        report.add("modelica-type", declaration.begin,
                   variable.name + " has a derivative: expected the type Real");
    } else if (is_set) {
      variable.role = Variable::Role::held;
    }
    if (declaration.causality == "input" && !declaration.binding) variable.role = Variable::Role::input;
    if (!taken_.insert(variable.name).second) {
      report.add("duplicate-name", declaration.begin, variable.name + " is already declared");
      continue;
    }
    places_.emplace(declaration.name, variables_.size());
    variables_.push_back(std::move(variable));
  }
}

const Variable* Names::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &variables_[found->second];
}

const Variable& Names::at(const Node& name) const {
  if (const Variable* variable = find(name.name)) return *variable;
  std::vector<std::string> known;
  for (const Variable& variable : variables_) known.push_back(variable.name);
  refuse("unknown-name", name.begin,
         "unknown name " + std::string(name.name) + did_you_mean(bare(name.name), known));
}

void Names::set_role(std::string_view name, Variable::Role role) { variables_[places_.at(name)].role = role; }

std::string Names::fresh(std::string name) {
  while (!taken_.insert(name).second) name += '_';
  return name;
}

}  // namespace mti::modelica
