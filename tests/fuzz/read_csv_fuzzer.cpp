// libFuzzer target: any bytes as a csv file; the first line of the input is the name of the column.
//
// Either faults are entered or time and value have the same length, at least one entry, and times do not
// fall.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/csv.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string column(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  std::vector<mti::Fault> faults;
  const mti::CsvColumn read = mti::read_csv_column(text, "file.csv", column, "/inputs/0/csv", faults);
  if (!faults.empty()) return 0;
  if (read.time.empty() || read.time.size() != read.value.size()) std::abort();
  if (!std::is_sorted(read.time.begin(), read.time.end())) std::abort();
  return 0;
}
