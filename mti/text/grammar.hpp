#pragma once

// The grammar of parse.hpp as PEGTL rules. Every decision is made on the next token, so nothing is parsed
// twice; where a token is missing, the message of its rule (parse.cpp) is raised at once.

#include <tao/pegtl.hpp>

namespace mti::text::grammar {

namespace pegtl = tao::pegtl;

struct space : pegtl::star<pegtl::one<' ', '\t', '\n', '\r'>> {};
template <char... Characters>
struct symbol : pegtl::seq<pegtl::one<Characters...>, space> {};

/// Rule, one level deeper; the state refuses more than kMaximumDepth levels.
template <typename Rule>
struct nested {
  using rule_t = nested;
  using subs_t = pegtl::type_list<Rule>;

  template <pegtl::apply_mode A, pegtl::rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename ParseInput, typename State>
  static bool match(ParseInput& in, State& state) {
    state.enter(in);
    const bool matched = Control<Rule>::template match<A, M, Action, Control>(in, state);
    state.leave();
    return matched;
  }
};

struct exponent_part
    : pegtl::seq<pegtl::one<'e', 'E'>, pegtl::opt<pegtl::one<'+', '-'>>, pegtl::plus<pegtl::digit>> {};
struct whole_and_fraction
    : pegtl::seq<pegtl::plus<pegtl::digit>, pegtl::opt<pegtl::one<'.'>, pegtl::star<pegtl::digit>>> {};
struct fraction_only : pegtl::seq<pegtl::one<'.'>, pegtl::plus<pegtl::digit>> {};
struct number : pegtl::seq<pegtl::sor<whole_and_fraction, fraction_only>, pegtl::opt<exponent_part>> {};
struct name : pegtl::list<pegtl::identifier, pegtl::one<'.'>> {};

// Expressions.
struct sum;
struct signed_operand;
struct open_call : symbol<'('> {};
struct close_call : symbol<')'> {};
struct argument : nested<sum> {};
struct arguments : pegtl::list<argument, symbol<','>> {};
struct call : pegtl::if_must<open_call, arguments, close_call> {};
struct named : pegtl::seq<name, space, pegtl::opt<call>> {};
struct close_group : symbol<')'> {};
struct group : pegtl::if_must<symbol<'('>, nested<sum>, close_group> {};
struct primary : pegtl::sor<pegtl::seq<number, space>, named, group> {};
struct raised : pegtl::if_must<symbol<'^'>, nested<signed_operand>> {};
struct power : pegtl::seq<primary, pegtl::opt<raised>> {};
struct negated : pegtl::if_must<symbol<'-'>, nested<signed_operand>> {};
struct plus_sign : pegtl::if_must<symbol<'+'>, nested<signed_operand>> {};
struct signed_operand : pegtl::sor<negated, plus_sign, power> {};
struct times : pegtl::if_must<symbol<'*'>, signed_operand> {};
struct over : pegtl::if_must<symbol<'/'>, signed_operand> {};
struct product : pegtl::seq<signed_operand, pegtl::star<pegtl::sor<times, over>>> {};
struct plus : pegtl::if_must<symbol<'+'>, product> {};
struct minus : pegtl::if_must<symbol<'-'>, product> {};
struct sum : pegtl::seq<product, pegtl::star<pegtl::sor<plus, minus>>> {};

struct end_of_expression : pegtl::eof {};
struct expression : pegtl::seq<space, sum, end_of_expression> {};

// Relations.
struct equal : symbol<'='> {};
struct less_equal : pegtl::seq<pegtl::string<'<', '='>, space> {};
struct greater_equal : pegtl::seq<pegtl::string<'>', '='>, space> {};
struct comparison : pegtl::sor<equal, less_equal, greater_equal> {};
struct left_side : sum {};
struct relation : pegtl::seq<space, left_side, comparison, sum, end_of_expression> {};

// Boolean formulas. A keyword ends where no further character of a name follows.
template <typename Word>
struct keyword
    : pegtl::seq<Word, pegtl::not_at<pegtl::sor<pegtl::identifier_other, pegtl::one<'.'>>>, space> {};
struct key_and : keyword<pegtl::string<'a', 'n', 'd'>> {};
struct key_or : keyword<pegtl::string<'o', 'r'>> {};
struct key_not : keyword<pegtl::string<'n', 'o', 't'>> {};
struct key_true : keyword<pegtl::string<'t', 'r', 'u', 'e'>> {};
struct key_false : keyword<pegtl::string<'f', 'a', 'l', 's', 'e'>> {};
struct any_keyword : pegtl::sor<key_and, key_or, key_not, key_true, key_false> {};
struct formula;
struct variable_name : name {};
struct variable : pegtl::seq<pegtl::not_at<any_keyword>, variable_name, space> {};
struct formula_operand;
struct negation : pegtl::if_must<key_not, nested<formula_operand>> {};
struct close_formula : symbol<')'> {};
struct formula_group : pegtl::if_must<symbol<'('>, nested<formula>, close_formula> {};
struct formula_operand : pegtl::sor<negation, formula_group, key_true, key_false, variable> {};
struct conjunction : pegtl::if_must<key_and, formula_operand> {};
struct conjunct : pegtl::seq<formula_operand, pegtl::star<conjunction>> {};
struct disjunction : pegtl::if_must<key_or, conjunct> {};
struct formula : pegtl::seq<conjunct, pegtl::star<disjunction>> {};
struct end_of_formula : pegtl::eof {};
struct whole_formula : pegtl::seq<space, formula, end_of_formula> {};

// Conditions of transitions.
struct trigger : pegtl::sor<pegtl::string<'r', 'e', 'a', 'c', 'h'>, pegtl::string<'r', 'i', 's', 'e'>,
                            pegtl::string<'f', 'a', 'l', 'l'>> {};
struct open_target : symbol<'('> {};
struct target : name {};
struct close_target : symbol<')'> {};
struct end_of_condition : pegtl::eof {};
struct condition
    : pegtl::seq<space, trigger, space, open_target, target, space, close_target, end_of_condition> {};

}  // namespace mti::text::grammar
