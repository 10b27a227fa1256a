#pragma once

#include <string_view>

namespace mti {

/// The text of a file that the report is made of (io/report/page/, io/studies/page/ and third_party/uplot/), by its name without
/// folder: "template.html", "uPlot.iife.min.js". Errors: std::out_of_range for any other name.
[[nodiscard]] std::string_view report_file(std::string_view file);

}  // namespace mti
