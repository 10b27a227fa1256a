#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/linearization/linearize.hpp"

namespace mti {

/// E, A, B, C, D as sparse triplets (as in the matrices form of a model), the names of their rows and
/// columns, the point, and the eigenvalues as pairs [real, imaginary], as a JSON object. Where there are no
/// eigenvalues, "eigenvalues" is null and "eigenvalues_note" says why. "participation", where it was asked
/// for, has residual, condition and shares by name of each eigenvalue, "state_space" the matrices of that
/// form.
[[nodiscard]] std::string linearization_json(const Model& model, const Linearization& linearization);

/// Several of them: {"linearizations": [...]}.
[[nodiscard]] std::string linearizations_json(const Model& model,
                                              std::span<const Linearization> linearizations);

/// The same to be read by people: small matrices as tables, larger ones as lists of their entries, large
/// ones by their numbers of entries; of each eigenvalue λ its time constant 1/|Re λ|, its frequency
/// |Im λ|/2π and damping ratio −Re λ/|λ|, and the unknowns with the largest shares.
[[nodiscard]] std::string linearization_text(const Model& model, const Linearization& linearization);

/// A sparse matrix in the Matrix Market coordinate format (real, general, rows and columns from 1).
[[nodiscard]] std::string matrix_market(const SparseColumns& matrix);

/// Paths of all files that write_linearizations() may write over or remove.
[[nodiscard]] std::vector<std::filesystem::path> linearization_files(const std::filesystem::path& directory);

/// Writes linearization.json and E.mtx, A.mtx, B.mtx, C.mtx, D.mtx into a directory, and with the
/// state-space form state_space_A.mtx and so on. Of several, each has a directory 1, 2, … there. Files of an
/// earlier call that are not written again are removed. Errors: UnusableFile, id `file-unwritable`.
void write_linearizations(const std::filesystem::path& directory, const Model& model,
                          std::span<const Linearization> linearizations);

}  // namespace mti
