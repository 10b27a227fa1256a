#pragma once

#include <string>
#include <vector>

#include "fmi/variables/dae_residuals.hpp"
#include "fmi/variables/variable.hpp"
#include "mti/model/model.hpp"

namespace mti::fmi {

/// extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml of the layered standard fmi-ls-dae, as its draft 1.0.0-alpha.1 says: of
/// a model whose variables these residuals are among.
[[nodiscard]] std::string dae_manifest(const Model& model, const std::vector<Variable>& variables,
                                       const std::vector<DaeResidual>& residuals);

}  // namespace mti::fmi
