#pragma once

// What the grammars of expressions have in common as PEGTL rules. Private to the parsers.

#include <tao/pegtl.hpp>

#include <string>
#include <string_view>

#include "mti/text/characters.hpp"
#include "mti/text/parse.hpp"

namespace mti::text::grammar {

namespace pegtl = tao::pegtl;

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

/// Reads the whole text by Rule. Throws SyntaxError with the message of the rule that does not match.
template <typename Rule, template <typename...> class Action, template <typename...> class Control,
          typename State>
void read(std::string_view text, State& state) {
  pegtl::memory_input<pegtl::tracking_mode::lazy> input(text.data(), text.data() + text.size(), "");
  try {
    (void)pegtl::parse<Rule, Action, Control>(input, state);
  } catch (const pegtl::parse_error& error) {
    const std::size_t offset = error.positions().front().byte;
    throw SyntaxError(
        {"syntax-error", offset, std::string(error.message()) + ", found " + found_at(text, offset)});
  }
}

}  // namespace mti::text::grammar
