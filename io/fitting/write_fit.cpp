#include "io/fitting/write_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "io/json/writer.hpp"
#include "mti/common/number.hpp"
#include "mti/common/wording.hpp"

namespace mti {
namespace {

using json::in_line;

std::string short_number(double value) { return std::isfinite(value) ? text::format_number(value, 6) : "-"; }

/// Rows of cells in columns as wide as they need.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string result;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += "  " + row[c] + std::string(widths[c] - row[c].size(), ' ');
    result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return result;
}

/// Root mean square and largest of measured − fitted.
std::pair<double, double> misfit_of(const FittedSeries& series) {
  double sum = 0.0, largest = 0.0;
  for (std::size_t k = 0; k < series.measured.size(); ++k) {
    const double difference = series.measured[k] - series.fitted[k];
    sum += difference * difference;
    largest = std::max(largest, std::abs(difference));
  }
  return {std::sqrt(sum / static_cast<double>(std::max<std::size_t>(series.measured.size(), 1))), largest};
}

std::string remark_on(const Fit& fit, const Estimate& estimate) {
  if (estimate.at_lower) return "at its lower bound";
  if (estimate.at_upper) return "at its upper bound";
  const bool is_open = std::ranges::any_of(fit.undetermined, [&](const UndeterminedDirection& direction) {
    return std::ranges::count(direction.parameters, estimate.name) > 0;
  });
  return is_open ? "not determined" : "";
}

std::string estimates_text(const Fit& fit, const FitOptions& options) {
  const std::string confidence = text::format_number(100.0 * options.confidence, 4) + " %";
  std::vector<std::vector<std::string>> rows = {
      {"", "estimate", "deviation", confidence + " from", "to", ""}};
  for (const Estimate& estimate : fit.estimates)
    rows.push_back({estimate.name, short_number(estimate.value), short_number(estimate.deviation),
                    short_number(estimate.low), short_number(estimate.high), remark_on(fit, estimate)});
  return aligned(rows);
}

std::string series_text(const Fit& fit) {
  std::vector<std::vector<std::string>> rows = {{"", "", "data", "root mean square", "largest"}};
  for (const FittedSeries& series : fit.series) {
    const auto [mean, largest] = misfit_of(series);
    rows.push_back({series.experiment, series.name, std::to_string(series.measured.size()),
                    short_number(mean), short_number(largest)});
  }
  return aligned(rows);
}

void write_matrix(json::Writer& out, const char* key, const Eigen::MatrixXd& matrix, bool as_correlation) {
  out.key(key).begin_array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    out.begin_array(in_line);
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      out.value(as_correlation ? matrix(i, j) / std::sqrt(matrix(i, i) * matrix(j, j)) : matrix(i, j));
    out.end_array();
  }
  out.end_array();
}

void write_numbers(json::Writer& out, const char* key, const std::vector<double>& numbers) {
  out.key(key).begin_array(in_line);
  for (const double number : numbers) out.value(number);
  out.end_array();
}

void write_estimates(json::Writer& out, const Fit& fit) {
  out.key("parameters").begin_array();
  for (const Estimate& estimate : fit.estimates) {
    out.begin_object(in_line).member("name", estimate.name).member("value", estimate.value);
    out.member("deviation", estimate.deviation).key("interval").begin_array(in_line);
    out.value(estimate.low).value(estimate.high).end_array();
    if (estimate.at_lower || estimate.at_upper) out.member("at_bound", estimate.at_lower ? "lower" : "upper");
    out.end_object();
  }
  out.end_array();
}

void write_open_ends(json::Writer& out, const Fit& fit) {
  out.key("undetermined").begin_array();
  for (const UndeterminedDirection& direction : fit.undetermined) {
    out.begin_object(in_line);
    for (std::size_t k = 0; k < direction.parameters.size(); ++k)
      out.member(direction.parameters[k], direction.changes[k]);
    out.end_object();
  }
  out.end_array().key("undefined").begin_array();
  for (const UndefinedData& data : fit.undefined) {
    out.begin_object(in_line).member("experiment", data.experiment).member("quantity", data.name);
    out.key("parameters").begin_array(in_line);
    for (const std::string& name : data.parameters) out.value(name);
    out.end_array().member("data", data.count).member("first", data.first);
    out.member("reason", data.reason).end_object();
  }
  out.end_array();
}

