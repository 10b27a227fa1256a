#include "mti/source/triplets.hpp"

namespace mti {

TripletSource triplets_of(const SparseColumns& matrix) {
  TripletSource result;
  result.rows = static_cast<int>(matrix.rows());
  result.cols = static_cast<int>(matrix.cols());
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry) {
      result.i.push_back(static_cast<int>(entry.row()));
      result.k.push_back(k);
      result.v.push_back(entry.value());
    }
  return result;
}

}  // namespace mti
