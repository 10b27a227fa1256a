#pragma once

// Flat Modelica as PEGTL rules, after appendix A of the Modelica Language Specification 3.6. Every decision is made on the
// next token, so nothing is parsed twice; where a token is missing, the message of its rule (parse.cpp) is raised at once.

#include "mti/text/grammar_parts.hpp"

namespace mti::modelica::grammar {

namespace pegtl = tao::pegtl;
using text::grammar::nested;

struct line_comment : pegtl::seq<pegtl::two<'/'>, pegtl::until<pegtl::eolf>> {};
struct block_end : pegtl::string<'*', '/'> {};
struct block_body : pegtl::until<block_end> {};
struct block_comment : pegtl::if_must<pegtl::string<'/', '*'>, block_body> {};
struct space : pegtl::star<pegtl::sor<pegtl::one<' ', '\t', '\n', '\r'>, line_comment, block_comment>> {};
template <char... Characters>
struct symbol : pegtl::seq<pegtl::one<Characters...>, space> {};

// Words. A keyword ends where no further character of a name follows.
template <char... Characters>
struct word : pegtl::seq<pegtl::string<Characters...>, pegtl::not_at<pegtl::identifier_other>> {};
template <char... Characters>
struct keyword : pegtl::seq<word<Characters...>, space> {};
struct key_and : keyword<'a', 'n', 'd'> {};
struct key_or : keyword<'o', 'r'> {};
struct key_not : keyword<'n', 'o', 't'> {};
struct key_if : keyword<'i', 'f'> {};
struct key_then : keyword<'t', 'h', 'e', 'n'> {};
struct key_elseif : keyword<'e', 'l', 's', 'e', 'i', 'f'> {};
struct key_else : keyword<'e', 'l', 's', 'e'> {};
struct key_when : keyword<'w', 'h', 'e', 'n'> {};
struct key_elsewhen : keyword<'e', 'l', 's', 'e', 'w', 'h', 'e', 'n'> {};
struct key_end : keyword<'e', 'n', 'd'> {};
struct key_model : keyword<'m', 'o', 'd', 'e', 'l'> {};
struct key_package : keyword<'p', 'a', 'c', 'k', 'a', 'g', 'e'> {};
struct key_initial : keyword<'i', 'n', 'i', 't', 'i', 'a', 'l'> {};
struct key_equation : keyword<'e', 'q', 'u', 'a', 't', 'i', 'o', 'n'> {};
struct key_annotation : keyword<'a', 'n', 'n', 'o', 't', 'a', 't', 'i', 'o', 'n'> {};
struct key_public : keyword<'p', 'u', 'b', 'l', 'i', 'c'> {};
struct key_protected : keyword<'p', 'r', 'o', 't', 'e', 'c', 't', 'e', 'd'> {};
struct key_final : keyword<'f', 'i', 'n', 'a', 'l'> {};

/// What Modelica has and this subset has not: named where it begins.
struct refused_word
    : pegtl::sor<word<'a', 'l', 'g', 'o', 'r', 'i', 't', 'h', 'm'>, word<'f', 'o', 'r'>,
                 word<'c', 'o', 'n', 'n', 'e', 'c', 't'>, word<'e', 'x', 't', 'e', 'n', 'd', 's'>,
                 word<'i', 'm', 'p', 'o', 'r', 't'>, word<'f', 'u', 'n', 'c', 't', 'i', 'o', 'n'>,
                 word<'r', 'e', 'c', 'o', 'r', 'd'>, word<'t', 'y', 'p', 'e'>, word<'b', 'l', 'o', 'c', 'k'>,
                 word<'c', 'o', 'n', 'n', 'e', 'c', 't', 'o', 'r'>, word<'c', 'l', 'a', 's', 's'>,
                 word<'o', 'p', 'e', 'r', 'a', 't', 'o', 'r'>, word<'f', 'l', 'o', 'w'>,
                 word<'s', 't', 'r', 'e', 'a', 'm'>, word<'i', 'n', 'n', 'e', 'r'>,
                 word<'o', 'u', 't', 'e', 'r'>, word<'r', 'e', 'd', 'e', 'c', 'l', 'a', 'r', 'e'>,
                 word<'r', 'e', 'p', 'l', 'a', 'c', 'e', 'a', 'b', 'l', 'e'>,
                 word<'p', 'a', 'r', 't', 'i', 'a', 'l'>,
                 word<'e', 'x', 'p', 'a', 'n', 'd', 'a', 'b', 'l', 'e'>, word<'w', 'h', 'i', 'l', 'e'>,
                 word<'e', 'n', 'c', 'a', 'p', 's', 'u', 'l', 'a', 't', 'e', 'd'>,
                 word<'e', 'x', 't', 'e', 'r', 'n', 'a', 'l'>,
                 word<'c', 'o', 'n', 's', 't', 'r', 'a', 'i', 'n', 'e', 'd', 'b', 'y'>> {};
/// No name begins here.
struct any_keyword : pegtl::sor<key_and, key_or, key_not, key_if, key_then, key_elseif, key_else, key_when,
                                key_elsewhen, key_end, key_model, key_package, key_equation, key_annotation,
                                key_public, key_protected, key_final> {};

struct quoted_character
    : pegtl::sor<pegtl::seq<pegtl::one<'\\'>, pegtl::any>, pegtl::not_one<'\'', '\\', '\n'>> {};
struct quoted_end : pegtl::one<'\''> {};
struct quoted : pegtl::if_must<pegtl::one<'\''>, pegtl::plus<quoted_character>, quoted_end> {};
struct identifier : pegtl::sor<quoted, pegtl::identifier> {};
struct name : pegtl::seq<pegtl::not_at<pegtl::sor<any_keyword, refused_word>>, identifier> {};
/// A name with dots: of functions of libraries, AssertionLevel.error, or of parts, which are refused.
struct dotted_name
    : pegtl::seq<pegtl::not_at<any_keyword>, identifier, pegtl::star<pegtl::one<'.'>, identifier>> {};
struct text_end : pegtl::one<'"'> {};
struct text_characters
    : pegtl::star<pegtl::sor<pegtl::seq<pegtl::one<'\\'>, pegtl::any>, pegtl::not_one<'"', '\\'>>> {};
struct literal_text : pegtl::if_must<pegtl::one<'"'>, text_characters, text_end> {};

struct number : pegtl::seq<text::grammar::whole_and_fraction, pegtl::opt<text::grammar::exponent_part>> {};

// Expressions.
struct value;
struct signed_sum;
struct open_call : symbol<'('> {};
struct close_call : symbol<')'> {};
struct argument : nested<value> {};
struct call_arguments : pegtl::opt<pegtl::not_at<pegtl::one<')'>>, pegtl::list<argument, symbol<','>>> {};
struct call : pegtl::if_must<open_call, call_arguments, close_call> {};
struct open_list : symbol<'{'> {};
struct close_list : symbol<'}'> {};
struct list : pegtl::if_must<open_list, pegtl::list<argument, symbol<','>>, close_list> {};
struct refused_bracket : pegtl::one<'['> {};
struct named : pegtl::seq<dotted_name, space, pegtl::opt<pegtl::sor<call, refused_bracket>>> {};
struct string_operand : pegtl::seq<literal_text, space> {};
struct close_group : symbol<')'> {};
struct group : pegtl::if_must<symbol<'('>, nested<value>, close_group> {};
struct primary : pegtl::sor<pegtl::seq<number, space>, refused_bracket, named, group, list, string_operand> {
};
struct exponent : primary {};
struct refused_operator : pegtl::seq<pegtl::one<'.'>, pegtl::one<'+', '-', '*', '/', '^'>> {};
struct raised : pegtl::if_must<symbol<'^'>, exponent> {};
struct factor : pegtl::seq<primary, pegtl::opt<pegtl::sor<refused_operator, raised>>> {};
struct operand : factor {};
struct times : pegtl::if_must<symbol<'*'>, operand> {};
struct over : pegtl::if_must<symbol<'/'>, operand> {};
struct term : pegtl::seq<operand, pegtl::star<pegtl::sor<times, over>>> {};
struct negated : pegtl::if_must<symbol<'-'>, term> {};
struct plus_sign : pegtl::if_must<symbol<'+'>, term> {};
struct plus : pegtl::if_must<symbol<'+'>, term> {};
struct minus : pegtl::if_must<symbol<'-'>, term> {};
struct signed_sum : pegtl::seq<pegtl::sor<negated, plus_sign, term>, pegtl::star<pegtl::sor<plus, minus>>> {};
struct comparator : pegtl::sor<pegtl::string<'<', '='>, pegtl::string<'<', '>'>, pegtl::string<'>', '='>,
                               pegtl::string<'=', '='>, pegtl::one<'<'>, pegtl::one<'>'>> {};
struct compared : pegtl::if_must<pegtl::seq<comparator, space>, signed_sum> {};
struct relation : pegtl::seq<signed_sum, pegtl::opt<compared>> {};
struct inverted : pegtl::if_must<key_not, relation> {};
struct logical_factor : pegtl::sor<inverted, relation> {};
struct both : pegtl::if_must<key_and, logical_factor> {};
struct all_of : pegtl::seq<logical_factor, pegtl::star<both>> {};
struct either : pegtl::if_must<key_or, all_of> {};
struct truth : pegtl::seq<all_of, pegtl::star<either>> {};
struct begin_choice : key_if {};
struct then : key_then {};
struct otherwise : key_else {};
struct branch_value : nested<value> {};
struct other_choice : pegtl::if_must<key_elseif, branch_value, then, branch_value> {};
struct choice : pegtl::if_must<begin_choice, branch_value, then, branch_value, pegtl::star<other_choice>,
                               otherwise, branch_value> {};
struct value : pegtl::sor<choice, truth> {};

// Modifiers and annotations.
struct modifier_name : name {};
struct modifier;
struct open_modifiers : symbol<'('> {};
struct close_modifiers : symbol<')'> {};
struct modifiers
    : pegtl::if_must<open_modifiers,
                     pegtl::opt<pegtl::not_at<pegtl::one<')'>>, pegtl::list<nested<modifier>, symbol<','>>>,
                     close_modifiers> {};
struct modifier_value : value {};
struct modifier_binding : pegtl::if_must<symbol<'='>, modifier_value> {};
struct key_each : keyword<'e', 'a', 'c', 'h'> {};
struct modifier : pegtl::seq<pegtl::opt<key_each>, pegtl::opt<key_final>, modifier_name, space,
                             pegtl::opt<modifiers>, pegtl::opt<modifier_binding>> {};
/// Annotations of tools are passed over; those that say something here are read.
struct balanced;
struct close_balanced : pegtl::one<')', '}', ']'> {};
struct group_of_any : pegtl::if_must<pegtl::one<'(', '{', '['>, pegtl::star<balanced>, close_balanced> {};
struct balanced : pegtl::sor<literal_text, quoted, line_comment, block_comment, nested<group_of_any>,
                             pegtl::not_one<'(', ')', '{', '}', '[', ']', '"', '\''>> {};
struct balanced_to_comma : pegtl::seq<pegtl::not_at<pegtl::one<','>>, balanced> {};
struct known_annotation
    : pegtl::seq<pegtl::at<pegtl::sor<word<'e', 'x', 'p', 'e', 'r', 'i', 'm', 'e', 'n', 't'>,
                                      word<'_', '_', 'm', 't', 'i'>>>,
                 modifier> {};
struct other_annotation : pegtl::plus<balanced_to_comma> {};
struct annotation_entry : pegtl::sor<known_annotation, pegtl::seq<other_annotation, space>> {};
struct open_annotation : symbol<'('> {};
struct annotation : pegtl::if_must<key_annotation, open_annotation,
                                   pegtl::opt<pegtl::list<annotation_entry, symbol<','>>>, close_modifiers> {
};
struct description_text : literal_text {};
struct description : pegtl::seq<description_text, space, pegtl::star<symbol<'+'>, literal_text, space>> {};
struct end_mark : symbol<';'> {};

// Declarations.
struct variability
    : pegtl::sor<word<'p', 'a', 'r', 'a', 'm', 'e', 't', 'e', 'r'>,
                 word<'c', 'o', 'n', 's', 't', 'a', 'n', 't'>, word<'d', 'i', 's', 'c', 'r', 'e', 't', 'e'>> {
};
struct causality : pegtl::sor<word<'i', 'n', 'p', 'u', 't'>, word<'o', 'u', 't', 'p', 'u', 't'>> {};
struct type_name : pegtl::seq<pegtl::not_at<refused_word>, dotted_name> {};
struct declared_name : name {};
struct declared_binding : pegtl::if_must<symbol<'='>, modifier_value> {};
struct declared : pegtl::seq<declared_name, space, pegtl::opt<refused_bracket>, pegtl::opt<modifiers>,
                             pegtl::opt<declared_binding>, pegtl::opt<description>, pegtl::opt<annotation>> {
};
struct declared_list : pegtl::list<declared, symbol<','>> {};
struct begin_declaration : pegtl::success {};
struct declaration : pegtl::seq<begin_declaration, pegtl::opt<key_final>, pegtl::opt<variability, space>,
                                pegtl::opt<causality, space>, type_name, space, pegtl::opt<refused_bracket>,
                                pegtl::must<declared_list, end_mark>> {};
struct element : pegtl::sor<pegtl::seq<refused_word>, declaration> {};

// Equations.
struct equation;
struct equation_list : pegtl::star<nested<equation>> {};
struct begin_if : key_if {};
struct begin_when : key_when {};
struct branch_condition : nested<value> {};
struct branch_equations : equation_list {};
struct else_equations : equation_list {};
struct else_if_branch : pegtl::if_must<key_elseif, branch_condition, then, branch_equations> {};
struct else_branch : pegtl::if_must<key_else, else_equations> {};
struct else_when_branch : pegtl::if_must<key_elsewhen, branch_condition, then, branch_equations> {};
struct end_of_if : pegtl::seq<key_end, key_if> {};
struct end_of_when : pegtl::seq<key_end, key_when> {};
struct if_equation : pegtl::if_must<begin_if, branch_condition, then, branch_equations,
                                    pegtl::star<else_if_branch>, pegtl::opt<else_branch>, end_of_if> {};
struct when_equation : pegtl::if_must<begin_when, branch_condition, then, branch_equations,
                                      pegtl::star<else_when_branch>, end_of_when> {};
struct equated : pegtl::if_must<symbol<'='>, modifier_value> {};
struct plain_equation : pegtl::seq<signed_sum, pegtl::opt<equated>> {};
struct equation_end : pegtl::seq<pegtl::opt<description>, pegtl::opt<annotation>, end_mark> {};
struct key_initial_call
    : pegtl::seq<word<'i', 'n', 'i', 't', 'i', 'a', 'l'>, pegtl::star<pegtl::space>, pegtl::one<'('>> {};
/// No equation begins here.
struct section_word
    : pegtl::sor<key_end, key_elseif, key_else, key_elsewhen, key_equation, key_public, key_protected,
                 key_annotation, pegtl::seq<pegtl::not_at<key_initial_call>, key_initial>> {};
struct equation_body : pegtl::sor<if_equation, when_equation, plain_equation> {};
struct equation : pegtl::seq<pegtl::not_at<section_word>, pegtl::opt<refused_word>, equation_body,
                             pegtl::must<equation_end>> {};

// The model.
struct model_name : name {};
struct end_name : name {};
struct model_description : description {};
struct begin_initial : pegtl::success {};
struct begin_equations : pegtl::success {};
struct after_initial : pegtl::sor<refused_word, key_equation> {};
struct initial_section : pegtl::if_must<key_initial, after_initial, begin_initial, equation_list> {};
struct equation_section : pegtl::if_must<key_equation, begin_equations, equation_list> {};
struct visibility : pegtl::sor<key_public, key_protected> {};
struct model_annotation : pegtl::seq<annotation, end_mark> {};
struct section : pegtl::sor<visibility, initial_section, equation_section, model_annotation> {};
struct part : pegtl::seq<pegtl::not_at<key_end>, pegtl::sor<section, element>> {};
struct end_of_model : key_end {};
struct model : pegtl::if_must<key_model, model_name, space, pegtl::opt<model_description>, pegtl::star<part>,
                              end_of_model, end_name, space, end_mark> {};
struct package_name : name {};
struct begin_of_model : pegtl::seq<pegtl::opt<refused_word>, model> {};
struct package : pegtl::if_must<key_package, package_name, space, pegtl::opt<description>, begin_of_model,
                                end_of_model, package_name, space, end_mark> {};
struct end_of_file : pegtl::eof {};
struct byte_order_mark : pegtl::string<'\xef', '\xbb', '\xbf'> {};
struct file
    : pegtl::seq<pegtl::opt<byte_order_mark>, space, pegtl::sor<package, begin_of_model>, end_of_file> {};
struct whole_file : pegtl::must<file> {};

}  // namespace mti::modelica::grammar
