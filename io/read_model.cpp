#include "io/read_model.hpp"

#include "io/files.hpp"
#include "io/json/source_reader.hpp"
#include "io/json/value.hpp"
#include "mti/build.hpp"

namespace mti {
namespace {

struct Reading {
  Source source;
  std::vector<Fault> faults;
  bool is_complete = true;
};

Reading read(std::string_view json_text, const std::filesystem::path& directory) {
  Reading reading;
  json::Document document = json::parse(json_text);
  reading.faults = std::move(document.faults);
  json::SourceReader reader(directory, reading.faults);
  reading.source = reader.read(document.root);
  reading.is_complete = reader.is_complete();
  return reading;
}

/// Whether a fault of building stands at, above or below a place that could not be read as it was meant.
bool follows_from(const Fault& fault, const std::vector<Fault>& earlier) {
  const auto is_inside = [](const std::string& inner, const std::string& outer) {
    return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/');
  };
  for (const Fault& cause : earlier)
    if (cause.pointer.empty()
            ? fault.pointer.empty()
            : is_inside(fault.pointer, cause.pointer) || is_inside(cause.pointer, fault.pointer))
      return true;
  return false;
}

/// Faults of the meaning as far as the text could be read, beside those of the text.
[[noreturn]] void throw_all(const Reading& reading) {
  std::vector<Fault> faults = reading.faults;
  if (reading.is_complete) {
    try {
      static_cast<void>(build(reading.source));
    } catch (const InvalidModel& invalid) {
      for (const Fault& fault : invalid.faults())
        if (!follows_from(fault, reading.faults)) faults.push_back(fault);
    }
  }
  throw InvalidModel(std::move(faults));
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path == "-" ? std::filesystem::path() : path.parent_path();
}

}  // namespace

Source read_source(std::string_view json_text, const std::filesystem::path& directory) {
  Reading reading = read(json_text, directory);
  if (!reading.faults.empty()) throw InvalidModel(std::move(reading.faults));
  return std::move(reading.source);
}

Source read_source_file(const std::filesystem::path& path) {
  return read_source(read_file(path), directory_of(path));
}

Model read_model_text(std::string_view json_text, const std::filesystem::path& directory,
                      const Overrides& overrides) {
  Reading reading = read(json_text, directory);
  if (!reading.faults.empty()) throw_all(reading);
  override_values(reading.source, overrides);
  return build(reading.source);
}

Model read_model(const std::filesystem::path& path, const Overrides& overrides) {
  return read_model_text(read_file(path), directory_of(path), overrides);
}

}  // namespace mti
