#pragma once

#include <string>

namespace mti {

/// The present date and time as a page shows them: "2026-03-01 14:05 UTC".
[[nodiscard]] std::string report_date();

}  // namespace mti
