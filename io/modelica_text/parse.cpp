#include "io/modelica_text/parse.hpp"

#include "io/modelica_text/grammar_messages.hpp"
#include "io/modelica_text/statement_actions.hpp"
#include "mti/text/characters.hpp"

namespace mti::modelica {
namespace {

namespace pegtl = tao::pegtl;

struct Expected {
  template <typename Rule>
  static constexpr const char* message = grammar::expected<Rule>;
};
template <typename Rule>
using Control = pegtl::must_if<Expected, pegtl::normal, false>::control<Rule>;

}  // namespace

FlatModel parse(std::string_view text) {
  Builder builder;
  builder.text = text;
  text::grammar::read<grammar::whole_file, Action, Control>(text, builder);
  return std::move(builder.model);
}

std::string place_of(std::string_view text, std::size_t offset) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else if (!text::continues_character(text[i])) {
      ++column;
    }
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace mti::modelica
