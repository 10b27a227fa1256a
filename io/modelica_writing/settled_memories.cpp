#include "io/modelica_writing/settled_memories.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "mti/text/parse.hpp"

namespace mti::modelica {
namespace {

using Names = std::set<std::string>;
using Parsed = std::vector<std::unique_ptr<ParsedRelation>>;

/// What becomes true where a law sets states.
struct SettingLaw {
  std::string when;
  Names switches, states;
  AtOnce::Groups of_states = {};  ///< groups that follow these
};

class Memories {
 public:
  Memories(const Source& source, const Parsed& equations, const Decisions& decisions, const AtOnce& at_once,
           const Kinds& kinds)
      : source_(source), equations_(equations), decisions_(decisions), at_once_(at_once), kinds_(kinds) {
    for (const auto& equation : equations)
      if (equation->relation.left.kind == text::Node::Kind::name)
        definitions_[std::string(equation->relation.left.name)].push_back(equation.get());
    for (const TransitionSource& law : source.transitions) {
      const text::Condition condition = text::parse_condition(law.when);
      if (condition.trigger == "reach") continue;
      targets_.insert(std::string(condition.target));
      SettingLaw setting{
          .when = law.when, .switches = behind_logic({std::string(condition.target)}), .states = {}};
      for (const std::string& equation : law.equations) {
        const text::Relation relation = text::parse_relation(equation);
        if (relation.left.kind == text::Node::Kind::name && kinds.is_state(relation.left.name))
          setting.states.insert(std::string(relation.left.name));
      }
      for (const std::string& state : setting.states)
        setting.of_states.insert(at_once.with(state).begin(), at_once.with(state).end());
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
    for (const ParsedRelation* equation : definitions_of(decision.binary))
      if (!equation->is_logic) return equation->names;
    return {};
  }

  /// Binaries, and those that equations of logic define them by.
  [[nodiscard]] Names behind_logic(Names names) const {
    std::vector<std::string> open(names.begin(), names.end());
    while (!open.empty()) {
      const std::string name = open.back();
      open.pop_back();
      for (const ParsedRelation* equation : definitions_of(name)) {
        if (!equation->is_logic) continue;
        for (const std::string& other : equation->names)
          if (!is_left_limit(other) && names.insert(other).second) open.push_back(other);
      }
    }
    return names;
  }

  /// A law whose switches these signals follow at once, and that sets what they follow as well.
  [[nodiscard]] const SettingLaw* law_between(Names names, const std::string& own) const {
    names.erase(own);
    const AtOnce::Groups groups = at_once_.of(names);
    const auto follow = [&](const std::string& name) {
      return names.contains(name) || meet(groups, at_once_.with(name));
    };
    for (const SettingLaw& law : laws_) {
      const bool follow_states =
          meet(groups, law.of_states) ||
          std::ranges::any_of(law.states, [&](const std::string& state) { return names.contains(state); });
      const auto is_other = [&](const std::string& name) { return name != own && follow(name); };
      if (follow_states && std::ranges::any_of(law.switches, is_other)) return &law;
    }
    return nullptr;
  }

  /// The equations with a name alone to the left.
  [[nodiscard]] std::span<const ParsedRelation* const> definitions_of(const std::string& name) const {
    const auto found = definitions_.find(name);
    if (found == definitions_.end()) return {};
    return found->second;
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
  const AtOnce& at_once_;
  const Kinds& kinds_;
  std::map<std::string, std::vector<const ParsedRelation*>> definitions_ = {};  ///< by name
  std::vector<SettingLaw> laws_ = {};
  Names targets_ = {};
};

}  // namespace

std::vector<std::string> require_settled_memories(const Source& source, const Parsed& equations,
                                                  const Decisions& decisions, const AtOnce& at_once,
                                                  const Kinds& kinds) {
  return Memories(source, equations, decisions, at_once, kinds).require_settled();
}

}  // namespace mti::modelica
