#pragma once

#include <functional>
#include <span>
#include <vector>

#include "solvers/integration/integrator.hpp"

namespace mti {

/// The rounding error of F, by row: ε_machine·|J|·|w| and what the system adds for its inputs. Constant
/// terms of F are no larger, for all of them add up to 0. J as the system's `jacobian` fills it.
[[nodiscard]] std::vector<double> rounding_of_rows(const DaeSystem& system, std::span<const double> w,
                                                   std::span<const double> J);

/// The rounding error of w, with a margin: floor = 64·|J⁻¹|·rounding; of more than 40 unknowns an estimate
/// of it.
///
/// `solve` gives J⁻¹·b, or nothing if that fails; then the result is false.
bool floor_of(std::span<const double> rounding, std::vector<double>& floor,
              const std::function<std::span<const double>(std::span<const double> b)>& solve);

}  // namespace mti
