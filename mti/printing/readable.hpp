#pragma once

#include <cstddef>
#include <string>

#include "mti/model/model.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// How a model is written for people.
struct ReadableStyle {
  int digits = 12;          ///< significant digits of numbers; 17: so that they read back exactly
  std::size_t width = 100;  ///< of a line; longer equations go on in the next one, between two terms
  bool expanded = false;    ///< print_text: the multilinear form itself, copies as the signals they are
};

/// The model as equations the way one writes them: copies made for powers are powers again, x*x.copy1 → x^2,
/// and their definitions are gone; factors are kept, with small numbers: (1 - 2*z) for −3·(−⅓ + ⅔z).
///
/// build(to_readable(m)) has the f and g of m, row by row, but for the definitions of copies, which it makes
/// anew; numbers are rounded to style.digits. Whether m was written as equations or matrices makes no
/// difference.
[[nodiscard]] Source to_readable(const Model& model, const ReadableStyle& style = {.digits = 17});

/// f = 0, g ≤ 0, invariants, transition laws, scenarios and the signals with their units, as text:
///
///     equations
///       motion:  m*der(v) + d*v - F = 0
[[nodiscard]] std::string print_text(const Model& model, const ReadableStyle& style = {});

/// The same as LaTeX, for a document that has amsmath: `align*` with the rows' names as tags, derivatives
/// with dots, subscripts (mti/printing/latex_name.hpp), pre(s) as s^-; units in a table of the signals.
[[nodiscard]] std::string print_latex(const Model& model, const ReadableStyle& style = {});

}  // namespace mti
