#pragma once

#include <vector>

namespace mti {

/// Relations between elements, which are any numbers ≥ 0: each the elements that it holds, without repetition.
using Relations = std::vector<std::vector<int>>;

/// The elements of relations along the graph that these make, from one end to the other (reverse Cuthill–McKee), so that
/// elements that meet in a relation are near each other.
[[nodiscard]] std::vector<int> along_relations(const Relations& relations);

/// The most elements that have to be remembered at one place of `order`:
///
///     max_i  #{ v at a place ≤ i : a relation of v holds an element at a place > i }
///
/// Relations that hold only elements of `order` are looked at. The diagram of what n relations demand together has at
/// most 2^width nodes at each of its places, since what is still demanded is known from the elements remembered.
[[nodiscard]] int width(const std::vector<int>& order, const Relations& relations);

/// `order`, but elements that relations connect, directly or through each other, in a narrower order where their width
/// exceeds `most_width`: along their own relations, or, as it suits trees, each element after those of its branches,
/// whichever is narrower. They stand together then, where the first of them stood. So do the elements of every part where parts
/// cross each other so much that their width exceeds it together.
///
/// Every element of the relations is in `order`.
[[nodiscard]] std::vector<int> narrow_order(const std::vector<int>& order, const Relations& relations,
                                            int most_width);

}  // namespace mti
