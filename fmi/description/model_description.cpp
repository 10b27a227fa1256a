#include "fmi/description/model_description.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "fmi/description/log_category.hpp"
#include "fmi/description/xml_writer.hpp"
#include "fmi/variables/dependencies.hpp"
#include "mti/common/at.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::fmi {
namespace {

std::string_view name_of(Causality causality) {
  switch (causality) {
    case Causality::independent:
      return "independent";
    case Causality::parameter:
      return "parameter";
    case Causality::calculated_parameter:
      return "calculatedParameter";
    case Causality::structural_parameter:
      return "structuralParameter";
    case Causality::input:
      return "input";
    case Causality::output:
      return "output";
    case Causality::local:
      break;
  }
  return "local";
}

std::string_view name_of(Variability variability) {
  switch (variability) {
    case Variability::fixed:
      return "fixed";
    case Variability::discrete:
      return "discrete";
    case Variability::continuous:
      break;
  }
  return "continuous";
}

const char* element_of(VariableType type) {
  return type == VariableType::real ? "Float64" : type == VariableType::boolean ? "Boolean" : "Clock";
}

std::string_view name_of(Initial initial) {
  return initial == Initial::exact ? "exact" : initial == Initial::approx ? "approx" : "calculated";
}

/// Which variables each derivative may depend on, by their places in the list; nothing where lists would be longer than what
/// they are about is worth: then it may depend on all.
class DependencyLists {
 public:
  DependencyLists(const Model& model, const std::vector<Variable>& variables) : parts_(parts_of(model)) {
    std::map<std::pair<Role, int>, std::size_t> places;
    for (std::size_t k = 0; k < variables.size(); ++k) places[{variables[k].role, variables[k].index}] = k;
    std::size_t length = 0;
    for (const PartOfModel& part : parts_.parts) {
      std::vector<std::size_t> list;
      bool of_time = false;
      for (const int state : part.states) list.push_back(places.at({Role::state, state}));
      for (const int input : part.inputs) {
        const auto place = places.find({Role::input, input});
        if (place != places.end() && variables[place->second].causality == Causality::input)
          list.push_back(place->second);
        else
          of_time = true;
      }
      if (of_time) list.push_back(0);
      std::ranges::sort(list);
      length += list.size() * part.states.size();
      lists_.push_back(std::move(list));
    }
    constexpr std::size_t longest = 1'000'000;
    if (length > longest) lists_.clear();
  }

  /// Places counted from `first`.
  [[nodiscard]] std::optional<std::vector<std::size_t>> of(int state, std::size_t first) const {
    if (lists_.empty()) return std::nullopt;
    std::vector<std::size_t> list = lists_[at(parts_.of_state[at(state)])];
    for (std::size_t& place : list) place += first;
    return list;
  }

 private:
  Parts parts_;
  std::vector<std::vector<std::size_t>> lists_;  ///< by part
};

class Writer {
 public:
  Writer(const Model& model, const std::vector<Variable>& variables, const Description& description)
      : model_(model),
        variables_(variables),
        description_(description),
        is_3_(description.version == FmiVersion::three),
        dependencies_(model, variables) {}

  std::string write() {
    xml_.begin("fmiModelDescription").attribute("fmiVersion", is_3_ ? "3.0" : "2.0");
    xml_.attribute("modelName", description_.model_name);
    xml_.attribute(is_3_ ? "instantiationToken" : "guid", description_.token);
    if (!model_.description.empty()) xml_.attribute("description", model_.description);
    xml_.attribute("generationTool", "mti " MTI_VERSION).attribute("variableNamingConvention", "flat");
    if (!is_3_)
      xml_.attribute("numberOfEventIndicators",
                     std::to_string(description_.model_exchange ? model_.constraints() : 0));
    if (description_.model_exchange) write_model_exchange();
    if (description_.co_simulation) write_co_simulation();
    write_units();
    xml_.begin("LogCategories");
    for (const LogCategory& category : log_categories)
      xml_.begin("Category")
          .attribute("name", category.name)
          .attribute("description", category.description)
          .end();
    xml_.end();
    write_experiment();
    xml_.begin("ModelVariables");
    for (std::size_t k = 0; k < variables_.size(); ++k)
      if (is_listed(variables_[k])) write_variable(k);
    xml_.end();
    write_structure();
    xml_.end();
    return std::move(xml_).finish();
  }

