#pragma once

#include "mti/source/source.hpp"
#include "solvers/reduced_index/told_states.hpp"

namespace mti {

/// Laws and whens in the states of a model whose index is reduced: what sets a signal sets its state, and der(s) = der_x is
/// all that it replaces.
///
/// Throws InvalidModel (id `modelica-unwritable`) for a law that is no reset of a state, or whose impulse acts on others, and where some
/// mode ties what is set.
void rewrite_laws(const Replicates& replicates, const LowerRows& lower, const ToldStates& told, Source& out);

}  // namespace mti
