#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mti/source/source.hpp"
#include "mti/text/ast.hpp"

namespace mti::modelica {

/// An identifier of Modelica: the name, or in quotes where it is none, or a word of the language. In quotes, ' and \\ stand
/// behind a \\.
[[nodiscard]] std::string identifier(const std::string& name);
/// A text in double quotes.
[[nodiscard]] std::string quoted_text(const std::string& text);
/// A number that stands for itself in any place: in parentheses if it is negative.
[[nodiscard]] std::string written_number(double value);
/// Throws InvalidModel with the id `modelica-unwritable`.
[[noreturn]] void unwritable(const std::string& pointer, const std::string& message);

/// What the names of a model are, for those who write its relations.
class Kinds {
 public:
  explicit Kinds(const Source& source);
  [[nodiscard]] bool is_boolean(std::string_view name) const { return booleans_.contains(name); }
  [[nodiscard]] bool is_binary(std::string_view name) const { return binaries_.contains(name); }
  [[nodiscard]] bool is_state(std::string_view name) const { return states_.contains(name); }
  [[nodiscard]] bool is_algebraic(std::string_view name) const { return algebraic_.contains(name); }
  /// A name that the model does not use.
  [[nodiscard]] std::string fresh(std::string name);

 private:
  using NameSet = std::set<std::string, std::less<>>;
  NameSet booleans_, binaries_, states_, algebraic_, taken_;
};

/// Values put in the place of binaries, by name; of pre(z) as "pre(z)".
using Assignment = std::map<std::string, bool, std::less<>>;

/// A written expression. Levels: 0 if-expression, 1 sum, 2 product or sign, 3 power, 4 operand of anything.
struct Piece {
  std::string text;
  int level = 4;
  std::optional<double> value = {};  ///< of a number
};

/// Writes expressions of relations in Modelica. z·a is `if z then a else 0`; conditions are if-expressions; what remembers is
/// a Boolean variable of its own.
class ModelicaNotation {
 public:
  explicit ModelicaNotation(Kinds& kinds) : kinds_(kinds) {}

  [[nodiscard]] Piece number(const text::Node& node, const Assignment& assignment = {});
  [[nodiscard]] std::string condition(const text::Node& node, const Assignment& assignment = {});

  /// An expression that is 0 or 1 by its form.
  [[nodiscard]] bool is_truth(const text::Node& node) const;

  /// What was made for hysteresis(…): declarations and equations.
  struct Memory {
    std::string name, start, equation;
  };
  [[nodiscard]] const std::vector<Memory>& memories() const { return memories_; }

 private:
  [[nodiscard]] Piece name(const text::Node& node, const Assignment& assignment);
  [[nodiscard]] Piece sum(const text::Node& node, const Assignment& assignment);
  [[nodiscard]] Piece product(const text::Node& node, const Assignment& assignment);
  [[nodiscard]] Piece choice(const text::Node& node, const Assignment& assignment);
  [[nodiscard]] Piece call(const text::Node& node, const Assignment& assignment);
  [[nodiscard]] Piece table(const text::Node& node, const Assignment& assignment);
  [[nodiscard]] Piece hysteresis(const text::Node& node);
  /// The condition that a factor z or 1 − z is; empty for other factors.
  [[nodiscard]] std::string factor_condition(const text::Node& node, const Assignment& assignment) const;

  Kinds& kinds_;
  std::vector<Memory> memories_ = {};
  std::map<std::string, std::string> known_memories_ = {};
};

/// The text as an operand within something of a level.
[[nodiscard]] std::string at_level(const Piece& piece, int level);
/// Names that stand in an expression, der(x) as "der(x)" and pre(z) as "pre(z)", conditions included or not.
void collect_names(const text::Node& node, bool with_conditions, std::set<std::string>& names);

}  // namespace mti::modelica
