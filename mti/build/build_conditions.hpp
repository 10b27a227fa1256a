#pragma once

#include <vector>

#include "mti/build/build_parts.hpp"
#include "mti/build/build_start_values.hpp"
#include "mti/conditions/generated.hpp"

namespace mti::building {

/// The rows of one generated binary: two constraints, or a logic equation.
struct GeneratedRows {
  Row while_off, while_on, equation;
};

/// while_off·(1 − z) <= 0 and while_on·z <= 0, or z − value = 0. Generated binaries follow the `declared` ones.
[[nodiscard]] std::vector<GeneratedRows> rows_of(const conditions::Generated& made, int declared,
                                                 text::Copies& copies);

/// Enters the rows with names: heat.on.off, heat.on.on, heat.all.value for the binaries heat.on, heat.all.
void append_rows(const std::vector<GeneratedRows>& rows, int declared, const Signals& signals,
                 RelationNames& relation_names, Relations& relations);

/// Start values that the start values of other signals ask for; true if one has changed.
bool start_binaries(const conditions::Generated& made, int declared, const StartValues& values,
                    Signals& signals);

}  // namespace mti::building
