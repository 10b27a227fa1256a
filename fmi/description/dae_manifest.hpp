#pragma once

#include <string>
#include <vector>

#include "fmi/variables/variable.hpp"
#include "mti/model/model.hpp"

namespace mti::fmi {

/// extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml of the layered standard fmi-ls-dae, as its draft 1.0.0-alpha.1 says: of
/// a model with the variables of Dae::yes.
[[nodiscard]] std::string dae_manifest(const Model& model, const std::vector<Variable>& variables);

}  // namespace mti::fmi
