#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/value.hpp"
#include "mti/source/source.hpp"

namespace mti::json {

/// Reads the members of one JSON object and enters everything that is wrong in a list of faults.
///
/// A reading function returns nothing where the member is absent or of the wrong type; only the latter is a
/// fault (id `wrong-type`). `finish()` reports the keys nobody asked for (id `unknown-key`, with a
/// suggestion).
class ObjectReader {
 public:
  /// If `value` is not an object, that is a fault and the reader is empty.
  ObjectReader(const Value& value, std::string pointer, std::vector<Fault>& faults);

  [[nodiscard]] const std::string& pointer() const noexcept { return pointer_; }
  [[nodiscard]] std::string pointer_to(std::string_view key) const;
  [[nodiscard]] std::string pointer_to(std::string_view key, std::size_t index) const;
  /// False where the value was no object at all.
  [[nodiscard]] bool is_object() const noexcept { return object_ != nullptr; }
  [[nodiscard]] std::vector<Fault>& faults() noexcept { return faults_; }

  /// The member's value; with duplicate keys the last one.
  const Value* find(std::string_view key);
  [[nodiscard]] bool has(std::string_view key) { return find(key) != nullptr; }

  std::optional<std::string> string(std::string_view key);
  std::optional<bool> boolean(std::string_view key);
  /// A number or an expression of parameters.
  std::optional<Number> number(std::string_view key);
  /// A number, where expressions have no meaning.
  std::optional<double> plain_number(std::string_view key);
  /// A whole number in 0 … 2³¹ − 1 (id `not-an-index` otherwise).
  std::optional<int> index(std::string_view key);

  std::vector<std::string> strings(std::string_view key);
  std::vector<Number> numbers(std::string_view key);
  std::vector<double> plain_numbers(std::string_view key);
  std::vector<std::vector<double>> lists_of_numbers(std::string_view key);
  std::vector<int> indices(std::string_view key);

  /// Calls `read(element, i)` for every element of an array member; its pointer is pointer_to(key, i).
  void each(std::string_view key, const std::function<void(const Value&, std::size_t)>& read);
  /// Calls `read` for every element, with an empty reader for one that is no object, and finishes its reader.
  void each_object(std::string_view key, const std::function<void(ObjectReader&)>& read);

  /// Enters a fault (id `missing-key`) if the member is absent.
  void require(std::string_view key);
  void fault(std::string id, std::string pointer, std::string message);
  void finish();

 private:
  const Value* typed(std::string_view key, bool (*is_type)(const Value&), std::string_view expected);
  [[nodiscard]] std::string hint(const std::string& key) const;

  const Value::Object* object_ = nullptr;
  std::string pointer_;
  std::vector<Fault>& faults_;
  std::vector<std::string> known_;  ///< keys that were asked for
};

}  // namespace mti::json
