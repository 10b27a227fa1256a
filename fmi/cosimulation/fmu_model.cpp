#include "fmi/cosimulation/fmu_model.hpp"

#include <charconv>
#include <utility>

#include "fmi/cosimulation/log.hpp"
#include "io/files/files.hpp"
#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/source/overrides.hpp"
#include "solvers/stepping/saved_contents.hpp"

namespace mti::fmi {
namespace {

const char* const nowhere = "/dev/null/nowhere";  // the model needs no other file

Overrides overrides_of(const FmuModel& fmu, const Settings& settings) {
  Overrides overrides;
  for (const auto& [place, value] : settings) {
    const Variable& variable = fmu.variables[place];
    const bool is_parameter = variable.role == Role::parameter;
    overrides.emplace_back(is_parameter ? fmu.source.parameters[at(variable.index)].name : variable.name,
                           value);
  }
  return overrides;
}

int hexadecimal_digit(char c) {
  int digit = -1;
  std::from_chars(&c, &c + 1, digit, 16);
  return digit;
}

struct Kind {
  FreeInputs free_inputs;
  Dae dae;
};

Kind kind_of(const std::string& text, std::string_view token) {
  for (const FreeInputs free_inputs : {FreeInputs::no, FreeInputs::yes})
    for (const Dae dae : {Dae::no, Dae::yes})
      if (token == instantiation_token(text, free_inputs, dae)) return {free_inputs, dae};
  throw Refused("the instantiation token " + std::string(token) + " is not that of the model in this FMU, " +
                instantiation_token(text, FreeInputs::no));
}

}  // namespace

Model FmuModel::with(const Settings& settings) const {
  if (settings.empty()) return model;
  Model built = read_model_text(text, nowhere, overrides_of(*this, settings), Reach::own_folder);
  if (!have_same_signals(built.signature, model.signature))
    throw Refused(
        "with these parameters the model has other signals than the FMU: a condition that parameters decide, "
        "and conditions "
        "or arguments that are equal for some of their values alone, make others");
  return built;
}

std::vector<double> FmuModel::parameters(const Settings& settings) const {
  Source changed = source;
  override_values(changed, overrides_of(*this, settings));
  std::vector<double> values;
  for (const auto& [name, value] : parameter_values(changed)) values.push_back(value);
  return values;
}

std::shared_ptr<const FmuModel> read_fmu_model(const std::filesystem::path& resources,
                                               std::string_view token) {
  std::string text = read_file(resources / "model.json");
  const Kind kind = kind_of(text, token);
  Source source = read_source(text, nowhere, Reach::own_folder);
  Model model = read_model_text(text, nowhere, {}, Reach::own_folder);
  std::optional<std::vector<DaeResidual>> residuals;
  if (kind.dae == Dae::yes) residuals = dae_residuals(model);
  std::vector<Variable> variables =
      variables_of(source, model, kind.free_inputs, residuals ? &*residuals : nullptr);
  return std::make_shared<const FmuModel>(FmuModel{std::move(text), std::move(source), std::move(model),
                                                   std::move(variables), std::move(residuals)});
}

std::filesystem::path path_of_resources(std::string_view location) {
  constexpr std::string_view scheme = "file:";
  if (!location.starts_with(scheme)) return location;
  location.remove_prefix(scheme.size());
  if (location.starts_with("//")) {  // an authority, mostly empty, stands before the path
    location.remove_prefix(2);
    location.remove_prefix(std::min(location.find('/'), location.size()));
  }
  std::string path;
  for (std::size_t i = 0; i < location.size(); ++i) {
    const bool escaped = location[i] == '%' && i + 2 < location.size();
    const int high = escaped ? hexadecimal_digit(location[i + 1]) : -1;
    const int low = escaped ? hexadecimal_digit(location[i + 2]) : -1;
    if (high >= 0 && low >= 0) {
      path += static_cast<char>(16 * high + low);
      i += 2;
    } else {
      path += location[i];
    }
  }
  return path;
}

}  // namespace mti::fmi
