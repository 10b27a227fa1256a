#include "solvers/blocks/instant.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"

namespace mti {

Accuracy::Accuracy(const Model& model, double rtol_, double atol)
    : rtol(rtol_), absolute(at(model.signature.size()), 0.0) {
  const Signature& signature = model.signature;
  const auto enter = [&](const std::vector<Signal>& signals, int first_row) {
    for (std::size_t i = 0; i < signals.size(); ++i) absolute[at(first_row) + i] = atol * signals[i].nominal;
  };
  enter(signature.states(), signature.state_row(0));
  enter(signature.inputs(), signature.input_row(0));
  enter(signature.algebraic(), signature.algebraic_row(0));
  enter(signature.binaries(), signature.binary_row(0));
}

double Accuracy::of_input(int row, double value, double rate) const {
  const double general = of(row, value), moves = std::abs(rate) * resolution;
  constexpr double roundings = 16.0;
  return moves > 0.0 ? std::min(general, moves + roundings * machine_epsilon * std::abs(value)) : general;
}

Ball Vouched::value_of(const ConstraintForm& form) const {
  for (const auto& [row, known] : constraints)
    if (known.form)
      if (const auto ratio = form.ratio_to(*known.form))
        return {*ratio * known.coefficients.front().value,
                std::abs(*ratio) * known.coefficients.front().error};
  return {0.0, std::numeric_limits<double>::infinity()};
}

}  // namespace mti
