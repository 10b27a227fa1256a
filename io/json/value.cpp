#include "io/json/value.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "io/json/text_places.hpp"
#include "io/json/utf8.hpp"
#include "mti/common/number.hpp"

namespace mti::json {
namespace {

std::string line_and_column(std::string_view text, std::size_t position) {
  const TextPlace place = TextPlaces(std::string(text.substr(0, position))).place_of(position);
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
}

/// The reason in nlohmann's text "[json.exception…] parse error at …: syntax error while parsing value -
/// unexpected ']'; last read: '…'; expected …", without what only repeats the input.
std::string reason_in(std::string_view what) {
  const std::size_t dash = what.find(" - ");
  if (dash == std::string_view::npos) return std::string(what);
  std::string_view reason = what.substr(dash + 3);
  const std::size_t last_read = reason.find("; last read: ");
  const std::size_t expected = reason.rfind("; expected ");
  std::string result(reason.substr(0, std::min(last_read, expected)));
  if (expected != std::string_view::npos && (last_read == std::string_view::npos || expected > last_read))
    result += reason.substr(expected);
  return result;
}

std::string syntax_message(std::string_view text, std::size_t at, std::string_view what) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "the text is empty";
  if (at >= text.size()) return "the text ends too early; " + reason_in(what);
  const std::size_t line_start =
      text.rfind('\n', at) == std::string_view::npos || text[at] == '\n' ? 0 : text.rfind('\n', at) + 1;
  std::size_t begin = std::max(line_start, at < 20 ? 0 : at - 20);
  while (begin < at && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) ++begin;
  std::string message = reason_in(what) + ", after " + in_quotes(text.substr(begin, at - begin + 1));
  switch (text[at]) {
    case 'N':
    case 'I':
      return message + " (JSON has no NaN or infinity)";
    case '/':
      return message + " (JSON has no comments)";
    case '\'':
      return message + " (strings are written in double quotes)";
    default:
      return message;
  }
}

/// Receives the events of nlohmann's parser and builds a Value, with the pointer to where it is.
class Builder {
 public:
  using number_integer_t = std::int64_t;
  using number_unsigned_t = std::uint64_t;
  using number_float_t = double;
  using string_t = std::string;
  using binary_t = nlohmann::json::binary_t;

  explicit Builder(std::string_view text) : text_(text) {}

  bool null() { return add(Value()); }
  bool boolean(bool value) { return add(Value{value}); }
  bool number_integer(number_integer_t value) { return add(Value{static_cast<double>(value)}); }
  bool number_unsigned(number_unsigned_t value) { return add(Value{static_cast<double>(value)}); }
  bool number_float(number_float_t value, const string_t&) { return add(Value{value}); }
  bool string(string_t& value) { return add(Value{std::move(value)}); }
  bool binary(binary_t&) { return false; }  // has no JSON text

  bool start_object(std::size_t) { return open(Value{Value::Object{}}); }
  bool start_array(std::size_t) { return open(Value{Value::Array{}}); }
  bool key(string_t& name) {
    key_ = std::move(name);
    return true;
  }
  bool end_object() {
    report_duplicates(*std::get_if<Value::Object>(&open_.back()->data));
    return close();
  }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& error) {
    constexpr int number_overflow = 406;  // out_of_range.406: the number does not fit a double
    if (error.id == number_overflow)
      fail("number-range", line_and_column(text_, position - last_token.size()) + ": " +
                               in_quotes(last_token) + " is too large for a number (at most 1.8e308)");
    // The parser reports the position one past the byte it stumbled over.
    const std::size_t at = position == 0 ? 0 : position - 1;
    fail("json-syntax", line_and_column(text_, at) + ": " + syntax_message(text_, at, error.what()));
  }

  Document document;

 private:
  [[noreturn]] void fail(std::string id, std::string message) const {
    throw InvalidModel(std::move(id), pointer_, std::move(message));
  }

  bool add(Value value) {
    place(std::move(value));
    return true;
  }

  /// Puts a value where it belongs and returns where it then is.
  Value* place(Value value) {
    if (open_.empty()) {
      document.root = std::move(value);
      return &document.root;
    }
    if (auto* array = std::get_if<Value::Array>(&open_.back()->data)) {
      array->push_back(std::move(value));
      return &array->back();
    }
    auto& object = *std::get_if<Value::Object>(&open_.back()->data);
    object.push_back({std::move(key_), std::move(value)});
    return &object.back().value;
  }

  bool open(Value value) {
    if (static_cast<int>(open_.size()) == maximal_nesting)
      fail("too-deep", "nested deeper than " + std::to_string(maximal_nesting) + " levels");
    // Only the last element of a container is ever open, so pointers to it stay valid until it is closed.
    pointer_lengths_.push_back(pointer_.size());
    if (!open_.empty()) {
      if (const auto* array = open_.back()->array())
        pointer_ = pointer_to(pointer_, array->size());
      else
        pointer_ = pointer_to(pointer_, key_);
    }
    open_.push_back(place(std::move(value)));
    return true;
  }

  bool close() {
    open_.pop_back();
    pointer_.resize(pointer_lengths_.back());
    pointer_lengths_.pop_back();
    return true;
  }

  void report_duplicates(const Value::Object& object) {
    std::vector<std::string_view> keys;
    keys.reserve(object.size());
    for (const Member& member : object) keys.push_back(member.key);
    std::sort(keys.begin(), keys.end());
    for (auto at = keys.begin(); (at = std::adjacent_find(at, keys.end())) != keys.end();) {
      const std::string_view key = *at;
      const auto next = std::find_if(at, keys.end(), [&](std::string_view other) { return other != key; });
      document.faults.push_back({"duplicate-key", pointer_to(pointer_, key),
                                 "the key " + in_quotes(key) + " stands " + std::to_string(next - at) +
                                     " times in this object, expected once"});
      at = next;
    }
  }

  std::string_view text_;
  std::vector<Value*> open_;
  std::vector<std::size_t> pointer_lengths_;
  std::string pointer_;
  std::string key_;
};

}  // namespace

Value::Value() noexcept = default;
Value::Value(Data content) noexcept : data(std::move(content)) {}
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

Document parse(std::string_view text) {
  text = without_byte_order_mark(text);
  if (const auto position = first_invalid_utf8(text))
    throw InvalidModel("json-encoding", "", line_and_column(text, *position) + ": this byte is not UTF-8");
  Builder builder(text);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder.document);
}

std::string pointer_to(std::string_view pointer, std::string_view key) {
  std::string result(pointer);
  result += '/';
  for (const char c : key) {
    if (c == '~')
      result += "~0";
    else if (c == '/')
      result += "~1";
    else
      result += c;
  }
  return result;
}

std::string pointer_to(std::string_view pointer, std::size_t index) {
  return std::string(pointer) + "/" + std::to_string(index);
}

std::string describe(const Value& value) {
  if (const auto* string = value.string()) return "the string " + in_quotes(*string);
  if (const auto* number = value.number()) return "the number " + text::format_number(*number);
  if (const auto* boolean = value.boolean()) return *boolean ? "true" : "false";
  if (value.array()) return "an array";
  if (value.object()) return "an object";
  return "null";
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool starts_character = (byte & 0xC0U) != 0x80U;
    if (i >= longest && starts_character) return result + "…\"";
    result += byte < 0x20U || byte == 0x7FU ? ' ' : text[i];
  }
  return result + "\"";
}

}  // namespace mti::json
