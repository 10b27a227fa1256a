#include "io/analysis/all_modes_names.hpp"

#include "mti/common/at.hpp"

namespace mti {
namespace {

template <class Name>
std::vector<std::string> each(const std::vector<int>& indices, const Name& name) {
  std::vector<std::string> names;
  for (const int index : indices) names.push_back(name(index));
  return names;
}

}  // namespace

std::string AllModesNames::equation(int i, int order) const {
  const std::string& name = equation(i);
  if (order == 0) return name;
  return (model_.is_discrete() ? "next(" : "der(") + name +
         (order == 1 ? ")" : ", " + std::to_string(order) + ")");
}

std::string AllModesNames::derivative(int j, int order) const {
  return derivative_name(model_.signature, row_of_signal(model_.signature, j), order);
}

std::vector<std::string> AllModesNames::equations(const ConditionalBlock& block) const {
  return each(block.equations, [&](int i) { return equation(i); });
}

std::vector<std::string> AllModesNames::signals(const ConditionalBlock& block) const {
  return each(block.signals, [&](int j) { return signal(j); });
}

std::vector<std::string> AllModesNames::leading(const ConditionalBlock& block) const {
  return each(block.signals, [&](int j) { return leading(j, block.where); });
}

std::string AllModesNames::leading(int j, const ModeSet& where) const {
  const ModeNumber& d = modes_.offsets.d[at(j)];
  for (int order = 0; order <= static_cast<int>(d.levels.size()); ++order) {
    const ModeSet others = where - d.equals(order);
    if (modes_.space.considered(others - modes_.parts.singular).empty()) return derivative(j, order);
  }
  return signal(j);
}

std::string AllModesNames::law(int transition) const {
  const Transition& law = model_.transitions[at(transition)];
  const auto target = at(law.target);
  switch (law.when) {
    case Transition::When::reach:
      return "reach(" + model_.constraint_names[target] + ")";
    case Transition::When::rise:
      return "rise(" + model_.signature.binaries()[target].name + ")";
    case Transition::When::fall:
      return "fall(" + model_.signature.binaries()[target].name + ")";
    case Transition::When::risen:
      return "risen(" + model_.signature.binaries()[target].name + ")";
  }
  return {};
}

std::string AllModesNames::anywhere(const ModeSet& set) const {
  return formula(set, ModeSet::all(), [&](int variable) { return modes_.space.name(variable); });
}

std::vector<std::pair<int, std::string>> values_of(const ModeNumber& number, const ModeSet& there,
                                                   const MultimodeAnalysis& analysis) {
  std::vector<std::pair<int, std::string>> values;
  const AllModes& modes = analysis.modes;
  for (int value = 0; value <= static_cast<int>(number.levels.size()); ++value) {
    const ModeSet where = modes.space.considered(number.equals(value, there) - modes.parts.singular);
    if (!where.empty()) values.emplace_back(value, analysis.where_regular(where));
  }
  return values;
}

}  // namespace mti
