#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mti::text {

/// Something wrong at one place of a text; becomes a Fault once the text's JSON pointer is known.
struct TextFault {
  std::string id;
  std::size_t offset = 0;  ///< byte in the text
  std::string message;
};

/// Thrown by the parser at the first place that does not fit the grammar.
class SyntaxError : public std::runtime_error {
 public:
  explicit SyntaxError(TextFault fault) : std::runtime_error(fault.message), fault_(std::move(fault)) {}
  [[nodiscard]] const TextFault& fault() const noexcept { return fault_; }

 private:
  TextFault fault_;
};

/// A parsed expression. Names are views into the parsed text, which must outlive the tree.
///
/// Sums and products hold all their operands side by side, so that the depth of a tree is that of the
/// nesting of the text and not its length.
struct Node {
  enum class Kind {
    number,
    name,
    sum,
    product,
    power,
    call,
    comparison,   ///< left, right
    negation,     ///< not operand
    conjunction,  ///< operands with `and` between them
    disjunction,  ///< operands with `or` between them
    choice,       ///< if c1 then a1 elseif c2 then a2 … else a: c1, a1, c2, a2, …, a
    list,         ///< [a, b, …], an argument of a table
    initial       ///< `initial a`, an argument of hysteresis
  };
  Kind kind = Kind::number;
  bool inverse = false;             ///< as operand of a sum: subtracted; of a product: divided by
  double number = 0.0;              ///< number
  std::string_view name = {};       ///< name, the function of a call, the sign of a comparison
  std::size_t begin = 0, end = 0;   ///< the bytes of the text it was read from
  std::vector<Node> operands = {};  ///< power: base and exponent; call: arguments
};

struct Relation {
  enum class Comparison { equal, less_equal, greater_equal };
  Comparison comparison = Comparison::equal;
  Node left, right;
};

/// One step of a Boolean formula in postfix order.
struct FormulaStep {
  enum class Kind { name, negation, conjunction, disjunction, constant };
  Kind kind = Kind::constant;
  bool value = false;          ///< constant
  std::string_view name = {};  ///< name
  std::size_t offset = 0;
};

/// The condition of a transition: reach(c), rise(z), fall(z) or risen(z).
struct Condition {
  std::string_view trigger;  ///< "reach", "rise", "fall" or "risen"
  std::string_view target;
  std::size_t target_offset = 0;
};

}  // namespace mti::text
