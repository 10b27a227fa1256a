#include "io/studies/study_report.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/studies/study_rows.hpp"
#include "io/studies/svg_plot.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"

namespace mti {
namespace {

constexpr long most_failures = 100;
constexpr std::size_t most_dots = 1000;
constexpr std::size_t most_pictured_factors = 12;

const char* const page_style = R"(
:root { color-scheme: light dark; --text: #1d2733; --muted: #5a6775; --line: #d5dbe2; --card: #fff; --page: #f3f5f7; --blue: #2b6cb0; --red: #c0392b; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e8ee; --muted: #9aa7b4; --line: #3a4450; --card: #1e252d; --page: #14191f; --blue: #63a4e0; --red: #ef7d6f; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); margin: 0; }
main, header { max-width: 1120px; margin: 0 auto; padding: 0 16px; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 10px 16px; margin: 14px 0; }
h1 { font-size: 24px; margin: 18px 0 0; } h2 { font-size: 17px; margin: 4px 0; } p { margin: 4px 0; color: var(--muted); }
.plots { display: flex; flex-wrap: wrap; gap: 10px; } .plots svg { flex: 0 1 340px; min-width: 260px; }
svg text { fill: var(--muted); font-size: 10.5px; } .x, .label { text-anchor: middle; } .y { text-anchor: end; } svg .label { fill: var(--text); font-size: 12px; }
.grid { stroke: var(--line); } .bar { fill: var(--blue); } .dots { stroke: var(--blue); stroke-width: 3; stroke-linecap: round; stroke-opacity: .55; }
.mark { stroke: var(--red); stroke-width: 1.5; stroke-dasharray: 4 3; } .middle { fill: none; stroke: var(--blue); stroke-width: 2; } .band { fill: var(--blue); fill-opacity: .22; }
.share { display: grid; grid-template-columns: max-content 1fr max-content; gap: 2px 10px; align-items: center; font-size: 13px; max-width: 560px; margin: 6px 0; }
.share div { background: var(--blue); height: 12px; border-radius: 2px; min-width: 1px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; } th, td { text-align: left; padding: 3px 12px 3px 0; border-bottom: 1px solid var(--line); }
)";

std::string six_digits(double value) { return html_text(text::format_number(value, 6)); }

/// Bars of equal width; one for each whole number where values are few of these.
std::string histogram(const std::string& name, const QuantityColumn& column, const QuantitySummary& summary) {
  constexpr double most_bars = 40;
  const SampleMoments& moments = summary.moments;
  const bool whole = std::ranges::all_of(column.values, [](double v) { return v == std::floor(v); }) &&
                     moments.maximum - moments.minimum < most_bars;
  const double bars =
      moments.maximum == moments.minimum ? 1.0
      : whole                            ? moments.maximum - moments.minimum + 1.0
              : std::clamp(std::ceil(std::sqrt(static_cast<double>(moments.count))), 1.0, most_bars);
  const double width = whole ? 1.0 : bars == 1.0 ? 0.1 : (moments.maximum - moments.minimum) / bars;
  const double begin = whole ? moments.minimum - 0.5 : bars == 1.0 ? moments.minimum - 0.05 : moments.minimum;
  std::vector<double> counts(at(static_cast<long>(bars)), 0.0);
  for (const double value : column.values)
    counts[std::min(static_cast<std::size_t>((value - begin) / width), counts.size() - 1)] += 1.0;
  SvgPlot plot({begin, begin + bars * width}, {0.0, 1.05 * *std::ranges::max_element(counts)}, name);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double left = begin + static_cast<double>(k) * width;
    if (counts[k] > 0.0) plot.bar(left, left + width, counts[k]);
  }
  for (const auto& [order, value] : summary.quantiles)
    plot.mark(value, "quantile " + text::format_number(order, 6) + ": " + text::format_number(value, 6));
  return plot.svg("Histogram of " + name);
}

/// At most so many of them, evenly taken.
std::vector<std::size_t> some_of(std::size_t count, std::size_t most) {
  std::vector<std::size_t> taken;
  const std::size_t number = std::min(count, most);
  for (std::size_t k = 0; k < number; ++k) taken.push_back(k * count / number);
  return taken;
}

std::string shares(const StudyPlan& plan, const std::vector<double>& parts, const std::string& title) {
  std::vector<std::pair<double, std::string>> bars;
  for (std::size_t j = 0; j < parts.size(); ++j) bars.emplace_back(parts[j], plan.factors[j].name);
  std::ranges::stable_sort(bars, std::greater<>(), [](const auto& bar) { return bar.first; });
  std::string html = "<p>" + title + "</p><div class=\"share\">";
  for (const auto& [share, name] : bars)
    html += "<span>" + html_text(name) +
            "</span><div style=\"width:" + text::format_number(100 * std::clamp(share, 0.0, 1.0), 4) +
            "%\"></div><span>" + text::format_number(share, 3) + "</span>";
  return html + "</div>";
}

}  // namespace

void StudyReport::add_failure(std::vector<std::string> cells) {
  if (++failure_count_ <= most_failures) failures_.push_back(std::move(cells));
}

