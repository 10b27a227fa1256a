#pragma once

#include <span>
#include <string>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// What the constraints of a mode say about a point.
struct ConstraintRemarks {
  std::vector<std::string> on_boundary;  ///< g_l = 0, and no equation of the mode keeps it there
  std::vector<std::string> violated;     ///< g_l > 0
};

/// Examines the rows `rows` of g in a mode with equations f at v. g_l counts as 0 within what it changes by
/// where every signal changes by the model's tolerance. A row with the gradient of an equation, such as
/// −i ≤ 0 where a diode's mode has i = 0, is no boundary: the equation holds it at 0.
[[nodiscard]] ConstraintRemarks examine_constraints(const Model& model, const Mode& mode, const CpMap& f,
                                                    const CpMap& g, std::span<const int> rows,
                                                    std::span<const double> v);

}  // namespace mti
