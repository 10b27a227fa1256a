#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mti/model/model.hpp"

namespace mti::fmi {

/// An equation of f = 0 as an FMU shows it to importers that solve it themselves (layered standard fmi-ls-dae, a draft).
struct DaeResidual {
  int row = 0;  ///< of Φ_eq
  int differentiations =
      0;  ///< c_i of the Σ-method, the largest of all modes: how often the equation is differentiated
  bool has_rate = false;  ///< it is differentiated, and holds states alone: its derivative is one of x and ẋ
  std::vector<int> signals = {};  ///< rows of S that stand in it: ẋ, x, u, y
};

/// The equations that hold more than binaries.
[[nodiscard]] std::vector<DaeResidual> dae_residuals(const Model& model);

/// Why the equations of the model cannot be left to an importer; nothing if they can: in every mode there are, by structure, as
/// many as derivatives and algebraic signals, and these follow from them.
[[nodiscard]] std::optional<std::string> why_no_dae(const Model& model);

}  // namespace mti::fmi
