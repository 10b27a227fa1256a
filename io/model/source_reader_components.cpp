// The part of SourceReader that reads components and connections.
#include <utility>

#include "io/model/source_reader.hpp"

namespace mti::json {

void SourceReader::read_components(ObjectReader& model, Composition& composition) {
  model.each_object("components", [&](ObjectReader& component) {
    composition.components.push_back(read_component(component));
  });
}

void SourceReader::read_connections(ObjectReader& model, Composition& composition) {
  model.each_object("connections", [&](ObjectReader& connection) {
    composition.connections.push_back(read_connection(connection));
  });
}

ComponentSource SourceReader::read_component(ObjectReader& component) {
  ComponentSource result;
  result.name = read_name(component);
  result.model = read_component_model(component);
  if (!result.model) is_complete_ = false;
  result.parameters = read_values(component, "parameters");
  result.start = read_values(component, "start");
  result.ranges = read_ranges(component);
  return result;
}

/// The model a component names, or the one that is written in its place.
std::shared_ptr<const Composition> SourceReader::read_component_model(ObjectReader& component) {
  component.require("model");
  const Value* value = component.find("model");
  if (!value) return nullptr;
  const std::string pointer = component.pointer_to("model");
  const ModelFiles::Level level(files_);
  if (level.is_too_deep()) {
    component.fault(
        "too-many-components", pointer,
        "expected components within components up to " + std::to_string(ModelFiles::deepest) + " deep");
    return nullptr;
  }
  if (const auto* file = value->string()) {
    const ModelFiles::Loaded loaded = files_.load(directory_ / *file, pointer, faults_);
    is_complete_ = is_complete_ && loaded.is_complete;
    return loaded.model;
  }
  if (!value->object()) {
    component.fault("wrong-type", pointer,
                    "found " + describe(*value) + ", expected the name of a file or a model");
    return nullptr;
  }
  ObjectReader model(*value, pointer, faults_);
  // A model inside of a file is of the format and version of that file, which it may repeat.
  if ((model.has("format") || model.has("version")) && !read_header(model)) return nullptr;
  Composition composition;
  composition.file = file_;
  composition.pointer = pointer;
  read_members(model, composition);
  return std::make_shared<const Composition>(std::move(composition));
}

ConnectionSource SourceReader::read_connection(ObjectReader& connection) {
  using Kind = ConnectionSource::Kind;
  ConnectionSource result;
  int given = 0;
  for (const std::string_view key : {"equal", "balance", "input"}) given += connection.has(key) ? 1 : 0;
  if (given != 1 && connection.is_object()) {
    is_complete_ = false;
    connection.fault(
        given == 0 ? "missing-key" : "two-forms", connection.pointer(),
        "found " + std::to_string(given) + R"( of the keys "equal", "balance", "input", expected one)");
  }
  const std::size_t before = faults_.size();
  if (connection.has("input")) {
    connection.require("from");
    result.kind = Kind::input;
    result.items = {connection.string("input").value_or(""), connection.string("from").value_or("")};
  } else if (connection.has("balance")) {
    result.kind = Kind::balance;
    result.items = connection.strings("balance");
  } else {
    result.items = connection.strings("equal");
  }
  if (faults_.size() != before) is_complete_ = false;
  if (!connection.has("input") && connection.has("from"))
    connection.fault("key-without-use", connection.pointer_to("from"),
                     R"(the key "from" has no meaning here, it goes with "input")");
  result.name = connection.string("name").value_or("");
  result.ranges = read_ranges(connection);
  return result;
}

/// {"i": [first, last], …}
std::vector<IndexRange> SourceReader::read_ranges(ObjectReader& owner) {
  std::vector<IndexRange> ranges;
  const Value* value = owner.find("for");
  if (!value) return ranges;
  ObjectReader reader(*value, owner.pointer_to("for"), faults_);
  if (!reader.is_object()) {
    is_complete_ = false;
    return ranges;
  }
  for (const Member& member : *value->object()) {
    const std::size_t before = faults_.size();
    const std::vector<Number> bounds = reader.numbers(member.key);
    if (faults_.size() == before && bounds.size() != 2)
      reader.fault("wrong-type", reader.pointer_to(member.key),
                   "found " + std::to_string(bounds.size()) +
                       " elements, expected the first and last value of the index");
    if (faults_.size() != before) {
      is_complete_ = false;
      continue;
    }
    ranges.push_back({member.key, bounds[0], bounds[1]});
  }
  return ranges;
}

}  // namespace mti::json
