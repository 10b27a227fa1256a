#include "io/kinetics/jumping_flags.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "io/quantities/exact_assignments.hpp"
#include "io/sbml/choices.hpp"
#include "io/sbml/evaluate_math.hpp"
#include "io/sbml/formula.hpp"

namespace mti::sbml {
namespace {

class JumpingFlags {
 public:
  JumpingFlags(SourceWriter& writer, const std::map<std::string, HappeningLaw>& laws)
      : writer_(writer), quantities_(writer.quantities()), laws_(laws) {}

  void look_at(const Triggers::Comparison& comparison) {
    nodes_ = 0;
    Margin margin{&comparison, expanded({.op = "minus", .of = {comparison.greater, comparison.smaller}}), {}};
    visit_names(margin.formula, [&](const std::string& name) { margin.names.insert(name); });
    const bool by_amount = std::ranges::any_of(margin.names, [&](const std::string& name) {
      const Quantity* const quantity = quantities_.find(name);
      return quantity != nullptr && quantity->by_amount;
    });
    if (by_amount) return refuse_exact(comparison);
    if (nodes_ > most_nodes || !is_polynomial(margin.formula) || holds_time(margin.formula)) return;
    for (const auto& [event, law] : laws_)
      if (is_made_constant(margin, law)) set_by_[event].push_back(margin);
  }

  /// Of an event that meets a threshold all that it makes constant, for a trigger may hold several comparisons.
  void set(bool one_by_one) {
    for (const auto& [event, margins] : set_by_) {
      if (!std::ranges::any_of(margins,
                               [&, &own = event](const Margin& margin) { return meets(margin, own); }))
        continue;
      for (const Margin& margin : margins)
        if (one_by_one || is_alone(margin)) write(margin, laws_.at(event));
    }
  }

 private:
  struct Margin {
    const Triggers::Comparison* comparison = nullptr;
    Math formula;
    std::set<std::string> names;
  };

  /// With the formulas of rules in the place of their names.
  Math expanded(const Math& math) {
    ++nodes_;
    if (math.op == "name" && nodes_ <= most_nodes) {
      const Quantity* const quantity = quantities_.find(math.name);
      const bool is_given =
          quantity != nullptr && quantity->by == Quantity::By::rule && quantity->rule != nullptr;
      if (!is_given || !open_.insert(math.name).second) return math;
      Math own = expanded(*quantity->rule);
      open_.erase(math.name);
      return own;
    }
    Math result = math;
    for (Math& part : result.of) part = expanded(part);
    return result;
  }

  static bool moves(const Margin& margin, const HappeningLaw& law) {
    return std::ranges::any_of(law.values,
                               [&](const auto& value) { return margin.names.contains(value.first); });
  }

  [[nodiscard]] bool is_made_constant(const Margin& margin, const HappeningLaw& law) const {
    return moves(margin, law) && std::ranges::all_of(margin.names, [&](const std::string& name) {
             const auto value = law.values.find(name);
             return value == law.values.end() ? quantities_.is_constant(name)
                                              : !value->second.starts_with("pre(");
           });
  }

  /// By the values as they are set.
  [[nodiscard]] bool meets(const Margin& margin, const std::string& event) const {
    const Event& from = *std::ranges::find(quantities_.document().events, event, &Event::id);
    const auto value = evaluate(margin.formula, [&](const std::string& name) -> std::optional<double> {
      const auto own = std::ranges::find(from.assignments, name, &Assignment::variable);
      return own == from.assignments.end() ? quantities_.start_value(name)
                                           : quantities_.start_value(*own->math);
    });
    return value == 0.0;
  }

  [[nodiscard]] bool is_alone(const Margin& margin) const {
    return std::ranges::count_if(laws_, [&](const auto& law) { return moves(margin, law.second); }) <= 1;
  }

  void write(const Margin& margin, const HappeningLaw& law) {
    const FormulaPlace place{
        .element = margin.comparison->event,
        .name =
            [&](const std::string& id) {
              const auto own = law.values.find(id);
              return own == law.values.end() ? writer_.name(id) : "(" + own->second + ")";
            },
        .rate = [](const std::string&) { return std::string(); },
        .is_constant = [&](const std::string& id) { return quantities_.is_constant(id); },
        .number = [&](const Math& math) { return quantities_.start_value(math); }};
    const std::string difference = FormulaWriter(place, writer_.refusals()).value(margin.formula);
    TransitionSource& transition = writer_.source().transitions[law.transition];
    transition.replaces.push_back(margin.comparison->flag + ".rate");
    transition.equations.push_back(margin.comparison->flag + " = " +
                                   sign_text(difference, margin.comparison->strict));
  }

  void refuse_exact(const Triggers::Comparison& comparison) {
    for (const bool is_greater : {true, false}) {
      const Math &variable = is_greater ? comparison.greater : comparison.smaller,
                 &threshold = is_greater ? comparison.smaller : comparison.greater;
      for (const std::string& event : exact_assignments(quantities_, variable, threshold))
        writer_.refusals().add("sbml-event", comparison.event, "it " + exact_text(variable, event));
    }
  }

  SourceWriter& writer_;
  const Quantities& quantities_;
  const std::map<std::string, HappeningLaw>& laws_;
  std::map<std::string, std::vector<Margin>> set_by_;
  std::set<std::string> open_;
  static constexpr int most_nodes = 1000;
  int nodes_ = 0;
};

}  // namespace

void set_jumping_flags(SourceWriter& writer, const std::vector<Triggers::Comparison>& comparisons,
                       const std::map<std::string, HappeningLaw>& laws, bool one_by_one) {
  JumpingFlags flags(writer, laws);
  for (const Triggers::Comparison& comparison : comparisons) flags.look_at(comparison);
  flags.set(one_by_one);
}

}  // namespace mti::sbml
