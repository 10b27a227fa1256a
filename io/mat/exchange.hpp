#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "mti/model/model.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// Whether a path names a .mat file.
[[nodiscard]] bool is_mat_file(const std::filesystem::path& path);

/// What the MTI toolbox passes over in a file of this model, and so has to be told where one is written: functions of
/// signals and divisors. None of a multilinear model.
[[nodiscard]] std::vector<std::string> mat_warnings(const Model& model);

/// Writes a model as a MAT file (level 5) for MATLAB, Octave and SciPy: S, Phi_eq and Phi_ineq as sparse
/// matrices, names, sizes, start and nominal values, inputs, functions, laws; docs/exchange.md lists the variables.
/// `parameters` are kept beside it by name; the matrices hold their values.
/// Errors: UnusableFile, id `file-unwritable`; those of models that the format has no place for, ids
/// `delayed-signals` and `initial-equations`.
void write_mat_model(const Model& model, const std::vector<std::pair<std::string, double>>& parameters,
                     const std::filesystem::path& path);

/// Reads such a file: build() of the result has bit for bit the matrices and numbers that were written.
/// Variables that are not known are passed over; of those of docs/exchange.md only S and Phi_eq must be
/// there besides the names of the signals.
/// Errors: UnusableFile, ids `file-unreadable`, `mat-format`, `mat-too-large`, `mat-content`; InvalidModel, id
/// `mat-variable`; the pointer is "/" and the variable.
[[nodiscard]] Source read_mat_source(const std::filesystem::path& path);

}  // namespace mti
