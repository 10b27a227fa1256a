#include "io/report/report_date.hpp"

#include <chrono>
#include <cstdio>

namespace mti {

std::string report_date() {
  using std::chrono::floor, std::chrono::days, std::chrono::minutes;
  const auto now = floor<minutes>(std::chrono::system_clock::now());
  const std::chrono::year_month_day day(floor<days>(now));
  const std::chrono::hh_mm_ss<minutes> clock(now - floor<days>(now));
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u %02d:%02d UTC", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()));
  return text;
}

}  // namespace mti
