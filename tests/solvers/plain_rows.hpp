#pragma once

#include <vector>

#include "mti/model/model.hpp"

/// The rows of a model as lists of monomials, with the plainest structural questions about them.
namespace mti::test {

/// weight · Π signals
struct Monomial {
  double weight = 0.0;
  std::vector<int> signals;  ///< rows of S, ascending
};
using PlainRow = std::vector<Monomial>;

/// All rows of f or g as monomials. Throws std::logic_error where S holds other factors than v and −v.
[[nodiscard]] std::vector<PlainRow> plain_rows(const Model& model, const SparseColumns& Phi);

/// A model with its rows, made once for all modes.
struct PlainModel {
  explicit PlainModel(const Model& model_)
      : model(model_), f(plain_rows(model, model.Phi_eq)), g(plain_rows(model, model.Phi_ineq)) {}
  const Model& model;
  std::vector<PlainRow> f, g;
};

[[nodiscard]] bool contains(const PlainRow& row, int signal);

/// Rows of S of the unknowns ẋ and y.
[[nodiscard]] std::vector<int> plain_unknowns(const Signature& signature);

/// For every row the unknowns in it, as positions in plain_unknowns().
using PlainPattern = std::vector<std::vector<int>>;
[[nodiscard]] PlainPattern plain_pattern(const std::vector<PlainRow>& rows, const Signature& signature);
/// A matching that cannot be made larger: for every column its row, or −1 (augmenting paths, one by one).
[[nodiscard]] std::vector<int> plain_matching(const PlainPattern& pattern, int columns);

}  // namespace mti::test
