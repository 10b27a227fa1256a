#include "solvers/structure/disjoint_sets.hpp"

#include <boost/property_map/property_map.hpp>  // before the next one, which finds its get() for pointers

#include <boost/pending/disjoint_sets.hpp>
#include <numeric>

#include "mti/common/at.hpp"

namespace mti {
namespace {

boost::disjoint_sets<int*, int*> sets_of(std::vector<int>& rank, std::vector<int>& parent) {
  return {rank.data(), parent.data()};
}

}  // namespace

DisjointSets::DisjointSets(int size) : parent_(at(size)), rank_(at(size), 0) {
  std::iota(parent_.begin(), parent_.end(), 0);
}

int DisjointSets::of(int i) { return sets_of(rank_, parent_).find_set(i); }

void DisjointSets::join(int a, int b) { sets_of(rank_, parent_).union_set(a, b); }

}  // namespace mti
