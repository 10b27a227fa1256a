#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/modelica_text/syntax.hpp"
#include "mti/common/fault.hpp"

namespace mti::modelica {

/// Throws text::SyntaxError, which report() below turns into a fault with line and column.
[[noreturn]] void refuse(const std::string& id, std::size_t offset, const std::string& message);

/// The faults of a text.
class Report {
 public:
  explicit Report(std::string_view text) : text_(text) {}
  void add(const text::TextFault& fault);
  void add(std::string id, std::size_t offset, std::string message) {
    add({std::move(id), offset, std::move(message)});
  }
  [[nodiscard]] std::vector<Fault> take() { return std::move(faults_); }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] bool empty() const noexcept { return faults_.empty(); }

 private:
  std::string_view text_;
  std::vector<Fault> faults_;
};

/// A variable of the model and what it becomes.
struct Variable {
  enum class Type { real, integer, boolean };
  /// held: a number that only when-equations change, a state of slope 0 here.
  enum class Role { parameter, state, algebraic, input, held, binary };
  Type type = Type::real;
  Role role = Role::algebraic;
  std::string name;  ///< without quotes
  const Declaration* declaration = nullptr;

  [[nodiscard]] bool is_boolean() const { return type == Type::boolean; }
  /// An attribute of the declaration; null without one.
  [[nodiscard]] const Node* attribute(std::string_view attribute) const;
};

/// Variables by the names that the text gives them, quotes included.
class Names {
 public:
  /// Declares all variables, with roles by what is done with them: der(x) makes a state, a when-equation what it sets a
  /// held number. Faults: `bad-name`, `duplicate-name`, `modelica-unsupported` (types, attributes).
  Names(const FlatModel& model, Report& report);

  /// Null for names that are none of a variable.
  [[nodiscard]] const Variable* find(std::string_view name) const;
  /// Error: `unknown-name`.
  [[nodiscard]] const Variable& at(const Node& name) const;
  [[nodiscard]] const std::vector<Variable>& all() const { return variables_; }
  void set_role(std::string_view name, Variable::Role role);
  /// A name that no variable has, made of this one.
  [[nodiscard]] std::string fresh(std::string name);
  [[nodiscard]] bool is_taken(const std::string& name) const { return taken_.contains(name); }

 private:
  std::vector<Variable> variables_;
  std::map<std::string_view, std::size_t> places_;
  std::set<std::string> taken_;
};

/// A name without quotes.
[[nodiscard]] std::string bare(std::string_view name);
/// A text without its escapes: \\" is ".
[[nodiscard]] std::string unescaped(std::string_view text);
/// Calls visit(node) for a node and all below it.
template <typename Visit>
void walk(const Node& node, const Visit& visit) {
  visit(node);
  for (const Node& operand : node.operands) walk(operand, visit);
}
/// The same for all expressions of equations.
template <typename Visit>
void walk(const std::vector<Equation>& equations, const Visit& visit) {
  for (const Equation& equation : equations) {
    walk(equation.left, visit);
    walk(equation.right, visit);
    for (const Branch& branch : equation.branches) {
      if (branch.condition) walk(*branch.condition, visit);
      walk(branch.equations, visit);
    }
  }
}
[[nodiscard]] inline bool is_call(const Node& node, std::string_view function) {
  return node.kind == Node::Kind::call && node.name == function;
}

}  // namespace mti::modelica
