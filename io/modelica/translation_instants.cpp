#include <algorithm>
#include <iterator>

#include "io/modelica/translation.hpp"

// What happens at one instant: which when-equations are active together, and whether a left limit serves as a value then.
namespace mti::modelica {
namespace {

const Node& target_of(const Equation& equation) {
  const bool is_reinit = is_call(equation.left, "reinit") && !equation.left.operands.empty();
  return is_reinit ? equation.left.operands.front() : equation.left;
}

/// Parts of an expression that are not left limits by pre.
template <typename Visit>
void walk_as_new(const Node& node, const Visit& visit) {
  if (is_call(node, "pre")) return;
  visit(node);
  for (const Node& operand : node.operands) walk_as_new(operand, visit);
}

}  // namespace

/// When-equations of one condition are one. What two others set contradicts itself: Modelica has one equation per variable.
void Translation::merge_whens() {
  const auto written = [&](const Equation& equation) {
    return equation.kind == Equation::Kind::call
               ? expressions_.written(equation.left)
               : expressions_.written(equation.left) + " = " + expressions_.written(equation.right);
  };
  std::map<std::string, Equation*> by_condition;
  for (const Equation* when : whens_) {
    const std::string condition = when->branches.size() == 1
                                      ? expressions_.written(when->branches.front().condition.value())
                                      : std::string();
    const auto known = by_condition.find(condition);
    if (condition.empty() || known == by_condition.end()) {
      merged_whens_.push_back(*when);
      if (!condition.empty()) by_condition.emplace(condition, &merged_whens_.back());
      continue;
    }
    std::vector<Equation>& all = known->second->branches.front().equations;
    for (const Equation& equation : when->branches.front().equations)
      if (std::ranges::none_of(all,
                               [&](const Equation& other) { return written(other) == written(equation); }))
        all.push_back(equation);
  }
  whens_.clear();
  std::map<std::string_view, const Equation*> owners;
  for (const Equation& when : merged_whens_) {
    whens_.push_back(&when);
    guarded([&] {
      for (const Branch& branch : when.branches)
        for (const Equation& equation : branch.equations) {
          if (equation.kind != Equation::Kind::equality || equation.left.kind != Node::Kind::name) continue;
          const auto [owner, is_first] = owners.emplace(equation.left.name, &when);
          if (!is_first && owner->second != &when)
            refuse("modelica-unsupported", equation.begin,
                   std::string(equation.left.name) +
                       " is set by another when-equation too: expected one, with elsewhen");
        }
    });
  }
}

bool Translation::is_set_by_whens(std::string_view name) const {
  return std::ranges::any_of(whens_, [&](const Equation* when) { return sets(*when, name); });
}

/// Names in an expression, and those behind its Boolean and algebraic variables.
void Translation::add_defined_names_of(const Node& node, NameSet& names) const {
  walk_as_new(node, [&](const Node& part) {
    if (part.kind != Node::Kind::name) return;
    if (part.name == "time") names.insert(part.name);
    const Variable* variable = names_.find(part.name);
    if (variable == nullptr || variable->role == Role::parameter) return;
    if (variable->role == Role::algebraic) add_names_of(part, names);
    if (!names.insert(part.name).second || variable->role != Role::binary) return;
    if (const Node* definition = definition_of(part)) add_defined_names_of(*definition, names);
  });
}

Translation::Occasion Translation::occasion_of(const Node& condition) const {
  Occasion result;
  const std::vector<Node> alone{condition};
  for (const Node& one : condition.kind == Node::Kind::list ? condition.operands : alone) {
    bool is_sample = false;
    walk(one, [&](const Node& part) { is_sample = is_sample || is_call(part, "sample"); });
    (is_sample ? result.has_sample : result.has_condition) = true;
    if (!is_sample) add_defined_names_of(one, result.names);
  }
  for (const std::string_view name : result.names) {
    const bool is_set = is_set_by_whens(name);
    result.looks_at_set = result.looks_at_set || is_set;
    result.only_at_set = result.only_at_set && is_set;
  }
  return result;
}

/// Whether the other when-equation may set a value that the own one takes as new, other than by chance. What follows from
/// what samples or conditions of signals set is a step after them within the instant, and finds their values set.
bool Translation::may_meet(const Occasion& own, const Occasion& other) {
  if (own.has_sample && (other.has_sample || other.looks_at_set)) return true;
  return own.has_condition && other.has_condition && !(own.only_at_set && !other.looks_at_set);
}

/// A comparison of what the own condition looks at too may switch with it.
void Translation::require_no_switch(const Node& value, const Occasion& own,
                                    const std::map<std::string_view, std::string>& new_here,
                                    std::size_t begin) const {
  walk_as_new(value, [&](const Node& part) {
    if (part.kind == Node::Kind::name) {
      const Variable* variable = names_.find(part.name);
      if (variable == nullptr || variable->role != Role::binary) return;
      if (const Node* definition = definition_of(part)) require_no_switch(*definition, own, {}, begin);
    }
    if (part.kind != Node::Kind::comparison && !is_call(part, "sign")) return;
    NameSet names;
    for (const Node& operand : part.operands) add_defined_names_of(operand, names);
    for (const std::string_view name : names) {
      if (new_here.contains(name)) continue;
      if (own.names.contains(name) || (own.has_sample && name == "time"))
        refuse("modelica-unsupported", begin,
               "a condition in this value looks at " + std::string(name) +
                   ", as the when-equation does, and may change at its instant: expected a sum of products");
    }
  });
}

/// Values of before an instant serve as those behind it as long as nothing that they depend on is set or switches there.
/// `new_here` has its new value.
void Translation::require_settled(const Node& value, bool is_hoisted, const Equation& when,
                                  const Branch& branch,
                                  const std::map<std::string_view, std::string>& new_here) const {
  const Occasion own = occasion_of(branch.condition.value());
  NameSet names;
  walk_as_new(value, [&](const Node& part) {
    const Variable* variable = part.kind == Node::Kind::name ? names_.find(part.name) : nullptr;
    if (variable == nullptr) return;
    if (variable->role == Role::algebraic || (is_hoisted && !new_here.contains(part.name)))
      add_defined_names_of(part, names);
  });
  for (const Equation* other : whens_)
    for (const Branch& another : other->branches) {
      if (other == &when && &another != &branch) continue;
      for (const Equation& equation : another.equations) {
        if (equation.kind != Equation::Kind::equality) continue;
        const Node& target = target_of(equation);
        if (!names.contains(target.name)) continue;
        if (&another != &branch && !may_meet(own, occasion_of(another.condition.value()))) continue;
        refuse(
            "modelica-unsupported", value.begin,
            "this value depends on " + std::string(target.name) +
                " by conditions, functions or equations that are not explicit, and a when-equation may set " +
                std::string(target.name) +
                " at the same instant: expected both in one when-equation, or a sum of products");
      }
    }
  if (is_hoisted) require_no_switch(value, own, new_here, value.begin);
}

/// The equations of one event iteration hold together, and a when-equation is active once in it. Here what looks at a variable that
/// a when-equation sets follows a step behind that one: beside another of its conditions that may become true with it, the
/// when-equation would be active twice.
void Translation::require_one_activation(const Equation& when) const {
  std::vector<Node> all;
  for (const Branch& branch : when.branches)
    std::ranges::copy(conditions_of(branch.condition.value()), std::back_inserter(all));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Occasion behind = occasion_of(all[i]);
    for (const Equation* setting : whens_) {
      if (!sets_some(*setting, behind.names)) continue;
      for (std::size_t j = 0; j < all.size(); ++j) {
        const Occasion beside = occasion_of(all[j]);
        // Those that look at nothing but what one when-equation sets become true in one step, if they do.
        const bool together =
            !beside.has_sample && sets_all(*setting, behind.names) && sets_all(*setting, beside.names);
        if (j == i || together || !may_be_due_with(beside, *setting)) continue;
        refuse(
            "modelica-unsupported", all[i].begin,
            "this condition looks at what a when-equation sets, and another condition of this when-equation "
            "may become true at the instant of that one: in Modelica both are one event iteration, in which "
            "it is active once; expected one condition");
      }
    }
  }
}