void write_series(json::Writer& out, const Fit& fit) {
  out.key("series").begin_array();
  for (const FittedSeries& series : fit.series) {
    const auto [mean, largest] = misfit_of(series);
    out.begin_object(in_line).member("experiment", series.experiment).member("quantity", series.name);
    out.member("data", static_cast<long>(series.measured.size())).member("deviation", series.deviation);
    out.member("root_mean_square", mean).member("largest", largest).end_object();
  }
  out.end_array();
}

void write_starts(json::Writer& out, const Fit& fit) {
  out.key("starts").begin_array();
  for (const FitStart& start : fit.starts) {
    out.begin_object(in_line).member("end", to_string(start.end)).member("cost", start.cost);
    out.member("iterations", start.iterations);
    write_numbers(out, "from", start.from);
    write_numbers(out, "to", start.to);
    if (!start.message.empty()) out.member("message", start.message);
    out.end_object();
  }
  out.end_array();
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
}

}  // namespace

std::string direction_text(const UndeterminedDirection& direction) {
  if (direction.parameters.size() == 1) return direction.parameters.front() + ": the data say nothing of it";
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < direction.parameters.size(); ++k)
    parts.push_back(direction.parameters[k] + " by " + text::format_number(100.0 * direction.changes[k], 4) +
                    " %");
  return joined(direction.parameters) + " are not told apart: the data stay as they are if one changes " +
         joined(parts);
}

std::string undefined_text(const UndefinedData& data) {
  return (data.experiment.empty() ? "" : data.experiment + ": ") + data.name +
         " from t = " + short_number(data.first) + " on: " + counted(data.count, "derivative") + " by " +
         joined(data.parameters) + (data.count == 1 ? " is" : " are") + " not defined: " + data.reason;
}

std::string fit_text(const Fit& fit, const FitOptions& options) {
  std::string text = to_string(fit.end) + ": " + counted(fit.observations, "observation") + ", " +
                     counted(fit.runs, "run") + ", sum of squares " + short_number(2.0 * fit.cost);
  if (fit.starts.size() > 1)
    text +=
        ", " + std::to_string(fit.starts_at_best) + " of " + std::to_string(fit.starts.size()) + " starts";
  text += "\n" + estimates_text(fit, options);
  text += options.noise_is_known ? std::string("noise as given")
                                 : "noise " + short_number(fit.noise) + " of the deviations given";
  text += ", condition " + short_number(fit.condition) + "\n";
  return text + series_text(fit);
}

std::string fit_json(const std::string& name, const Fit& fit, const FitOptions& options) {
  json::Writer out;
  out.begin_object().member("format", "mti-fit-results").member("version", 1);
  if (!name.empty()) out.member("name", name);
  out.member("end", to_string(fit.end));
  if (!fit.message.empty()) out.member("message", fit.message);
  write_estimates(out, fit);
  out.member("confidence", options.confidence);
  write_matrix(out, "covariance", fit.covariance, false);
  write_matrix(out, "correlation", fit.covariance, true);
  out.member("cost", fit.cost).member("data", fit.observations).member("rank", fit.rank);
  out.member("noise", fit.noise).member("condition", fit.condition);
  write_open_ends(out, fit);
  write_series(out, fit);
  write_starts(out, fit);
  out.member("starts_at_best", static_cast<long>(fit.starts_at_best));
  out.member("evaluations", fit.evaluations).member("refused", fit.refused).member("runs", fit.runs);
  out.end_object();
  return std::move(out).finish();
}

std::string residuals_csv(const Fit& fit) {
  std::string lines = "experiment,quantity,time,measured,fitted,residual\n";
  for (const FittedSeries& series : fit.series)
    for (std::size_t k = 0; k < series.measured.size(); ++k) {
      lines += csv_cell(series.experiment) + ",";
      lines += csv_cell(series.is_event ? series.name + "#" + std::to_string(k + 1) : series.name);
      for (const double number : {series.time[k], series.measured[k], series.fitted[k],
                                  (series.fitted[k] - series.measured[k]) / series.deviation}) {
        lines += ',';
        text::append_number(lines, number);
      }
      lines += '\n';
    }
  return lines;
}

}  // namespace mti
