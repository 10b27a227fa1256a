#pragma once

// The grammar of parse.hpp as PEGTL rules. Every decision is made on the next token, so nothing is parsed
// twice; where a token is missing, the message of its rule (parse.cpp) is raised at once.

#include "mti/text/grammar_parts.hpp"

namespace mti::text::grammar {

struct space : pegtl::star<pegtl::one<' ', '\t', '\n', '\r'>> {};
template <char... Characters>
struct symbol : pegtl::seq<pegtl::one<Characters...>, space> {};

struct fraction_only : pegtl::seq<pegtl::one<'.'>, pegtl::plus<pegtl::digit>> {};
struct number : pegtl::seq<pegtl::sor<whole_and_fraction, fraction_only>, pegtl::opt<exponent_part>> {};
struct name : pegtl::list<pegtl::identifier, pegtl::one<'.'>> {};

// Words of the language. A keyword ends where no further character of a name follows.
template <typename Word>
struct keyword
    : pegtl::seq<Word, pegtl::not_at<pegtl::sor<pegtl::identifier_other, pegtl::one<'.'>>>, space> {};
struct key_and : keyword<pegtl::string<'a', 'n', 'd'>> {};
struct key_or : keyword<pegtl::string<'o', 'r'>> {};
struct key_not : keyword<pegtl::string<'n', 'o', 't'>> {};
struct key_true : keyword<pegtl::string<'t', 'r', 'u', 'e'>> {};
struct key_false : keyword<pegtl::string<'f', 'a', 'l', 's', 'e'>> {};
struct key_if : keyword<pegtl::string<'i', 'f'>> {};
struct key_then : keyword<pegtl::string<'t', 'h', 'e', 'n'>> {};
struct key_elseif : keyword<pegtl::string<'e', 'l', 's', 'e', 'i', 'f'>> {};
struct key_else : keyword<pegtl::string<'e', 'l', 's', 'e'>> {};
struct key_initial : keyword<pegtl::string<'i', 'n', 'i', 't', 'i', 'a', 'l'>> {};
/// Between operands: where a name is expected, one of these is a mistake.
struct any_joint : pegtl::sor<key_and, key_or, key_not, key_if, key_then, key_elseif, key_else> {};

// Expressions: numbers, and conditions, which are numbers too where they stand in parentheses.
struct sum;
struct signed_operand;
struct value;
struct truth;
struct open_call : symbol<'('> {};
struct close_call : symbol<')'> {};
struct list;
struct list_element : pegtl::sor<list, sum> {};
struct open_list : symbol<'['> {};
struct close_list : symbol<']'> {};
struct list : pegtl::if_must<open_list, pegtl::list<nested<list_element>, symbol<','>>, close_list> {};
struct initial : pegtl::seq<key_initial, pegtl::at<pegtl::digit>, number, space> {};
struct argument : nested<pegtl::sor<list, initial, value>> {};
struct arguments : pegtl::list<argument, symbol<','>> {};
struct call : pegtl::if_must<open_call, arguments, close_call> {};
struct named : pegtl::seq<pegtl::not_at<any_joint>, name, space, pegtl::opt<call>> {};
struct close_group : symbol<')'> {};
struct group : pegtl::if_must<symbol<'('>, nested<value>, close_group> {};
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

struct no_equality
    : pegtl::not_at<pegtl::sor<pegtl::string<'=', '='>, pegtl::string<'!', '='>, pegtl::string<'<', '>'>>> {};
struct comparator
    : pegtl::sor<pegtl::string<'<', '='>, pegtl::string<'>', '='>, pegtl::one<'<'>, pegtl::one<'>'>> {};
struct no_chain : pegtl::not_at<comparator> {};
struct compared : pegtl::if_must<pegtl::seq<comparator, space>, sum, no_equality, no_chain> {};
struct comparison_of_sums : pegtl::seq<sum, no_equality, pegtl::opt<compared>> {};
struct truth_operand;
struct inverted : pegtl::if_must<key_not, nested<truth_operand>> {};
struct truth_operand : pegtl::sor<inverted, comparison_of_sums> {};
struct both : pegtl::if_must<key_and, truth_operand> {};
struct all_of : pegtl::seq<truth_operand, pegtl::star<both>> {};
struct either : pegtl::if_must<key_or, all_of> {};
struct truth : pegtl::seq<all_of, pegtl::star<either>> {};
struct choice;
/// A side of a relation or a branch: no comparison, which would be the relation's.
struct side : pegtl::sor<choice, sum> {};
struct branch : nested<side> {};
struct condition_of_choice : nested<truth> {};
struct then : key_then {};
struct other_choice : pegtl::if_must<key_elseif, condition_of_choice, then, branch> {};
struct otherwise : key_else {};
struct choice : pegtl::if_must<key_if, condition_of_choice, then, branch, pegtl::star<other_choice>,
                               otherwise, branch> {};
struct value : pegtl::sor<choice, truth> {};

struct end_of_expression : pegtl::eof {};
struct expression : pegtl::seq<space, value, end_of_expression> {};

// Relations. What follows = cannot be taken for a relation, so it may be a condition.
struct equal : symbol<'='> {};
struct less_equal : pegtl::seq<pegtl::string<'<', '='>, space> {};
struct greater_equal : pegtl::seq<pegtl::string<'>', '='>, space> {};
struct equated : pegtl::if_must<equal, value> {};
struct bounded : pegtl::if_must<pegtl::sor<less_equal, greater_equal>, side> {};
struct comparison : pegtl::sor<equated, bounded> {};
struct left_side : side {};
struct relation : pegtl::seq<space, left_side, no_equality, comparison, end_of_expression> {};

// Boolean formulas.
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
struct trigger : pegtl::sor<pegtl::string<'r', 'e', 'a', 'c', 'h'>, pegtl::string<'r', 'i', 's', 'e', 'n'>,
                            pegtl::string<'r', 'i', 's', 'e'>, pegtl::string<'f', 'a', 'l', 'l'>> {};
struct open_target : symbol<'('> {};
struct target : name {};
struct close_target : symbol<')'> {};
struct end_of_condition : pegtl::eof {};
struct condition
    : pegtl::seq<space, trigger, space, open_target, target, space, close_target, end_of_condition> {};

}  // namespace mti::text::grammar
