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
  LawRewriting(const Replicates& replicates, const ToldStates& told) : replicates_(replicates), told_(told) {}

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
      equation = state_to_set(target, pointer) + " = " + rewritten(relation.right, told_.in_states()).text;
    }
    require_own_impulse(replicates_.source(), law, targets, pointer);
    law.replaces.clear();
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
  const ToldStates& told_;
};

}  // namespace

void rewrite_laws(const Replicates& replicates, const ToldStates& told, Source& out) {
  const LawRewriting rewriting(replicates, told);
  for (std::size_t i = 0; i < out.transitions.size(); ++i)
    rewriting.rewrite_law(out.transitions[i], "/transitions/" + std::to_string(i));
  for (std::size_t i = 0; i < out.whens.size(); ++i)
    for (auto& [target, value] : out.whens[i].set)
      target = rewriting.state_to_set(target, "/when/" + std::to_string(i));
}

}  // namespace mti
