#include "mti/components/indices.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include "mti/common/characters.hpp"
#include "mti/common/number.hpp"
#include "mti/components/rename.hpp"
#include "mti/text/evaluate.hpp"
#include "mti/text/parse.hpp"

namespace mti {
namespace {

constexpr double kLargestIndex = 1e9;
constexpr long long most_values = 1'000'000;  ///< of one index: more is a mistake, not a reason to allocate
constexpr long long most_turns = 10'000'000;  ///< of the nested loops of one entry, in all

bool continues_reference(char c) {
  return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

class Loops {
 public:
  Loops(const std::vector<IndexRange>& ranges, IndexScope& scope, const std::function<bool()>& run)
      : ranges_(ranges), scope_(scope), run_(run) {}

  /// False where it came to a fault or `run` wanted no more.
  bool from(std::size_t range) {
    if (range == ranges_.size()) return run_();
    std::vector<text::TextFault> faults;
    const auto first = scope_.whole(ranges_[range].first, faults);
    const auto last = scope_.whole(ranges_[range].last, faults);
    if (!faults.empty()) fault = RangeFault{range, std::move(faults.front())};
    if (!first || !last) {
      if (!fault) look_for_later_indices(range);
      return false;
    }
    if (*last - *first >= most_values) {
      fault = RangeFault{range,
                         {"too-many-components", 0,
                          "expected at most " + std::to_string(most_values) + " values of an index, found " +
                              std::to_string(*last - *first + 1)}};
      return false;
    }
    for (long long i = *first; i <= *last; ++i) {
      if (++turns_ > most_turns) {
        fault = RangeFault{
            range,
            {"too-many-components", 0,
             "expected at most " + std::to_string(most_turns) + " combinations of the indices up to here"}};
        return false;
      }
      scope_.set(ranges_[range].index, static_cast<double>(i));
      if (!from(range + 1)) return false;
    }
    return true;
  }

  std::optional<RangeFault> fault;

 private:
  /// A bound without a value holds a parameter that has none, which is a fault of its own, or an index that comes later.
  void look_for_later_indices(std::size_t range) {
    for (const Number* const bound : {&ranges_[range].first, &ranges_[range].last}) {
      const auto* const text = std::get_if<std::string>(bound);
      if (text == nullptr) continue;
      const std::vector<std::string> names = names_in(*text);
      for (std::size_t later = range; later < ranges_.size(); ++later)
        if (std::ranges::find(names, ranges_[later].index) != names.end())
          fault = RangeFault{range,
                             {"unknown-name", 0,
                              ranges_[later].index + " is not known here: bounds of " + ranges_[range].index +
                                  " may use parameters and the indices before it"}};
    }
  }

  const std::vector<IndexRange>& ranges_;
  IndexScope& scope_;
  const std::function<bool()>& run_;
  long long turns_ = 0;  ///< of all loops: inner ones may be empty
};

/// Whether the bracket opens a list of numbers: an argument, or an element of a list.
bool begins_list(const std::string& text, std::size_t open) {
  const std::size_t before = open == 0 ? std::string::npos : text.find_last_not_of(" \t\n\r", open - 1);
  return before != std::string::npos && std::string_view("(,[").find(text[before]) != std::string_view::npos;
}

}  // namespace

void IndexScope::declare(const std::string& name, std::optional<double> value) {
  if (values_.declare(name, {})) values_.set_parameter(name, value);
}

std::optional<double> IndexScope::value(const Number& number, std::vector<text::TextFault>& faults) const {
  if (const auto* value = std::get_if<double>(&number)) return *value;
  const auto& text = std::get<std::string>(number);
  try {
    return text::evaluate(text::parse_expression(text), values_, faults);
  } catch (const text::SyntaxError& error) {
    faults.push_back(error.fault());
    return std::nullopt;
  }
}

std::optional<long long> IndexScope::whole(const Number& number, std::vector<text::TextFault>& faults) const {
  const std::optional<double> found = value(number, faults);
  if (!found) return std::nullopt;
  if (*found == std::floor(*found) && std::abs(*found) <= kLargestIndex)
    return static_cast<long long>(*found);
  faults.push_back({"bad-index", 0, "expected a whole number, found " + text::format_number(*found)});
  return std::nullopt;
}

std::optional<RangeFault> for_each_index(const std::vector<IndexRange>& ranges, IndexScope& scope,
                                         const std::function<bool()>& run) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::string& name = ranges[i].index;
    if (!is_name(name) || name.find('.') != std::string::npos || is_reserved(name))
      return RangeFault{i, {"bad-name", 0, "'" + name + "' is no name for an index"}};
    if (scope.has(name))
      return RangeFault{i, {"duplicate-name", 0, name + " is already a parameter or an index"}};
    scope.declare(name, std::nullopt);
  }
  Loops loops(ranges, scope, run);
  (void)loops.from(0);
  return std::move(loops.fault);
}

