#include "io/analysis/fault_places.hpp"

#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "io/files/files.hpp"
#include "io/json/value.hpp"

namespace mti {
namespace {

namespace fs = std::filesystem;

/// Takes `word` and a number from the beginning of a text.
std::optional<std::size_t> take_number(std::string_view& text, std::string_view word) {
  std::size_t number = 0;
  if (!text.starts_with(word)) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + word.size(), text.data() + text.size(), number);
  if (error != std::errc() || number == 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// "line 3, column 7: …", as faults of texts that are no JSON begin.
std::optional<json::TextPlace> line_and_column_in(std::string_view message) {
  const auto line = take_number(message, "line ");
  const auto column = line ? take_number(message, ", column ") : std::nullopt;
  if (!column || !message.starts_with(':')) return std::nullopt;
  return json::TextPlace{*line, *column};
}

/// "column 7: …", as faults within a text begin.
std::optional<std::size_t> column_in(std::string_view message) {
  const auto column = take_number(message, "column ");
  return message.starts_with(':') ? column : std::nullopt;
}

/// "12:5", which faults of Modelica have in the place of a pointer.
std::optional<json::TextPlace> place_in(std::string_view pointer) {
  const auto line = take_number(pointer, "");
  const auto column = line ? take_number(pointer, ":") : std::nullopt;
  if (!column || !pointer.empty()) return std::nullopt;
  return json::TextPlace{*line, *column};
}

/// Enters what a list of the model declares, by name; unnamed ones are `unnamed` with their number.
void enter(const json::Value& root, const char* list, std::string_view unnamed,
           std::map<std::string, std::string>& pointers) {
  const auto member = [](const json::Value& value, std::string_view key) -> const json::Value* {
    if (const auto* object = value.object())
      for (const json::Member& each : *object)
        if (each.key == key) return &each.value;
    return nullptr;
  };
  const json::Value* value = member(root, list);
  if (value == nullptr || value->array() == nullptr) return;
  const std::string pointer = json::pointer_to("", list);
  for (std::size_t i = 0; i < value->array()->size(); ++i) {
    const json::Value* name = member((*value->array())[i], "name");
    const std::string* text = name == nullptr ? nullptr : name->string();
    if (text == nullptr && unnamed.empty()) continue;
    pointers.emplace(text != nullptr ? *text : std::string(unnamed) + std::to_string(i + 1),
                     json::pointer_to(pointer, i));
  }
}

}  // namespace

FaultPlaces::FaultPlaces(std::string file, std::optional<std::string> text)
    : file_(std::move(file)), text_(std::move(text)) {}

std::optional<std::string> FaultPlaces::text_of(const std::string& file) const {
  if (file == file_ && text_) return text_;
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return std::nullopt;  // a pipe gives nothing twice
  try {
    return read_file(file);
  } catch (const UnusableFile&) {
    return std::nullopt;  // the fault itself says so
  }
}

std::optional<json::TextPlaces>& FaultPlaces::places_of(const std::string& file) {
  const auto [found, is_new] = places_.try_emplace(file);
  if (is_new)
    if (auto text = text_of(file)) found->second.emplace(std::move(*text));
  return found->second;
}

std::optional<json::TextPlace> FaultPlaces::place_of(const Fault& fault) {
  if (const auto place = place_in(fault.pointer)) return place;
  if (const auto place = line_and_column_in(fault.message)) return place;
  std::optional<json::TextPlaces>& places = places_of(file_of(fault));
  const auto value = places ? places->find(fault.pointer) : std::nullopt;
  if (!value) return std::nullopt;
  if (const auto column = value->is_whole ? column_in(fault.message) : std::nullopt)
    if (const auto offset = places->find_character(value->offset, *column)) return places->place_of(*offset);
  return places->place_of(value->offset);
}

void FaultPlaces::read_names() {
  if (std::exchange(names_are_read_, true)) return;
  try {
    const json::Document document = json::parse(text_of(file_).value_or("{}"));
    enter(document.root, "equations", "eq", equations_);
    for (const char* list : {"states", "inputs", "algebraic", "binaries"})
      enter(document.root, list, "", signals_);
  } catch (const InvalidModel&) {
    return;  // another format
  }
}

std::string FaultPlaces::pointer_of(const Remark& remark) {
  read_names();
  for (const std::string& equation : remark.equations)
    if (const auto found = equations_.find(equation); found != equations_.end()) return found->second;
  for (const std::string& signal : remark.signals)
    if (const auto found = signals_.find(signal); found != signals_.end()) return found->second;
  return {};
}

}  // namespace mti
