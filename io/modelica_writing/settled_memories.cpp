#include "io/modelica_writing/settled_memories.hpp"

#include <algorithm>

#include "mti/text/parse.hpp"

namespace mti::modelica {
namespace {

using Names = std::set<std::string>;
using Parsed = std::vector<std::unique_ptr<ParsedRelation>>;

/// What becomes true where a law sets states.
struct SettingLaw {
  std::string when;
  Names switches, states;
};

class Memories {
 public:
  Memories(const Source& source, const Parsed& equations, const Decisions& decisions, const Kinds& kinds)
      : source_(source), equations_(equations), decisions_(decisions), kinds_(kinds) {
    for (const TransitionSource& law : source.transitions) {
      const text::Condition condition = text::parse_condition(law.when);
      if (condition.trigger == "reach") continue;
      targets_.insert(std::string(condition.target));
      SettingLaw setting{law.when, behind_logic({std::string(condition.target)}), {}};
      for (const std::string& equation : law.equations) {
        const text::Relation relation = text::parse_relation(equation);
        if (relation.left.kind == text::Node::Kind::name && kinds.is_state(relation.left.name))
          setting.states.insert(std::string(relation.left.name));
      }
      if (!setting.states.empty()) laws_.push_back(std::move(setting));
    }
  }

  /// The binaries that are left with a doubt.
  [[nodiscard]] std::vector<std::string> require_settled() const {
    std::vector<std::string> doubtful;
    if (laws_.empty()) return doubtful;
    Names unsettled;
    for (std::size_t i = 0; i < source_.binaries.size(); ++i) {
      const Decision& decision = decisions_.binaries[i];
      const SettingLaw* law = law_between(compared_in(decision), decision.binary);
      if (law == nullptr) continue;
      const bool is_when = targets_.contains(decision.binary) && !source_.binaries[i].generated.empty();
      if (is_when || is_hysteresis(decision)) refuse("/binaries/" + std::to_string(i), decision.binary, *law);
      unsettled.insert(decision.binary);
      if (decision.never_falls || decision.never_rises) doubtful.push_back(decision.binary);
    }
    for (const auto& equation : equations_) {
      for (const Names& names : hystereses_of(*equation))
        if (const SettingLaw* law = law_between(names, {})) refuse(equation->pointer, "hysteresis", *law);
      const bool is_latch = equation->is_logic && std::ranges::any_of(equation->names, is_left_limit);
      const Names behind = is_latch ? behind_logic(equation->binaries) : Names();
      if (std::ranges::any_of(behind, [&](const std::string& name) { return unsettled.contains(name); }))
        doubtful.push_back(equation->relation.left.kind == text::Node::Kind::name
                               ? std::string(equation->relation.left.name)
                               : equation->name);
    }
    return doubtful;
  }

 private:
  static bool is_left_limit(const std::string& name) { return name.starts_with("pre("); }

  /// Two thresholds of one expression: between them it is what it was. Those of a complementarity, h <= limit and f >= 0, do not
  /// leave such a gap.
  [[nodiscard]] bool is_hysteresis(const Decision& decision) const {
    if (decision.while_off.size() != 1 || decision.while_on.size() != 1) return false;
    const Excess &off = decision.while_off.front(), &on = decision.while_on.front();
    if (off.is_opposite(on)) return false;
    text::SignedTerms of_off = text::difference_terms(off.difference(), "0"),
                      of_on = text::difference_terms("0", on.difference());
    for (text::SignedTerms* terms : {&of_off, &of_on})
      std::erase_if(*terms, [&](const text::SignedTerm& term) { return is_constant(term.text); });
    return !of_off.empty() && of_off == of_on;
  }

  [[nodiscard]] bool is_constant(const std::string& expression) const {
    Names names;
    collect_names(text::parse_expression(expression), true, names);
    return std::ranges::none_of(names, [&](const std::string& name) {
      return kinds_.is_state(name) || kinds_.is_algebraic(name) || kinds_.is_boolean(name) ||
             name.starts_with("der(");
    });
  }

  /// The names in the constraints, or the condition, that decide a binary; none in an equation of logic.
  [[nodiscard]] Names compared_in(const Decision& decision) const {
    if (!decision.names.empty()) return decision.names;
    for (const auto& equation : equations_) {
      const text::Node& left = equation->relation.left;
      if (!equation->is_logic && left.kind == text::Node::Kind::name && left.name == decision.binary)
        return equation->names;
    }
    return {};
  }

  /// Binaries, and those that equations of logic define them by.
  [[nodiscard]] Names behind_logic(Names names) const {
    std::vector<std::string> open(names.begin(), names.end());
    while (!open.empty()) {
      const std::string name = open.back();
      open.pop_back();
      for (const auto& equation : equations_) {
        const text::Node& left = equation->relation.left;
        if (!equation->is_logic || left.kind != text::Node::Kind::name || left.name != name) continue;
        for (const std::string& other : equation->names)
          if (!is_left_limit(other) && names.insert(other).second) open.push_back(other);
      }
    }
    return names;
  }

  /// A law whose switches these signals follow at once, and that sets what they follow as well.
  [[nodiscard]] const SettingLaw* law_between(Names names, const std::string& own) const {
    names.erase(own);
    const Names reached = names_at_once(names, equations_, kinds_);
    const auto meets = [&](const Names& some) {
      return std::ranges::any_of(some, [&](const std::string& name) { return reached.contains(name); });
    };
    for (const SettingLaw& law : laws_) {
      Names switches = law.switches;
      switches.erase(own);
      if (meets(switches) && meets(law.states)) return &law;
    }
    return nullptr;
  }

  /// The names in each hysteresis(…) of an equation.
  static std::vector<Names> hystereses_of(const ParsedRelation& equation) {
    std::vector<Names> found;
    const auto look = [&found](const auto& self, const text::Node& node) -> void {
      if (node.kind == text::Node::Kind::call && node.name == "hysteresis") {
        found.emplace_back();
        collect_names(node, true, found.back());
      }
      for (const text::Node& operand : node.operands) self(self, operand);
    };
    look(look, equation.relation.left);
    look(look, equation.relation.right);
    return found;
  }

  [[noreturn]] static void refuse(const std::string& pointer, const std::string& what,
                                  const SettingLaw& law) {
    unwritable(pointer, what + " looks at a signal that follows the mode at once, and the law " + law.when +
                            " sets states of it one event iteration later: in between Modelica has a value "
                            "that is never there, and this condition would be remembered or acted on");
  }

  const Source& source_;
  const Parsed& equations_;
  const Decisions& decisions_;
  const Kinds& kinds_;
  std::vector<SettingLaw> laws_ = {};
  Names targets_ = {};
};

}  // namespace

std::vector<std::string> require_settled_memories(const Source& source, const Parsed& equations,
                                                  const Decisions& decisions, const Kinds& kinds) {
  return Memories(source, equations, decisions, kinds).require_settled();
}

}  // namespace mti::modelica
