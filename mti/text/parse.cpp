#include "mti/text/parse.hpp"

#include <charconv>
#include <iterator>
#include <system_error>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/text/grammar.hpp"
#include "mti/text/grammar_messages.hpp"

namespace mti::text {
namespace {

namespace pegtl = tao::pegtl;

/// What the actions build on: a stack of finished operands, as in any bottom-up evaluation.
struct Builder {
  std::string_view text;
  std::vector<Node> stack = {};
  std::vector<std::size_t> open =
      {};  ///< size of the stack below the operands of each open call, list, choice
  std::vector<std::string_view> comparators = {};  ///< those whose right side is being read
  std::vector<FormulaStep> formula = {};
  Relation relation = {};
  Condition condition = {};
  int depth = 0;

  template <typename ParseInput>
  void enter(const ParseInput& in) {
    if (++depth > kMaximumDepth)
      throw SyntaxError({"too-deep", offset_of(in.current()),
                         "nested deeper than " + std::to_string(kMaximumDepth) + " levels"});
  }
  void leave() { --depth; }

  [[nodiscard]] std::size_t offset_of(const char* place) const { return at(place - text.data()); }

  Node pop() {
    Node node = std::move(stack.back());
    stack.pop_back();
    return node;
  }

  /// What was pushed since the last opening.
  std::vector<Node> close() {
    const auto first = stack.begin() + static_cast<std::ptrdiff_t>(open.back());
    open.pop_back();
    std::vector<Node> operands(std::make_move_iterator(first), std::make_move_iterator(stack.end()));
    stack.erase(first, stack.end());
    return operands;
  }

  template <typename Input>
  void push_closed(Node::Kind kind, const Input& in) {
    Node node{.kind = kind, .begin = offset_of(in.begin())};
    node.operands = close();
    node.end = kind == Node::Kind::list ? end_of(in) : node.operands.back().end;
    stack.push_back(std::move(node));
  }

  /// The top of the stack becomes the only operand of a new node.
  template <typename Input>
  void wrap(Node::Kind kind, const Input& in) {
    Node operand = pop();
    Node node{.kind = kind, .begin = offset_of(in.begin()), .end = operand.end};
    node.operands.push_back(std::move(operand));
    stack.push_back(std::move(node));
  }

  /// The end of what was read, without the blanks after it.
  template <typename Input>
  std::size_t end_of(const Input& in) const {
    const std::string_view read(in.begin(), in.size());
    return offset_of(in.begin()) + read.find_last_not_of(" \t\n\r") + 1;
  }

  /// Joins the top of the stack to the operand below it, which becomes a sum or product if it is none.
  void join(Node::Kind kind, bool inverse) {
    Node operand = pop();
    operand.inverse = inverse;
    Node& list = stack.back();
    if (list.kind != kind) {
      Node first = std::move(list);
      list = Node{.kind = kind, .begin = first.begin};
      list.operands.push_back(std::move(first));
    }
    list.end = operand.end;
    list.operands.push_back(std::move(operand));
  }
};

template <typename Rule>
struct Action : pegtl::nothing<Rule> {};

template <>
struct Action<grammar::number> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    Node node{.kind = Node::Kind::number,
              .begin = builder.offset_of(in.begin()),
              .end = builder.offset_of(in.end())};
    if (std::from_chars(in.begin(), in.end(), node.number).ec != std::errc{})
      throw SyntaxError(
          {"number-range", node.begin, "the number " + in.string() + " is outside the range of double"});
    builder.stack.push_back(std::move(node));
  }
};

template <>
struct Action<grammar::name> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.stack.push_back({.kind = Node::Kind::name,
                             .name = {in.begin(), in.size()},
                             .begin = builder.offset_of(in.begin()),
                             .end = builder.offset_of(in.end())});
  }
};

template <>
struct Action<grammar::open_call> {
  static void apply0(Builder& builder) { builder.open.push_back(builder.stack.size()); }
};
template <>
struct Action<grammar::open_list> : Action<grammar::open_call> {};
template <>
struct Action<grammar::key_if> : Action<grammar::open_call> {};

template <>
struct Action<grammar::close_call> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    std::vector<Node> arguments = builder.close();
    Node& function = builder.stack.back();
    function.kind = Node::Kind::call;
    function.end = builder.offset_of(in.begin()) + 1;
    function.operands = std::move(arguments);
  }
};

template <>
struct Action<grammar::list> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.push_closed(Node::Kind::list, in);
  }
};
template <>
struct Action<grammar::choice> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.push_closed(Node::Kind::choice, in);
  }
};

template <>
struct Action<grammar::initial> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.wrap(Node::Kind::initial, in);  // a word of the language only where a digit follows
  }
};
template <>
struct Action<grammar::inverted> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.wrap(Node::Kind::negation, in);
  }
};

template <>
struct Action<grammar::comparator> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.comparators.emplace_back(in.begin(), in.size());
  }
};
template <>
struct Action<grammar::compared> {
  static void apply0(Builder& builder) {
    Node right = builder.pop();
    Node left = builder.pop();
    Node node{.kind = Node::Kind::comparison,
              .name = builder.comparators.back(),
              .begin = left.begin,
              .end = right.end};
    builder.comparators.pop_back();
    node.operands.push_back(std::move(left));
    node.operands.push_back(std::move(right));
    builder.stack.push_back(std::move(node));
  }
};
template <>
struct Action<grammar::both> {
  static void apply0(Builder& builder) { builder.join(Node::Kind::conjunction, false); }
};
template <>
struct Action<grammar::either> {
  static void apply0(Builder& builder) { builder.join(Node::Kind::disjunction, false); }
};

