#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mti::json {

/// Writes JSON text from front to back: block containers have one member a line, inline ones stay on theirs.
///
/// Numbers are written so that they read back as the same double (shortest form); one that is not finite
/// has no JSON form and becomes null. The sign of a zero says nothing in results; models keep it.
class Writer {
 public:
  enum class Layout { block, in_line };
  enum class SignOfZero { dropped, kept };

  explicit Writer(SignOfZero sign_of_zero = SignOfZero::dropped) : sign_of_zero_(sign_of_zero) {}
  /// in_line: all of the text stands on one line.
  explicit Writer(Layout layout) : layout_(layout) {}

  Writer& begin_object(Layout layout = Layout::block) { return begin('{', layout); }
  Writer& end_object() { return end('}'); }
  Writer& begin_array(Layout layout = Layout::block) { return begin('[', layout); }
  Writer& end_array() { return end(']'); }
  Writer& key(std::string_view name);

  Writer& value(std::string_view text);
  Writer& value(const char* text) { return value(std::string_view(text)); }
  Writer& value(double number);
  Writer& value(int number) { return integer(std::to_string(number)); }
  Writer& value(long number) { return integer(std::to_string(number)); }
  Writer& value(bool truth) { return integer(truth ? "true" : "false"); }
  /// Digits of a whole number of any size.
  Writer& integer(std::string_view digits);
  Writer& null() { return integer("null"); }

  template <class T>
  Writer& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  /// The text so far, which goes on from there.
  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }
  /// The text, with a final line end.
  [[nodiscard]] std::string finish() && {
    text_ += '\n';
    return std::move(text_);
  }

 private:
  struct Level {
    Layout layout;
    bool empty = true;
  };
  Writer& begin(char bracket, Layout layout);
  Writer& end(char bracket);
  void separate();
  void new_line();
  void append_string(std::string_view text);

  SignOfZero sign_of_zero_ = SignOfZero::dropped;
  Layout layout_ = Layout::block;
  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

inline constexpr auto in_line = Writer::Layout::in_line;

/// "key": ["a", "b"] on one line.
void write_names(Writer& out, std::string_view key, const std::vector<std::string>& names);

/// Appends the shortest text that reads back as `number`, which must be finite.
void append_number(std::string& text, double number);

}  // namespace mti::json
