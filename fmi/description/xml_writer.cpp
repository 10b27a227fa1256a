#include "fmi/description/xml_writer.hpp"

#include <utility>

#include "mti/common/number.hpp"

namespace mti::fmi {
namespace {

void append_escaped(std::string& text, std::string_view value) {
  constexpr std::string_view replacement = "\xef\xbf\xbd";
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    const std::string_view three = value.substr(i, 3);
    if (three == "\xef\xbf\xbe" || three == "\xef\xbf\xbf") {  // U+FFFE, U+FFFF: none of XML's characters
      text += replacement;
      i += 2;
    } else if (c == '&')
      text += "&amp;";
    else if (c == '<')
      text += "&lt;";
    else if (c == '>')
      text += "&gt;";
    else if (c == '"')
      text += "&quot;";
    else if (c == '\t' || c == '\n' || c == '\r')
      text += "&#" + std::to_string(static_cast<int>(c)) + ";";
    else if ((c >= 0 && c < ' ') || c == '\x7f')
      text += replacement;
    else
      text += c;
  }
}

}  // namespace

void XmlWriter::close_tag() {
  if (in_tag_) text_ += ">\n";
  in_tag_ = false;
}

XmlWriter& XmlWriter::begin(std::string_view element) {
  close_tag();
  text_.append(2 * open_.size(), ' ');
  open_.emplace_back(element);
  text_ += '<' + open_.back();
  in_tag_ = true;
  return *this;
}

XmlWriter& XmlWriter::end() {
  const std::string element = std::move(open_.back());
  open_.pop_back();
  if (in_tag_)
    text_ += "/>\n";
  else
    text_.append(2 * open_.size(), ' ') += "</" + element + ">\n";
  in_tag_ = false;
  return *this;
}

XmlWriter& XmlWriter::attribute(std::string_view name, std::string_view value) {
  (text_ += ' ').append(name) += "=\"";
  append_escaped(text_, value);
  text_ += '"';
  return *this;
}

XmlWriter& XmlWriter::attribute(std::string_view name, double value) {
  return attribute(name, std::string_view(text::format_number(value)));
}

XmlWriter& XmlWriter::attribute(std::string_view name, const std::vector<std::size_t>& list) {
  std::string numbers;
  for (const std::size_t number : list) numbers += (numbers.empty() ? "" : " ") + std::to_string(number);
  return attribute(name, std::string_view(numbers));
}

std::string XmlWriter::finish() && { return std::move(text_); }

}  // namespace mti::fmi
