#include "mti/model/same_law.hpp"

namespace mti {
namespace {

bool same_columns(const SparseColumns& a, const SparseColumns& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.nonZeros() != b.nonZeros()) return false;
  return a.nonZeros() == 0 || a.isApprox(b, 0.0);  // which Eigen has not for matrices without rows or columns
}

}  // namespace

bool same_law(const Transition& a, const Transition& b) {
  return a.replaces == b.replaces && same_columns(a.equations.S(), b.equations.S()) &&
         same_columns(a.equations.Phi(), b.equations.Phi());
}

}  // namespace mti