bool Translation::sets(const Equation& when, std::string_view name) {
  return std::ranges::any_of(when.branches, [&](const Branch& branch) {
    return std::ranges::any_of(branch.equations, [&](const Equation& equation) {
      return equation.kind == Equation::Kind::equality && equation.left.name == name;
    });
  });
}

bool Translation::sets_some(const Equation& when, const NameSet& names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return sets(when, name); });
}

bool Translation::sets_all(const Equation& when, const NameSet& names) {
  return std::ranges::all_of(names, [&](std::string_view name) { return sets(when, name); });
}

/// Other than by chance: both look at one signal, at the time, or at what is set.
bool Translation::may_be_due_with(const Occasion& one, const Equation& when) const {
  const auto is_timed = [](const Occasion& occasion) {
    return occasion.has_sample || occasion.names.contains("time");
  };
  return std::ranges::any_of(when.branches, [&](const Branch& branch) {
    const Occasion other = occasion_of(branch.condition.value());
    return one.looks_at_set || (is_timed(one) && is_timed(other)) ||
           std::ranges::any_of(one.names, [&](std::string_view name) { return other.names.contains(name); });
  });
}

/// What looks at a variable that another when-equation sets follows a step behind that one within the instant, and finds what it has
/// set; in Modelica both belong to one event iteration, with pre(n) of before it and reinit behind it.
void Translation::require_one_iteration(const Node& value, const Equation& when, const Branch& branch) const {
  const Node& condition = branch.condition.value();
  if (!occasion_of(condition).looks_at_set) return;
  NameSet set, reset;  // by other when-equations
  for (const Equation* other : whens_)
    for (const Branch& another : other->branches)
      for (const Equation& equation : another.equations)
        if (other != &when) (is_call(equation.left, "reinit") ? reset : set).insert(target_of(equation).name);
  const auto refuse_at = [&](const Node& part, std::string_view name) {
    refuse("modelica-unsupported", part.begin,
           "the condition of this when-equation looks at what another when-equation sets, and " +
               std::string(name) +
               " may be set with it: expected both in one when-equation, or a value without it");
  };
  walk(value, [&](const Node& part) {
    if (!is_call(part, "pre") || part.operands.size() != 1) return;
    NameSet names;
    add_names_of(part.operands.front(), names);
    for (const std::string_view name : names)
      if (set.contains(name) || reset.contains(name)) refuse_at(part, name);
  });
  for (const Node* node : {&value, &condition})
    walk_as_new(*node, [&](const Node& part) {
      if (part.kind == Node::Kind::name && reset.contains(part.name)) refuse_at(part, part.name);
    });
}

