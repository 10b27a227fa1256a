#include "io/results/csv_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "io/results/row_variables.hpp"
#include "mti/common/at.hpp"

namespace mti {
namespace {

constexpr std::size_t block = 1 << 20;

}  // namespace

std::string csv_header(const std::vector<std::string>& names) {
  const std::string own[] = {"time", "side"};
  RowVariables::Names taken(names.begin(), names.end());
  std::string text = own[0] + ',' + own[1];
  for (const std::string& name : names) {
    const bool is_free = std::ranges::find(own, name) == std::end(own);
    text.append(1, ',').append(is_free ? name : RowVariables::free_name(name, "signal", taken));
  }
  return text + '\n';
}

std::string csv_header(const SensitivityTable& table) {
  std::string text = "time,side";
  for (const std::string& signal : table.signals())
    for (const std::string& parameter : table.parameters()) {
      const std::string name = "d(" + signal + ")/d(" + parameter + ")";
      const bool quoted = name.find(',') != std::string::npos;
      text += quoted ? ",\"" + name + "\"" : "," + name;
    }
  return text + '\n';
}

CsvRows::CsvRows(std::size_t columns) {
  constexpr std::size_t longest_number = 25;  // of a double in shortest form, with its comma
  line_.resize((columns + 2) * longest_number);
  text_.reserve(block + line_.size());
}

void CsvRows::add(double time, int side, std::span<const double> values, const TextSink& sink) {
  char* const line_end = line_.data() + line_.size();
  char* place = std::to_chars(line_.data(), line_end, time).ptr;
  *place++ = ',';
  place = std::to_chars(place, line_end, side).ptr;
  for (const double value : values) {
    *place++ = ',';
    if (std::isfinite(value)) place = std::to_chars(place, line_end, value).ptr;
  }
  *place++ = '\n';
  text_.append(line_.data(), at(place - line_.data()));
  if (text_.size() >= block) flush(sink);
}

void CsvRows::flush(const TextSink& sink) {
  sink(text_);
  text_.clear();
}

void CsvRows::write_derivatives(const Trajectory& part, const TextSink& sink) {
  for (std::size_t i = 0; i < part.size(); ++i)
    add(part.time(i), part.side(i), part.sensitivities.row(i), sink);
  flush(sink);
}

}  // namespace mti
