#include "io/orbits/branch_page.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "io/orbits/write_branch.hpp"
#include "io/studies/study_report.hpp"
#include "io/studies/svg_plot.hpp"
#include "mti/common/number.hpp"

namespace mti {
namespace {

using Kind = BranchPoint::Kind;
using ValueOf = std::function<double(const BranchPoint&)>;

/// Pictures of more states would not be looked at; the table has all of them.
constexpr std::size_t most_pictured_states = 24;

/// The circle is at 1; beside a grazing multipliers grow without bound.
constexpr double largest_pictured_multiplier = 3.0;

const char* const line_style = R"(
.stable, .unstable { fill: none; stroke: var(--blue); stroke-width: 2; } .unstable { stroke-dasharray: 2 4; }
figure { flex: 1 1 480px; min-width: 260px; margin: 0; } figcaption { font-weight: 600; }
)";

SvgPlot::Range range_of(const OrbitBranch& branch, const std::vector<ValueOf>& values) {
  SvgPlot::Range range{HUGE_VAL, -HUGE_VAL};
  for (const BranchPoint& point : branch.points)
    for (const ValueOf& value : values) {
      range.low = std::min(range.low, value(point));
      range.high = std::max(range.high, value(point));
    }
  const double margin = 0.05 * (range.high - range.low);
  return {range.low - margin, range.high + margin};
}

/// Lines along the branch, in pieces between which the stability changes.
void draw(SvgPlot& plot, const OrbitBranch& branch, const ValueOf& value) {
  std::vector<SvgPlot::Point> piece;
  bool stable = true;
  const auto finish = [&] {
    if (piece.size() > 1) plot.line(piece, stable ? "stable" : "unstable");
  };
  for (const BranchPoint& point : branch.points) {
    const SvgPlot::Point place{point.parameter, value(point)};
    // What happens at a point belongs to both sides.
    if (point.kind == Kind::regular && !piece.empty() && point.stable != stable) {
      finish();
      piece = {piece.back()};
    }
    if (point.kind == Kind::regular) stable = point.stable;
    piece.push_back(place);
  }
  finish();
}

std::string picture(const Model& model, const OrbitBranch& branch, const std::string& title,
                    const std::vector<ValueOf>& values) {
  const auto [least, greatest] = std::ranges::minmax(branch.points, {}, &BranchPoint::parameter);
  SvgPlot plot({least.parameter, greatest.parameter}, range_of(branch, values), branch.parameter);
  for (const BranchPoint& point : branch.points)
    if (point.kind != Kind::regular)
      plot.mark(point.parameter,
                special_text(model, point) + " at " + text::format_number(point.parameter, 8));
  for (const ValueOf& value : values) draw(plot, branch, value);
  return "<figure><figcaption>" + html_text(title) + "</figcaption>" +
         plot.svg(title + " over " + branch.parameter) + "</figure>\n";
}

std::string multipliers(const Model& model, const OrbitBranch& branch) {
  std::vector<ValueOf> magnitudes;
  for (std::size_t k = 0; k < branch.points.front().multipliers.size(); ++k)
    magnitudes.emplace_back([k](const BranchPoint& point) {
      return std::min(std::abs(point.multipliers[k]), largest_pictured_multiplier);
    });
  return picture(model, branch, "Magnitudes of the Floquet multipliers, up to 3", magnitudes);
}

std::string table(const Model& model, const OrbitBranch& branch) {
  std::string html = "<section><h2>What happens</h2><div class=\"scroll\"><table><tr><th>" +
                     html_text(branch.parameter) + "</th><th>what</th><th>period</th></tr>";
  bool any = false;
  for (const BranchPoint& point : branch.points) {
    if (point.kind == Kind::regular) continue;
    any = true;
    html += "<tr><td>" + html_text(text::format_number(point.parameter, 10)) + "</td><td>" +
            html_text(special_text(model, point)) + "</td><td>" +
            html_text(text::format_number(point.period, 10)) + "</td></tr>";
  }
  return any ? html + "</table></div></section>\n"
             : "<section><h2>What happens</h2><p>nothing on the way</p></section>\n";
}

}  // namespace

std::string branch_page(const Model& model, const OrbitBranch& branch) {
  const std::string title =
      html_text((model.name.empty() ? "Orbits" : model.name) + " over " + branch.parameter);
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><meta name=\"generator\" content=\"mti "
      "orbit\"><title>" +
      title + "</title><style>" + std::string(study_page_style()) + line_style +
      "</style></head>\n<body><header><h1>" + title +
      "</h1><p>Periodic orbits along a branch: full lines are stable, dotted ones are not; vertical lines "
      "are in the table.</p>";
  if (!branch.message.empty()) html += "<p>" + html_text(branch.message) + "</p>";
  html += "</header><main>\n" + table(model, branch) + "<section><h2>Diagrams</h2><div class=\"plots\">\n";
  const std::vector<Signal>& states = model.signature.states();
  for (std::size_t i = 0; i < std::min(states.size(), most_pictured_states); ++i)
    html += picture(model, branch, "Lowest and highest " + states[i].name,
                    {[i](const BranchPoint& point) { return point.lowest[i]; },
                     [i](const BranchPoint& point) { return point.highest[i]; }});
  html += picture(model, branch, "Period", {[](const BranchPoint& point) { return point.period; }});
  html += multipliers(model, branch);
  return html + "</div></section></main></body></html>\n";
}

}  // namespace mti
