#include "io/report/report_template.hpp"

#include <ostream>

#include "io/report/report_files.hpp"

namespace mti {
namespace {

std::string as_html_text(std::string_view text) {
  std::string html;
  for (const char character : text) {
    switch (character) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      default:
        html += character;
    }
  }
  return html;
}

}  // namespace

void fill_template(std::ostream& out, const std::string& title, std::string_view data) {
  constexpr std::string_view open = "{{", close = "}}";
  std::string_view rest = report_file("template.html");
  for (auto place = rest.find(open); place != std::string_view::npos; place = rest.find(open)) {
    out << rest.substr(0, place);
    rest.remove_prefix(place + open.size());
    const auto end = rest.find(close);
    const auto what = rest.substr(0, end);
    rest.remove_prefix(end + close.size());
    if (what == "title") {
      out << as_html_text(title);
    } else if (what == "data") {
      out << data;
    } else {
      out << report_file(what);
    }
  }
  out << rest;
}

}  // namespace mti
