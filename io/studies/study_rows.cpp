#include "io/studies/study_rows.hpp"

#include <algorithm>
#include <utility>

#include "io/studies/kept_values.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/components/flatten.hpp"
#include "mti/source/overrides.hpp"

namespace mti {
namespace {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
}

/// A message on one line, as a cell needs it.
std::string on_one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20U) c = ' ';
  return text;
}

/// A plain model has the same names set in each run, so that no value of another run stays.
Model build_with(Composition& composition, const Overrides& values) {
  if (!composition.is_plain()) return build(composition, values);
  override_values(composition.own, values);
  return build(composition.own);
}

}  // namespace

std::vector<std::string> study_columns(const StudyPlan& plan) {
  std::vector<std::string> columns = {"run"};
  for (const StudyFactor& factor : plan.factors) columns.push_back(factor.name);
  for (const char* column : {"outcome", "end_time", "events"}) columns.emplace_back(column);
  for (const KeptQuantity& quantity : plan.kept) columns.push_back(quantity.name);
  columns.emplace_back("message");
  return columns;
}

std::vector<std::string> csv_cells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool inside_quotes = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && inside_quotes && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (line[i] == '"')
      inside_quotes = !inside_quotes;
    else if (line[i] == ',' && !inside_quotes)
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  return cells;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    line += csv_cell(cells[i]);
  }
  return line;
}

StudyWorker::StudyWorker(const StudyPlan& plan, const StudyPoints& points)
    : plan_(plan), points_(points), composition_(plan.model) {
  const auto& own = plan.model.own.inputs;
  has_tables_of_components_ = std::ranges::any_of(plan.factors, [&](const StudyFactor& factor) {
    return !factor.tables.empty() && std::ranges::find(own, factor.name, &InputSource::name) == own.end();
  });
}

/// The values of all that is set in a run, the common ones first, and those of the factors as cells.
Overrides StudyWorker::set_values(long run, std::vector<std::string>& cells) const {
  Overrides values = plan_.common;
  for (std::size_t j = 0; j < plan_.factors.size(); ++j) {
    const StudyFactor& factor = plan_.factors[j];
    if (factor.tables.empty()) {
      values.emplace_back(factor.name, points_.value(run, j));
      cells.push_back(text::format_number(values.back().second));
    } else {
      cells.push_back(factor.files[points_.level(run, j)]);
    }
  }
  return values;
}

/// Tables are put in their places, which they share with no other factor. Those of components have theirs once the model is
/// put together.
void StudyWorker::put_tables(long run, const Overrides& values) {
  if (has_tables_of_components_) composition_ = Composition{.own = flatten(plan_.model, values).source};
  for (std::size_t j = 0; j < plan_.factors.size(); ++j) {
    const StudyFactor& factor = plan_.factors[j];
    if (factor.tables.empty()) continue;
    auto& form = std::ranges::find(composition_.own.inputs, factor.name, &InputSource::name)->form;
    TableSource table = factor.tables[points_.level(run, j)];
    if (const auto* own = std::get_if<TableSource>(&form)) {  // how it is read stays as the model says
      table.interpolation = own->interpolation;
      table.repeat = own->repeat;
      table.start = own->start;
    }
    form = std::move(table);
  }
}

std::optional<StudyRow> StudyWorker::row(long run, std::stop_token stop) {
  StudyRow row{.cells = {std::to_string(run)}, .trajectory = {}};
  if (!plan_.trajectories.empty()) row.trajectory = RunTrajectory{.run = run};
  std::vector<std::string>& cells = row.cells;
  const Overrides values = set_values(run, cells);
  const auto refused = [&](const FaultError& error) {
    const Fault& fault = error.faults().front();
    cells.emplace_back("invalid_model");
    cells.resize(cells.size() + 2 + plan_.kept.size());
    cells.push_back(on_one_line(fault.pointer + ": " + fault.id + ": " + fault.message));
    return std::move(row);
  };
  try {
    put_tables(run, values);
    const Model model = build_with(composition_, values);
    SimulationOptions options = options_of_run(plan_, model);
    options.stop_token = std::move(stop);
    options.memory = &memory_;
    const Trajectory trajectory = simulate(model, options);
    const Outcome& outcome = trajectory.outcome;
    if (outcome.kind == OutcomeKind::interrupted) return std::nullopt;
    cells.push_back(to_string(outcome.kind));
    cells.push_back(text::format_number(outcome.end_time));
    cells.push_back(std::to_string(trajectory.statistics.events));
    for (const std::optional<double>& value : kept_values(plan_, model, trajectory))
      cells.push_back(value ? text::format_number(*value) : "");
    cells.push_back(outcome.kind == OutcomeKind::reached_stop ? "" : on_one_line(outcome.message));
    if (row.trajectory) row.trajectory = kept_trajectory(plan_, run, model, trajectory);
    return row;
  } catch (const InvalidModel& invalid) {
    return refused(invalid);
  } catch (const InvalidOption& invalid) {  // where the experiment depends on parameters
    return refused(invalid);
  }
}

}  // namespace mti
