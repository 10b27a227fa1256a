#pragma once

#include <string>
#include <vector>

#include "mti/model/model.hpp"

namespace mti {

/// What an elimination of algebraic signals may do.
struct EliminationOptions {
  std::vector<std::string> keep = {};  ///< algebraic signals that stay, such as named outputs
  /// Explicit signals: by how many columns one substitution may make f and g longer at most.
  int most_new_columns = 0;
};

namespace transform {

/// What of a model an elimination has to leave alone.
struct Limits {
  std::vector<char> stays;        ///< by row of S: not to be eliminated
  std::vector<char> in_law;       ///< by row of S: occurs in a transition law, as s or pre(s)
  std::vector<char> in_scenario;  ///< by row of S: occurs in an initial scenario
  /// By row of S: occurs in a constraint. An event may change all binaries of the rows that it triggers, so that
  /// no binaries get into a constraint in the place of the signal.
  std::vector<char> in_constraint;
  std::vector<char> replaced;  ///< by equation: a law puts it out of force
};

/// Errors: InvalidModel, id `unknown-name`, for every name of `keep` that is no signal.
[[nodiscard]] Limits limits_of(const Model& model, const EliminationOptions& options);

/// A row of S is that of a binary.
[[nodiscard]] bool is_binary(const Signature& signature, int row);

}  // namespace transform
}  // namespace mti
