#pragma once

#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "mti/source/source.hpp"

namespace mti::bench {

/// FaultyCoaxial(N), a coaxial cable of N elements, each of which may be open or short-circuited:
///
///     open_k i1_k + (1 − open_k)(u1_k − v_k − u2_k) = 0,      v_k = (1 − open_k)(L di1_k/dt + R i1_k)
///     short_k u2_k + (1 − short_k)(i1_k + i2_k − j_k) = 0,    j_k = (1 − short_k)(C du2_k/dt + S u2_k)
///     u2_k = u1_{k+1},  i2_k + i1_{k+1} = 0,  u1_1 = U0,  i2_N = I0,   not (open_k and short_k)
///
/// u1, u2 are the voltages at both ends, i1, i2 the currents into the element, v the voltage along it, j the
/// current across. 6N equations, 2N binaries, 3^N modes. Source: Caillaud, Malandain, Thibault, Implicit
/// structural analysis of multimode DAE systems, HSCC 2020.
struct FaultyCoaxial {
  /// In which order signals, binaries, equations and invariants are declared.
  enum class Declared {
    by_element,   ///< element after element
    opens_first,  ///< all open_k, then all short_k; signals and equations likewise, each kind by itself
    shuffled,     ///< without any order
  };
  /// Of one element.
  enum class Fault { none, open, shorted };

  int elements = 10;
  Declared declared = Declared::by_element;

  [[nodiscard]] Source source() const;
};

/// The mode in which the elements of `model` have these faults.
[[nodiscard]] Mode faulty_coaxial_mode(const Model& model, const std::vector<FaultyCoaxial::Fault>& faults);

}  // namespace mti::bench
