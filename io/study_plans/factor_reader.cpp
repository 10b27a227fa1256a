#include "io/study_plans/factor_reader.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "io/json/csv.hpp"
#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"

namespace mti::json {
namespace {

constexpr std::array<std::string_view, 7> factor_forms = {"values", "from",      "csv",       "uniform",
                                                          "normal", "lognormal", "triangular"};

/// Of one factor, all of them held in memory: 80 MB.
constexpr int most_levels = 10'000'000;

class FactorReader {
 public:
  FactorReader(const std::string& name, ObjectReader& factor, const PlanFiles& files)
      : factor_(factor), files_(files) {
    result_.name = name;
  }

  StudyFactor read() {
    std::vector<std::string> found;
    for (const std::string_view form : factor_forms)
      if (factor_.has(form)) found.emplace_back(form);
    if (found.size() != 1)
      refuse("", found.empty()
                     ? "there is nothing to vary here, expected values, from, csv, uniform, normal, "
                       "lognormal or triangular"
                     : "found " + joined(found) + ", expected one of them");
    else
      read_form(found.front());
    return std::move(result_);
  }

 private:
  void refuse(const std::string& key, const std::string& message) {
    factor_.fault("bad-factor", key.empty() ? factor_.pointer() : factor_.pointer_to(key), message);
  }

  void read_form(const std::string& form) {
    if (form == "values") {
      result_.values = factor_.plain_numbers(form);
      if (result_.values.empty()) refuse(form, "expected at least one number");
    } else if (form == "from") {
      read_range();
    } else if (form == "csv") {
      read_tables();
    } else if (form == "uniform") {
      const std::vector<double> ends = factor_.plain_numbers(form);
      if (ends.size() != 2 || !(ends[0] < ends[1]))
        return refuse(form, "expected two numbers, the first one smaller");
      result_.distribution = UniformDistribution{ends[0], ends[1]};
    } else {
      read_distribution(form);
    }
  }

  void read_range() {
    const auto from = factor_.plain_number("from"), to = factor_.plain_number("to");
    const auto count = factor_.index("count");
    factor_.require("to");
    factor_.require("count");
    if (!from || !to || !count) return;
    if (*count < 2 || *count > most_levels)
      return refuse("count",
                    "found " + std::to_string(*count) + ", expected 2 to " + std::to_string(most_levels));
    for (int k = 0; k < *count; ++k)
      result_.values.push_back(k == *count - 1 ? *to : *from + (*to - *from) * k / (*count - 1));
  }

  void read_tables() {
    factor_.require("column");
    const auto column = factor_.string("column");
    result_.files = factor_.strings("csv");
    if (result_.files.empty()) refuse("csv", "expected at least one file");
    for (std::size_t i = 0; i < result_.files.size() && column; ++i) {
      const std::string pointer = factor_.pointer_to("csv", i);
      const auto text = files_(result_.files[i], pointer);
      if (!text) continue;
      const CsvColumn read =
          read_csv_column(*text, result_.files[i], *column, pointer, factor_.faults(), Quote::yes);
      result_.tables.push_back(
          {.time = {read.time.begin(), read.time.end()}, .value = {read.value.begin(), read.value.end()}});
    }
  }

  void read_distribution(const std::string& form) {
    ObjectReader numbers(*factor_.find(form), factor_.pointer_to(form), factor_.faults());
    if (!numbers.is_object()) return;
    const auto needed = [&](std::string_view key) {
      numbers.require(key);
      return numbers.plain_number(key).value_or(0.0);
    };
    const std::size_t before = factor_.faults().size();
    if (form == "triangular") {
      const TriangularDistribution x{needed("low"), needed("mode"), needed("high")};
      if (factor_.faults().size() == before && !(x.low <= x.mode && x.mode <= x.high && x.low < x.high))
        refuse(form, "expected low <= mode <= high, and low < high");
      result_.distribution = x;
    } else {
      const bool is_normal = form == "normal";
      const std::string_view mean_key = is_normal ? "mean" : "log_mean";
      const std::string_view deviation_key = is_normal ? "deviation" : "log_deviation";
      const double mean = needed(mean_key), deviation = needed(deviation_key);
      if (factor_.faults().size() == before && !(deviation > 0.0))
        refuse(form, "expected a positive " + std::string(deviation_key));
      if (is_normal)
        result_.distribution = NormalDistribution{mean, deviation};
      else
        result_.distribution = LognormalDistribution{mean, deviation};
    }
    numbers.finish();
  }

  ObjectReader& factor_;
  const PlanFiles& files_;
  StudyFactor result_;
};

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = line.find(separator);
    std::string_view cell = without_blanks(line.substr(0, end));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    cells.push_back(cell);
    if (end != std::string_view::npos) line.remove_prefix(end + 1);
  }
  return cells;
}

std::optional<double> number_in(std::string_view cell) {
  if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
  double value = 0.0;
  auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc::result_out_of_range) {  // too large, or so small that it is a denormal or 0
    value = std::strtod(std::string(cell).c_str(), nullptr);
    if (std::abs(value) < 1.0) error = {};
  }
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

StudyFactor read_factor(const std::string& name, const Value& value, const std::string& pointer,
                        const PlanFiles& files, std::vector<Fault>& faults) {
  ObjectReader factor(value, pointer, faults);
  if (!factor.is_object()) return {.name = name};
  StudyFactor result = FactorReader(name, factor, files).read();
  factor.finish();
  return result;
}

std::vector<StudyFactor> read_csv_factors(std::string_view text, const std::string& file,
                                          const std::string& pointer, std::vector<Fault>& faults) {
  constexpr std::size_t most_faults = 10;
  const std::size_t before = faults.size();
  std::vector<StudyFactor> factors;
  char separator = ',';
  long line_number = 0;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty() && faults.size() < before + most_faults) {
    const std::size_t end = text.find('\n');
    const std::string_view line = without_blanks(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++line_number;
    if (line.empty()) continue;
    const std::string where = file + ", line " + std::to_string(line_number) + ": ";
    if (factors.empty()) {
      separator = separator_of(line);
      for (const std::string_view name : cells_of(line, separator))
        factors.push_back({.name = std::string(name)});
      continue;
    }
    const auto cells = cells_of(line, separator);
    if (cells.size() != factors.size()) {
      faults.push_back({"csv-row", pointer,
                        where + "found " + std::to_string(cells.size()) + " cells, expected " +
                            std::to_string(factors.size()) + " as in the header"});
      continue;
    }
    for (std::size_t j = 0; j < cells.size(); ++j) {
      const auto number = number_in(cells[j]);
      if (!number)
        faults.push_back({"csv-number", pointer,
                          where + "found " + (cells[j].empty() ? "an empty cell" : in_quotes(cells[j])) +
                              " in column " + in_quotes(factors[j].name) + ", expected a finite number"});
      factors[j].values.push_back(number.value_or(0.0));
    }
  }
  if (faults.size() == before && (factors.empty() || factors.front().values.empty()))
    faults.push_back({"csv-empty", pointer, file + ": expected a header line of names and lines of numbers"});
  return factors;
}

}  // namespace mti::json
