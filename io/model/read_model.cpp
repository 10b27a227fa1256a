#include "io/model/read_model.hpp"

#include <cstdlib>
#include <optional>

#include "io/files/files.hpp"
#include "io/json/value.hpp"
#include "io/kinetics/read_sbml.hpp"
#include "io/mat/exchange.hpp"
#include "io/model/source_reader.hpp"
#include "io/modelica/read_modelica.hpp"
#include "mti/build/build.hpp"
#include "mti/components/flatten.hpp"
#include "mti/source/overrides.hpp"

namespace mti {

struct ModelReading {
  Composition composition;
  std::vector<Fault> faults;
  bool is_complete = true;
  std::optional<ModelicaReading> modelica = {};
  bool is_sbml = false;
};

namespace {

using Reading = ModelReading;

/// `path`: the file the text is from, to see where it uses itself; empty if there is none.
Reading read(std::string_view json_text, const std::filesystem::path& directory,
             const std::filesystem::path& path, Reach reach, InputFiles* inputs = nullptr) {
  Reading reading;
  json::Document document = json::parse(json_text);
  reading.faults = std::move(document.faults);
  json::ModelFiles files(path, directory, reach, inputs);
  json::SourceReader reader(directory, files, reading.faults);
  reading.composition = reader.read(document.root);
  reading.is_complete = reader.is_complete();
  return reading;
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path == "-" ? std::filesystem::path() : path.parent_path();
}

Reading read_path(const std::filesystem::path& path, Reach reach, InputFiles* inputs) {
  note(inputs, path);
  if (is_sbml_file(path)) {
    Reading reading;
    reading.composition.own = read_sbml_source(path);
    reading.is_sbml = true;
    return reading;
  }
  if (!is_mat_file(path) && !is_modelica_file(path))
    return read(read_file(path), directory_of(path), path, reach, inputs);
  Reading reading;
  if (is_modelica_file(path)) {
    reading.modelica = read_modelica(read_file(path));
    reading.composition.own = reading.modelica->source;
    reading.faults = reading.modelica->faults;
    reading.is_complete = reading.faults.empty();
    return reading;
  }
  reading.composition.own = read_mat_source(path);
  return reading;
}

/// The numbers of a MAT file hold the parameters' values: another value would change nothing.
Reading read_for_building(const std::filesystem::path& path, Reach reach, InputFiles* inputs) {
  Reading reading = read_path(path, reach, inputs);
  if (is_mat_file(path)) reading.composition.own.parameters.clear();
  return reading;
}

/// With line and column in the place of JSON pointers.
template <class Work>
auto at_modelica_places(const Reading& reading, const Work& work) {
  try {
    return work();
  } catch (const InvalidModel& invalid) {
    throw InvalidModel(at_places(invalid.faults(), *reading.modelica));
  } catch (const InvalidOption& refused) {
    throw InvalidOption(at_places(refused.faults(), *reading.modelica));
  }
}

/// A model in Modelica with other values, as it is built.
Source settled_source(const Reading& reading, const Overrides& overrides) {
  Source source = reading.composition.own;
  override_values(source, overrides);
  if (auto faults = broken_premises(*reading.modelica, source); !faults.empty())
    throw InvalidModel(std::move(faults));
  return at_modelica_places(reading, [&] { return with_settled_start(source); });
}

Model build_modelica(const Reading& reading, const Overrides& overrides) {
  const Source source = settled_source(reading, overrides);
  return at_modelica_places(reading, [&] { return build(source); });
}

/// Faults of equations that were written for a file of SBML, by the element that each belongs to.
[[noreturn]] void throw_of_elements(const Source& source, const InvalidModel& invalid) {
  std::vector<Fault> faults = invalid.faults();
  for (Fault& fault : faults) {
    const auto place_in = [&](const std::string& list, const std::vector<RelationSource>& relations) {
      if (!fault.pointer.starts_with(list)) return;
      const std::size_t index = std::strtoul(fault.pointer.c_str() + list.size(), nullptr, 10);
      if (index < relations.size()) fault.pointer = "/" + relations[index].name;
    };
    place_in("/equations/", source.equations);
    place_in("/constraints/", source.constraints);
  }
  throw InvalidModel(std::move(faults));
}

Model build_reading(const Reading& reading, const Overrides& overrides) {
  const Composition& composition = reading.composition;
  if (reading.modelica) return build_modelica(reading, overrides);
  if (!composition.is_plain()) return build(composition, overrides);
  Source source = composition.own;
  if (!overrides.empty()) override_values(source, overrides);
  if (!reading.is_sbml) return build(source);
  try {
    return build(source);
  } catch (const InvalidModel& invalid) {
    throw_of_elements(source, invalid);
  }
}

/// The source that build_reading builds, of a model that it has found sound.
Source built_source(const Reading& reading, const Overrides& overrides) {
  if (reading.modelica) return settled_source(reading, overrides);
  Source source = reading.composition.is_plain() ? reading.composition.own
                                                 : flatten(reading.composition, overrides).source;
  override_values(source, overrides);
  return source;
}

DifferentiatedModel differentiated(const Reading& reading, const std::vector<std::string>& names,
                                   const Overrides& overrides) {
  const auto work = [&] { return build_with_derivatives(built_source(reading, overrides), names); };
  return reading.modelica ? at_modelica_places(reading, work) : work();
}

/// Whether a fault of building stands at, above or below a place that could not be read as it was meant.
bool follows_from(const Fault& fault, const std::vector<Fault>& earlier) {
  const auto is_inside = [](const std::string& inner, const std::string& outer) {
    return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/');
  };
  for (const Fault& cause : earlier) {
    if (cause.file != fault.file) continue;
    if (cause.pointer.empty()
            ? fault.pointer.empty()
            : is_inside(fault.pointer, cause.pointer) || is_inside(cause.pointer, fault.pointer))
      return true;
  }
  return false;
}

/// Faults of the meaning as far as the text could be read, beside those of the text.
[[noreturn]] void throw_all(const Reading& reading) {
  std::vector<Fault> faults = reading.faults;
  if (reading.is_complete) {
    try {
      static_cast<void>(build_reading(reading, {}));
    } catch (const InvalidModel& invalid) {
      for (const Fault& fault : invalid.faults())
        if (!follows_from(fault, reading.faults)) faults.push_back(fault);
    }
  }
  throw InvalidModel(std::move(faults));
}

Source source_of(Reading reading) {
  if (!reading.faults.empty()) throw InvalidModel(std::move(reading.faults));
  if (!reading.composition.is_plain()) return flatten(reading.composition).source;
  if (reading.modelica) return with_settled_start(reading.composition.own);
  return std::move(reading.composition.own);
}

Model model_of(const Reading& reading, const Overrides& overrides) {
  if (!reading.faults.empty()) throw_all(reading);
  return build_reading(reading, overrides);
}

}  // namespace

Source read_source(std::string_view json_text, const std::filesystem::path& directory, Reach reach,
                   InputFiles* inputs) {
  return source_of(read(json_text, directory, {}, reach, inputs));
}

Source read_source_file(const std::filesystem::path& path, Reach reach, InputFiles* inputs) {
  return source_of(read_path(path, reach, inputs));
}

ReadModel::ReadModel(std::shared_ptr<const ModelReading> reading) : reading_(std::move(reading)) {}

ReadModel ReadModel::of_file(const std::filesystem::path& path, Reach reach, InputFiles* inputs) {
  return ReadModel(std::make_shared<const ModelReading>(read_for_building(path, reach, inputs)));
}

ReadModel ReadModel::of_text(std::string_view json_text, const std::filesystem::path& directory,
                             Reach reach) {
  return ReadModel(std::make_shared<const ModelReading>(read(json_text, directory, {}, reach)));
}

Model ReadModel::model(const Overrides& overrides) const { return model_of(*reading_, overrides); }

DifferentiatedModel ReadModel::with_derivatives(const std::vector<std::string>& names,
                                                const Overrides& overrides) const {
  static_cast<void>(model(overrides));  // faults of the model itself, as of read_model()
  return differentiated(*reading_, names, overrides);
}

Source ReadModel::source(const Overrides& overrides) const {
  static_cast<void>(model(overrides));
  return built_source(*reading_, overrides);
}

std::vector<std::string> ReadModel::premises() const {
  std::vector<std::string> conditions;
  if (reading_->modelica)
    for (const ModelicaPremise& premise : reading_->modelica->premises)
      conditions.push_back(premise.condition);
  return conditions;
}

bool ReadModel::settles_start() const { return reading_->modelica.has_value(); }

Model read_model_text(std::string_view json_text, const std::filesystem::path& directory,
                      const Overrides& overrides, Reach reach) {
  return ReadModel::of_text(json_text, directory, reach).model(overrides);
}

DifferentiatedModel read_model_with_derivatives(const std::filesystem::path& path,
                                                const std::vector<std::string>& names,
                                                const Overrides& overrides, Reach reach, InputFiles* inputs) {
  return ReadModel::of_file(path, reach, inputs).with_derivatives(names, overrides);
}

DifferentiatedModel read_model_text_with_derivatives(std::string_view json_text,
                                                     const std::vector<std::string>& names,
                                                     const std::filesystem::path& directory,
                                                     const Overrides& overrides, Reach reach) {
  return ReadModel::of_text(json_text, directory, reach).with_derivatives(names, overrides);
}

Model read_model(const std::filesystem::path& path, const Overrides& overrides, Reach reach,
                 InputFiles* inputs) {
  return ReadModel::of_file(path, reach, inputs).model(overrides);
}

SourceAndModel read_source_and_model(const std::filesystem::path& path, Reach reach, InputFiles* inputs) {
  Reading reading = read_path(path, reach, inputs);
  Model model = model_of(reading, {});
  return {source_of(std::move(reading)), std::move(model)};
}

}  // namespace mti
