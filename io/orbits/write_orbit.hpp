#pragma once

#include <complex>
#include <string>
#include <vector>

#include "io/json/writer.hpp"
#include "mti/model/model.hpp"
#include "solvers/orbits/orbit.hpp"

namespace mti {

/// Period, start, multipliers and events of an orbit as text, and as JSON (docs/sensitivities.md, "Orbits").
[[nodiscard]] std::string orbit_text(const Model& model, const Orbit& orbit);
[[nodiscard]] std::string orbit_json(const Model& model, const Orbit& orbit);

/// "multipliers": [[real, imaginary], …].
void write_multipliers(json::Writer& out, const std::vector<std::complex<double>>& multipliers);

}  // namespace mti
