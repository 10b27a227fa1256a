#pragma once

#include "mti/model/signal_rows.hpp"

namespace mti {

/// z, pre(z) or a binary input.
[[nodiscard]] bool is_binary_row(const Signature& signature, int row);

/// Whether a row of f, solved for another of its signals, may jump when the binary in row `binary` of S changes. It does not if
///
///     f_j = h₀ + z·q,    q = m·p    beside constraints   p·(1 − z) ≤ 0,   −p·z ≤ 0,   or (1 − 2z)·p ≤ 0
///
/// up to positive factors, m being a polynomial: z changes where p = 0. Auxiliary copies of signals, y = x, are these signals. Binaries in p have to be of
/// the same kind, so that p itself is continuous, as in max(a, b, c). All other signals of the row are taken to be continuous.
[[nodiscard]] bool may_step(const SignalRows& rows, int equation, int binary);

}  // namespace mti
