#include "io/json/read_times.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "io/files/files.hpp"
#include "io/json/csv.hpp"
#include "io/json/utf8.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace {

std::string_view stripped(std::string_view line) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t begin = line.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(blank) - begin + 1);
}

}  // namespace

std::vector<double> read_times(const std::filesystem::path& file) {
  const std::string text(without_byte_order_mark(read_file(file)));
  const std::string name = file.filename().string();
  std::vector<Fault> faults;
  std::vector<double> times;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool has_header = first != std::string::npos &&
                          (std::isalpha(static_cast<unsigned char>(text[first])) != 0 || text[first] == '"');
  if (has_header) {
    times = read_csv_column(text, name, "time", "", faults).value;
  } else {
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      const std::string_view found = stripped(line);
      if (found.empty() || found.front() == '#') continue;
      double time = 0.0;
      const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), time);
      if (error != std::errc() || end != found.data() + found.size() || !std::isfinite(time))
        faults.push_back({"csv-number", "",
                          name + ", line " + std::to_string(number) + ": expected a time, found \"" +
                              std::string(found) + "\""});
      times.push_back(time);
    }
    if (times.empty()) faults.push_back({"csv-empty", "", name + " has no times"});
  }
  if (!faults.empty()) throw UnusableFile(std::move(faults));
  return times;
}

}  // namespace mti
