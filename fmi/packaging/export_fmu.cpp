#include "fmi/packaging/export_fmu.hpp"

#include <optional>
#include <system_error>

#include "fmi/description/dae_manifest.hpp"
#include "fmi/packaging/zip_file.hpp"
#include "fmi/variables/dae_residuals.hpp"
#include "fmi/variables/model_exchange.hpp"
#include "io/files/files.hpp"
#include "io/kinetics/read_sbml.hpp"
#include "io/mat/exchange.hpp"
#include "io/model/read_model.hpp"
#include "io/model/write_model.hpp"
#include "io/modelica/read_modelica.hpp"
#include "mti/common/fault.hpp"
#include "mti/model/delays.hpp"
#include "mti/printing/print.hpp"

namespace mti::fmi {
namespace {

namespace fs = std::filesystem;

/// Whether the text of a model can be read where there are no other files.
bool stands_alone(const std::string& text) {
  try {
    static_cast<void>(read_source(text, "/dev/null/nowhere", Reach::own_folder));
    return true;
  } catch (const FaultError&) {
    return false;
  }
}

/// Where parameters have decided what was read of a model, or laws where it starts, other values would be another model:
/// then it has no parameters.
std::string text_of_modelica(const fs::path& file, Reach reach, InputFiles* inputs) {
  const ReadModel reading = ReadModel::of_file(file, reach, inputs);
  const Source source = reading.source();
  const bool is_free = source.transitions.empty() && reading.premises().empty();
  return to_json(is_free ? source : to_matrices(reading.model()));
}

std::string read_library(const ExportOptions& options) {
  const fs::path library = options.library.empty() ? run_time_library() : options.library;
  std::error_code ignored;
  if (library.empty() || !fs::is_regular_file(library, ignored))
    throw UnusableFile(
        "fmu-library-missing", "",
        "libmti_fmu.so, which every FMU holds, is not where this mti has been built or installed" +
            (library.empty() ? "" : ": " + library.string()));
  return read_file(library);
}

}  // namespace

std::string self_contained_text(const fs::path& model, Reach reach, InputFiles* inputs) {
  note(inputs, model);
  if (is_modelica_file(model)) return text_of_modelica(model, reach, inputs);
  if (is_sbml_file(model)) return to_json(ReadModel::of_file(model, reach, inputs).source());
  if (!is_mat_file(model))
    return self_contained_text(read_file(model), model == "-" ? fs::path() : model.parent_path(), reach,
                               inputs);
  Source source = read_source_file(model, reach, inputs);
  source.parameters.clear();  // they have no effect on matrices
  return to_json(source);
}

std::string self_contained_text(const std::string& text, const fs::path& directory, Reach reach,
                                InputFiles* inputs) {
  // Faults are told of the model as it is, not as it would be without its files.
  const Source source = read_source(text, directory, reach, inputs);
  static_cast<void>(read_model_text(text, directory, {}, reach));
  return stands_alone(text) ? text : to_json(source);
}

void export_fmu_of_text(std::string_view model_text, const std::string& name, const fs::path& fmu,
                        const ExportOptions& options) {
  const std::string text(model_text);
  const Source source = read_source(text);
  const Model model = read_model_text(text);
  require_no_delays(model, "FMUs");
  const bool is_dae = options.dae == Dae::yes;
  if (is_dae && options.version != FmiVersion::three)
    throw InvalidOption("bad-option", "",
                        "--dae: FMUs whose equations an importer solves are of FMI 3.0 only");
  if (is_dae)
    if (const auto why = why_no_dae(model))
      throw InvalidOption("no-model-exchange", "",
                          "the model has no FMU whose equations an importer solves: " + *why +
                              "; one for Co-Simulation (cs) does all that the model does");
  if (options.model_exchange && !is_dae)
    if (const auto why = why_no_model_exchange(model))
      throw InvalidOption("no-model-exchange", "",
                          "the model has no FMU for Model Exchange: " + *why +
                              "; one for Co-Simulation (cs) does all that the model does");
  std::optional<std::vector<DaeResidual>> residuals;
  if (is_dae) residuals = dae_residuals(model);
  std::vector<Variable> variables =
      variables_of(source, model, options.free_inputs, residuals ? &*residuals : nullptr);
  if (options.outputs) choose_outputs(variables, *options.outputs);
  const std::string model_name = model.name.empty() ? name : model.name;
  const Description description{.version = options.version,
                                .model_name = model_name,
                                .model_identifier = identifier_of(model_name),
                                .token = instantiation_token(text, options.free_inputs, options.dae),
                                .co_simulation = options.co_simulation,
                                .model_exchange = options.model_exchange || is_dae};
  const std::string library = read_library(options);
  const std::string xml = model_description(model, variables, description);
  write_through(fmu, [&](const fs::path& temporary) {
    ZipFile zip(temporary);
    zip.add("modelDescription.xml", xml);
    zip.add(library_path(description), library);
    if (residuals)
      zip.add("extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml",
              dae_manifest(model, variables, *residuals));
    zip.add("resources/model.json", text);
    zip.finish();
  });
}

void export_fmu(const fs::path& model, const fs::path& fmu, const ExportOptions& options, Reach reach) {
  const std::string name = model == "-" ? std::string("model") : model.stem().string();
  InputFiles inputs;
  inputs.add(options.library.empty() ? run_time_library() : options.library);
  const std::string text = self_contained_text(model, reach, &inputs);
  inputs.keep_from(fmu);
  export_fmu_of_text(text, name, fmu, options);
}

fs::path run_time_library() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  for (const char* place : {MTI_FMU_LIBRARY_PLACES}) {
    fs::path library = (program.parent_path() / place / "libmti_fmu.so").lexically_normal();
    if (fs::is_regular_file(library, error)) return library;
  }
  return {};
}

}  // namespace mti::fmi
