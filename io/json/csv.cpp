#include "io/json/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "io/json/utf8.hpp"
#include "io/json/value.hpp"
#include "mti/common/at.hpp"
#include "mti/model/signature.hpp"

namespace mti {
namespace {

using json::in_quotes;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Cuts the next line off `text`.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// The cells of a line; a cell in double quotes may hold separators, and "" for a quote.
std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> cells(1);
  bool inside_quotes = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (inside_quotes && i + 1 < line.size() && line[i + 1] == '"')
        cells.back() += line[++i];
      else
        inside_quotes = !inside_quotes;
    } else if (line[i] == separator && !inside_quotes) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  for (std::string& cell : cells) cell = std::string(trimmed(cell));
  return cells;
}

std::optional<double> to_number(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
  if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& file, const std::string& pointer,
            std::vector<Fault>& faults, Quote quote)
      : text_(text), file_(file), pointer_(pointer), faults_(faults), quote_(quote) {}

  CsvColumn read(const std::string& column) {
    text_ = without_byte_order_mark(text_);
    if (!next_line()) {
      fault("csv-empty", "the file is empty, expected a header line of names and lines of numbers");
      return {};
    }
    separator_ = separator_of(line_);
    const std::vector<std::string> names = split(line_, separator_);
    cells_per_row_ = names.size();
    const auto wanted = find_column(names, column);
    if (!wanted) return {};
    CsvColumn result;
    while (next_line() && reported_ < most_faults) read_row(*wanted, column, result);
    if (result.time.empty() && reported_ == 0)
      fault("csv-empty", "there are no lines of numbers below the header");
    return result;
  }

 private:
  static constexpr int most_faults = 10;

  bool next_line() {
    while (!text_.empty()) {
      line_ = trimmed(take_line(text_));
      ++line_number_;
      if (!line_.empty()) return true;
    }
    return false;
  }

  void fault(const char* id, const std::string& message) {
    const std::string where = line_number_ > 0 ? ", line " + std::to_string(line_number_) : "";
    faults_.push_back({id, pointer_, file_ + where + ": " + message});
    ++reported_;
  }

  std::optional<std::size_t> find_column(const std::vector<std::string>& names, const std::string& column) {
    const auto found = std::find(names.begin(), names.end(), column);
    if (found == names.end()) {
      if (quote_ == Quote::no) {
        fault("csv-column", "there is no column " + in_quotes(column));
        return std::nullopt;
      }
      const std::string suggestion = closest_name(column, names);
      std::string list;
      for (const std::string& name : names) list += (list.empty() ? "" : ", ") + in_quotes(name);
      fault("csv-column", "there is no column " + in_quotes(column) +
                              (suggestion.empty() ? "; columns: " + list
                                                  : "; did you mean " + in_quotes(suggestion) + "?"));
      return std::nullopt;
    }
    if (std::find(found + 1, names.end(), column) != names.end()) {
      fault("csv-column", "there are several columns " + in_quotes(column) + ", expected one");
      return std::nullopt;
    }
    return at(found - names.begin());
  }

  void read_row(std::size_t wanted, const std::string& column, CsvColumn& result) {
    std::string_view time_cell, value_cell, rest = line_;
    std::size_t cells = 0;
    for (bool more = true; more; ++cells) {
      const std::size_t end = rest.find(separator_);
      const std::string_view cell = rest.substr(0, end);
      if (cells == 0) time_cell = cell;
      if (cells == wanted) value_cell = cell;
      more = end != std::string_view::npos;
      if (more) rest.remove_prefix(end + 1);
    }
    if (cells != cells_per_row_)
      return fault("csv-row", "found " + std::to_string(cells) + " cells, expected " +
                                  std::to_string(cells_per_row_) + " as in the header");
    const auto time = to_number(time_cell), value = to_number(value_cell);
    if (!time) return not_a_number(time_cell, "the time column");
    if (!value) return not_a_number(value_cell, "column " + in_quotes(column));
    if (!result.time.empty() && *time < result.time.back())
      return fault("csv-time", "the time " +
                                   (quote_ == Quote::yes ? std::string(trimmed(time_cell)) + " " : "") +
                                   "is before that of the line above, expected times that do not fall");
    result.time.push_back(*time);
    result.value.push_back(*value);
  }

  void not_a_number(std::string_view cell, const std::string& where) {
    cell = trimmed(cell);
    const bool decimal_comma = separator_ == ';' && cell.find(',') != std::string_view::npos;
    const std::string found = cell.empty()           ? "an empty cell"
                              : quote_ == Quote::yes ? in_quotes(cell)
                                                     : "something else";
    fault("csv-number", "found " + found + " in " + where + ", expected a finite number" +
                            (decimal_comma ? " with a decimal point" : ""));
  }

  std::string_view text_, line_;
  const std::string& file_;
  const std::string& pointer_;
  std::vector<Fault>& faults_;
  Quote quote_;
  std::size_t line_number_ = 0, cells_per_row_ = 0;
  char separator_ = ',';
  int reported_ = 0;
};

}  // namespace

char separator_of(std::string_view header) {
  bool inside_quotes = false;
  for (const char c : header) {
    if (c == '"') inside_quotes = !inside_quotes;  // a doubled quote turns twice
    if (c == ';' && !inside_quotes) return ';';
  }
  return ',';
}

CsvColumn read_csv_column(std::string_view text, const std::string& file_name, const std::string& column,
                          const std::string& pointer, std::vector<Fault>& faults, Quote quote) {
  return CsvReader(text, file_name, pointer, faults, quote).read(column);
}

}  // namespace mti
