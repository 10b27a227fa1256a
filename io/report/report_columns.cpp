#include "io/report/report_columns.hpp"

#include <algorithm>
#include <utility>

#include "io/report/report_text.hpp"
#include "mti/common/at.hpp"

namespace mti {
namespace {

constexpr std::size_t values_of_a_page = 3'000'000, least_whole = 6, stretches = 1'300, most_thinned = 600;

/// What a column of the trajectory is; group "" for an auxiliary signal.
ReportColumn describe(const Signature& signature, int row) {
  const auto of = [](const char* group, const Signal& signal) {
    return ReportColumn{.name = signal.name, .unit = signal.unit, .group = signal.auxiliary ? "" : group};
  };
  if (row < signature.state_row(0)) return {.name = signature.row_name(row), .group = "derivative"};
  if (row < signature.input_row(0)) return of("state", signature.states()[at(row - signature.state_row(0))]);
  if (row < signature.algebraic_row(0))
    return of("input", signature.inputs()[at(row - signature.input_row(0))]);
  if (row < signature.binary_row(0))
    return of("algebraic", signature.algebraic()[at(row - signature.algebraic_row(0))]);
  return {.name = signature.row_name(row), .group = "binary", .held = Held::changes};
}

/// Rows that stand for a column: those where it changes, or some of every stretch.
template <typename Value>
std::vector<std::size_t> held_rows(Held held, std::size_t count, const Value& value) {
  std::vector<std::size_t> rows;
  if (held == Held::changes) {
    for (std::size_t row = 0; row < count; ++row)
      if (row == 0 || value(row) != value(row - 1)) rows.push_back(row);
    return rows;
  }
  const std::size_t length = (count + stretches - 1) / stretches;
  for (std::size_t first = 0; first < count; first += length) {
    std::size_t least = first, greatest = first;
    for (std::size_t row = first; row < std::min(count, first + length); ++row) {
      if (value(row) < value(least)) least = row;
      if (value(row) > value(greatest)) greatest = row;
    }
    for (const std::size_t row : {first, std::min(least, greatest), std::max(least, greatest)})
      if (rows.empty() || row > rows.back()) rows.push_back(row);
  }
  if (count > 0 && rows.back() != count - 1) rows.push_back(count - 1);
  return rows;
}

/// Whether thinning a run saves enough.
bool is_long(std::size_t rows) { return rows > 4 * stretches; }

/// Signals held whole.
std::size_t whole_signals(std::size_t rows) {
  return std::max(least_whole, values_of_a_page / std::max<std::size_t>(1, rows));
}

}  // namespace

Held held_in_page(std::size_t rows, std::size_t signals_before) {
  return is_long(rows) && signals_before >= whole_signals(rows) ? Held::thinned : Held::whole;
}

std::size_t most_signals(std::size_t rows) {
  return whole_signals(rows) + (is_long(rows) ? most_thinned : 0);
}

void append_held(std::string& text, Held held, std::size_t count,
                 const std::function<double(std::size_t row)>& value) {
  if (held == Held::whole) {
    append_numbers(text, count, value);
    return;
  }
  const std::vector<std::size_t> rows = held_rows(held, count, value);
  text += held == Held::thinned ? R"({"thinned":true,"rows":)" : R"({"rows":)";
  append_numbers(text, rows.size(), [&](std::size_t i) { return static_cast<double>(rows[i]); });
  text += ",\"values\":";
  append_numbers(text, rows.size(), [&](std::size_t i) { return value(rows[i]); });
  text += '}';
}

ReportColumns report_columns(const Model& model, const Trajectory& like) {
  const Signature& signature = model.signature;
  std::vector<ReportColumn> signals, lanes;
  for (std::size_t c = 0; c < like.columns(); ++c) {
    ReportColumn column = describe(signature, like.rows_of_S()[c]);
    if (*column.group == '\0') continue;
    column.name = like.names()[c];
    column.column = static_cast<int>(c);
    (column.held == Held::changes ? lanes : signals).push_back(std::move(column));
  }
  for (int i = 0; i < signature.m(); ++i) {
    const Signal& input = signature.inputs()[at(i)];
    if (input.auxiliary || std::ranges::count(like.rows_of_S(), signature.input_row(i)) > 0) continue;
    ReportColumn column = {.name = input.name, .unit = input.unit, .group = "input", .input = i};
    if (input.binary) {
      column.group = "binary input";
      column.held = Held::changes;
    }
    (input.binary ? lanes : signals).push_back(std::move(column));
  }
  ReportColumns chosen;
  chosen.shown = std::move(signals);
  chosen.shown.insert(chosen.shown.end(), lanes.begin(), lanes.end());
  return chosen;
}

}  // namespace mti
