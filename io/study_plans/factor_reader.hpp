#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/object_reader.hpp"
#include "io/study_plans/study_plan.hpp"

namespace mti::json {

/// Gives the text of a file that a plan names, or enters a fault at the pointer.
using PlanFiles =
    std::function<std::optional<std::string>(const std::string& file, const std::string& pointer)>;

/// One member of "vary", in one of the forms
///
///     {"values": [1, 2]}  {"from": 0, "to": 1, "count": 11}  {"csv": ["a.csv", "b.csv"], "column": "u"}
///     {"uniform": [0, 1]}  {"normal": {"mean": 0, "deviation": 1}}
///     {"lognormal": {"log_mean": 0, "log_deviation": 1}}  {"triangular": {"low": 0, "mode": 1, "high": 2}}
///
/// Faults: those of ObjectReader, `bad-factor`, and of csv files.
[[nodiscard]] StudyFactor read_factor(const std::string& name, const Value& value, const std::string& pointer,
                                      const PlanFiles& files, std::vector<Fault>& faults);

/// Factors from a csv text: a header of names, then one line of numbers for each run. Faults: `csv-empty`, `csv-row`,
/// `csv-number`, at most ten.
[[nodiscard]] std::vector<StudyFactor> read_csv_factors(std::string_view text, const std::string& file,
                                                        const std::string& pointer,
                                                        std::vector<Fault>& faults);

}  // namespace mti::json
