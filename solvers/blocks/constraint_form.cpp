#include "solvers/blocks/constraint_form.hpp"

#include <utility>
#include <vector>

#include "mti/common/at.hpp"

namespace mti {

std::optional<ConstraintForm> ConstraintForm::of(const RowMap& g, int row, const Signature& signature) {
  for (const RowMap::Term& term : g.terms(row)) {
    if (!g.is_affine(term.column)) return std::nullopt;
    for (const RowMap::Factor& factor : g.factors(term.column))
      if (factor.signal < signature.state_row(0) || factor.signal >= signature.input_row(signature.m()))
        return std::nullopt;
  }
  const std::vector<double> nowhere(at(signature.size()), 0.0);
  ConstraintForm form;
  form.weights_[of_constant] = g.value(row, nowhere);
  g.gradient(row, nowhere, [&](int signal, double slope) { form.weights_[signal] += slope; });
  std::erase_if(form.weights_, [](const auto& weight) { return weight.second == 0.0; });
  return form.weights_.empty() ? std::nullopt : std::optional(std::move(form));
}

std::optional<double> ConstraintForm::ratio_to(const ConstraintForm& other) const {
  if (weights_.size() != other.weights_.size()) return std::nullopt;
  const double ratio = weights_.begin()->second / other.weights_.begin()->second;
  for (auto mine = weights_.begin(), its = other.weights_.begin(); mine != weights_.end(); ++mine, ++its)
    if (mine->first != its->first || mine->second != ratio * its->second) return std::nullopt;
  return ratio;
}

}  // namespace mti
