#include "io/studies/study_results.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "io/files/files.hpp"
#include "io/json/writer.hpp"
#include "io/studies/study_report.hpp"
#include "io/studies/study_rows.hpp"
#include "io/studies/study_summary.hpp"
#include "io/studies/what_if_page.hpp"
#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"

namespace mti {
namespace {

void append_summary(json::Writer& out, const StudyPlan& plan, const std::string& name,
                    const QuantitySummary& summary) {
  out.begin_object();
  out.member("name", name).member("count", static_cast<long>(summary.moments.count));
  if (summary.moments.count > 0) {
    const SampleMoments& moments = summary.moments;
    out.member("mean", moments.mean).member("deviation", moments.deviation);
    out.member("minimum", moments.minimum).member("maximum", moments.maximum);
    out.key("quantiles").begin_array(json::in_line);
    for (const auto& [order, value] : summary.quantiles)
      out.begin_array(json::in_line).value(order).value(value).end_array();
    out.end_array();
  }
  const auto add_shares = [&](const char* key, const std::vector<double>& shares) {
    if (shares.empty()) return;
    out.key(key).begin_object(json::in_line);
    for (std::size_t j = 0; j < shares.size(); ++j) out.member(plan.factors[j].name, shares[j]);
    out.end_object();
  };
  add_shares("first_order", summary.first_order);
  add_shares("total", summary.total);
  if (!summary.first_order_note.empty()) out.member("first_order_note", summary.first_order_note);
  out.end_object();
}

class ResultWriter {
 public:
  ResultWriter(const StudyPlan& plan, const StudyPoints& points, JournalRows& rows,
               const std::optional<StudyShard>& shard, StudyPage page)
      : plan_(plan), points_(points), rows_(rows), shard_(shard), page_(page), report_(plan, points) {}

  StudyEnd write(const std::filesystem::path& directory) {
    const std::array<std::string, 4> names = {study_table_name, study_summary_name, study_page_name,
                                              what_if_page_name};
    StagedFiles files(directory, names);
    write_table(files);
    files.append(study_summary_name, summary());
    files.publish();  // before the page, which there may be no room for
    std::vector<std::string> superseded;
    for (const char* page : {study_page_name, what_if_page_name})
      if (begins_with(directory / page, study_pages_mark)) superseded.emplace_back(page);
    if (page_ == StudyPage::written) {
      const std::optional<std::string> what_if = what_if_page(plan_, rows_);
      files.append(study_page_name, report_.html(how_runs_ended(end_), what_if.has_value()));
      if (what_if) files.append(what_if_page_name, *what_if);
    }
    files.publish(superseded);
    return std::move(end_);
  }

 private:
  [[nodiscard]] bool is_ours(long run) const { return !shard_ || shard_->has(run); }

  void write_table(StagedFiles& files) {
    constexpr std::size_t block = 1 << 20;
    const std::vector<std::string> columns = study_columns(plan_);
    std::string text = csv_line(columns) + '\n';
    for (long run = 0; run < rows_.runs(); ++run) {
      if (!is_ours(run)) continue;
      ++end_.runs;
      if (!rows_.has(run)) continue;
      ++end_.done;
      const std::string row = rows_.row(run);
      const std::vector<std::string> cells = csv_cells(row);
      if (cells.size() == columns.size()) {
        const std::string& outcome = cells[1 + plan_.factors.size()];
        ++end_.outcomes[outcome];
        if (outcome != to_string(OutcomeKind::reached_stop)) report_.add_failure(cells);
      }
      text.append(row).append(1, '\n');
      if (text.size() < block) continue;
      files.append(study_table_name, text);
      text.clear();
    }
    files.append(study_table_name, text);
  }

  std::string summary() {
    json::Writer out;
    out.begin_object().member("format", "mti-study-results").member("version", 1);
    out.member("name", plan_.name).member("design", std::string_view(to_string(plan_.design)));
    if (plan_.design != StudyDesign::grid && plan_.design != StudyDesign::list)
      out.member("seed", static_cast<long>(plan_.seed));
    if (shard_) out.member("shard", std::to_string(shard_->part) + "/" + std::to_string(shard_->parts));
    out.member("runs", end_.runs).member("done", end_.done).member("complete", end_.is_complete());
    out.key("outcomes").begin_object();
    for (const auto& [outcome, count] : end_.outcomes) out.member(outcome, count);
    out.end_object();
    std::vector<std::string> names;
    for (const StudyFactor& factor : plan_.factors) names.push_back(factor.name);
    json::write_names(out, "factors", names);
    std::vector<std::string> tables;  // whose values are names of files
    for (const StudyFactor& factor : plan_.factors)
      if (!factor.files.empty()) tables.push_back(factor.name);
    if (!tables.empty()) json::write_names(out, "tables", tables);
    out.key("quantities").begin_array();
    constexpr long most_numbers = 4'000'000;  // 64 MB with the runs they belong to
    const std::size_t at_once = at(std::max(1L, most_numbers / std::max(rows_.runs(), 1L)));
    for (std::size_t first = 0; first < plan_.kept.size(); first += at_once) {
      const std::size_t count = std::min(at_once, plan_.kept.size() - first);
      const std::vector<QuantityColumn> columns = columns_from(first, count);
      for (std::size_t k = 0; k < count; ++k) {
        const KeptQuantity& quantity = plan_.kept[first + k];
        const QuantitySummary summary = summary_of(plan_, points_, columns[k], end_.done);
        append_summary(out, plan_, quantity.name, summary);
        if (page_ == StudyPage::written) report_.add(quantity, columns[k], summary);
      }
    }
    out.end_array().end_object();
    return std::move(out).finish();
  }

  std::vector<QuantityColumn> columns_from(std::size_t first, std::size_t count) {
    constexpr std::size_t fixed_columns = 4;  // run, outcome, end_time, events
    const std::size_t before = fixed_columns + plan_.factors.size() + first;
    std::vector<QuantityColumn> columns(count);
    for (long run = 0; run < rows_.runs(); ++run) {
      if (!is_ours(run) || !rows_.has(run)) continue;
      const std::vector<std::string> cells = csv_cells(rows_.row(run));
      for (std::size_t k = 0; k < count && before + k < cells.size(); ++k) {
        const std::string& cell = cells[before + k];
        double value = 0.0;
        if (std::from_chars(cell.data(), cell.data() + cell.size(), value).ec != std::errc()) continue;
        columns[k].runs.push_back(run);
        columns[k].values.push_back(value);
      }
    }
    return columns;
  }

  const StudyPlan& plan_;
  const StudyPoints& points_;
  JournalRows& rows_;
  const std::optional<StudyShard>& shard_;
  StudyPage page_;
  StudyReport report_;
  StudyEnd end_;
};

}  // namespace

StudyEnd write_study_results(const std::filesystem::path& directory, const StudyPlan& plan,
                             const StudyPoints& points, JournalRows& rows,
                             const std::optional<StudyShard>& shard, StudyPage page) {
  return ResultWriter(plan, points, rows, shard, page).write(directory);
}

std::string how_runs_ended(const StudyEnd& end) {
  std::vector<std::pair<std::string, long>> outcomes(end.outcomes.begin(), end.outcomes.end());
  std::ranges::stable_sort(outcomes, std::greater<>(), [](const auto& outcome) { return outcome.second; });
  std::vector<std::string> words;
  for (const auto& [outcome, count] : outcomes) words.push_back(std::to_string(count) + " " + outcome);
  return std::to_string(end.done) + " of " + counted(end.runs, "run") +
         (words.empty() ? "" : ": " + joined(words));
}

}  // namespace mti
