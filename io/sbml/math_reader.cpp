#include "io/sbml/math_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "io/sbml/read_document.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"

namespace mti::sbml {
namespace {

/// Elements of MathML by their types in libsbml; those of numbers and names are not here.
const std::map<int, std::string>& operations() {
  static const std::map<int, std::string> table = {{AST_PLUS, "plus"},
                                                   {AST_MINUS, "minus"},
                                                   {AST_TIMES, "times"},
                                                   {AST_DIVIDE, "divide"},
                                                   {AST_POWER, "power"},
                                                   {AST_FUNCTION_POWER, "power"},
                                                   {AST_FUNCTION_ABS, "abs"},
                                                   {AST_FUNCTION_ARCCOS, "arccos"},
                                                   {AST_FUNCTION_ARCCOSH, "arccosh"},
                                                   {AST_FUNCTION_ARCCOT, "arccot"},
                                                   {AST_FUNCTION_ARCCOTH, "arccoth"},
                                                   {AST_FUNCTION_ARCCSC, "arccsc"},
                                                   {AST_FUNCTION_ARCCSCH, "arccsch"},
                                                   {AST_FUNCTION_ARCSEC, "arcsec"},
                                                   {AST_FUNCTION_ARCSECH, "arcsech"},
                                                   {AST_FUNCTION_ARCSIN, "arcsin"},
                                                   {AST_FUNCTION_ARCSINH, "arcsinh"},
                                                   {AST_FUNCTION_ARCTAN, "arctan"},
                                                   {AST_FUNCTION_ARCTANH, "arctanh"},
                                                   {AST_FUNCTION_CEILING, "ceiling"},
                                                   {AST_FUNCTION_COS, "cos"},
                                                   {AST_FUNCTION_COSH, "cosh"},
                                                   {AST_FUNCTION_COT, "cot"},
                                                   {AST_FUNCTION_COTH, "coth"},
                                                   {AST_FUNCTION_CSC, "csc"},
                                                   {AST_FUNCTION_CSCH, "csch"},
                                                   {AST_FUNCTION_DELAY, "delay"},
                                                   {AST_FUNCTION_EXP, "exp"},
                                                   {AST_FUNCTION_FACTORIAL, "factorial"},
                                                   {AST_FUNCTION_FLOOR, "floor"},
                                                   {AST_FUNCTION_LN, "ln"},
                                                   {AST_FUNCTION_LOG, "log"},
                                                   {AST_FUNCTION_PIECEWISE, "piecewise"},
                                                   {AST_FUNCTION_ROOT, "root"},
                                                   {AST_FUNCTION_SEC, "sec"},
                                                   {AST_FUNCTION_SECH, "sech"},
                                                   {AST_FUNCTION_SIN, "sin"},
                                                   {AST_FUNCTION_SINH, "sinh"},
                                                   {AST_FUNCTION_TAN, "tan"},
                                                   {AST_FUNCTION_TANH, "tanh"},
                                                   {AST_FUNCTION_MAX, "max"},
                                                   {AST_FUNCTION_MIN, "min"},
                                                   {AST_FUNCTION_QUOTIENT, "quotient"},
                                                   {AST_FUNCTION_RATE_OF, "rateOf"},
                                                   {AST_FUNCTION_REM, "rem"},
                                                   {AST_LOGICAL_AND, "and"},
                                                   {AST_LOGICAL_NOT, "not"},
                                                   {AST_LOGICAL_OR, "or"},
                                                   {AST_LOGICAL_XOR, "xor"},
                                                   {AST_LOGICAL_IMPLIES, "implies"},
                                                   {AST_RELATIONAL_EQ, "eq"},
                                                   {AST_RELATIONAL_GEQ, "geq"},
                                                   {AST_RELATIONAL_GT, "gt"},
                                                   {AST_RELATIONAL_LEQ, "leq"},
                                                   {AST_RELATIONAL_LT, "lt"},
                                                   {AST_RELATIONAL_NEQ, "neq"},
                                                   {AST_CONSTANT_TRUE, "true"},
                                                   {AST_CONSTANT_FALSE, "false"},
                                                   {AST_NAME_TIME, "time"}};
  return table;
}

Math number_of(double value) { return {.op = "number", .value = value}; }

/// m·10^e as it is rounded once; m*pow(10, e) is rounded two times.
double power_of_ten(double mantissa, long exponent) {
  const std::string text = text::format_number(mantissa);
  double value = 0.0;
  const std::string digits = text + "e" + std::to_string(exponent);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool is_read = error == std::errc() && end == digits.data() + digits.size();
  return is_read ? value : mantissa * std::pow(10.0, static_cast<double>(exponent));
}

std::size_t operations_in(const Math& math) {
  std::size_t count = 1;
  for (const Math& operand : math.of) count += operations_in(operand);
  return count;
}

}  // namespace

void MathReader::spend(std::size_t operations) {
  if ((spent_ += operations) > most_operations)
    throw InvalidModel("sbml-too-large", "",
                       "with function definitions expanded the formulas have more than " +
                           std::to_string(most_operations) + " operations");
}

std::optional<Math> MathReader::read(const ASTNode_t* node,
                                     const std::map<std::string, std::string>& renamed) {
  if (node == nullptr) return std::nullopt;
  // An element math without anything in it, as of level 3 version 2, says nothing.
  if (library_.ASTNode_getType(node) == AST_UNKNOWN && library_.ASTNode_getName(node) == nullptr &&
      library_.ASTNode_getNumChildren(node) == 0)
    return std::nullopt;
  renamed_ = &renamed;
  return convert(node, {}, 0);
}

Math MathReader::convert(const ASTNode_t* node, const Arguments& arguments, int depth) {
  if (depth > deepest_formula)
    throw InvalidModel("sbml-too-large", "",
                       "a formula is nested deeper than " + std::to_string(deepest_formula) + " levels");
  spend(1);
  const int type = library_.ASTNode_getType(node);
  const char* const text = library_.ASTNode_getName(node);
  const std::string name = text == nullptr ? "" : text;
  switch (type) {
    case AST_INTEGER:
      return number_of(static_cast<double>(library_.ASTNode_getInteger(node)));
    case AST_REAL_E:
      return number_of(power_of_ten(library_.ASTNode_getMantissa(node), library_.ASTNode_getExponent(node)));
    case AST_REAL:
      return number_of(library_.ASTNode_getReal(node));
    case AST_RATIONAL:
      return number_of(static_cast<double>(library_.ASTNode_getNumerator(node)) /
                       static_cast<double>(library_.ASTNode_getDenominator(node)));
    case AST_CONSTANT_E:
      return number_of(2.718281828459045);
    case AST_CONSTANT_PI:
      return number_of(3.141592653589793);
    case AST_NAME_AVOGADRO:
      return number_of(6.02214179e23);  // the value of the specification
    case AST_NAME: {
      if (const auto argument = arguments.find(name); argument != arguments.end()) {
        spend(operations_in(argument->second));
        return argument->second;
      }
      const auto other = renamed_->find(name);
      return {.op = "name", .name = other == renamed_->end() ? name : other->second};
    }
    case AST_FUNCTION:
      return call(node, arguments, depth);
    default:
      break;
  }
  const auto operation = operations().find(type);
  return applied(operation != operations().end() ? operation->second : "?" + name, node, arguments, depth);
}

Math MathReader::applied(const std::string& op, const ASTNode_t* node, const Arguments& arguments,
                         int depth) {
  Math math{.op = op};
  const unsigned count = library_.ASTNode_getNumChildren(node);
  // libsbml nests the operands of long sums and products to the left; they are put side by side again.
  std::vector<const ASTNode_t*> operands;
  const ASTNode_t* inner = node;
  while ((op == "plus" || op == "times" || op == "and" || op == "or") &&
         library_.ASTNode_getNumChildren(inner) == 2 &&
         library_.ASTNode_getType(library_.ASTNode_getChild(inner, 0)) == library_.ASTNode_getType(node)) {
    operands.push_back(library_.ASTNode_getChild(inner, 1));
    inner = library_.ASTNode_getChild(inner, 0);
  }
  std::ranges::reverse(operands);
  const unsigned first = inner == node ? count : library_.ASTNode_getNumChildren(inner);
  for (unsigned i = 0; i < first; ++i)
    math.of.push_back(convert(library_.ASTNode_getChild(inner, i), arguments, depth + 1));
  for (const ASTNode_t* operand : operands) math.of.push_back(convert(operand, arguments, depth + 1));
  return math;
}

/// A function definition with its arguments in place. That none calls itself is looked at by libsbml, and the depth ends
/// a circle.
Math MathReader::call(const ASTNode_t* node, const Arguments& arguments, int depth) {
  const char* const text = library_.ASTNode_getName(node);
  const std::string name = text == nullptr ? "" : text;
  const auto found = lambdas_.find(name);
  const ASTNode_t* const lambda = found == lambdas_.end() ? nullptr : found->second;
  const unsigned count = library_.ASTNode_getNumChildren(node);
  const unsigned parts = lambda == nullptr ? 0 : library_.ASTNode_getNumChildren(lambda);
  if (parts == 0) return {.op = "?" + name};
  if (parts - 1 != count)
    throw InvalidModel("sbml-format", "/" + name,
                       "a call of the function " + name + " with " + std::to_string(count) +
                           " arguments; it is defined with " + std::to_string(parts - 1));
  Arguments own;
  for (unsigned i = 0; i < count; ++i) {
    const char* const parameter = library_.ASTNode_getName(library_.ASTNode_getChild(lambda, i));
    own[parameter == nullptr ? "" : parameter] =
        convert(library_.ASTNode_getChild(node, i), arguments, depth + 1);
  }
  // A name in a definition that is none of its arguments would be a symbol of the model, and not of a kinetic law.
  static const std::map<std::string, std::string> none;
  const auto* const outer = renamed_;
  renamed_ = &none;
  Math body = convert(library_.ASTNode_getChild(lambda, parts - 1), own, depth + 1);
  renamed_ = outer;
  return body;
}

}  // namespace mti::sbml
