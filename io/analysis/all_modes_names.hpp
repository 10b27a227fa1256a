#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/model.hpp"
#include "solvers/multimode/multimode_analysis.hpp"

namespace mti {

/// The model's names for what AllModes counts: equations by row of f, signals x first, then y.
class AllModesNames {
 public:
  AllModesNames(const Model& model, const AllModes& modes) : model_(model), modes_(modes) {}

  [[nodiscard]] const std::string& equation(int i) const { return model_.equation_names[at(i)]; }
  /// "rope", "der(rope)", "der(rope, 2)".
  [[nodiscard]] std::string equation(int i, int order) const;
  [[nodiscard]] std::string signal(int j) const { return derivative(j, 0); }
  [[nodiscard]] std::string derivative(int j, int order) const;
  [[nodiscard]] std::vector<std::string> equations(const ConditionalBlock& block) const;
  [[nodiscard]] std::vector<std::string> signals(const ConditionalBlock& block) const;
  /// The derivatives that a block solves for; of one that is not the same in all its modes, the signal.
  [[nodiscard]] std::vector<std::string> leading(const ConditionalBlock& block) const;
  /// "reach(floor)", "rise(z)", "fall(z)".
  [[nodiscard]] std::string law(int transition) const;
  /// The formula of a set, of modes that are not considered too.
  [[nodiscard]] std::string anywhere(const ModeSet& set) const;

 private:
  [[nodiscard]] std::string leading(int j, const ModeSet& where) const;

  const Model& model_;
  const AllModes& modes_;
};

/// The values of a number in the regular modes of `there`, with their formulas, ascending; values of no mode
/// left out.
[[nodiscard]] std::vector<std::pair<int, std::string>> values_of(const ModeNumber& number,
                                                                 const ModeSet& there,
                                                                 const MultimodeAnalysis& analysis);

}  // namespace mti
