#pragma once

#include <span>
#include <vector>

#include "mti/multilinear/cp_map.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

struct Mode;
struct Model;
struct SignalRows;
class IndexedRowMap;

/// Row `equation` of f says what a signal y is that the text of a model has made, such as y = sqrt(x).
struct Definition {
  int equation = -1;
  int signal = -1;  ///< row of S

  friend bool operator==(const Definition&, const Definition&) = default;
};

/// Of the signals that texts have made: functions, quotients, their arguments, copies.
[[nodiscard]] std::vector<Definition> definitions(const Model& model);

/// Definitions that some modes do without: every other row multiplies y by what a mode decides, or is such a
/// definition itself; no law and no delay asks for it. In their order users come before what they use. Only models
/// with functions or divisors have any: a branch that is not taken has no values there, as sqrt(x) at x < 0 in
///
///     q = if x > 0 then sqrt(x) else 0
[[nodiscard]] std::vector<Definition> conditional_definitions(const Model& model, const IndexedRowMap& f,
                                                              const IndexedRowMap& g);

/// Of these, those whose y no row of the frozen f and g asks for but others of them; ascending. `rows` are the model's,
/// with which f and g begin.
[[nodiscard]] std::vector<Definition> idle_definitions(const SignalRows& rows, const RowMap& f,
                                                       const RowMap& g);

/// Adds those of functions that rest (Mode::resting), and sorts.
void add_resting(const Model& model, const Mode& mode, std::vector<Definition>& idle);

/// Definitions replaced by y = 0.
[[nodiscard]] RowMap without_definitions(const RowMap& f, std::span<const Definition> idle);
[[nodiscard]] CpMap without_definitions(const CpMap& f, std::span<const Definition> idle);

}  // namespace mti
