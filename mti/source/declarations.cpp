#include "mti/source/declarations.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "mti/common/characters.hpp"
#include "mti/common/wording.hpp"
#include "mti/model/signature.hpp"

namespace mti {
bool Declarations::declare(const std::string& name, const Entry& entry) {
  if (!entries_.emplace(name, entry).second) return false;
  names_.push_back(name);
  return true;
}

void Declarations::set_parameter(const std::string& name, std::optional<double> value,
                                 std::vector<double> slopes) {
  Entry& entry = entries_.at(name);
  entry.value = value;
  entry.slopes = std::move(slopes);
  entry.evaluated = true;
}

const Declarations::Entry* Declarations::find(std::string_view name) const {
  const auto found = entries_.find(std::string(name));
  return found == entries_.end() ? nullptr : &found->second;
}

std::string Declarations::unknown(std::string_view name) const {
  std::string message = "unknown name " + std::string(name);
  if (suggestions_left_ == 0) return message;
  --suggestions_left_;
  return message + (name == "t" ? ", did you mean time?" : did_you_mean(name, names_));
}

std::string Declarations::directions_of(const std::vector<double>& slopes) const {
  std::vector<std::string> names;
  for (std::size_t d = 0; d < slopes.size() && d < directions.size(); ++d)
    if (slopes[d] != 0.0) names.push_back(directions[d]);
  return name_list(names, 3);
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 200;  // the edit distance of longer texts costs more than it tells
  if (name.size() > kLongest) return "";
  const std::string closest = closest_name(name, names);
  return closest.empty() ? "" : ", did you mean " + closest + "?";
}

bool is_name(std::string_view name) {
  bool at_start = true;
  for (const char c : name) {
    if (at_start ? !begins_name(c) : !begins_name(c) && !is_digit(c) && c != '.') return false;
    at_start = c == '.';
  }
  return !at_start;
}

bool is_reserved(std::string_view name) {
  constexpr std::array<std::string_view, 22> words = {
      "der", "pre", "time", "pi",  "and", "or",  "not", "true", "false", "sqrt",   "exp",
      "log", "sin", "cos",  "tan", "abs", "min", "max", "if",   "then",  "elseif", "else"};
  return std::find(words.begin(), words.end(), name) != words.end();
}

std::string to_string(Declarations::Kind kind) {
  switch (kind) {
    case Declarations::Kind::parameter:
      return "parameter";
    case Declarations::Kind::state:
      return "state";
    case Declarations::Kind::input:
      return "input";
    case Declarations::Kind::algebraic:
      return "algebraic signal";
    case Declarations::Kind::binary:
      return "binary";
  }
  return "";
}

}  // namespace mti
