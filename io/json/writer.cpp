#include "io/json/writer.hpp"

#include <cmath>

#include "mti/common/number.hpp"

namespace mti::json {

void append_number(std::string& text, double number) {
  text::append_number(text, number);
  if (number == 0.0 && std::signbit(number)) text += ".0";  // JSON readers take -0 for the integer 0
}

Writer& Writer::begin(char bracket, Layout layout) {
  separate();
  // Whatever stands inside an inline container is inline too.
  if ((levels_.empty() ? layout_ : levels_.back().layout) == Layout::in_line) layout = Layout::in_line;
  levels_.push_back({layout});
  text_ += bracket;
  return *this;
}

Writer& Writer::end(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.layout == Layout::block && !level.empty) new_line();
  text_ += bracket;
  return *this;
}

Writer& Writer::key(std::string_view name) {
  separate();
  append_string(name);
  text_ += ": ";
  after_key_ = true;
  return *this;
}

Writer& Writer::value(std::string_view text) {
  separate();
  append_string(text);
  return *this;
}

Writer& Writer::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  append_number(text_, number == 0.0 && sign_of_zero_ == SignOfZero::dropped ? 0.0 : number);
  return *this;
}

Writer& Writer::integer(std::string_view digits) {
  separate();
  text_ += digits;
  return *this;
}

/// What stands between the element before and the next one.
void Writer::separate() {
  if (after_key_ || levels_.empty()) {
    after_key_ = false;
    return;
  }
  Level& level = levels_.back();
  if (!level.empty) text_ += level.layout == Layout::block ? "," : ", ";
  level.empty = false;
  if (level.layout == Layout::block) new_line();
}

void Writer::new_line() {
  text_ += '\n';
  text_.append(2 * levels_.size(), ' ');
}

void Writer::append_string(std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  text_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (c == '\n') {
      text_ += "\\n";
    } else if (c == '\t') {
      text_ += "\\t";
    } else if (byte < 0x20U) {
      text_ += "\\u00";
      text_ += hex[byte >> 4U];
      text_ += hex[byte & 15U];
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

void write_names(Writer& out, std::string_view key, const std::vector<std::string>& names) {
  out.key(key).begin_array(in_line);
  for (const std::string& name : names) out.value(name);
  out.end_array();
}

}  // namespace mti::json
