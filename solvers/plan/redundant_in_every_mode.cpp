#include "solvers/plan/redundant_in_every_mode.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/plan/jet_polynomial.hpp"
#include "solvers/plan/left_null_vectors.hpp"

namespace mti {

std::vector<int> redundant_in_every_mode(const Model& model, const RowMap& f, std::span<const int> rows) {
  if (rows.size() < 2) return {};
  const JetRules rules(model);
  Indexed<MatrixRow, std::vector<JetPolynomial>> matrix;
  Indexed<MatrixRow, int> levels;
  std::vector<int> equation_of;  // by row of the matrix
  for (const int row : rows) {
    std::optional<JetPolynomial> polynomial = JetPolynomial::of_row(f, row, rules);
    if (!polynomial || polynomial->empty()) continue;
    levels.append(-static_cast<int>(polynomial->terms().size()));
    matrix.append({std::move(*polynomial)});
    equation_of.push_back(row);
  }
  std::vector<int> redundant;
  for (const LeftNullVector& vector : left_null_vectors(matrix, levels))
    redundant.push_back(equation_of[at(vector.pivot.value())]);
  std::ranges::sort(redundant);
  return redundant;
}

}  // namespace mti
