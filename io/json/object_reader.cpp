#include "io/json/object_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace mti::json {
namespace {

bool is_string(const Value& value) { return value.string() != nullptr; }
bool is_boolean(const Value& value) { return value.boolean() != nullptr; }
bool is_number(const Value& value) { return value.number() != nullptr; }
bool is_array(const Value& value) { return value.array() != nullptr; }
bool is_number_or_expression(const Value& value) { return is_number(value) || is_string(value); }

bool is_index(double number) {
  return number >= 0 && number <= std::numeric_limits<int>::max() && number == std::floor(number);
}

constexpr std::string_view a_number_or_expression = "a number or an expression of parameters in a string";
constexpr std::string_view a_whole_number = "a whole number from 0 to 2147483647";

Number to_number(const Value& value) {
  if (const auto* text = value.string()) return *text;
  return *value.number();
}

}  // namespace

ObjectReader::ObjectReader(const Value& value, std::string pointer, std::vector<Fault>& faults)
    : object_(value.object()), pointer_(std::move(pointer)), faults_(faults) {
  if (!object_) fault("wrong-type", pointer_, "found " + describe(value) + ", expected an object");
}

std::string ObjectReader::pointer_to(std::string_view key) const { return json::pointer_to(pointer_, key); }
std::string ObjectReader::pointer_to(std::string_view key, std::size_t index) const {
  return json::pointer_to(pointer_to(key), index);
}

void ObjectReader::fault(std::string id, std::string pointer, std::string message) {
  faults_.push_back({std::move(id), std::move(pointer), std::move(message)});
}

const Value* ObjectReader::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  if (!object_) return nullptr;
  const auto found = std::find_if(object_->rbegin(), object_->rend(),
                                  [&](const Member& member) { return member.key == key; });
  return found == object_->rend() ? nullptr : &found->value;
}

const Value* ObjectReader::typed(std::string_view key, bool (*is_type)(const Value&),
                                 std::string_view expected) {
  const Value* value = find(key);
  if (!value || is_type(*value)) return value;
  fault("wrong-type", pointer_to(key), "found " + describe(*value) + ", expected " + std::string(expected));
  return nullptr;
}

std::optional<std::string> ObjectReader::string(std::string_view key) {
  const Value* value = typed(key, is_string, "a string");
  return value ? std::optional(*value->string()) : std::nullopt;
}

std::optional<bool> ObjectReader::boolean(std::string_view key) {
  const Value* value = typed(key, is_boolean, "true or false");
  return value ? std::optional(*value->boolean()) : std::nullopt;
}

std::optional<Number> ObjectReader::number(std::string_view key) {
  const Value* value = typed(key, is_number_or_expression, a_number_or_expression);
  return value ? std::optional(to_number(*value)) : std::nullopt;
}

std::optional<double> ObjectReader::plain_number(std::string_view key) {
  const Value* value = typed(key, is_number, "a number");
  return value ? std::optional(*value->number()) : std::nullopt;
}

std::optional<int> ObjectReader::index(std::string_view key) {
  const Value* value = typed(key, is_number, a_whole_number);
  if (!value) return std::nullopt;
  if (is_index(*value->number())) return static_cast<int>(*value->number());
  fault("not-an-index", pointer_to(key),
        "found " + describe(*value) + ", expected " + std::string(a_whole_number));
  return std::nullopt;
}

void ObjectReader::each(std::string_view key, const std::function<void(const Value&, std::size_t)>& read) {
  const Value* value = typed(key, is_array, "an array");
  if (!value) return;
  for (std::size_t i = 0; i < value->array()->size(); ++i) read((*value->array())[i], i);
}

void ObjectReader::each_object(std::string_view key, const std::function<void(ObjectReader&)>& read) {
  each(key, [&](const Value& element, std::size_t i) {
    ObjectReader reader(element, pointer_to(key, i), faults_);
    read(reader);
    reader.finish();
  });
}

std::vector<std::string> ObjectReader::strings(std::string_view key) {
  std::vector<std::string> result;
  each(key, [&](const Value& element, std::size_t i) {
    if (!element.string())
      fault("wrong-type", pointer_to(key, i), "found " + describe(element) + ", expected a string");
    result.push_back(element.string() ? *element.string() : std::string());
  });
  return result;
}

std::vector<Number> ObjectReader::numbers(std::string_view key) {
  std::vector<Number> result;
  each(key, [&](const Value& element, std::size_t i) {
    if (is_number_or_expression(element)) return result.push_back(to_number(element));
    fault("wrong-type", pointer_to(key, i),
          "found " + describe(element) + ", expected " + std::string(a_number_or_expression));
    result.emplace_back(0.0);
  });
  return result;
}

std::vector<double> ObjectReader::plain_numbers(std::string_view key) {
  std::vector<double> result;
  each(key, [&](const Value& element, std::size_t i) {
    if (!element.number())
      fault("wrong-type", pointer_to(key, i), "found " + describe(element) + ", expected a number");
    result.push_back(element.number() ? *element.number() : 0.0);
  });
  return result;
}

std::vector<std::vector<double>> ObjectReader::lists_of_numbers(std::string_view key) {
  std::vector<std::vector<double>> result;
  each(key, [&](const Value& element, std::size_t i) {
    std::vector<double>& list = result.emplace_back();
    const auto* const entries = element.array();
    if (entries == nullptr)
      return fault("wrong-type", pointer_to(key, i),
                   "found " + describe(element) + ", expected a list of numbers");
    for (std::size_t k = 0; k < entries->size(); ++k) {
      const Value& entry = (*entries)[k];
      if (!entry.number())
        fault("wrong-type", pointer_to(key, i) + "/" + std::to_string(k),
              "found " + describe(entry) + ", expected a number");
      list.push_back(entry.number() ? *entry.number() : 0.0);
    }
  });
  return result;
}

std::vector<int> ObjectReader::indices(std::string_view key) {
  std::vector<int> result;
  each(key, [&](const Value& element, std::size_t i) {
    const bool good = element.number() && is_index(*element.number());
    if (!good)
      fault(element.number() ? "not-an-index" : "wrong-type", pointer_to(key, i),
            "found " + describe(element) + ", expected " + std::string(a_whole_number));
    result.push_back(good ? static_cast<int>(*element.number()) : 0);
  });
  return result;
}

void ObjectReader::require(std::string_view key) {
  if (object_ && !has(key)) fault("missing-key", pointer_, "the key " + in_quotes(key) + " is missing");
}

void ObjectReader::finish() {
  if (!object_) return;
  std::unordered_set<std::string_view> reported;
  for (const Member& member : *object_) {
    if (std::find(known_.begin(), known_.end(), member.key) != known_.end()) continue;
    if (!reported.insert(member.key).second) continue;
    fault("unknown-key", pointer_to(member.key),
          "the key " + in_quotes(member.key) + " is not known here; " + hint(member.key));
  }
}

std::string ObjectReader::hint(const std::string& key) const {
  constexpr std::size_t longest_misspelling = 40;
  const std::string suggestion = key.size() <= longest_misspelling ? closest_name(key, known_) : "";
  if (!suggestion.empty()) return "did you mean " + in_quotes(suggestion) + "?";
  std::string text = "known keys:";
  for (const std::string& known : known_) text += " " + known;
  return text;
}

}  // namespace mti::json
