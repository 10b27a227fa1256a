#include "io/studies/what_if_page.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "io/json/writer.hpp"
#include "io/report/report_files.hpp"
#include "io/studies/study_report.hpp"
#include "io/studies/study_rows.hpp"
#include "mti/common/at.hpp"

namespace mti {
namespace {

/// 4 MB of text, which a browser shows at once.
constexpr long most_numbers = 250'000;
/// A cell of the grid has 2ⁿ corners.
constexpr std::size_t most_factors = 8;

bool is_whole_grid(const StudyPlan& plan, const JournalRows& rows) {
  return plan.design == StudyDesign::grid && plan.factors.size() <= most_factors && !plan.kept.empty() &&
         rows.count() == plan.runs && plan.runs <= most_numbers / static_cast<long>(plan.kept.size());
}

/// Values between the levels have a meaning.
bool can_go_between(const std::vector<double>& levels) {
  return std::ranges::adjacent_find(levels, std::greater_equal<>()) == levels.end() ||
         std::ranges::adjacent_find(levels, std::less_equal<>()) == levels.end();
}

/// As scripts know the kinds that they tell apart.
std::string_view kind_word(KeptQuantity::Kind kind) {
  switch (kind) {
    case KeptQuantity::Kind::value_at:
      return "value_at";
    case KeptQuantity::Kind::event_count:
      return "event_count";
    case KeptQuantity::Kind::event_time:
      return "event_time";
    default:
      return "number";
  }
}

/// "rise(z)" of "count(rise(z))" and of "time(rise(z)#2)".
std::string event_of(const std::string& name) {
  const std::size_t begin = name.find('(') + 1, end = std::min(name.rfind('#'), name.size() - 1);
  return name.substr(begin, end - begin);
}

/// Numbers as they stand in the table; `null` for a cell that is empty.
std::string numbers_of(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += (text.empty() ? "" : ",") + (cell.empty() ? "null" : cell);
  return text;
}

void write_factors(json::Writer& out, const StudyPlan& plan) {
  out.key("factors").begin_array();
  for (const StudyFactor& factor : plan.factors) {
    const bool has_words = !factor.files.empty();
    out.begin_object().member("name", factor.name);
    out.member("between", !has_words && can_go_between(factor.values));
    out.key("levels").begin_array(json::in_line);
    for (std::size_t level = 0; level < factor.levels(); ++level)
      out.value(has_words ? static_cast<double>(level) : factor.values[level]);
    out.end_array();
    if (has_words) json::write_names(out, "words", factor.files);
    out.end_object();
  }
  out.end_array();
}

void write_quantities(json::Writer& out, const StudyPlan& plan) {
  out.key("quantities").begin_array();
  for (const KeptQuantity& quantity : plan.kept) {
    out.begin_object().member("name", quantity.name).member("kind", kind_word(quantity.kind));
    if (quantity.kind == KeptQuantity::Kind::value_at)
      out.member("signal", quantity.signal).member("time", quantity.time);
    else if (kind_word(quantity.kind) != "number")
      out.member("event", event_of(quantity.name));
    out.end_object();
  }
  out.end_array();
}

/// The plan, and of each quantity the values of all runs.
std::string data_of(const StudyPlan& plan, JournalRows& rows) {
  constexpr std::size_t before = 4;  // run, outcome, end_time, events
  std::vector<std::string> outcomes;
  std::vector<std::string> ends(at(plan.runs));
  std::vector<std::vector<std::string>> columns(plan.kept.size(), std::vector<std::string>(at(plan.runs)));
  for (long run = 0; run < plan.runs; ++run) {
    const std::vector<std::string> cells = csv_cells(rows.row(run));
    const std::string& outcome = cells.at(1 + plan.factors.size());
    auto found = std::ranges::find(outcomes, outcome);
    if (found == outcomes.end()) found = outcomes.insert(outcomes.end(), outcome);
    ends[at(run)] = std::to_string(found - outcomes.begin());
    for (std::size_t k = 0; k < columns.size(); ++k)
      columns[k][at(run)] = cells.at(before + plan.factors.size() + k);
  }
  json::Writer out;
  out.begin_object().member("name", plan.name);
  write_factors(out, plan);
  write_quantities(out, plan);
  json::write_names(out, "outcomes", outcomes);
  out.end_object();
  std::string text = std::move(out).finish();
  text.erase(text.rfind('}'));
  text += ",\"outcome\":[" + numbers_of(ends) + "],\n\"values\":[\n";
  for (std::size_t k = 0; k < columns.size(); ++k)
    text += (k > 0 ? ",\n[" : "[") + numbers_of(columns[k]) + "]";
  return text + "]}";
}

/// Text may not end the element that it stands in.
std::string in_script(std::string text) {
  for (std::size_t place = text.find('<'); place != std::string::npos; place = text.find('<', place))
    text.replace(place, 1, "\\u003c");
  return text;
}

void fill(std::string& page, std::string_view name, const std::string& text) {
  page.replace(page.find(name), name.size(), text);
}

}  // namespace

std::optional<std::string> what_if_page(const StudyPlan& plan, JournalRows& rows) {
  if (!is_whole_grid(plan, rows)) return std::nullopt;
  std::string page(report_file("what_if.html"));
  fill(page, "@STYLE@", std::string(study_page_style()));
  fill(page, "@SCRIPT@", std::string(report_file("what_if.js")));
  fill(page, "@DATA@", in_script(data_of(plan, rows)));
  return page;
}

}  // namespace mti
