#pragma once

#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/model.hpp"

namespace mti::test {

/// v by rows of S as the model has it before anything is solved: states, guesses, binaries, and inputs at t = 0.
inline std::vector<double> start_values(const Model& model) {
  const Signature& signature = model.signature;
  std::vector<double> v(at(signature.size()), 0.0);
  for (int i = 0; i < signature.n(); ++i) v[at(signature.state_row(i))] = model.x_start[at(i)];
  for (int i = 0; i < signature.m(); ++i)
    if (!signature.inputs()[at(i)].binary)
      v[at(signature.input_row(i))] = model.inputs[at(i)].piece(0.0).value(0.0);
  for (int i = 0; i < signature.p(); ++i) v[at(signature.algebraic_row(i))] = model.y_start[at(i)];
  for (int i = 0; i < signature.q(); ++i) v[at(signature.binary_row(i))] = model.z_start[at(i)];
  return v;
}

}  // namespace mti::test
