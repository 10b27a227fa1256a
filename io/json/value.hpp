#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "mti/common/fault.hpp"

namespace mti::json {

struct Member;

/// A JSON value that keeps the order of an object's members (a parameter may use earlier ones).
///
/// Numbers are doubles: every number of the model format is one, and integers up to 2^53 are exact.
struct Value {
  using Array = std::vector<Value>;
  using Object = std::vector<Member>;
  using Data = std::variant<std::nullptr_t, bool, double, std::string, Array, Object>;

  Value() noexcept;
  explicit Value(Data content) noexcept;
  Value(const Value&) = delete;
  Value(Value&&) noexcept;
  Value& operator=(const Value&) = delete;
  Value& operator=(Value&&) noexcept;
  ~Value();  // these are defined where Member is complete

  [[nodiscard]] const bool* boolean() const noexcept { return std::get_if<bool>(&data); }
  [[nodiscard]] const double* number() const noexcept { return std::get_if<double>(&data); }
  [[nodiscard]] const std::string* string() const noexcept { return std::get_if<std::string>(&data); }
  [[nodiscard]] const Array* array() const noexcept { return std::get_if<Array>(&data); }
  [[nodiscard]] const Object* object() const noexcept { return std::get_if<Object>(&data); }

  Data data;
};

struct Member {
  std::string key;
  Value value;
};

/// A parsed document with what is wrong in it that does not keep it from being read (duplicate keys).
struct Document {
  Value root;
  std::vector<Fault> faults;
};

/// Containers may be nested this deep; the model format needs five levels.
inline constexpr int maximal_nesting = 64;

/// Parses a whole text. A leading byte order mark is skipped.
///
/// Errors: InvalidModel, ids `json-syntax` (with line and column), `json-encoding` (not UTF-8),
/// `too-deep` (deeper than maximal_nesting), `number-range` (such as 1e999).
/// `duplicate-key` is entered in Document::faults.
[[nodiscard]] Document parse(std::string_view text);

/// `pointer` + "/" + `key`, with "~" and "/" in the key escaped as RFC 6901 asks.
[[nodiscard]] std::string pointer_to(std::string_view pointer, std::string_view key);
[[nodiscard]] std::string pointer_to(std::string_view pointer, std::size_t index);

/// What a value is, for messages: `the string "abc"`, `the number 3`, `an array`, `nothing (null)` …
[[nodiscard]] std::string describe(const Value& value);

/// Text in double quotes, cut after a few dozen characters, control characters replaced: safe in one line.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace mti::json
