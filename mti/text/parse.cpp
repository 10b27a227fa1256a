#include "mti/text/parse.hpp"

#include <utility>

#include "mti/text/characters.hpp"
#include "mti/text/grammar.hpp"
#include "mti/text/grammar_messages.hpp"
#include "mti/text/operand_actions.hpp"

namespace mti::text {
namespace {

namespace pegtl = tao::pegtl;

/// What the actions build on.
struct Builder : OperandStack {
  std::vector<FormulaStep> formula = {};
  Relation relation = {};
  Condition condition = {};
};

template <typename Rule>
struct Action : pegtl::nothing<Rule> {};

template <>
struct Action<grammar::number> : actions::push_number {};
template <>
struct Action<grammar::name> : actions::push_name {};

template <>
struct Action<grammar::open_call> : actions::open_operands {};
template <>
struct Action<grammar::open_list> : actions::open_operands {};
template <>
struct Action<grammar::key_if> : actions::open_operands {};
template <>
struct Action<grammar::close_call> : actions::close_call {};

template <>
struct Action<grammar::list> : actions::close_as<Node::Kind::list> {};
template <>
struct Action<grammar::choice> : actions::close_as<Node::Kind::choice> {};
template <>
struct Action<grammar::initial> : actions::wrap_as<Node::Kind::initial> {};
template <>
struct Action<grammar::inverted> : actions::wrap_as<Node::Kind::negation> {};
template <>
struct Action<grammar::comparator> : actions::note_comparator {};
template <>
struct Action<grammar::compared> : actions::compare {};
template <>
struct Action<grammar::both> : actions::join_as<Node::Kind::conjunction> {};
template <>
struct Action<grammar::either> : actions::join_as<Node::Kind::disjunction> {};
template <>
struct Action<grammar::group> : actions::take_group {};

template <>
struct Action<grammar::raised> : actions::raise {};
template <>
struct Action<grammar::negated> : actions::wrap_as<Node::Kind::sum, true> {};

template <>
struct Action<grammar::times> : actions::join_as<Node::Kind::product> {};
template <>
struct Action<grammar::over> : actions::join_as<Node::Kind::product, true> {};
template <>
struct Action<grammar::plus> : actions::join_as<Node::Kind::sum> {};
template <>
struct Action<grammar::minus> : actions::join_as<Node::Kind::sum, true> {};

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

template <typename Rule>
Builder parse(std::string_view text) {
  Builder builder;
  builder.text = text;
  grammar::read<Rule, Action, Control>(text, builder);
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
