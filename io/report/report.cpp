#include "io/report/report.hpp"

#include <ostream>
#include <string>
#include <string_view>

#include "io/report/report_data.hpp"
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

/// The template with the files it names, the title and the data in their places.
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

}  // namespace

void write_report(std::ostream& out, const Model& model, const Trajectory& trajectory,
                  const Structure& structure, const SimulationOptions& options,
                  const ReportContext& context) {
  fill_template(out, model.name, report_data(model, trajectory, structure, options, context));
}

void write_structure_report(std::ostream& out, const Model& model, const Structure& structure,
                            const ReportContext& context) {
  fill_template(out, model.name, structure_report_data(model, structure, context));
}

}  // namespace mti