 private:
  void write_model_exchange() {
    xml_.begin("ModelExchange").attribute("modelIdentifier", description_.model_identifier);
    if (is_3_) xml_.attribute("needsCompletedIntegratorStep", true);
    write_capabilities();
    xml_.end();
  }
  void write_co_simulation() {
    xml_.begin("CoSimulation").attribute("modelIdentifier", description_.model_identifier);
    xml_.attribute("canHandleVariableCommunicationStepSize", true);
    if (is_3_) {
      xml_.attribute("hasEventMode", true).attribute("mightReturnEarlyFromDoStep", true);
      xml_.attribute("providesIntermediateUpdate", true);
      xml_.attribute("canReturnEarlyAfterIntermediateUpdate", true);
      if (model_.is_discrete()) xml_.attribute("fixedInternalStepSize", model_.sample_time);
    } else {
      xml_.attribute("canInterpolateInputs", true);
    }
    if (!model_.is_discrete()) xml_.attribute("maxOutputDerivativeOrder", "1");
    write_capabilities();
    xml_.end();
  }
  /// What both interfaces have.
  void write_capabilities() {
    xml_.attribute(is_3_ ? "canGetAndSetFMUState" : "canGetAndSetFMUstate", true);
    xml_.attribute(is_3_ ? "canSerializeFMUState" : "canSerializeFMUstate", true);
    if (!is_3_) xml_.attribute("canNotUseMemoryManagementFunctions", true);
    if (model_.is_discrete()) return;
    xml_.attribute(is_3_ ? "providesDirectionalDerivatives" : "providesDirectionalDerivative", true);
    if (is_3_) xml_.attribute("providesAdjointDerivatives", true);
  }

  void write_units() {
    std::set<std::string> units;
    for (const Variable& variable : variables_)
      if (!variable.unit.empty()) units.insert(variable.unit);
    if (units.empty()) return;
    xml_.begin("UnitDefinitions");
    for (const std::string& unit : units) xml_.begin("Unit").attribute("name", unit).end();
    xml_.end();
  }

  void write_experiment() {
    const ResolvedOptions run = resolve(model_, {});
    xml_.begin("DefaultExperiment").attribute("startTime", run.start).attribute("stopTime", run.stop);
    xml_.attribute("tolerance", run.rtol).attribute("stepSize", step_size(run)).end();
  }
  [[nodiscard]] double step_size(const ResolvedOptions& run) const {
    return model_.is_discrete() ? model_.sample_time : run.output_interval;
  }

  /// In FMI 2.0 event indicators are no variables, and there are no clocks.
  [[nodiscard]] bool is_listed(const Variable& variable) const {
    if (variable.role == Role::clock) return is_3_;
    return variable.role != Role::indicator || (is_3_ && description_.model_exchange);
  }

  void write_variable(std::size_t k) {
    const Variable& variable = variables_[k];
    const bool is_real = variable.type == VariableType::real;
    xml_.begin(is_3_ ? element_of(variable.type) : "ScalarVariable").attribute("name", variable.name);
    xml_.attribute("valueReference", std::to_string(k));
    if (!variable.description.empty()) xml_.attribute("description", variable.description);
    xml_.attribute("causality", name_of(variable.causality));
    xml_.attribute("variability", is_3_ && variable.role == Role::parameter ? std::string_view("tunable")
                                                                            : name_of(variable.variability));
    if (variable.initial != Initial::none) xml_.attribute("initial", name_of(variable.initial));
    if (variable.type == VariableType::clock) xml_.attribute("intervalVariability", "triggered");
    if (!is_3_) xml_.begin(is_real ? "Real" : "Boolean");
    if (variable.is_settable()) write_start(variable);
    if (is_real) {
      if (!variable.unit.empty()) xml_.attribute("unit", variable.unit);
      if (variable.nominal != 1.0) xml_.attribute("nominal", variable.nominal);
    }
    if (variable.role == Role::derivative)
      xml_.attribute("derivative", std::to_string(place_of(Role::state, variable.index) + (is_3_ ? 0 : 1)));
    if (!is_3_) xml_.end();
    xml_.end();
  }
  void write_start(const Variable& variable) {
    if (variable.type == VariableType::real)
      xml_.attribute("start", variable.start);
    else
      xml_.attribute("start", variable.start != 0.0);
  }

