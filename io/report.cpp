#include "io/report.hpp"

#include <ostream>
#include <string>
#include <string_view>

#include "io/report_data.hpp"
#include "io/report_files.hpp"

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

void write_report(std::ostream& out, const Model& model, const Trajectory& trajectory,
                  const Structure& structure, const SimulationOptions& options) {
  constexpr std::string_view open = "{{", close = "}}";
  std::string_view rest = report_file("template.html");
  for (auto place = rest.find(open); place != std::string_view::npos; place = rest.find(open)) {
    out << rest.substr(0, place);
    rest.remove_prefix(place + open.size());
    const auto end = rest.find(close);
    const auto what = rest.substr(0, end);
    rest.remove_prefix(end + close.size());
    if (what == "title") {
      out << as_html_text(model.name);
    } else if (what == "data") {
      out << report_data(model, trajectory, structure, options);
    } else {
      out << report_file(what);
    }
  }
  out << rest;
}

}  // namespace mti
