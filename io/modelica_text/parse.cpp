#include "io/modelica_text/parse.hpp"

#include "io/modelica_text/grammar_messages.hpp"
#include "io/modelica_text/statement_actions.hpp"

namespace mti::modelica {
namespace {

namespace pegtl = tao::pegtl;

struct Expected {
  template <typename Rule>
  static constexpr const char* message = grammar::expected<Rule>;
};
template <typename Rule>
using Control = pegtl::must_if<Expected, pegtl::normal, false>::control<Rule>;

bool goes_on(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::string found_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the text";
  const auto byte = static_cast<unsigned char>(text[offset]);
  if (byte < 0x20U || byte == 0x7FU) return "the control character " + std::to_string(byte);
  std::size_t end = offset + 1;
  while (end < text.size() && goes_on(text[end])) ++end;
  return "'" + std::string(text.substr(offset, end - offset)) + "'";
}

}  // namespace

FlatModel parse(std::string_view text) {
  Builder builder{.text = text};
  pegtl::memory_input<pegtl::tracking_mode::lazy> input(text.data(), text.data() + text.size(), "");
  try {
    (void)pegtl::parse<grammar::whole_file, Action, Control>(input, builder);
  } catch (const pegtl::parse_error& error) {
    const std::size_t offset = error.positions().front().byte;
    throw SyntaxError(
        {"syntax-error", offset, std::string(error.message()) + ", found " + found_at(text, offset)});
  }
  return std::move(builder.model);
}

std::string place_of(std::string_view text, std::size_t offset) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else if (!goes_on(text[i])) {
      ++column;
    }
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace mti::modelica
