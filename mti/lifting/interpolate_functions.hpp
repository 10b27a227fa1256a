#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mti/lifting/break_points.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// low ≤ signal ≤ high, as far as an approximation is to hold.
struct SignalRange {
  std::string signal;
  Range range;
};

struct InterpolationOptions {
  double tolerance = 1e-3;  ///< > 0; of every function, in its own unit
  std::vector<SignalRange> ranges = {};
  int random_points = 10'000;  ///< arguments of each function, at which its error is measured
  std::uint64_t seed = 1;
};

/// A function, and what it was replaced by.
struct InterpolatedFunction {
  std::string text;  ///< "sin(2*x)"
  Range range;       ///< of its argument
  int lines = 0;     ///< straight ones; each but the first has a binary
  double error =
      0.0;  ///< the largest at random arguments, of the function itself: its argument may be off, too
};

struct InterpolatedModel {
  Model model;
  std::vector<InterpolatedFunction> functions;
  int columns_before = 0;  ///< before the exact reduction of the CP rank
};

/// A model without function rows that is the given one up to a tolerance, where signals stay in ranges: every φ(a) is linear
/// between break points x_0 < … < x_n over the range of a, multilinear in a and one binary for each inner point,
///
///     r = table(a, [x_0, …, x_n], [φ(x_0), …, φ(x_n)]),    |r − φ(a)| ≤ tolerance
///
/// Functions of one argument have the same points, and share the binaries.
/// The range of an argument is the one given, or follows from the equation that gives it: a multilinear function has its extreme
/// values in corners of the ranges of its signals. Binaries range from 0 to 1, results of functions over what φ takes. Outside of
/// its range the first and the last line go on. Columns that agree but for one signal are merged exactly (mti/reduction).
/// Jumps of arguments do not matter. A model without functions and divisors is returned as it is.
///
/// Errors: InvalidOption, id `no-range` for an argument whose range is not known, `unknown-name`, `bad-option`; InvalidModel, id
/// `too-many-lines` where the tolerance is not reached by 1000 of them, as at a pole.
[[nodiscard]] InterpolatedModel interpolate_functions(const Model& model,
                                                      const InterpolationOptions& options);

}  // namespace mti
