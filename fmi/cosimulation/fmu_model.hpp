#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmi/variables/dae_residuals.hpp"
#include "fmi/variables/variable.hpp"
#include "mti/model/model.hpp"
#include "mti/source/source.hpp"

namespace mti::fmi {

/// Values that an importer gives before the start, by the place of the variable.
using Settings = std::map<std::size_t, double>;

/// The model in an FMU.
struct FmuModel {
  std::string text;
  Source source;
  Model model;
  std::vector<Variable> variables;
  std::optional<std::vector<DaeResidual>> residuals =
      {};  ///< of an FMU whose importer may solve the equations

  /// Built anew with other parameters and start values, as `mti simulate --set` does. Throws FaultError, and Refused if its
  /// signals are no longer those of the FMU.
  [[nodiscard]] Model with(const Settings& settings) const;
  /// The parameters, by their index.
  [[nodiscard]] std::vector<double> parameters(const Settings& settings) const;
};

/// Reads resources/model.json. Throws Refused if it is not the model that the token was made for, and what reading it
/// throws.
[[nodiscard]] std::shared_ptr<const FmuModel> read_fmu_model(const std::filesystem::path& resources,
                                                             std::string_view token);

/// The folder that an importer names, as a path or as a URI "file:///…" with escapes "%20".
[[nodiscard]] std::filesystem::path path_of_resources(std::string_view location);

}  // namespace mti::fmi
