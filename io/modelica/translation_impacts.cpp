#include <algorithm>

#include "io/modelica/translation.hpp"
#include "io/modelica_expressions/logic.hpp"

// Which when-equations are impacts: their resets make their own conditions false again.
namespace mti::modelica {
/// Names in an expression, and those that equations without derivatives bind its algebraic signals to, and its binaries if asked
/// for.
void Translation::add_names_of(const Node& node, NameSet& names, bool through_binaries) const {
  std::vector<std::string_view> fresh;
  const auto note = [&](const Node& part) {
    if (part.kind == Node::Kind::name && names_.find(part.name) != nullptr && names.insert(part.name).second)
      fresh.push_back(part.name);
  };
  walk(node, note);
  while (!fresh.empty()) {
    const std::string_view name = fresh.back();
    fresh.pop_back();
    const Role role = names_.find(name)->role;
    if (role != Role::algebraic && (role != Role::binary || !through_binaries)) continue;
    for (const Equality& equality : equalities_) {
      bool concerned = false;
      const auto look = [&](const Node& part) {
        concerned = concerned || (part.kind == Node::Kind::name && part.name == name);
      };
      walk(equality.left, look);
      walk(equality.right, look);
      if (!concerned) continue;
      walk(equality.left, note);
      walk(equality.right, note);
    }
  }
}

/// Each summand is a multiple of one of the names, or of an algebraic variable of which that is true.
bool Translation::is_multiple_of(const Node& node, const NameSet& names, int depth) const {
  constexpr int deepest = 20;  // of definitions one in the other
  if (depth > deepest) return false;
  const auto every = [&](const Node& part) { return is_multiple_of(part, names, depth); };
  if (node.kind == Node::Kind::sum) return std::ranges::all_of(node.operands, every);
  if (node.kind == Node::Kind::product)
    return std::ranges::any_of(node.operands,
                               [&](const Node& factor) { return !factor.inverse && every(factor); });
  if (node.kind != Node::Kind::name) return false;
  if (names.contains(node.name)) return true;
  const Variable* variable = names_.find(node.name);
  return variable != nullptr && variable->role == Role::algebraic &&
         std::ranges::any_of(equalities_, [&](const Equality& equality) {
           return equality.left.kind == Node::Kind::name && equality.left.name == node.name &&
                  is_multiple_of(equality.right, names, depth + 1);
         });
}

/// Whether a comparison is about positions whose velocities are reinitialised when it becomes true, and is not about what is reset
/// itself: then the reset has to turn the motion back (an impact), and without one that does the boundary is not passed. Otherwise,
/// as of a counter that slows down what it counts, der(x) = 1 - 0.3*n, the reset follows the change, whatever it leads to.
bool Translation::depends(const Node& comparison, const NameSet& reset, const NameSet& reinitialised) const {
  NameSet names;
  add_names_of(comparison, names, false);
  if (std::ranges::any_of(reset, [&](std::string_view name) { return names.contains(name); })) return false;
  return std::ranges::any_of(equalities_, [&](const Equality& equality) {
    const auto is_slope = [&](const Node& side) {
      return is_call(side, "der") && side.operands.size() == 1 && names.contains(side.operands.front().name);
    };
    return (is_slope(equality.left) && is_multiple_of(equality.right, reinitialised)) ||
           (is_slope(equality.right) && is_multiple_of(equality.left, reinitialised));
  });
}

/// What the definition of a Boolean variable says, as far as it is one comparison; null otherwise.
const Node* Translation::definition_of(const Node& boolean) const {
  for (const Equality& equality : equalities_)
    if (equality.left.kind == Node::Kind::name && equality.left.name == boolean.name)
      return &plain(equality.right);
  return nullptr;
}

/// when edge(b) is when b.
Node Translation::trigger_of_edge(const Node& condition) {
  if (!is_call(condition, "edge") || condition.operands.size() != 1) return condition;
  Node result = condition.operands.front();
  result.inverse = false;
  return result;
}

/// Those of {C1, C2}; when change(b) is when {b, not b}.
std::vector<Node> Translation::conditions_of(const Node& condition) {
  std::vector<Node> conditions;
  const std::vector<Node> alone{condition};
  for (const Node& one : condition.kind == Node::Kind::list ? condition.operands : alone) {
    if (!is_call(one, "change") || one.operands.size() != 1) {
      conditions.push_back(one);
      continue;
    }
    Node boolean = one.operands.front();
    boolean.inverse = false;
    conditions.push_back(boolean);
    conditions.push_back(
        {.kind = Node::Kind::negation, .begin = one.begin, .end = one.end, .operands = {std::move(boolean)}});
  }
  return conditions;
}

/// The comparisons that a condition consists of: one, written here or as the definition of a Boolean variable, or several
/// with `and`; none for any other condition.
std::vector<Node> Translation::conjunction_of(const Node& condition) const {
  const Node* behind = condition.kind == Node::Kind::name ? definition_of(condition) : nullptr;
  Node defined = behind == nullptr ? condition : simplified(*behind, {}, false);
  if (expressions_.is_ordering(defined)) return {std::move(defined)};
  if (defined.kind == Node::Kind::conjunction &&
      std::ranges::all_of(defined.operands,
                          [&](const Node& operand) { return expressions_.is_ordering(operand); }))
    return defined.operands;
  return {};
}

/// a and b of a > b, or of a >= b: as an impact the two are one.
std::pair<std::string, std::string> Translation::boundary_of(const Node& comparison) const {
  const Comparison compared = expressions_.comparison(comparison);
  const std::size_t middle = compared.text.find(" > ");
  std::string left = compared.text.substr(0, middle), right = compared.text.substr(middle + 3);
  if (compared.negated) std::swap(left, right);
  return {std::move(left), std::move(right)};
}

std::string Translation::key_of(const std::vector<Node>& comparisons) const {
  std::set<std::string> texts;
  for (const Node& one : comparisons) {
    const auto [left, right] = boundary_of(one);
    texts.insert(left + " > " + right + "; ");
  }
  std::string key;
  for (const std::string& text : texts) key += text;
  return key;
}

namespace {

/// annotation(__mti(once = true)): it is active once where its condition becomes true, whatever it resets.
bool is_once(const Equation& when) {
  return std::ranges::any_of(when.annotation, [](const Modifier& entry) {
    return entry.name == "__mti" && std::ranges::any_of(entry.inner, [](const Modifier& member) {
             return member.name == "once" && member.value && member.value->name == "true";
           });
  });
}

}  // namespace

/// All when-equations of one condition are impacts where one of them is: what any of them resets may lead back.
void Translation::find_impacts() {
  for (const Equation* when : whens_) {
    if (is_once(*when)) continue;
    for (const Branch& branch : when->branches) {
      NameSet reset, reinitialised;
      for (const Equation& equation : branch.equations) {
        const bool is_state = is_call(equation.left, "reinit") && !equation.left.operands.empty();
        const Node& target = is_state ? equation.left.operands.front() : equation.left;
        reset.insert(target.name);
        if (is_state) reinitialised.insert(target.name);
      }
      for (const Node& one : conditions_of(branch.condition.value())) try {
          const std::vector<Node> comparisons = conjunction_of(trigger_of_edge(simplified(one, {}, false)));
          if (comparisons.empty()) continue;
          Impact& impact = impacts_[key_of(comparisons)];
          impact.reset.insert(reset.begin(), reset.end());
          impact.reinitialised.insert(reinitialised.begin(), reinitialised.end());
          impact.comparisons = comparisons;
        } catch (const text::SyntaxError&) {
          continue;  // add_when() says what is wrong
        }
    }
  }
  for (auto& entry : impacts_)
    entry.second.is_impact = std::ranges::any_of(entry.second.comparisons, [&](const Node& one) {
      return !is_known(one) && depends(one, entry.second.reset, entry.second.reinitialised);
    });
}

/// A comparison whose boundary impacts only touch never becomes true for another condition. One of several, of which a reset
/// changes the sides themselves, does.
void Translation::require_no_impact(const Node& condition) const {
  std::set<std::string> boundaries;
  for (const auto& [key, impact] : impacts_) {
    if (!impact.is_impact) continue;
    for (const Node& one : impact.comparisons) {
      NameSet names;
      add_names_of(one, names);
      const bool is_reset =
          std::ranges::any_of(impact.reset, [&](std::string_view name) { return names.contains(name); });
      if (impact.comparisons.size() > 1 && is_reset) continue;
      const auto [left, right] = boundary_of(one);
      boundaries.insert(left + " > " + right);
      boundaries.insert(right + " > " + left);
    }
  }
  if (boundaries.empty()) return;
  NameSet seen;
  std::vector<Node> open{condition};
  while (!open.empty()) {
    const Node node = std::move(open.back());
    open.pop_back();
    walk(node, [&](const Node& part) {
      if (part.kind == Node::Kind::name && seen.insert(part.name).second)
        if (const Node* definition = definition_of(part)) open.push_back(*definition);
      if (!expressions_.is_ordering(part)) return;
      const auto [left, right] = boundary_of(part);
      if (boundaries.contains(left + " > " + right))
        refuse("modelica-unsupported", condition.begin,
               "another when-equation resets what makes this comparison false again, and has another "
               "condition: expected the same condition for both");
    });
  }
}

/// The complement of what makes the clause active is a constraint: reached, it is active, and its resets lead back.
std::vector<Translation::Trigger> Translation::impacts(const std::vector<Node>& comparisons,
                                                       std::size_t begin) {
  std::vector<Trigger> result;
  const std::string name = "when" + std::to_string(clauses_);
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    std::string text = "(" + rising(name, comparisons[i], begin) + ")";
    for (std::size_t j = 0; j < comparisons.size(); ++j)
      if (j != i) text += "*" + expressions_.truth(comparisons[j]);
    add_constraint(text + " <= 0", begin, name);
    result.push_back({"reach(" + source.constraints.back().name + ")"});
  }
  return result;
}

}  // namespace mti::modelica
