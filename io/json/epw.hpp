#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/json/csv.hpp"
#include "mti/common/fault.hpp"

namespace mti {

/// A column of an EPW weather file, by the name that the format gives it ("Dry Bulb Temperature").
///
/// The file has eight header lines, the last of them DATA PERIODS with the number of records per hour, then one
/// line of 35 fields for each record. Record i (from 0) stands for the end of its interval,
///
///     t_i = (i + 1)·3600/(records per hour)   in seconds from the beginning of the first day,
///
/// whatever the year and day it names: typical years are put together from several. Faults (`epw-file`,
/// `epw-missing`, at most ten) are appended with `pointer`: a value that the format calls missing is one.
/// Source: EnergyPlus, Auxiliary Programs, "EPW CSV Format (InOut)".
[[nodiscard]] CsvColumn read_epw_column(std::string_view text, const std::string& file,
                                        const std::string& column, const std::string& pointer,
                                        std::vector<Fault>& faults);

}  // namespace mti
