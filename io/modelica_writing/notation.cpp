#include "io/modelica_writing/notation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "mti/common/characters.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"

namespace mti::modelica {
namespace {

using text::Node;

constexpr std::array<std::string_view, 106> words = {"algorithm",
                                                     "and",
                                                     "annotation",
                                                     "assert",
                                                     "block",
                                                     "break",
                                                     "class",
                                                     "connect",
                                                     "connector",
                                                     "constant",
                                                     "constrainedby",
                                                     "der",
                                                     "discrete",
                                                     "each",
                                                     "else",
                                                     "elseif",
                                                     "elsewhen",
                                                     "encapsulated",
                                                     "end",
                                                     "enumeration",
                                                     "equation",
                                                     "expandable",
                                                     "extends",
                                                     "external",
                                                     "false",
                                                     "final",
                                                     "flow",
                                                     "for",
                                                     "function",
                                                     "if",
                                                     "import",
                                                     "impure",
                                                     "in",
                                                     "initial",
                                                     "inner",
                                                     "input",
                                                     "loop",
                                                     "model",
                                                     "not",
                                                     "operator",
                                                     "or",
                                                     "outer",
                                                     "output",
                                                     "package",
                                                     "parameter",
                                                     "partial",
                                                     "protected",
                                                     "public",
                                                     "pure",
                                                     "record",
                                                     "redeclare",
                                                     "replaceable",
                                                     "return",
                                                     "stream",
                                                     "then",
                                                     "true",
                                                     "type",
                                                     "when",
                                                     "while",
                                                     "within",
                                                     "abs",
                                                     "sign",
                                                     "sqrt",
                                                     "div",
                                                     "mod",
                                                     "rem",
                                                     "ceil",
                                                     "floor",
                                                     "integer",
                                                     "sin",
                                                     "cos",
                                                     "tan",
                                                     "asin",
                                                     "acos",
                                                     "atan",
                                                     "atan2",
                                                     "sinh",
                                                     "cosh",
                                                     "tanh",
                                                     "exp",
                                                     "log",
                                                     "log10",
                                                     "max",
                                                     "min",
                                                     "delay",
                                                     "cardinality",
                                                     "homotopy",
                                                     "semiLinear",
                                                     "terminal",
                                                     "noEvent",
                                                     "smooth",
                                                     "sample",
                                                     "pre",
                                                     "edge",
                                                     "change",
                                                     "reinit",
                                                     "time",
                                                     "Real",
                                                     "Integer",
                                                     "Boolean",
                                                     "String",
                                                     "size",
                                                     "sum",
                                                     "product",
                                                     "spatialDistribution",
                                                     "terminate"};

bool is_plain(const std::string& name) {
  return !name.empty() && begins_name(name.front()) &&
         std::ranges::all_of(name, [](char c) { return begins_name(c) || is_digit(c); }) &&
         std::ranges::find(words, name) == words.end();
}

std::string as_text(double value) { return text::format_number(value); }

Piece piece_of(double value) { return {as_text(value), value < 0.0 ? 2 : 4, value}; }

std::string key(const Node& call) { return "pre(" + std::string(call.operands.front().name) + ")"; }

}  // namespace

std::string identifier(const std::string& name) {
  if (is_plain(name)) return name;
  std::string quoted = "'";
  for (const char c : name) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string quoted_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string written_number(double value) { return value < 0.0 ? "(" + as_text(value) + ")" : as_text(value); }

void unwritable(const std::string& pointer, const std::string& message) {
  throw InvalidModel("modelica-unwritable", pointer, message);
}

std::string at_level(const Piece& piece, int level) {
  return piece.level < level ? "(" + piece.text + ")" : piece.text;
}

Kinds::Kinds(const Source& source) {
  for (const ParameterSource& parameter : source.parameters) taken_.insert(parameter.name);
  for (const StateSource& state : source.states) states_.insert(state.name);
  for (const AlgebraicSource& signal : source.algebraic) algebraic_.insert(signal.name);
  for (const BinarySource& binary : source.binaries) binaries_.insert(binary.name);
  booleans_ = binaries_;
  for (const InputSource& input : source.inputs) {
    taken_.insert(input.name);
    if (input.binary) booleans_.insert(input.name);
  }
  for (const NameSet* names : {&states_, &algebraic_, &binaries_})
    taken_.insert(names->begin(), names->end());
}

std::string Kinds::fresh(std::string name) {
  while (!taken_.insert(name).second) name += '_';
  return name;
}

void collect_names(const Node& node, bool with_conditions, std::set<std::string>& names) {
  if (node.kind == Node::Kind::name) names.insert(std::string(node.name));
  if (node.kind == Node::Kind::call && (node.name == "der" || node.name == "pre")) {
    names.insert(std::string(node.name) + "(" + std::string(node.operands.front().name) + ")");
    return;
  }
  // What remembers is a condition, too: its limits are comparisons.
  if (!with_conditions && node.kind == Node::Kind::call && node.name == "hysteresis") return;
  if (!with_conditions && node.kind == Node::Kind::choice) {
    for (std::size_t i = 1; i < node.operands.size(); i += 2) collect_names(node.operands[i], false, names);
    collect_names(node.operands.back(), false, names);
    return;
  }
  if (!with_conditions && node.kind != Node::Kind::sum && node.kind != Node::Kind::product &&
      node.kind != Node::Kind::power && node.kind != Node::Kind::call)
    return;
  for (const Node& operand : node.operands) collect_names(operand, with_conditions, names);
}

Piece ModelicaNotation::name(const Node& node, const Assignment& assignment) {
  const auto assigned = assignment.find(node.name);
  if (assigned != assignment.end()) return piece_of(assigned->second ? 1.0 : 0.0);
  if (node.name == "time") return {"time"};
  if (node.name == "pi") return {"3.141592653589793"};
  if (node.name == "true") return piece_of(1.0);
  if (node.name == "false") return piece_of(0.0);
  const std::string own = identifier(std::string(node.name));
  if (kinds_.is_boolean(node.name)) return {"(if " + own + " then 1 else 0)"};
  return {own};
}

Piece ModelicaNotation::sum(const Node& node, const Assignment& assignment) {
  std::string text;
  double total = 0.0;
  bool is_number = true;
  int count = 0, level = 1;
  for (const Node& operand : node.operands) {
    const Piece piece = number(operand, assignment);
    if (piece.value && *piece.value == 0.0) continue;
    if (piece.value) total += operand.inverse ? -*piece.value : *piece.value;
    is_number = is_number && piece.value;
    const bool minus = operand.inverse;
    if (count++ == 0) {
      text = minus ? "-" + at_level(piece, 3) : at_level(piece, 1);
      level = minus ? 2 : piece.level < 1 ? 4 : piece.level;
    } else {
      text += (minus ? " - " : " + ") + at_level(piece, piece.text.front() == '-' ? 3 : minus ? 2 : 1);
      level = 1;
    }
  }
  if (is_number) return piece_of(total);
  return {text, level};
}

std::string ModelicaNotation::factor_condition(const Node& node, const Assignment& assignment) const {
  const auto boolean = [&](const Node& part) -> std::string {
    if (part.kind == Node::Kind::name && kinds_.is_boolean(part.name) && !assignment.contains(part.name))
      return identifier(std::string(part.name));
    if (part.kind == Node::Kind::call && part.name == "pre" &&
        kinds_.is_boolean(part.operands.front().name) && !assignment.contains(key(part)))
      return "pre(" + identifier(std::string(part.operands.front().name)) + ")";
    return {};
  };
  if (std::string direct = boolean(node); !direct.empty()) return direct;
  if (node.kind != Node::Kind::sum || node.operands.size() != 2) return {};
  const Node &one = node.operands[0], &other = node.operands[1];
  if (one.kind != Node::Kind::number || one.number != 1.0 || one.inverse || !other.inverse) return {};
  const std::string inner = boolean(other);
  return inner.empty() ? inner : "not " + inner;
}

Piece ModelicaNotation::product(const Node& node, const Assignment& assignment) {
  std::string text, condition;
  double total = 1.0;
  bool is_number = true, negative = false;
  int count = 0;
  for (const Node& operand : node.operands) {
    if (const std::string own = operand.inverse ? "" : factor_condition(operand, assignment); !own.empty()) {
      condition += (condition.empty() ? "" : " and ") + own;
      continue;
    }
    const Piece piece = number(operand, assignment);
    if (piece.value && *piece.value == 0.0 && !operand.inverse) return piece_of(0.0);
    if (piece.value) total = operand.inverse ? total / *piece.value : total * *piece.value;
    is_number = is_number && piece.value;
    if (piece.value && *piece.value == 1.0) continue;
    if (piece.value && *piece.value == -1.0) {
      negative = !negative;
      continue;
    }
    if (count++ == 0)
      text = operand.inverse ? "1/" + at_level(piece, 3) : at_level(piece, 2);
    else
      text += (operand.inverse ? "/" : "*") + at_level(piece, 3);
  }
  Piece rest = is_number ? piece_of(total) : Piece{text, 2};
  if (!is_number && count == 1 && text.front() == '(' && text.back() == ')') rest.level = 2;
  if (!is_number && negative) rest = {"-" + (text.front() == '-' ? "(" + text + ")" : text), 2};
  if (condition.empty()) return rest;
  return {"(if " + condition + " then " + rest.text + " else 0)", 4};
}

Piece ModelicaNotation::number(const Node& node, const Assignment& assignment) {
  switch (node.kind) {
    case Node::Kind::number:
      return piece_of(node.number);
    case Node::Kind::name:
      return name(node, assignment);
    case Node::Kind::sum:
      return sum(node, assignment);
    case Node::Kind::product:
      return product(node, assignment);
    case Node::Kind::power: {
      const Piece base = number(node.operands[0], assignment),
                  exponent = number(node.operands[1], assignment);
      if (base.value && exponent.value) return piece_of(std::pow(*base.value, *exponent.value));
      return {at_level(base, 4) + "^" + at_level(exponent, 4), 3};
    }
    case Node::Kind::call:
      return call(node, assignment);
    case Node::Kind::choice:
      return choice(node, assignment);
    case Node::Kind::comparison:
    case Node::Kind::negation:
    case Node::Kind::conjunction:
    case Node::Kind::disjunction:
      return {"(if " + condition(node, assignment) + " then 1 else 0)", 4};
    case Node::Kind::list:
    case Node::Kind::initial:
      break;
  }
  unwritable("", "a list stands where a number is expected");
}

bool ModelicaNotation::is_truth(const Node& node) const {
  const auto is_own = [this](const Node& operand) { return is_truth(operand); };
  switch (node.kind) {
    case Node::Kind::comparison:
    case Node::Kind::negation:
    case Node::Kind::conjunction:
    case Node::Kind::disjunction:
      return true;
    case Node::Kind::number:
      return node.number == 0.0 || node.number == 1.0;
    case Node::Kind::name:
      return kinds_.is_boolean(node.name) || node.name == "true" || node.name == "false";
    case Node::Kind::call:
      return node.name == "hysteresis" || node.name == "step" ||
             (node.name == "pre" && kinds_.is_boolean(node.operands.front().name));
    case Node::Kind::product:
      return std::ranges::all_of(node.operands,
                                 [&](const Node& factor) { return !factor.inverse && is_own(factor); });
    case Node::Kind::sum: {  // 1 − a
      const Node &one = node.operands.front(), &other = node.operands.back();
      return node.operands.size() == 2 && one.kind == Node::Kind::number && one.number == 1.0 &&
             !one.inverse && other.inverse && is_own(other);
    }
    case Node::Kind::choice:
      for (std::size_t i = 1; i < node.operands.size(); i += 2)
        if (!is_own(node.operands[i])) return false;
      return is_own(node.operands.back());
    default:
      return false;
  }
}

std::string ModelicaNotation::condition(const Node& node, const Assignment& assignment) {
  switch (node.kind) {
    case Node::Kind::comparison:
      return at_level(number(node.operands[0], assignment), 1) + " " + std::string(node.name) + " " +
             at_level(number(node.operands[1], assignment), 1);
    case Node::Kind::negation: {
      const std::string inner = condition(node.operands.front(), assignment);
      return inner == "true" ? "false" : inner == "false" ? "true" : "not (" + inner + ")";
    }
    case Node::Kind::conjunction:
    case Node::Kind::disjunction: {
      const bool all = node.kind == Node::Kind::conjunction;
      std::string text;
      for (const Node& operand : node.operands) {
        std::string part = condition(operand, assignment);
        if (part == (all ? "false" : "true")) return part;
        if (part != (all ? "true" : "false")) text += (text.empty() ? "(" : all ? " and " : " or ") + part;
      }
      return text.empty() ? (all ? "true" : "false") : text + ")";
    }
    default:
      break;
  }
  if (std::string direct = factor_condition(node, assignment); !direct.empty()) return direct;
  if (node.kind == Node::Kind::sum && is_truth(node))
    return "not (" + condition(node.operands.back(), assignment) + ")";
  if (node.kind == Node::Kind::product && is_truth(node)) {
    std::string text;
    for (const Node& operand : node.operands)
      text += (text.empty() ? "(" : " and ") + condition(operand, assignment);
    return text + ")";
  }
  const Piece piece = number(node, assignment);
  if (piece.value) return *piece.value > 0.5 ? "true" : "false";
  if (piece.level == 4 && piece.text.starts_with("(if ") && piece.text.ends_with(" then 1 else 0)"))
    return piece.text.substr(4, piece.text.size() - 4 - std::string_view(" then 1 else 0)").size());
  return at_level(piece, 1) + " > 0.5";
}

}  // namespace mti::modelica
