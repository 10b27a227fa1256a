#include "io/modelica/read_modelica.hpp"

#include <algorithm>

#include "io/modelica/translation.hpp"
#include "io/modelica_text/parse.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/linearization/linearization_points.hpp"

namespace mti {

bool is_modelica_file(const std::filesystem::path& path) {
  return path.extension() == ".mo" || path.extension() == ".bmo";
}

ModelicaReading read_modelica(std::string_view text) {
  ModelicaReading reading;
  modelica::Report report(text);
  try {
    const modelica::FlatModel model = modelica::parse(text);
    modelica::Translation translation(model, report);
    translation.run();
    reading.source = std::move(translation.source);
    for (const modelica::Premise& premise : translation.premises)
      if (premise.id == "modelica-unsupported")  // not what is asserted, or the range of a parameter
        reading.source.decisions.push_back(
            {premise.condition, modelica::place_of(text, premise.begin), "which equations there are"});
    for (modelica::Premise& premise : translation.premises)
      reading.premises.push_back({std::move(premise.condition),
                                  premise.value,
                                  {premise.id, modelica::place_of(text, premise.begin), premise.message}});
    for (const modelica::SourcePlace& place : translation.places)
      reading.places.emplace_back(place.pointer, modelica::place_of(text, place.begin));
  } catch (const text::SyntaxError& error) {
    report.add(error.fault());
  }
  reading.faults = report.take();
  return reading;
}

std::vector<Fault> at_places(std::vector<Fault> faults, const ModelicaReading& reading) {
  for (Fault& fault : faults)
    for (const auto& [pointer, place] : reading.places) {
      if (!fault.pointer.starts_with(pointer)) continue;
      if (fault.pointer.size() > pointer.size() && fault.pointer[pointer.size()] != '/') continue;
      fault.pointer = place;
      break;
    }
  return faults;
}

std::vector<Fault> broken_premises(const ModelicaReading& reading, const Source& source) {
  if (reading.premises.empty()) return {};
  Source alone;
  alone.parameters = source.parameters;
  for (std::size_t i = 0; i < reading.premises.size(); ++i)
    alone.parameters.push_back({"premise" + std::to_string(i) + "_", reading.premises[i].condition});
  std::vector<Fault> faults;
  try {
    const auto values = parameter_values(alone);
    for (std::size_t i = 0; i < reading.premises.size(); ++i)
      if ((values[source.parameters.size() + i].second > 0.5) != reading.premises[i].value)
        faults.push_back(reading.premises[i].fault);
  } catch (const InvalidModel&) {
    return {};  // building says what is wrong with the parameters
  }
  return faults;
}

Source with_settled_start(const Source& source) {
  if (source.transitions.empty()) return source;
  // Reached constraints are those of laws alone (translation_whens.cpp): at a tick at the start one is broken without its law.
  Source without_laws = source, result = source;
  without_laws.transitions.clear();
  std::vector<std::size_t> impacts;
  for (std::size_t i = 0; i < source.constraints.size(); ++i) {
    const RelationSource& constraint = source.constraints[i];
    const bool is_reached = std::ranges::any_of(source.transitions, [&](const TransitionSource& law) {
      return law.when == "reach(" + constraint.name + ")";
    });
    if (!is_reached || constraint.name.ends_with(".due")) continue;
    impacts.push_back(i);
    const std::string excess = constraint.name + ".excess";
    without_laws.algebraic.push_back({.name = excess});
    without_laws.equations.emplace_back(excess + " = " +
                                        constraint.text.substr(0, constraint.text.rfind(" <= ")));
  }
  std::erase_if(without_laws.constraints, [&](const RelationSource& constraint) {
    return std::ranges::any_of(source.transitions, [&](const TransitionSource& law) {
      return law.when == "reach(" + constraint.name + ")";
    });
  });
  std::vector<double> v;
  Signature signature;
  try {
    const Model model = build(without_laws);
    v = start_of_run(model);
    signature = model.signature;
    for (std::size_t i = 0; i < result.binaries.size(); ++i)
      result.binaries[i].start = v[at(signature.binary_row(static_cast<int>(i)))] > 0.5 ? 1.0 : 0.0;
    for (std::size_t i = 0; i < result.algebraic.size(); ++i)
      result.algebraic[i].start = v[at(signature.algebraic_row(static_cast<int>(i)))];
  } catch (const FaultError&) {
    return source;  // building or running says what is wrong
  }
  for (const std::size_t i : impacts) {
    const auto row = signature.find(source.constraints[i].name + ".excess");
    if (row && v[at(*row)] > 0.0)
      throw InvalidModel(
          "modelica-unsupported", "/constraints/" + std::to_string(i),
          "the condition of this when-equation is true at the start, and what it resets decides when it is "
          "false: expected start values for which it is false");
  }
  return result;
}

}  // namespace mti
