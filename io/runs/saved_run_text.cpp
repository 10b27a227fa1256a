#include "io/runs/saved_run_text.hpp"

#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/runs/checked_cbor.hpp"
#include "mti/common/fault.hpp"
#include "solvers/stepping/saved_contents.hpp"

namespace mti {
namespace {

using Json = nlohmann::json;

/// Of what is written; another one where its members change.
constexpr int format_version = 7;

[[noreturn]] void refuse_text(const std::string& message) {
  throw UnusableFile("bad-saved-run", "", message);
}

/// visit(name, member) for each member of a part of a saved run. One list serves writing and reading.
template <class Self, class Visit>
requires std::is_same_v<std::remove_const_t<Self>, Slide>
void members_of(Self& slide, Visit&& visit) {
  visit("constraint", slide.constraint);
  visit("binaries", slide.binaries);
  visit("below", slide.below);
  visit("above", slide.above);
  visit("pinned", slide.pinned);
}

template <class Self, class Visit>
requires std::is_same_v<std::remove_const_t<Self>, Mode>
void members_of(Self& mode, Visit&& visit) {
  visit("z", mode.z);
  visit("pre", mode.pre);
  visit("binary_inputs", mode.binary_inputs);
  visit("slides", mode.slides);
  visit("blended", mode.blended);
  visit("resting", mode.resting);
}

template <class Self, class Visit>
requires std::is_same_v<std::remove_const_t<Self>, Approach::Event>
void members_of(Self& event, Visit&& visit) {
  visit("time", event.time);
  visit("constraints", event.constraints);
  visit("x", event.x);
  visit("rate", event.rate);
  visit("jump", event.jump);
  visit("changes", event.changes);
  visit("switched", event.switched);
}

template <class Self, class Visit>
requires std::is_same_v<std::remove_const_t<Self>, ZenoDetector::Limit>
void members_of(Self& limit, Visit&& visit) {
  visit("time", limit.time);
  visit("ratio", limit.ratio);
  visit("uncertainty", limit.uncertainty);
  visit("period", limit.period);
}

template <class Self, class Visit>
requires std::is_same_v<std::remove_const_t<Self>, ZenoDetector> ||
    std::is_same_v<std::remove_const_t<Self>, Accumulations>
void members_of(Self& self, Visit&& visit) { std::remove_const_t<Self>::members(self, visit); }

template <class Self, class Visit>
requires std::is_same_v<std::remove_const_t<Self>, HeldInput>
void members_of(Self& held, Visit&& visit) {
  visit("input", held.input);
  visit("from", held.from);
  visit("value", held.value);
  visit("slope", held.slope);
}

template <class Self, class Visit>
requires std::is_same_v<std::remove_const_t<Self>, RunSnapshot>
void members_of(Self& run, Visit&& visit) {
  visit("time", run.time);
  visit("inputs_until", run.inputs_until);
  visit("constraints", run.constraints);
  visit("mode", run.mode);
  visit("v", run.v);
  visit("guess", run.guess);
  visit("has_past", run.has_past);
  visit("accumulates", run.accumulates);
  visit("gathered", run.gathered);
  visit("accumulations", run.accumulations);
  visit("approach", run.approach);
  visit("slid", run.slid);
  visit("accumulated_error", run.accumulated_error);
  visit("ida_steps", run.ida_steps);
  visit("failed_at", run.failed_at);
  visit("failures_here", run.failures_here);
  visit("tiny_steps", run.tiny_steps);
  visit("sample", run.sample);
}

template <class Value>
constexpr bool is_number = std::is_arithmetic_v<Value>;

Json written(const auto& value);

template <class Value>
Json written_part(const std::optional<Value>& value) {
  return value ? written(*value) : Json(nullptr);
}
template <class Value>
Json written_part(const std::map<int, Value>& values) {
  Json list = Json::array();
  for (const auto& [key, value] : values) list.push_back({key, written(value)});
  return list;
}
template <class List>
requires requires(List list) { list.emplace_back(); }
Json written_part(const List& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(written(value));
  return list;
}
template <class Value>
requires is_number<Value> Json written_part(const Value& value) {
  if constexpr (std::is_same_v<Value, char>)
    return static_cast<int>(value);
  else
    return value;
}
template <class Value>
requires requires(const Value& value) {
  members_of(value, [](const char*, const auto&) {});
}
Json written_part(const Value& value) {
  Json object = Json::object();
  members_of(value, [&](const char* name, const auto& member) { object[name] = written(member); });
  return object;
}

Json written(const auto& value) { return written_part(value); }

void read_into(const Json& json, auto& value);

template <class Value>
void read_part(const Json& json, std::optional<Value>& value) {
  if (json.is_null()) return value.reset();
  Value read;
  read_into(json, read);
  value = std::move(read);
}
template <class Value>
void read_part(const Json& json, std::map<int, Value>& values) {
  for (const Json& entry : json) read_into(entry.at(1), values[entry.at(0).get<int>()]);
}
template <class List>
requires requires(List& list) { list.emplace_back(); }
void read_part(const Json& json, List& values) {
  if (!json.is_array()) refuse_text("a list is missing in the run that was saved");
  for (const Json& entry : json) read_into(entry, values.emplace_back());
}
template <class Value>
requires is_number<Value>
void read_part(const Json& json, Value& value) {
  if constexpr (std::is_same_v<Value, char>)
    value = static_cast<char>(json.get<int>());
  else
    value = json.get<Value>();
}
template <class Value>
requires requires(Value& value) {
  members_of(value, [](const char*, auto&) {});
}
void read_part(const Json& json, Value& value) {
  members_of(value, [&](const char* name, auto& member) { read_into(json.at(name), member); });
}

void read_into(const Json& json, auto& value) { read_part(json, value); }

/// The names of the rows of S, in which the run is written.
std::vector<std::string> names_of(const Model& model) {
  std::vector<std::string> names;
  for (int row = 0; row < model.signature.size(); ++row) names.push_back(model.signature.row_name(row));
  return names;
}

}  // namespace

std::string write_saved_run(const Model& model, const SavedRun& saved) {
  const Json document = {{"mti-run", format_version},
                         {"signals", names_of(model)},
                         {"run", written(saved.contents().snapshot)},
                         {"inputs", written(saved.contents().inputs)},
                         {"kept", written(saved.contents().kept)}};
  return write_checked_cbor(document);
}

SavedRun read_saved_run(const Model& model, std::string_view text) {
  const Json document = read_checked_cbor(text, "a run that mti has saved");
  SavedRun::Contents saved;
  try {
    if (const int version = document.at("mti-run").get<int>(); version != format_version)
      refuse_text("expected a run saved in format " + std::to_string(format_version) + ", found format " +
                  std::to_string(version));
    if (document.at("signals").get<std::vector<std::string>>() != names_of(model))
      refuse_text("the run that was saved is of a model with other signals");
    read_into(document.at("run"), saved.snapshot);
    read_into(document.at("inputs"), saved.inputs);
    read_into(document.at("kept"), saved.kept);
  } catch (const Json::exception& error) {
    refuse_text("expected a run that mti has saved; " + std::string(error.what()));
  }
  return SavedRun(std::move(saved));
}

}  // namespace mti
