#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>

namespace mti {

/// 113 bits: what long double loses of a small difference can be seen in it, and had from it.
using Quadruple = boost::multiprecision::cpp_bin_float_quad;

}  // namespace mti
