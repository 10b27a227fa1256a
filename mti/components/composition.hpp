#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mti/source/source.hpp"

namespace mti {

struct Composition;

/// The values an index takes: first, first + 1, …, last; none if last < first. Numbers or expressions of the
/// parameters and of the indices before it.
struct IndexRange {
  std::string index;
  Number first = 1.0, last = 1.0;
};

/// One use of a model in another, or an array of uses: one for each combination of the indices.
///
/// The name of an element is an identifier, with index expressions in brackets for an array: the elements of
/// "tank[i]" with i = 1 … 3 are tank1, tank2, tank3; those of "cell[i][j]" are cell1_1, cell1_2, …
/// Everything the model declares is called by the name of the element, a dot, and its own name.
struct ComponentSource {
  std::string name;
  std::shared_ptr<const Composition> model;
  std::vector<ParameterSource> parameters = {};  ///< values for parameters of the model, by their names in it
  std::vector<ParameterSource> start = {};       ///< start values of its states, algebraic signals, binaries
  std::vector<IndexRange> ranges = {};
};

/// What holds between components, once for each combination of the indices:
///
///     equal:     a_1 = a_2, a_1 = a_3, …        (items.size() − 1 equations)
///     balance:   a_1 + a_2 + … = 0              (one equation)
///     input:     items[0], an input, follows the expression items[1]
///
/// Items are expressions of signals. In names an index expression in brackets stands for its value, as in
/// "tank[i-1].T"; an item with "tank[:]" of `equal` or `balance` is as many items as there are elements.
struct ConnectionSource {
  enum class Kind { equal, balance, input };
  Kind kind = Kind::equal;
  std::vector<std::string> items = {};
  std::string name = {};  ///< of the equations; default: connection<k>, k from 1
  std::vector<IndexRange> ranges = {};
};

/// A model made of components: its own declarations and relations, the models it uses, and what connects
/// them.
///
/// `file` and `pointer` say where it is written, for faults: empty for the outermost document.
struct Composition {
  Source own = {};
  std::vector<ComponentSource> components = {};
  std::vector<ConnectionSource> connections = {};
  std::string file = {};
  std::string pointer = {};

  [[nodiscard]] bool is_plain() const noexcept { return components.empty() && connections.empty(); }
};

}  // namespace mti