std::vector<std::string> names_in(std::string_view expression) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < expression.size();) {
    std::size_t end = i;
    if (begins_name(expression[i]) || is_digit(expression[i]))  // 1e5 holds no name
      while (end < expression.size() && (continues_name(expression[end]) || expression[end] == '.')) ++end;
    if (end > i && begins_name(expression[i])) names.emplace_back(expression.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return names;
}

std::vector<std::string> names_in_indices(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t open = text.find('['); open != std::string::npos; open = text.find('[', open + 1)) {
    if (begins_list(text, open)) continue;
    const std::size_t close = std::min(text.find(']', open), text.size());
    for (std::string& name : names_in(std::string_view(text).substr(open + 1, close - open - 1)))
      names.push_back(std::move(name));
  }
  return names;
}

std::string with_indices(const std::string& text, const std::vector<IndexRange>& ranges,
                         const IndexScope& scope, std::vector<text::TextFault>& faults) {
  std::string result;
  std::size_t copied = 0;
  for (std::size_t open = text.find('['); open != std::string::npos; open = text.find('[', copied)) {
    if (begins_list(text, open)) {
      result += text.substr(copied, open + 1 - copied);
      copied = open + 1;
      continue;
    }
    const std::size_t close = text.find(']', open);
    if (close == std::string::npos) {
      faults.push_back({"syntax-error", open, "there is no ']' for this '['"});
      return text;
    }
    result += text.substr(copied, open - copied);
    if (open == 0 || (text[open - 1] != ']' && !continues_reference(text[open - 1]))) {
      faults.push_back({"syntax-error", open, "an index stands right after the name of a component"});
      return text;
    }
    if (close == open + 2 && text[open + 1] == ':') {  // all elements: not for here
      result += "[:]";
      copied = close + 1;
      continue;
    }
    const std::size_t before = faults.size();
    const auto index = scope.whole(text.substr(open + 1, close - open - 1), faults);
    for (std::size_t i = before; i < faults.size(); ++i) faults[i].offset += open + 1;
    if (!index) return text;
    if (*index < 0) {
      faults.push_back(
          {"bad-index", open, "an element has no index below 0, found " + std::to_string(*index)});
      return text;
    }
    if (text[open - 1] == ']') result += '_';
    result += std::to_string(*index);
    copied = close + 1;
  }
  result += text.substr(copied);
  if (ranges.empty()) return result;
  return rewrite_names(result, [&](std::string_view name, std::string& written) {
    const bool is_index =
        std::ranges::any_of(ranges, [name](const IndexRange& range) { return range.index == name; });
    if (!is_index) {
      written += name;
      return;
    }
    std::vector<text::TextFault> none;
    const double value = scope.value(std::string(name), none).value_or(0.0);
    written += value < 0.0 ? "(" + text::format_number(value) + ")" : text::format_number(value);
  });
}

std::vector<std::string> arrays_in(const std::string& text) {
  std::vector<std::string> arrays;
  for (std::size_t at = text.find("[:]"); at != std::string::npos; at = text.find("[:]", at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && continues_reference(text[begin - 1])) --begin;
    const std::string name = text.substr(begin, at - begin);
    if (std::ranges::find(arrays, name) == arrays.end()) arrays.push_back(name);
  }
  return arrays;
}

std::string with_element(const std::string& text, const std::string& array, const std::string& suffix) {
  const std::string pattern = array + "[:]";
  std::string result;
  std::size_t copied = 0;
  for (std::size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, copied)) {
    result += text.substr(copied, at - copied) + array + suffix;
    copied = at + pattern.size();
  }
  return result + text.substr(copied);
}

}  // namespace mti