void StudyReport::add(const KeptQuantity& quantity, const QuantityColumn& column,
                      const QuantitySummary& summary) {
  sections_ += "<section><h2>" + html_text(quantity.name) + "</h2>";
  if (column.values.empty()) {
    sections_ += "<p>no run has it</p></section>\n";
    return;
  }
  const SampleMoments& moments = summary.moments;
  sections_ += "<p>" + std::to_string(moments.count) + " runs, mean " + six_digits(moments.mean) +
               ", standard deviation " + six_digits(moments.deviation) + ", from " +
               six_digits(moments.minimum) + " to " + six_digits(moments.maximum) + "</p>";
  if (!summary.first_order.empty())
    sections_ +=
        shares(plan_, summary.first_order, "Part of the variance that each factor explains by itself");
  if (!summary.total.empty())
    sections_ += shares(plan_, summary.total,
                        "Part of the variance that each factor explains by itself and together with others");
  if (!summary.first_order_note.empty())
    sections_ += "<p>Influence of factors " + html_text(summary.first_order_note) + "</p>";
  sections_ += "<div class=\"plots\">" + histogram(quantity.name, column, summary);
  const std::vector<std::size_t> taken = some_of(column.values.size(), most_dots);
  std::vector<long> runs;
  for (const std::size_t k : taken) runs.push_back(column.runs[k]);
  for (std::size_t j = 0; j < std::min(plan_.factors.size(), most_pictured_factors); ++j) {
    const std::vector<double> x = factor_values(plan_, points_, j, runs);
    const auto [least, greatest] = std::ranges::minmax(x);
    SvgPlot plot({least, greatest}, {moments.minimum, moments.maximum}, plan_.factors[j].name);
    std::vector<SvgPlot::Point> points;
    for (std::size_t k = 0; k < taken.size(); ++k) points.emplace_back(x[k], column.values[taken[k]]);
    plot.dots(points);
    sections_ += plot.svg(quantity.name + " over " + plan_.factors[j].name);
  }
  sections_ += "</div></section>\n";
  if (quantity.kind != KeptQuantity::Kind::value_at) return;
  auto fan = std::ranges::find(fans_, quantity.signal, [](const auto& entry) { return entry.first; });
  if (fan == fans_.end()) fan = fans_.insert(fans_.end(), {quantity.signal, {}});
  fan->second.push_back({quantity.time, summary.quantiles});
}

/// Bands between a quantile and its counterpart from the other end, the outermost first, and the line in the middle.
std::string StudyReport::fans() const {
  std::string html;
  for (auto [signal, points] : fans_) {
    if (points.size() < 2 || points.front().quantiles.empty()) continue;
    std::ranges::sort(points, {}, &FanPoint::time);
    for (FanPoint& point : points) std::ranges::sort(point.quantiles);
    const std::size_t orders = points.front().quantiles.size();
    double low = points.front().quantiles.front().second, high = low;
    for (const FanPoint& point : points) {
      low = std::min(low, point.quantiles.front().second);
      high = std::max(high, point.quantiles.back().second);
    }
    SvgPlot plot({points.front().time, points.back().time}, {low, high}, signal + " over time");
    const auto line_of = [&points = points](std::size_t order) {
      std::vector<SvgPlot::Point> line;
      for (const FanPoint& point : points) line.emplace_back(point.time, point.quantiles[order].second);
      return line;
    };
    for (std::size_t k = 0; 2 * k + 1 < orders; ++k) {
      std::vector<SvgPlot::Point> outline = line_of(k), above = line_of(orders - 1 - k);
      outline.insert(outline.end(), above.rbegin(), above.rend());
      plot.area(outline, "band");
    }
    if (orders % 2 == 1) plot.line(line_of(orders / 2), "middle");
    html += plot.svg("Quantiles of " + signal + " over time");
  }
  return html.empty()
             ? html
             : "<section><h2>Quantiles over time</h2><div class=\"plots\">" + html + "</div></section>\n";
}

std::string StudyReport::failure_table() const {
  if (failures_.empty()) return {};
  const std::vector<std::string> columns = study_columns(plan_);
  const std::size_t factors = plan_.factors.size();
  const auto shown = [&](std::size_t column) {  // run, factors, outcome, end_time; message
    return column < factors + 3 || column + 1 == columns.size();
  };
  const auto row_of = [&](const std::vector<std::string>& cells, const std::string& tag) {
    std::string row = "<tr>";
    for (std::size_t i = 0; i < columns.size() && i < cells.size(); ++i)
      if (shown(i)) row += "<" + tag + ">" + html_text(cells[i]) + "</" + tag + ">";
    return row + "</tr>";
  };
  std::string html = "<section><h2>Runs that ended early</h2><p>" + std::to_string(failure_count_) +
                     (failure_count_ > most_failures ? ", the first 100 of them" : "") +
                     "</p><div class=\"scroll\"><table>" + row_of(columns, "th");
  for (const std::vector<std::string>& cells : failures_) html += row_of(cells, "td");
  return html + "</table></div></section>\n";
}

std::string_view study_page_style() { return page_style; }

std::string StudyReport::html(const std::string& ends, bool explored) const {
  const std::string title = html_text(plan_.name.empty() ? "Study" : plan_.name);
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\"><meta " +
         std::string(study_pages_mark) + "><title>" + title + "</title><style>" + page_style +
         "</style></head>\n<body><header><h1>" + title + "</h1><p>" +
         html_text(std::string(to_string(plan_.design))) + "; " + html_text(ends) + "</p>" +
         (explored ? "<p><a href=\"what_if.html\">What if: between the runs of the grid</a></p>" : "") +
         "</header><main>\n" + fans() + sections_ + failure_table() + "</main></body></html>\n";
}

}  // namespace mti
