#include "io/json/epw.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "io/json/value.hpp"
#include "mti/common/at.hpp"
#include "mti/model/signature.hpp"

namespace mti {
namespace {

using json::in_quotes;

/// A field of a record: from `missing` on its value says that there is none; 0: there always is one.
struct EpwField {
  std::string_view name;
  double missing = 0.0;
};

constexpr std::size_t header_lines = 8, first_value = 6, most_faults = 10;
/// Many files leave out the last ones, from liquid precipitation, albedo or days since snowfall on.
constexpr std::size_t fields_of_record = 35, fewest_fields = 30;

/// The fields from the seventh on; before them stand year, month, day, hour, minute and the flags of sources.
constexpr std::array<EpwField, 29> fields = {{{"Dry Bulb Temperature", 99.9},
                                              {"Dew Point Temperature", 99.9},
                                              {"Relative Humidity", 999},
                                              {"Atmospheric Station Pressure", 999999},
                                              {"Extraterrestrial Horizontal Radiation", 9999},
                                              {"Extraterrestrial Direct Normal Radiation", 9999},
                                              {"Horizontal Infrared Radiation Intensity", 9999},
                                              {"Global Horizontal Radiation", 9999},
                                              {"Direct Normal Radiation", 9999},
                                              {"Diffuse Horizontal Radiation", 9999},
                                              {"Global Horizontal Illuminance", 999900},
                                              {"Direct Normal Illuminance", 999900},
                                              {"Diffuse Horizontal Illuminance", 999900},
                                              {"Zenith Luminance", 9999},
                                              {"Wind Direction", 999},
                                              {"Wind Speed", 999},
                                              {"Total Sky Cover", 99},
                                              {"Opaque Sky Cover", 99},
                                              {"Visibility", 9999},
                                              {"Ceiling Height", 99999},
                                              {"Present Weather Observation", 0},
                                              {"Present Weather Codes", 0},
                                              {"Precipitable Water", 999},
                                              {"Aerosol Optical Depth", 0.999},
                                              {"Snow Depth", 999},
                                              {"Days Since Last Snowfall", 99},
                                              {"Albedo", 999},
                                              {"Liquid Precipitation Depth", 999},
                                              {"Liquid Precipitation Quantity", 99}}};

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::string_view cell = line.substr(begin, end - begin);
    while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
    while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\r')) cell.remove_suffix(1);
    cells.push_back(cell);
    begin = end + 1;
  }
  return cells;
}

std::optional<double> number_of(std::string_view cell) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

class EpwReader {
 public:
  EpwReader(std::string_view text, const std::string& file, const std::string& pointer,
            std::vector<Fault>& faults)
      : text_(text), file_(file), pointer_(pointer), faults_(faults) {}

  CsvColumn read(const std::string& column) {
    const auto place = find(column);
    const auto per_hour = read_header();
    if (!place || !per_hour) return {};
    CsvColumn result;
    for (std::size_t record = 0; next_line() && reported_ < most_faults;) {
      if (line_.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      const auto value = read_value(*place);
      ++record;
      if (!value) continue;
      result.time.push_back(3600.0 * static_cast<double>(record) / *per_hour);
      result.value.push_back(*value);
    }
    if (result.time.empty() && reported_ == 0) fail("epw-file", "no record follows the eight header lines");
    return result;
  }

 private:
  void fail(const char* id, const std::string& message) {
    ++reported_;
    faults_.push_back({id, pointer_, file_ + ": " + message});
  }
  [[nodiscard]] std::string here() const { return "line " + std::to_string(line_number_) + ": "; }

  bool next_line() {
    if (text_.empty()) return false;
    const std::size_t end = text_.find('\n');
    line_ = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    ++line_number_;
    return true;
  }

  std::optional<std::size_t> find(const std::string& column) {
    const auto* found = std::find_if(fields.begin(), fields.end(),
                                     [&](const EpwField& field) { return field.name == column; });
    if (found != fields.end()) return at(found - fields.begin());
    std::vector<std::string> names;
    for (const EpwField& field : fields) names.emplace_back(field.name);
    const std::string closest = closest_name(column, names);
    fail("epw-file", "weather files have no column " + in_quotes(column) +
                         (closest.empty() ? "" : ", did you mean " + closest + "?"));
    return std::nullopt;
  }

  /// The number of records per hour.
  std::optional<double> read_header() {
    for (std::size_t i = 0; i < header_lines; ++i)
      if (!next_line()) {
        fail("epw-file", "expected eight header lines, found " + std::to_string(i));
        return std::nullopt;
      }
    const auto cells = cells_of(line_);
    const auto per_hour = cells.size() > 2 && cells[0] == "DATA PERIODS" ? number_of(cells[2]) : std::nullopt;
    if (per_hour && *per_hour >= 1.0 && *per_hour <= 3600.0) return per_hour;
    fail("epw-file", here() + "expected DATA PERIODS, their number, and the number of records per hour");
    return std::nullopt;
  }

  std::optional<double> read_value(std::size_t place) {
    const auto cells = cells_of(line_);
    if (cells.size() < fewest_fields || cells.size() > fields_of_record) {
      fail("epw-file", here() + "found " + std::to_string(cells.size()) + " fields, a record has " +
                           std::to_string(fields_of_record) + ", of which the last " +
                           std::to_string(fields_of_record - fewest_fields) + " may be left out");
      return std::nullopt;
    }
    if (first_value + place >= cells.size()) {
      fail("epw-missing", here() + "the record has no field " + std::string(fields[place].name));
      return std::nullopt;
    }
    const auto value = number_of(cells[first_value + place]);
    if (!value) {
      fail("epw-file", here() + "the field " + std::string(fields[place].name) + " holds no number");
      return std::nullopt;
    }
    if (fields[place].missing > 0.0 && *value >= fields[place].missing) {
      fail("epw-missing",
           here() + "the value of " + std::string(fields[place].name) + " is missing in this record");
      return std::nullopt;
    }
    return value;
  }

  std::string_view text_, line_;
  const std::string& file_;
  const std::string& pointer_;
  std::vector<Fault>& faults_;
  std::size_t line_number_ = 0, reported_ = 0;
};

}  // namespace

CsvColumn read_epw_column(std::string_view text, const std::string& file, const std::string& column,
                          const std::string& pointer, std::vector<Fault>& faults) {
  return EpwReader(text, file, pointer, faults).read(column);
}

}  // namespace mti
