#pragma once

#include <string>

#include "io/sbml/document.hpp"

namespace mti::sbml {

/// Formulas of a model may have so many operations together, with function definitions expanded.
inline constexpr std::size_t most_operations = 5'000'000;
/// and be nested so deep.
inline constexpr int deepest_formula = 150;

/// Reads the text of an SBML file, level 2 or 3, and expands its function definitions.
///
/// Errors: InvalidModel with what libsbml finds wrong and the lines where, id `sbml-format`; ids of check_text(), and
/// `sbml-level` (level 1), `sbml-too-large` (formulas); UnusableFile where libsbml is not there.
[[nodiscard]] Document read_document(const std::string& text);

}  // namespace mti::sbml
