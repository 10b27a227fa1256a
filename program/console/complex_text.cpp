#include "program/console/complex_text.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include "mti/common/at.hpp"

namespace mti {
namespace {

bool is_unit(char c) { return c == 'i' || c == 'j'; }

/// A signed number with or without digits before the imaginary unit; `text` loses what was read.
std::optional<std::complex<double>> take_part(std::string_view& text, bool sign_needed) {
  double sign = 1.0;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    sign = text[0] == '-' ? -1.0 : 1.0;
    text.remove_prefix(1);
  } else if (sign_needed) {
    return std::nullopt;
  }
  double value = 1.0;
  const bool unit_alone = !text.empty() && is_unit(text[0]);
  if (!unit_alone) {
    if (text.empty() || text[0] == '-') return std::nullopt;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
    text.remove_prefix(at(rest - text.data()));
  }
  if (text.empty() || !is_unit(text[0])) return std::complex<double>(sign * value, 0.0);
  text.remove_prefix(1);
  return std::complex<double>(0.0, sign * value);
}

}  // namespace

std::optional<std::complex<double>> parse_complex(std::string_view text) {
  const auto first = take_part(text, false);
  if (!first || text.empty()) return first;
  const auto second = take_part(text, true);
  const bool both_kinds = second && (first->imag() == 0.0) != (second->imag() == 0.0);
  if (!both_kinds || !text.empty()) return std::nullopt;
  return *first + *second;
}

}  // namespace mti
