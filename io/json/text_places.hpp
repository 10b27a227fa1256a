#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mti::json {

/// A place in a text, both from 1; columns are characters and not bytes.
struct TextPlace {
  std::size_t line = 1, column = 1;

  friend bool operator==(const TextPlace&, const TextPlace&) = default;
};

/// Where the values of a JSON text are written. What the text says is not read: each container is gone through once, when
/// something in it is asked for, so that many questions take no longer than a few; nothing is recursive.
class TextPlaces {
 public:
  explicit TextPlaces(std::string text);

  /// The place of a byte, or of the end of the text where `offset` is beyond it. A byte order mark is no character.
  [[nodiscard]] TextPlace place_of(std::size_t offset) const;

  struct Found {
    std::size_t offset = 0;  ///< of the first byte of the value
    bool is_whole =
        true;  ///< false: what the pointer names is not there, this is the innermost value around it
  };
  /// The value that a JSON pointer (RFC 6901) names, of members with one key the first. Nothing where the text is no object
  /// or array; where it is no JSON further on, values up to there are found.
  [[nodiscard]] std::optional<Found> find(std::string_view pointer);

  /// The byte where character `character`, from 1, of the string at `offset` is written; the closing quote where it is one
  /// more than there are. Nothing if there is no string, or it is shorter.
  [[nodiscard]] std::optional<std::size_t> find_character(std::size_t offset, std::size_t character) const;

 private:
  using Members = std::map<std::string, std::size_t, std::less<>>;
  const Members& members_of(std::size_t container);

  static constexpr std::size_t block = 1024;
  std::string text_;
  std::vector<std::size_t> lines_;       ///< where each begins
  std::vector<std::size_t> characters_;  ///< before the byte i·block
  std::map<std::size_t, Members> members_;
};

}  // namespace mti::json
