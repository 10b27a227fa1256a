#include "io/modelica/translation.hpp"

#include <algorithm>

#include "mti/common/at.hpp"

namespace mti::modelica {
namespace {

Node made(Node::Kind kind, std::vector<Node> operands, const Node& place) {
  Node node{.kind = kind, .begin = place.begin, .end = place.end};
  node.operands = std::move(operands);
  return node;
}

Node residual(const Equality& equality) {
  Node right = equality.right, left = equality.left;
  left.inverse = false;
  right.inverse = true;
  return made(Node::Kind::sum, {std::move(left), std::move(right)}, equality.left);
}

}  // namespace

Translation::Translation(const FlatModel& model, Report& report)
    : model_(model),
      report_(report),
      names_(model, report),
      expressions_(names_, report.text()),
      time_functions_(names_, expressions_, parameters_) {}

void Translation::run() {
  source.name = bare(model_.name);
  source.description = unescaped(model_.description);
  add_parameters();
  guarded([this] { read_experiment(); });  // samples need its start
  collect_equalities();
  guarded([this] { add_inputs(); });
  know_comparisons();
  for (const Equation& equation : model_.initial_equations) guarded([&] { add_initial(equation); });
  guarded([this] { add_signals(); });
  separate_opposites();
  translate_equalities();
  merge_whens();
  find_impacts();
  for (const Equation* when : whens_) guarded([&] { add_when(*when); });
  for (const auto& [name, cases] : edges_) {  // b = e₁·v₁ + (1 − e₁)·(e₂·v₂ + … pre(b))
    std::string text, rest;
    for (const auto& [edge, value] : cases) {
      text += rest + edge + "*" + value + " + ";
      rest += "(1 - " + edge + ")*";
    }
    add_equation(name + " = " + text + rest + "pre(" + name + ")", 0);
  }
  require_equations();
  guarded([this] { require_one_sequence(); });
  for (const Assertion& one : assertion_nodes_)
    guarded([&] { check(one.condition, one.message, one.is_error, one.begin); });
  guarded([this] { add_ranges(); });
}

void Translation::rely_on(const std::string& condition, bool value, std::size_t begin) {
  premises.push_back({condition, value, "modelica-unsupported",
                      "this was read with the parameters of the file, which decide which equations there "
                      "are: set them in the file",
                      begin});
}

/// Conditions of parameters within an expression that was read with their values.
void Translation::rely_on_conditions(const Node& node) {
  if (expressions_.is_boolean(node) && time_functions_.is_constant(node)) {
    if (const auto value = time_functions_.value(node))
      rely_on(expressions_.truth(node), *value > 0.5, node.begin);
    return;
  }
  for (const Node& operand : node.operands) rely_on_conditions(operand);
}

/// Where binaries remember, an instant may be a sequence of steps (docs/theory.md, "Memory"), in which laws of changes have no
/// place.
void Translation::require_one_sequence() const {
  const auto remembers = [](const RelationSource& relation) {
    return relation.text.find("pre(") != std::string::npos;
  };
  // What is asserted forbids changes, and makes none.
  const auto decides = [&](const RelationSource& constraint) {
    return !only_asserted_.contains(constraint.name) && remembers(constraint);
  };
  if (std::ranges::none_of(source.equations, remembers) && std::ranges::none_of(source.constraints, decides))
    return;
  for (const TransitionSource& law : source.transitions)
    if (!law.when.starts_with("reach("))
      refuse("modelica-unsupported", whens_.front()->begin,
             "when-equations that set numbers where a Boolean variable changes are not read beside Boolean "
             "variables that "
             "remember by pre otherwise than as a hysteresis");
}

void Translation::add_equation(const std::string& text, std::size_t begin, const std::string& name) {
  places.push_back({"/equations/" + std::to_string(source.equations.size()), begin});
  if (name.empty() || !relation_names_.insert(name).second)
    source.equations.emplace_back(text);
  else
    source.equations.emplace_back(name, text);
}

void Translation::add_constraint(const std::string& text, std::size_t begin, const std::string& name) {
  std::string own = name;
  while (!relation_names_.insert(own).second) own += '_';
  places.push_back({"/constraints/" + std::to_string(source.constraints.size()), begin});
  source.constraints.emplace_back(own, text);
}

void Translation::add_equality(Node left, Node right, std::size_t begin, const Equation& equation,
                               std::vector<Equality>& equalities) {
  const std::string description(equation.description);
  equalities.push_back({std::move(left), std::move(right), begin, is_name(description) ? description : ""});
}

void Translation::flatten(const Equation& equation, std::vector<Equality>& equalities) {
  if (equation.kind == Equation::Kind::equality) {
    add_equality(equation.left, equation.right, equation.begin, equation, equalities);
    return;
  }
  if (equation.kind != Equation::Kind::choice)
    refuse("modelica-unsupported", equation.begin, "only equations are read within an if-equation");
  // One branch for all times where parameters decide.
  for (const Branch& branch : equation.branches) {
    if (branch.condition) {
      const auto known = time_functions_.is_constant(*branch.condition)
                             ? time_functions_.value(*branch.condition)
                             : std::nullopt;
      if (!known) break;
      rely_on_conditions(*branch.condition);
      if (*known < 0.5) continue;
    }
    for (const Equation& inner : branch.equations) flatten(inner, equalities);
    return;
  }
  if (equation.branches.back().condition)
    refuse("modelica-unsupported", equation.begin, "an if-equation needs an else where signals decide");
  std::vector<std::vector<Equality>> branches;
  for (const Branch& branch : equation.branches) {
    std::vector<Equality>& own = branches.emplace_back();
    for (const Equation& inner : branch.equations) flatten(inner, own);
    if (own.size() != branches.front().size())
      refuse("modelica-unsupported", equation.begin,
             "the branches of an if-equation need equally many equations: found " +
                 std::to_string(branches.front().size()) + " and " + std::to_string(own.size()));
  }
  // Beside each other stand equations of the same left side, where there are such; what is left over, in order.
  const std::size_t height = branches.front().size();
  std::vector<std::vector<const Equality*>> rows(height);
  std::vector<std::vector<bool>> paired(branches.size(), std::vector<bool>(height, false));
  for (std::size_t i = 0; i < height; ++i) {
    const Node& first = branches.front()[i].left;
    if (first.kind != Node::Kind::name || names_.find(first.name) == nullptr) continue;
    std::vector<std::size_t> row;
    for (std::size_t b = 0; b < branches.size(); ++b)
      for (std::size_t k = 0; k < height && row.size() == b; ++k)
        if (!paired[b][k] && branches[b][k].left.kind == Node::Kind::name &&
            branches[b][k].left.name == first.name)
          row.push_back(k);
    if (row.size() != branches.size()) continue;
    for (std::size_t b = 0; b < branches.size(); ++b) {
      paired[b][row[b]] = true;
      rows[i].push_back(&branches[b][row[b]]);
    }
  }
  for (std::size_t i = 0; i < height; ++i) {
    std::vector<const Equality*>& row = rows[i];
    const bool same = !row.empty();
    if (!same)
      for (std::size_t b = 0; b < branches.size(); ++b) {
        const auto next = static_cast<std::size_t>(std::ranges::find(paired[b], false) - paired[b].begin());
        paired[b][next] = true;
        row.push_back(&branches[b][next]);
      }
    const Node& first = row.front()->left;
    Node choice = made(Node::Kind::choice, {}, equation.branches.front().condition.value());
    for (std::size_t b = 0; b < branches.size(); ++b) {
      if (equation.branches[b].condition) choice.operands.push_back(*equation.branches[b].condition);
      if (!same && (expressions_.is_boolean(row[b]->left) || expressions_.is_boolean(row[b]->right)))
        refuse("modelica-unsupported", row[b]->begin,
               "equations of Boolean variables in an if-equation need the same variable to the left in all "
               "branches");
      choice.operands.push_back(same ? row[b]->right : residual(*row[b]));
    }
    Node left =
        same ? first : Node{.kind = Node::Kind::number, .name = "0", .begin = first.begin, .end = first.end};
    add_equality(std::move(left), std::move(choice), row.front()->begin, equation, equalities);
  }
}

void Translation::collect_equalities() {
  for (const Declaration& declaration : model_.declarations) {
    const Variable* variable = names_.find(declaration.name);
    if (variable == nullptr || variable->role == Role::parameter || !declaration.binding) continue;
    Node left{.kind = Node::Kind::name, .name = declaration.name, .begin = declaration.begin};
    left.end = left.begin + left.name.size();
    equalities_.push_back({std::move(left), *declaration.binding, declaration.begin});
  }
  for (const Equation& equation : model_.equations)
    guarded([&] {
      if (equation.kind == Equation::Kind::when) {
        whens_.push_back(&equation);
      } else if (equation.kind == Equation::Kind::call) {
        add_assertion(equation, equation.left, {});
      } else if (equation.kind == Equation::Kind::choice &&
                 std::ranges::all_of(equation.branches.front().equations,
                                     [](const Equation& one) { return one.kind == Equation::Kind::call; })) {
        std::vector<Node> guards;
        for (const Branch& branch : equation.branches) {
          if (branch.condition) guards.push_back(*branch.condition);
          for (const Equation& one : branch.equations) {
            if (one.kind != Equation::Kind::call)
              refuse("modelica-unsupported", one.begin,
                     "assertions and equations are not mixed in an if-equation");
            add_assertion(one, one.left, guards);
          }
          if (!guards.empty() && branch.condition)
            guards.back() = made(Node::Kind::negation, {guards.back()}, guards.back());
        }
      } else {
        flatten(equation, equalities_);
      }
    });
}

void Translation::require_integer(const Variable& variable, const Node& value, std::size_t place) const {
  if (variable.type != Variable::Type::integer || expressions_.is_integer(value)) return;
  refuse("modelica-type", place,
         variable.name + " is an Integer, and " + expressions_.written(value) + " a Real");
}

/// An Integer variable that no when-equation sets is given by an equation of Integer variables: n = x would make it a Real one.
void Translation::require_integer_equations() {
  const auto alone = [&](const Node& node) -> const Variable* {
    const Variable* variable = node.kind == Node::Kind::name ? names_.find(node.name) : nullptr;
    const bool is_given =
        variable == nullptr || variable->type != Variable::Type::integer || variable->role != Role::algebraic;
    return is_given ? nullptr : variable;
  };
  std::set<std::string> known;
  for (const bool first : {true, false})
    for (const Equality& equality : equalities_)
      for (const bool left : {true, false}) {
        const Variable* variable = alone(left ? equality.left : equality.right);
        const Node& other = left ? equality.right : equality.left;
        if (variable == nullptr || expressions_.is_boolean(other)) continue;
        if (first && expressions_.is_integer(other))
          known.insert(variable->name);
        else if (!first && !known.contains(variable->name))
          guarded([&] { require_integer(*variable, other, equality.begin); });
      }
}

/// As many equations as unknowns: not counted, but those are told that no equation determines whatever it is. What has
/// another fault may have lost its equation by that.
void Translation::require_equations() {
  if (!report_.empty()) return;
  NameSet held = in_constraints_, defined = in_constraints_;
  for (const Equality& equality : equalities_) {
    defined.insert(equality.left.name);
    for (const Node* side : {&equality.left, &equality.right})
      walk(*side, [&](const Node& part) {
        if (part.kind == Node::Kind::name) held.insert(part.name);
      });
  }
  for (const Variable& variable : names_.all()) {
    const std::string_view written = variable.declaration->name;
    const bool is_free =
        (variable.role == Role::algebraic && !held.contains(written)) ||
        (variable.role == Role::binary && !defined.contains(written) && !edges_.contains(variable.name));
    if (is_free)
      report_.add("modelica-unbalanced", variable.declaration->begin,
                  "no equation determines " + variable.name + ": expected as many equations as unknowns");
  }
}

void Translation::translate_equalities() {
  require_integer_equations();
  for (const Equality& equality : equalities_)
    guarded([&] {
      const Node& left = equality.left;
      const bool boolean = expressions_.is_boolean(left);
      if (boolean != expressions_.is_boolean(equality.right))
        refuse("modelica-type", equality.begin,
               "one side of the equation is a number, the other a condition");
      if (!boolean) {
        add_equation(expressions_.number(left) + " = " + expressions_.number(equality.right), equality.begin,
                     equality.name);
        return;
      }
      const Variable* variable = left.kind == Node::Kind::name ? names_.find(left.name) : nullptr;
      if (variable == nullptr || variable->role != Role::binary)
        refuse("modelica-unsupported", equality.begin,
               "an equation of conditions needs a Boolean variable alone to its left");
      define(*variable, plain(equality.right), equality.begin);
    });
}

}  // namespace mti::modelica
