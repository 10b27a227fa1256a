#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/modelica_writing/relations.hpp"

namespace mti::modelica {

/// An equation of binaries as a table: for each assignment of its variables whether it holds.
struct LogicRow {
  std::vector<std::string> variables;  ///< names, and pre(z)
  std::vector<char> holds;             ///< 2^k, bit i of the index is variable i
  std::vector<std::string> outputs;    ///< binaries that it gives one value to, whatever the others are
};

/// Nothing for equations of more than ten variables, or with numbers that are not known here.
[[nodiscard]] std::optional<LogicRow> logic_row(const ParsedRelation& equation, const Kinds& kinds,
                                                ModelicaNotation& notation);
/// A different output for each row as far as possible; empty where none is left.
[[nodiscard]] std::vector<std::string> matched_outputs(const std::vector<LogicRow>& rows);
/// The value of the output as a Boolean expression of the others.
[[nodiscard]] std::string logic_text(const LogicRow& row, const std::string& output);

}  // namespace mti::modelica
