#pragma once

#include <optional>
#include <span>

namespace mti {

struct Extrapolated {
  double value = 0.0;
  double error = 0.0;  ///< by how much one value more has changed it
};

/// x(0) from values x(t_k) at times t_0 > t_1 > …, or nothing of less than three: by the polynomial through the first ones, of any degree
/// from 2 on [Neville], or by the geometric sum of their changes,
///
///     x_0 + (x_0 − x_1) q/(1 − q) ,    q = (x_0 − x_1)/(x_1 − x_2) ,    |q| < 1    [Aitken] ,
///
/// which of these the last value changes least.
[[nodiscard]] std::optional<Extrapolated> extrapolated_to_zero(std::span<const double> t,
                                                               std::span<const double> x);

}  // namespace mti
