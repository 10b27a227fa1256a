#pragma once

#include <string>
#include <vector>

namespace mti::text {

/// A name as LaTeX in math mode: what it is a part of, digits at its end and what follows an underscore
/// become subscripts, Greek letters are themselves, words are upright.
///
///     x1 → x_{1}    tank1.T → T_{\mathrm{tank1}}    omega_ref → \omega_{\mathrm{ref}}    uC → \mathrm{uC}
struct LatexName {
  std::string base;       ///< what a dot goes on
  std::string subscript;  ///< without braces; may be empty
};
[[nodiscard]] LatexName latex_name(const std::string& name);

/// base_{subscript}
[[nodiscard]] std::string to_string(const LatexName& name);

/// The same for many names: those that would look alike (x1 and x_1) are written letter by letter.
[[nodiscard]] std::vector<LatexName> latex_names(const std::vector<std::string>& names);

/// Any text as LaTeX outside math mode: \ { } $ & # ^ _ ~ % are escaped.
[[nodiscard]] std::string latex_text(const std::string& text);

/// A decimal number as LaTeX in math mode: 1.5e-07 → 1.5\cdot 10^{-7}.
[[nodiscard]] std::string latex_number(const std::string& number);

}  // namespace mti::text
