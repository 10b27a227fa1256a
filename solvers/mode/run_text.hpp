#pragma once

#include <span>
#include <string>
#include <vector>

#include "mti/model/model.hpp"

namespace mti {

/// A short decimal form for messages.
[[nodiscard]] std::string number(double value);
/// "(z1 = 0, z2 = 1)": the first binaries with their values in v.
[[nodiscard]] std::string mode_text(const Signature& signature, std::span<const double> v);
/// " in mode (z = 1)"; nothing where there are no binaries.
[[nodiscard]] std::string in_mode(const Signature& signature, std::span<const double> v);
/// "at t = 2 in mode (z = 1)".
[[nodiscard]] std::string at_instant(double t, const Signature& signature, std::span<const double> v);
/// "c1, c2": the names of constraints.
[[nodiscard]] std::string constraint_list(const Model& model, const std::vector<int>& constraints);

}  // namespace mti
