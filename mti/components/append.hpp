#pragma once

#include <string>

#include "mti/source/source.hpp"

namespace mti {

/// Puts a component into a system, side by side with what is there:
///
///     system ∪ name.component
///
/// where every name of the component is prefixed by `name` and a dot. Relations without a name get theirs
/// before, tank1.eq2; an input `time` is that of the system; the experiment is that of the system; matrices
/// become equations. Names are checked when the system is built.
/// Errors: those of build() where the component has matrices with faults.
void append(Source& system, const Source& component, const std::string& name);

/// The same with any prefix, for a component without matrices; with an empty prefix nothing is renamed.
void append_with_prefix(Source& system, const Source& component, const std::string& prefix);

/// Whether equations and constraints are given by matrices of any form.
[[nodiscard]] bool has_matrices(const Source& source);

/// The source with its clocks and matrices (of any form) written as equations, constraints and laws; itself if it has none.
[[nodiscard]] Source with_equations(const Source& source);

}  // namespace mti
