#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mti::fmi {

/// Writes XML from front to back, one element a line.
///
///     XmlWriter xml;
///     xml.begin("Unit").attribute("name", "m<s").end();     // <Unit name="m&lt;s"/>
class XmlWriter {
 public:
  XmlWriter& begin(std::string_view element);
  XmlWriter& end();
  /// Of the element that was begun last, before any other in it. What XML cannot hold, most characters below a blank, becomes
  /// U+FFFD.
  XmlWriter& attribute(std::string_view name, std::string_view value);
  XmlWriter& attribute(std::string_view name, const char* value) {
    return attribute(name, std::string_view(value));
  }
  XmlWriter& attribute(std::string_view name, double value);
  XmlWriter& attribute(std::string_view name, bool value) {
    return attribute(name, value ? std::string_view("true") : std::string_view("false"));
  }
  XmlWriter& attribute(std::string_view name, const std::vector<std::size_t>& list);
  /// The text; every element has ended.
  [[nodiscard]] std::string finish() &&;

 private:
  void close_tag();

  std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::vector<std::string> open_;
  bool in_tag_ = false;
};

}  // namespace mti::fmi
