#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mti/common/fault.hpp"

namespace mti {

/// Two columns of a csv file: its first one, which is time, and the one asked for.
struct CsvColumn {
  std::vector<double> time, value;
};

/// Whether messages may quote the file.
enum class Quote { no, yes };

/// What separates the cells of a csv text: a semicolon if its header holds one outside of double quotes, a comma otherwise.
[[nodiscard]] char separator_of(std::string_view header);

/// Reads a column of a csv text.
///
/// The first line is a header of names, separated by commas or semicolons (whichever the header holds; a name
/// with separators stands in double quotes); every other line has one number per name. Lines end in LF or
/// CR LF, a byte order mark and empty lines are skipped. Times do not fall from line to line; equal times are
/// a jump. What is wrong is appended to `faults` with `pointer` (at most ten faults per text) and the line in
/// the message, and with what stands there if messages may quote the file; ids `csv-empty`, `csv-column`,
/// `csv-row`, `csv-number`, `csv-time`.
[[nodiscard]] CsvColumn read_csv_column(std::string_view text, const std::string& file_name,
                                        const std::string& column, const std::string& pointer,
                                        std::vector<Fault>& faults, Quote quote = Quote::yes);

}  // namespace mti