  /// States and their derivatives stand at the beginning of the list, in the order of the model.
  [[nodiscard]] std::size_t place_of(Role role, int index) const {
    return at(1 + index + (role == Role::derivative ? model_.signature.n() : 0));
  }

  void write_structure() {
    xml_.begin("ModelStructure");
    std::vector<std::size_t> outputs, derivatives, initial, indicators;
    for (std::size_t k = 0; k < variables_.size(); ++k) {
      const Variable& variable = variables_[k];
      const bool is_output = variable.causality == Causality::output;
      const bool is_derivative = variable.role == Role::derivative;
      if (is_output && is_listed(variable)) outputs.push_back(k);
      if (is_derivative) derivatives.push_back(k);
      if (variable.role == Role::indicator && is_listed(variable)) indicators.push_back(k);
      const bool is_open = variable.initial == Initial::approx || variable.initial == Initial::calculated;
      const bool is_state = variable.role == Role::state && variable.variability == Variability::continuous;
      const bool is_parameter = variable.causality == Causality::calculated_parameter;
      if (is_open && (is_output || is_derivative || is_state || is_parameter)) initial.push_back(k);
    }
    write_unknowns("Outputs", "Output", outputs, false);
    write_unknowns("Derivatives", "ContinuousStateDerivative", derivatives, true);
    write_unknowns("InitialUnknowns", "InitialUnknown", initial, false);
    write_unknowns("", "EventIndicator", indicators, false);
    xml_.end();
  }
  void write_unknowns(const char* group, const char* element, const std::vector<std::size_t>& places,
                      bool with_dependencies) {
    if (places.empty()) return;
    if (!is_3_) xml_.begin(group);
    for (const std::size_t k : places) {
      if (is_3_)
        xml_.begin(element).attribute("valueReference", std::to_string(k));
      else
        xml_.begin("Unknown").attribute("index", std::to_string(k + 1));
      if (with_dependencies)
        if (const auto list = dependencies_.of(variables_[k].index, is_3_ ? 0 : 1))
          xml_.attribute("dependencies", *list);
      xml_.end();
    }
    if (!is_3_) xml_.end();
  }

  const Model& model_;
  const std::vector<Variable>& variables_;
  const Description& description_;
  bool is_3_;
  DependencyLists dependencies_;
  XmlWriter xml_;
};

}  // namespace

std::string model_description(const Model& model, const std::vector<Variable>& variables,
                              const Description& description) {
  return Writer(model, variables, description).write();
}

std::string identifier_of(const std::string& name) {
  constexpr std::size_t longest = 100;  // it is the name of a file, of which file systems take 255 bytes
  std::string identifier;
  for (const char c : name.substr(0, longest)) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    identifier += fits ? c : '_';
  }
  if (identifier.empty() || (identifier[0] >= '0' && identifier[0] <= '9')) identifier.insert(0, "m_");
  return identifier;
}

std::string library_path(const Description& description) {
#if defined(__x86_64__)
  const char* const platform = description.version == FmiVersion::three ? "x86_64-linux" : "linux64";
#elif defined(__aarch64__)
  const char* const platform = "aarch64-linux";
#else
#error "FMUs hold a library for a platform that the standard names; this one is not among them"
#endif
  return std::string("binaries/") + platform + "/" + description.model_identifier + ".so";
}

}  // namespace mti::fmi
