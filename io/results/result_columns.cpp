#include "io/results/result_columns.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/name_pattern.hpp"
#include "mti/source/declarations.hpp"

namespace mti {
namespace {

/// All columns that results may have.
std::vector<ResultColumns::Column> all_columns(const Model& model) {
  const Signature& signature = model.signature;
  std::vector<ResultColumns::Column> columns;
  const auto add = [&](const std::vector<Signal>& signals, std::string_view kind) {
    for (std::size_t i = 0; i < signals.size(); ++i) {
      if (signals[i].auxiliary) continue;
      columns.push_back({.name = signals[i].name, .unit = signals[i].unit, .kind = kind});
      if (kind == "input") columns.back().input = static_cast<int>(i);
    }
  };
  add(signature.states(), "state");
  add(signature.inputs(), "input");
  add(signature.algebraic(), "algebraic");
  add(signature.binaries(), "binary");
  for (int i = 0; i < signature.n(); ++i)
    if (!signature.states()[at(i)].auxiliary)
      columns.push_back({.name = signature.row_name(signature.derivative_row(i)), .kind = "derivative"});
  return columns;
}

bool is_chosen(const ResultColumns::Column& column, const ResultSelection& selection) {
  if (selection.signals.empty()) return column.kind != "derivative";
  return std::ranges::any_of(selection.signals,
                             [&](const std::string& pattern) { return fits(column.name, pattern); });
}

}  // namespace

ResultColumns::ResultColumns(const Model& model, const Trajectory& like, const ResultSelection& selection) {
  std::unordered_map<std::string_view, int> place;
  for (std::size_t i = 0; i < like.names().size(); ++i) place.emplace(like.names()[i], static_cast<int>(i));
  for (Column& column : all_columns(model)) {
    if (const auto recorded = place.find(column.name); recorded != place.end())
      column.recorded = recorded->second;
    const bool has_input = column.input >= 0 && at(column.input) < like.inputs();
    if ((column.recorded >= 0 || has_input) && is_chosen(column, selection))
      columns_.push_back(std::move(column));
  }
}

std::vector<std::string> ResultColumns::names() const {
  std::vector<std::string> names;
  for (const Column& column : columns_) names.push_back(column.name);
  return names;
}

void ResultColumns::read(const Trajectory& part, std::size_t row, std::span<double> values) const {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    values[i] = columns_[i].recorded >= 0 ? part.value(row, at(columns_[i].recorded))
                                          : part.input(row, at(columns_[i].input));
}

std::vector<ResultColumns::Column> chosen_columns(const Model& model, const ResultSelection& selection) {
  std::vector<ResultColumns::Column> columns = all_columns(model);
  std::erase_if(columns, [&](const ResultColumns::Column& column) { return !is_chosen(column, selection); });
  return columns;
}

bool has_rates(const std::vector<ResultColumns::Column>& columns) {
  return std::ranges::any_of(columns,
                             [](const ResultColumns::Column& column) { return column.kind == "derivative"; });
}

bool wants_rates(const Model& model, const ResultSelection& selection) {
  std::vector<std::string> names;
  for (const ResultColumns::Column& column : all_columns(model)) names.push_back(column.name);
  std::vector<Fault> faults;
  for (const std::string& pattern : selection.signals)
    if (std::ranges::none_of(names, [&](const std::string& name) { return fits(name, pattern); }))
      faults.push_back({"unknown-signal", "",
                        "no state, input, algebraic signal, binary or derivative fits \"" + pattern + "\"" +
                            did_you_mean(pattern, names)});
  if (!faults.empty()) throw InvalidOption(std::move(faults));
  return has_rates(chosen_columns(model, selection));
}

}  // namespace mti
