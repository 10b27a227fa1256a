#include "io/json/text_places.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/json/utf8.hpp"
#include "mti/text/characters.hpp"

namespace mti::json {
namespace {

using text::continues_character;

/// "~1" is "/" and "~0" is "~" in a part of a pointer.
std::string without_tildes(std::string_view token) {
  std::string key;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool is_escape =
        token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1');
    key += !is_escape ? token[i] : token[++i] == '1' ? '/' : '~';
  }
  return key;
}

/// Goes through a JSON text. Where the text ends or is no JSON, it comes to the end.
class Scanner {
 public:
  Scanner(std::string_view text, std::size_t at) : text_(text), at_(at) { skip_space(); }

  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] bool is_at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] bool is_at(char c) const { return !is_at_end() && text_[at_] == c; }

  /// Steps over one character, and space.
  bool take(char c) {
    if (!is_at(c)) return false;
    ++at_;
    skip_space();
    return true;
  }

  /// Steps over a value, and space.
  void skip_value() {
    std::size_t open = 0;
    do {
      if (is_at('"')) {
        skip_string();
        continue;
      }
      if (is_at('{') || is_at('[')) {
        ++open;
      } else if (open == 0) {  // also a bracket that closes what is around: nothing is stepped over
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
        break;
      } else if (is_at('}') || is_at(']')) {
        --open;
      }
      ++at_;
    } while (open > 0 && !is_at_end());
    skip_space();
  }

  /// Steps over a string, and space, and returns what it says.
  std::string take_string() {
    const std::size_t begin = at_;
    skip_string();
    const std::string_view raw = text_.substr(begin, at_ - begin);
    skip_space();
    if (raw.size() >= 2 && raw.find('\\') == std::string_view::npos)
      return std::string(raw.substr(1, raw.size() - 2));
    const auto said = nlohmann::json::parse(raw, nullptr, false);
    return said.is_string() ? said.get<std::string>() : std::string();
  }

 private:
  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  void skip_string() {
    for (++at_; !is_at_end() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t at_;
};

/// The code unit of "\u00e4" at the beginning of `rest`; 0 if there is none.
unsigned code_unit(std::string_view rest) {
  unsigned value = 0;
  if (rest.size() < 6 || rest[0] != '\\' || rest[1] != 'u') return 0;
  const auto [end, error] = std::from_chars(rest.data() + 2, rest.data() + 6, value, 16);
  return error == std::errc() && end == rest.data() + 6 ? value : 0;
}

/// Bytes of the escape at the beginning of `rest`: \n has 2, \u00e4 6, and a pair of surrogates, one character, 12.
std::size_t escape_length(std::string_view rest) {
  if (rest.size() < 2 || rest[1] != 'u') return 2;
  const unsigned first = code_unit(rest);
  if (first < 0xD800U || first >= 0xDC00U || rest.size() < 12) return 6;
  const unsigned second = code_unit(rest.substr(6));
  return second >= 0xDC00U && second < 0xE000U ? 12 : 6;
}

}  // namespace

TextPlaces::TextPlaces(std::string text) : text_(std::move(text)), lines_{0} {
  text_.erase(0, text_.size() - without_byte_order_mark(text_).size());
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (i % block == 0) characters_.push_back(characters);
    if (!continues_character(text_[i])) ++characters;
    if (text_[i] == '\n') lines_.push_back(i + 1);
  }
  if (text_.size() % block == 0) characters_.push_back(characters);
}

TextPlace TextPlaces::place_of(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto characters_before = [this](std::size_t end) {
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(end / block * block);
    const auto more = std::count_if(begin, text_.begin() + static_cast<std::ptrdiff_t>(end),
                                    [](char c) { return !continues_character(c); });
    return characters_[end / block] + static_cast<std::size_t>(more);
  };
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), offset);
  return {static_cast<std::size_t>(next - lines_.begin()),
          characters_before(offset) - characters_before(*std::prev(next)) + 1};
}

const TextPlaces::Members& TextPlaces::members_of(std::size_t container) {
  const auto [found, is_new] = members_.try_emplace(container);
  Members& members = found->second;
  if (!is_new) return members;
  Scanner scanner(text_, container);
  if (scanner.take('{')) {
    while (scanner.is_at('"')) {
      std::string key = scanner.take_string();
      if (!scanner.take(':') || scanner.is_at_end()) break;
      members.emplace(std::move(key), scanner.offset());
      scanner.skip_value();
      if (!scanner.take(',')) break;
    }
  } else if (scanner.take('[')) {
    while (!scanner.is_at_end() && !scanner.is_at(']')) {
      members.emplace(std::to_string(members.size()), scanner.offset());
      scanner.skip_value();
      if (!scanner.take(',')) break;
    }
  }
  return members;
}

std::optional<TextPlaces::Found> TextPlaces::find(std::string_view pointer) {
  const Scanner root(text_, 0);
  if (!root.is_at('{') && !root.is_at('[')) return std::nullopt;
  Found found{root.offset()};
  while (!pointer.empty()) {
    if (pointer.front() != '/') return Found{found.offset, false};
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    const Members& members = members_of(found.offset);
    const auto member = members.find(without_tildes(pointer.substr(0, end)));
    if (member == members.end()) return Found{found.offset, false};
    found.offset = member->second;
    pointer.remove_prefix(end);
  }
  return found;
}

std::optional<std::size_t> TextPlaces::find_character(std::size_t offset, std::size_t character) const {
  if (offset >= text_.size() || text_[offset] != '"') return std::nullopt;
  const std::string_view text = text_;
  std::size_t at = offset + 1;
  for (; character > 1; --character) {
    if (at >= text.size() || text[at] == '"') return std::nullopt;
    if (text[at] == '\\') {
      at += escape_length(text.substr(at));
      continue;
    }
    ++at;
    while (at < text.size() && continues_character(text[at])) ++at;
  }
  return at < text.size() ? std::optional(at) : std::nullopt;
}

}  // namespace mti::json
