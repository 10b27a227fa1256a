#include "solvers/reduced_index/law_rewriting.hpp"

#include <algorithm>
#include <set>

#include "mti/common/fault.hpp"
#include "mti/text/parse.hpp"
#include "solvers/reduced_index/own_impulse.hpp"

namespace mti {
namespace {

class LawRewriting {
 public:
  LawRewriting(const Replicates& replicates, const LowerRows& lower, const ToldStates& told)
      : replicates_(replicates), lower_(lower), told_(told) {}

  /// A law sets the state of a signal, whose slope is a signal of its own: der(s) = der_x alone is replaced.
  void rewrite_law(TransitionSource& law, const std::string& pointer) const {
    std::set<std::string> targets;
    for (std::string& equation : law.equations) {
      const text::Relation relation = text::parse_relation(equation);
      const bool of_left_limits = std::ranges::none_of(
          names_in(equation.substr(relation.right.begin)),
          [this](const std::string& name) { return replicates_.find(name).has_value(); });
      if (relation.left.kind != text::Node::Kind::name || !of_left_limits)
        throw InvalidModel(
            "modelica-unwritable", pointer,
            "the law " + law.when + ": " + equation +
                " is no reset of a state to a value of left limits, which a model whose index is "
                "reduced can hold");
      const std::string target(relation.left.name);
      targets.insert(target);
      if (law.replaces.empty()) require_untied(target, pointer);
      equation = state_to_set(target, pointer) + " = " + rewritten(relation.right, told_.in_states()).text;
    }
    require_own_impulse(replicates_.source(), law, targets, pointer);
    law.replaces.clear();
  }

  /// A tie moves what is tied to a state that is set, by impulses of which a reinit knows nothing.
  void require_untied(const std::string& name, const std::string& pointer) const {
    const auto is_other_state = [&](const std::string& other) {
      const auto found = replicates_.find(other);
      return other != name && found && told_.state_of(*found) != nullptr;
    };
    for (const LowerRow& row : lower_.rows())
      if (const std::set<std::string> tied = names_in(row.text);
          tied.contains(name) && std::ranges::any_of(tied, is_other_state))
        throw InvalidModel("modelica-unwritable", pointer,
                           name + " is set, and where " + replicates_.condition(row.where) + " equation " +
                               replicates_.equation_name(row.equation) +
                               " ties it: what it moves there with it no reinit says");
  }

  /// The state that holds what a law or when sets.
  [[nodiscard]] std::string state_to_set(const std::string& name, const std::string& pointer) const {
    const auto found = replicates_.find(name);
    if (!found || found->order > 0) return name;
    const std::string* state = told_.state_of(*found);
    if (state == nullptr)
      throw InvalidModel("modelica-unwritable", pointer, name + " is set, and is a state in no mode");
    return *state;
  }

 private:
  const Replicates& replicates_;
  const LowerRows& lower_;
  const ToldStates& told_;
};

}  // namespace

void rewrite_laws(const Replicates& replicates, const LowerRows& lower, const ToldStates& told, Source& out) {
  const LawRewriting rewriting(replicates, lower, told);
  for (std::size_t i = 0; i < out.transitions.size(); ++i)
    rewriting.rewrite_law(out.transitions[i], "/transitions/" + std::to_string(i));
  for (std::size_t i = 0; i < out.whens.size(); ++i)
    for (auto& [target, value] : out.whens[i].set) {
      const std::string pointer = "/when/" + std::to_string(i);
      rewriting.require_untied(target, pointer);
      target = rewriting.state_to_set(target, pointer);
    }
}

}  // namespace mti
