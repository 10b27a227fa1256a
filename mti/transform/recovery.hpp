#pragma once

#include <span>
#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "mti/model/signature.hpp"
#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// What became of a row of f or g:
///
///     f_j(v) = factor · f'_row(v')    or    f_j(v) = 0 where row = −1
///
/// for v = Recovery::values(v'). A row is gone (−1) where it has become the definition of a signal.
struct RowOrigin {
  int row = -1;
  double factor = 0.0;
};

/// The way back from a transformed model to the one it came from.
///
///     v = R_1(R_2(… R_s(v')))    t = time_scale · t'
///
/// Every R is multilinear: a row of it is the signal itself, or what an eliminated signal is equal to.
struct Recovery {
  struct Stage {
    Signature before;  ///< of the values that come out
    Signature after;   ///< of the values that go in
    CpMap v;           ///< before.size() rows in after.size() signals
  };
  std::vector<Stage> stages;           ///< R_1, R_2, …, R_s
  std::vector<RowOrigin> equations;    ///< one for each equation of the original model
  std::vector<RowOrigin> constraints;  ///< one for each of its constraints
  double time_scale = 1.0;

  /// v of the original model from v' of the transformed one: sizes as the signatures say.
  /// Errors: InvalidOption, id `matrix-size`, where v' has another length.
  [[nodiscard]] std::vector<double> values(std::span<const double> v) const;

  /// The way back over two transformations, this one first.
  [[nodiscard]] Recovery followed_by(const Recovery& next) const;
};

/// A transformed model and the way back.
struct Transformed {
  Model model;
  Recovery recovery;
};

/// The eliminated signals as text, one "name = expression" for each, in the order in which they can be
/// evaluated: an expression holds signals of the transformed model and signals further up in the list.
[[nodiscard]] std::vector<std::string> eliminated_signals(const Recovery& recovery);

}  // namespace mti
