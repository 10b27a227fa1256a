#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "io/modelica_writing/notation.hpp"
#include "mti/text/ast.hpp"

namespace mti::modelica {

/// A relation of the model, parsed, with the names in it: der(x) as "der(x)", pre(z) as "pre(z)".
struct ParsedRelation {
  std::string name, pointer, text;
  text::Relation relation;
  std::set<std::string> names;     ///< all
  std::set<std::string> numbers;   ///< those that it holds as numbers: none of conditions
  std::set<std::string> binaries;  ///< binaries among them: no inputs
  bool is_logic = false;           ///< of binaries, binary inputs and pre(z) alone
};
/// Equations or constraints; the texts live in the result.
[[nodiscard]] std::vector<std::unique_ptr<ParsedRelation>> parsed(
    const std::vector<RelationSource>& relations, const std::string& list, const Kinds& kinds);

/// Which of two sides exceeds the other where a constraint is broken: "left > right".
struct Excess {
  std::string left, right;
  [[nodiscard]] std::string text() const { return left + " > " + right; }
  /// left − right as a number.
  [[nodiscard]] std::string difference() const;
  /// Broken where the other one is not, but for equality: one boundary.
  [[nodiscard]] bool is_opposite(const Excess& other) const;
};

/// What decides a binary: the rows that break z = 0 and z = 1, or an equation of logic.
struct Decision {
  std::string binary;
  std::vector<Excess> while_off = {}, while_on = {};  ///< z cannot be 0, or 1, where one of these holds
  std::set<std::string> names = {};                   ///< in these
  bool never_falls = false, never_rises = false;
  std::string logic = {};  ///< z = logic
};

struct Decisions {
  std::vector<Decision> binaries;        ///< in the order of the model
  std::set<const ParsedRelation*> used;  ///< equations and constraints that are said by them
};

/// Distributes constraints and equations of logic among the binaries:
///
/// * a constraint that holds one binary z belongs to z, with z = 0 and z = 1 put in;
/// * of z·a + (1 − z)·b = 0, constraints on a belong to z = 0, those on b to z = 1;
/// * an equation of binaries alone gives the one of them that it has a value for whatever the others are;
/// * z = condition gives a z that nothing else decides.
///
/// `alternatives`: the equations that are looked through for z·a + (1 − z)·b = 0.
[[nodiscard]] Decisions decide(const Source& source,
                               const std::vector<std::unique_ptr<ParsedRelation>>& equations,
                               const std::vector<std::unique_ptr<ParsedRelation>>& alternatives,
                               const std::vector<std::unique_ptr<ParsedRelation>>& constraints,
                               const Kinds& kinds, ModelicaNotation& notation);

}  // namespace mti::modelica