/// pre(y) of an algebraic variable is taken behind the change of Boolean variables that the when-equation follows: its left
/// limit as long as no condition stands between that looks at what the when-equation looks at.
void Translation::require_smooth_limits(const Node& value, const Branch& branch) const {
  const Occasion own = occasion_of(branch.condition.value());
  if (!own.has_condition) return;
  walk(value, [&](const Node& part) {
    if (!is_call(part, "pre") || part.operands.size() != 1) return;
    const Node& limit = part.operands.front();
    const Variable* variable = names_.find(limit.name);
    if (variable == nullptr || variable->role != Role::algebraic) return;
    NameSet names;
    add_names_of(limit, names, false);
    for (const Equality& equality : equalities_)
      for (const std::string_view name : names_of_conditions(equality, names))
        if (own.names.contains(name))
          refuse("modelica-unsupported", part.begin,
                 "pre(" + std::string(limit.name) +
                     ") is the value before this instant, and a condition in the "
                     "equations of " +
                     std::string(limit.name) + " looks at " + std::string(name) +
                     ", as the when-equation does, and may change with it: expected a variable that moves, "
                     "or is set");
  });
}

/// What the conditions look at, and which inputs go in steps, of an equation that holds one of some algebraic variables and is not that of a Boolean one.
Translation::NameSet Translation::names_of_conditions(const Equality& equality,
                                                      const NameSet& variables) const {
  const auto role_of = [&](const Node& node) -> std::optional<Role> {
    const Variable* variable = node.kind == Node::Kind::name ? names_.find(node.name) : nullptr;
    return variable == nullptr ? std::nullopt : std::optional(variable->role);
  };
  if (role_of(equality.left) == Role::binary) return {};
  bool is_concerned = false;
  NameSet names;
  const auto look = [&](const Node& node) {
    const std::optional<Role> role = role_of(node);
    is_concerned = is_concerned || (role == Role::algebraic && variables.contains(node.name));
    if (role == Role::binary || node.kind == Node::Kind::comparison || is_call(node, "sign"))
      add_defined_names_of(node, names);
    if (role == Role::input && steps(node.name)) names.insert(node.name);
  };
  walk(equality.left, look);
  walk(equality.right, look);
  return is_concerned ? names : NameSet();
}

}  // namespace mti::modelica
