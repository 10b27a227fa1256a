#pragma once

#include <complex>
#include <optional>
#include <string_view>

namespace mti {

/// "-1", "2i", "0.5+2i", "-1e-3-j": a complex number, i or j for the imaginary unit; nothing if it is none.
[[nodiscard]] std::optional<std::complex<double>> parse_complex(std::string_view text);

}  // namespace mti