template <>
struct Action<grammar::group> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.stack.back().begin = builder.offset_of(in.begin());
    builder.stack.back().end = builder.end_of(in);
  }
};

template <>
struct Action<grammar::raised> {
  static void apply0(Builder& builder) {
    Node exponent = builder.pop();
    Node base = builder.pop();
    Node node{.kind = Node::Kind::power, .begin = base.begin, .end = exponent.end};
    node.operands.push_back(std::move(base));
    node.operands.push_back(std::move(exponent));
    builder.stack.push_back(std::move(node));
  }
};

template <>
struct Action<grammar::negated> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    Node operand = builder.pop();
    operand.inverse = true;
    Node node{.kind = Node::Kind::sum, .begin = builder.offset_of(in.begin()), .end = operand.end};
    node.operands.push_back(std::move(operand));
    builder.stack.push_back(std::move(node));
  }
};

template <>
struct Action<grammar::times> {
  static void apply0(Builder& builder) { builder.join(Node::Kind::product, false); }
};
template <>
struct Action<grammar::over> {
  static void apply0(Builder& builder) { builder.join(Node::Kind::product, true); }
};
template <>
struct Action<grammar::plus> {
  static void apply0(Builder& builder) { builder.join(Node::Kind::sum, false); }
};
template <>
struct Action<grammar::minus> {
  static void apply0(Builder& builder) { builder.join(Node::Kind::sum, true); }
};

template <>
struct Action<grammar::left_side> {
  static void apply0(Builder& builder) { builder.relation.left = builder.pop(); }
};
template <>
struct Action<grammar::equal> {
  static void apply0(Builder& builder) { builder.relation.comparison = Relation::Comparison::equal; }
};
template <>
struct Action<grammar::less_equal> {
  static void apply0(Builder& builder) { builder.relation.comparison = Relation::Comparison::less_equal; }
};
template <>
struct Action<grammar::greater_equal> {
  static void apply0(Builder& builder) { builder.relation.comparison = Relation::Comparison::greater_equal; }
};

template <>
struct Action<grammar::variable_name> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.formula.push_back({.kind = FormulaStep::Kind::name,
                               .name = {in.begin(), in.size()},
                               .offset = builder.offset_of(in.begin())});
  }
};
template <>
struct Action<grammar::key_true> {
  static void apply0(Builder& builder) { builder.formula.push_back({.value = true}); }
};
template <>
struct Action<grammar::key_false> {
  static void apply0(Builder& builder) { builder.formula.push_back({.value = false}); }
};
template <>
struct Action<grammar::negation> {
  static void apply0(Builder& builder) { builder.formula.push_back({.kind = FormulaStep::Kind::negation}); }
};
template <>
struct Action<grammar::conjunction> {
  static void apply0(Builder& builder) {
    builder.formula.push_back({.kind = FormulaStep::Kind::conjunction});
  }
};
template <>
struct Action<grammar::disjunction> {
  static void apply0(Builder& builder) {
    builder.formula.push_back({.kind = FormulaStep::Kind::disjunction});
  }
};

template <>
struct Action<grammar::trigger> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.condition.trigger = {in.begin(), in.size()};
  }
};
template <>
struct Action<grammar::target> {
  template <typename Input>
  static void apply(const Input& in, Builder& builder) {
    builder.condition.target = {in.begin(), in.size()};
    builder.condition.target_offset = builder.offset_of(in.begin());
  }
};

struct Expected {
  template <typename Rule>
  static constexpr const char* message = grammar::expected<Rule>;
};
template <typename Rule>
using Control = pegtl::must_if<Expected, pegtl::normal, false>::control<Rule>;

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// The character at `offset` for a message: "'x'", "the end of the text".
std::string found_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the text";
  const auto byte = static_cast<unsigned char>(text[offset]);
  if (byte < 0x20U || byte == 0x7FU) return "the control character " + std::to_string(byte);
  std::size_t end = offset + 1;
  while (end < text.size() && continues_character(text[end])) ++end;
  return "'" + std::string(text.substr(offset, end - offset)) + "'";
}

template <typename Rule>
Builder parse(std::string_view text) {
  Builder builder{.text = text};
  pegtl::memory_input<pegtl::tracking_mode::lazy> input(text.data(), text.data() + text.size(), "");
  try {
    (void)pegtl::parse<Rule, Action, Control>(input, builder);
  } catch (const pegtl::parse_error& error) {
    const std::size_t offset = error.positions().front().byte;
    throw SyntaxError(
        {"syntax-error", offset, std::string(error.message()) + ", found " + found_at(text, offset)});
  }
  return builder;
}

}  // namespace

Node parse_expression(std::string_view text) { return parse<grammar::expression>(text).pop(); }

Relation parse_relation(std::string_view text) {
  Builder builder = parse<grammar::relation>(text);
  builder.relation.right = builder.pop();
  return std::move(builder.relation);
}

std::vector<FormulaStep> parse_formula(std::string_view text) {
  return parse<grammar::whole_formula>(text).formula;
}

Condition parse_condition(std::string_view text) { return parse<grammar::condition>(text).condition; }

std::string at_column(std::string_view text, std::size_t offset, const std::string& message) {
  std::size_t column = 1;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i)
    if (!continues_character(text[i])) ++column;
  return "column " + std::to_string(column) + ": " + message;
}

}  // namespace mti::text
