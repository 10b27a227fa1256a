#include "io/identification/write_identification.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "io/json/writer.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/common/wording.hpp"

namespace mti {
namespace {

std::string number(double value) { return text::format_number(value, 4); }

/// Cells in columns as wide as they need.
class TextTable {
 public:
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  [[nodiscard]] std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_)
      for (std::size_t c = 0; c < row.size(); ++c) {
        if (c == widths.size()) widths.push_back(0);
        widths[c] = std::max(widths[c], row[c].size());
      }
    std::string result;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t c = 0; c < row.size(); ++c)
        line += "  " + row[c] + std::string(widths[c] - row[c].size(), ' ');
      result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return result;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::vector<std::string> signal_names(const IdentificationData& data) {
  std::vector<std::string> names = data.states;
  names.insert(names.end(), data.inputs.begin(), data.inputs.end());
  return names;
}

std::string entry_name(const std::vector<std::string>& names, const std::pair<int, int>& entry) {
  return "S[" + names[at(entry.first)] + "," + std::to_string(entry.second) + "]";
}

std::string target_name(const std::string& state, bool discrete) {
  return (discrete ? "next(" : "der(") + state + ")";
}

std::string ranks_text(const IdentifiedFunction& function, long signals, long outputs) {
  TextTable table;
  const bool validated = function.ranks.front().validation_error.has_value();
  table.add(validated ? std::vector<std::string>{"rank", "entries", "error", "validation", "starts", ""}
                      : std::vector<std::string>{"rank", "entries", "error", "starts", ""});
  for (const RankReport& rank : function.ranks) {
    std::vector<std::string> cells = {std::to_string(rank.rank),
                                      std::to_string((signals + outputs) * rank.rank), number(rank.error)};
    if (validated) cells.push_back(number(*rank.validation_error));
    cells.push_back(std::to_string(rank.times_best) + " of " + std::to_string(rank.starts));
    std::string remark = rank.rank == function.S.cols() ? "chosen" : "";
    if (rank.unsure_folds > 0)
      remark += (remark.empty() ? "" : "; ") + counted(rank.unsure_folds, "fold") + " in a local minimum";
    if (rank.unsure) remark += std::string(remark.empty() ? "" : "; ") + "reached by one start only";
    cells.push_back(remark);
    table.add(std::move(cells));
  }
  return table.text();
}

std::string outputs_text(const IdentifiedFunction& function, bool discrete) {
  TextTable table;
  table.add({"", "error", "largest", "deviation", "fit"});
  for (const OutputFit& output : function.outputs) {
    const std::string fit = output.deviation > 0.0
                                ? number(100.0 * (1.0 - output.error / output.deviation)) + " %"
                                : std::string();
    table.add({target_name(output.name, discrete), number(output.error), number(output.largest),
               number(output.deviation), fit});
  }
  return table.text();
}

std::string known_text(const IdentifiedFunction& function, const std::vector<std::string>& names) {
  if (function.free_directions.empty())
    return "the samples determine all entries; condition " + number(function.condition) + "\n";
  constexpr std::size_t most = 5;
  std::string text = "the samples leave " +
                     counted(static_cast<long>(function.free_directions.size()), "direction") +
                     " of S open, in which F at the samples stays as it is:\n";
  for (std::size_t d = 0; d < std::min(most, function.free_directions.size()); ++d) {
    std::vector<std::string> entries;
    for (const auto& entry : function.free_directions[d]) entries.push_back(entry_name(names, entry));
    text += "  " + joined(entries) + "\n";
  }
  if (function.free_directions.size() > most)
    text += "  and " + std::to_string(function.free_directions.size() - most) + " more\n";
  return text;
}

void write_function(json::Writer& out, const IdentificationData& data, const IdentifiedFunction& function) {
  using json::in_line;
  const std::vector<std::string> names = signal_names(data);
  out.begin_object();
  if (!data.mode_columns.empty()) {
    out.key("mode").begin_object(in_line);
    for (std::size_t c = 0; c < data.mode_columns.size(); ++c)
      out.member(data.mode_columns[c], function.mode[c]);
    out.end_object();
  }
  out.member("samples", function.samples).member("rank", static_cast<int>(function.S.cols()));
  out.key("ranks").begin_array();
  for (const RankReport& rank : function.ranks) {
    out.begin_object(in_line).member("rank", rank.rank).member("error", rank.error);
    if (rank.validation_error)
      out.member("validation_error", *rank.validation_error)
          .member("standard_error_of_its_square", rank.standard_error)
          .member("unsure_folds", rank.unsure_folds);
    out.member("starts", rank.starts).member("times_best", rank.times_best);
    out.member("unsure", rank.unsure).end_object();
  }
  out.end_array().key("outputs").begin_array();
  for (const OutputFit& output : function.outputs)
    out.begin_object(in_line)
        .member("state", output.name)
        .member("error", output.error)
        .member("largest", output.largest)
        .member("deviation", output.deviation)
        .end_object();
  out.end_array().member("condition", function.condition).key("free_directions").begin_array();
  for (const auto& direction : function.free_directions) {
    out.begin_array(in_line);
    for (const auto& entry : direction) out.value(entry_name(names, entry));
    out.end_array();
  }
  out.end_array().end_object();
}

}  // namespace

std::string identification_text(const IdentificationData& data, const Identification& found, bool discrete) {
  const std::vector<std::string> names = signal_names(data);
  const auto n = std::ssize(data.states);
  std::string text = counted(n, "state") + ", " + counted(std::ssize(data.inputs), "input") + ", " +
                     counted(std::ssize(data.experiments), "experiment");
  text +=
      discrete ? ", discrete time, sample time " + number(found.sample_time) + "\n" : ", continuous time\n";
  for (std::size_t j = 0; j < found.polynomials.size(); ++j)
    text += target_name(data.states[j], discrete) + " from polynomials of degree " +
            std::to_string(found.polynomials[j].degree) + " over " +
            std::to_string(found.polynomials[j].samples) + " samples\n";
  for (const IdentifiedFunction& function : found.functions) {
    text += "\n" + (data.mode_columns.empty() ? "" : mode_text(data.mode_columns, function.mode) + ": ") +
            counted(function.samples, "sample") + "\n";
    text += ranks_text(function, std::ssize(names), n) + outputs_text(function, discrete) +
            known_text(function, names);
  }
  return text;
}

std::string identification_json(const IdentificationData& data, const Identification& found, bool discrete) {
  json::Writer out;
  out.begin_object().member("format", "mti-identification").member("version", 1);
  out.member("time", discrete ? "discrete" : "continuous");
  if (discrete) out.member("sample_time", found.sample_time);
  json::write_names(out, "states", data.states);
  json::write_names(out, "inputs", data.inputs);
  out.member("experiments", static_cast<int>(data.experiments.size()));
  out.member("samples_left_out", found.samples_left_out);
  out.key("derivatives").begin_array();
  for (const LocalPolynomial& polynomial : found.polynomials)
    out.begin_object(json::in_line)
        .member("degree", polynomial.degree)
        .member("samples", polynomial.samples)
        .end_object();
  out.end_array().key("functions").begin_array();
  for (const IdentifiedFunction& function : found.functions) write_function(out, data, function);
  out.end_array().end_object();
  return std::move(out).finish();
}

}  // namespace mti
