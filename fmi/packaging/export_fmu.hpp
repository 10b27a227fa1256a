#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmi/description/model_description.hpp"
#include "fmi/variables/variable.hpp"
#include "io/files/input_files.hpp"
#include "io/files/reach.hpp"

namespace mti::fmi {

struct ExportOptions {
  FmiVersion version = FmiVersion::three;
  std::optional<std::vector<std::string>> outputs =
      {};  ///< patterns of choose_outputs(); none: as variables_of() says
  FreeInputs free_inputs = FreeInputs::no;
  Dae dae = Dae::no;  ///< experimental: with it the FMU is for Model Exchange, of FMI 3.0
  bool co_simulation = true, model_exchange = false;  ///< what the FMU is for
  /// The run-time library; empty: the one that belongs to the program (run_time_library()).
  std::filesystem::path library = {};
};

/// Writes an FMU: modelDescription.xml, the run-time library, and the model as resources/model.json. The text of the model
/// is kept byte for byte where it needs no other file; components and csv columns are put into it otherwise.
///
/// Errors: those of reading the model; UnusableFile with ids `fmu-library-missing` and `file-unwritable`; InvalidOption, id
/// `unknown-output`, `no-model-exchange` with the reason, `bad-option` for a DAE of FMI 2.0, and `output-is-input` where `fmu` is a file that is read. Nothing half-written is left.
void export_fmu(const std::filesystem::path& model, const std::filesystem::path& fmu,
                const ExportOptions& options = {}, Reach reach = Reach::anywhere);

/// The same of the text of a model file that needs no other file. `name`: of a model without a name.
void export_fmu_of_text(std::string_view model_text, const std::string& name,
                        const std::filesystem::path& fmu, const ExportOptions& options = {});

/// The text of a model that needs no other file: its own, byte for byte, if it needs none, else with csv columns and
/// components put into it. Errors: those of reading the model.
[[nodiscard]] std::string self_contained_text(const std::filesystem::path& model, Reach reach,
                                              InputFiles* inputs = nullptr);
[[nodiscard]] std::string self_contained_text(const std::string& text, const std::filesystem::path& directory,
                                              Reach reach, InputFiles* inputs = nullptr);

/// libmti_fmu.so of the program that runs: in its build tree, or in the installation that it is part of. Empty if there is
/// none.
[[nodiscard]] std::filesystem::path run_time_library();

}  // namespace mti::fmi
