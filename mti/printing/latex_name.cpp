#include "mti/printing/latex_name.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "mti/common/characters.hpp"

namespace mti::text {
namespace {

constexpr std::array<std::string_view, 35> greek = {
    "alpha",   "beta",   "gamma", "delta",   "epsilon", "zeta",  "eta",   "theta", "iota",
    "kappa",   "lambda", "mu",    "nu",      "xi",      "pi",    "rho",   "sigma", "tau",
    "upsilon", "phi",    "chi",   "psi",     "omega",   "Gamma", "Delta", "Theta", "Lambda",
    "Xi",      "Pi",     "Sigma", "Upsilon", "Phi",     "Psi",   "Omega", "varphi"};

bool is_number(const std::string& text) { return std::all_of(text.begin(), text.end(), is_digit); }

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  std::erase(parts, "");
  return parts;
}

/// A letter, a number, a Greek letter or a word.
std::string symbol(const std::string& word) {
  if (word.size() <= 1 || is_number(word)) return word;
  if (std::find(greek.begin(), greek.end(), word) != greek.end()) return "\\" + word;
  return "\\mathrm{" + word + "}";
}

LatexName letter_by_letter(const std::string& name) {
  std::string result = "\\mathtt{";
  for (const char c : name) result += c == '_' ? "\\_" : std::string(1, c);
  return {result + "}", ""};
}

}  // namespace

LatexName latex_name(const std::string& name) {
  const std::vector<std::string> path = parts_of(name, '.');
  if (path.empty()) return letter_by_letter(name);
  std::vector<std::string> words = parts_of(path.back(), '_');
  if (words.empty()) return letter_by_letter(name);
  std::vector<std::string> subscripts;
  std::string& head = words.front();
  const std::size_t letters = head.find_last_not_of("0123456789") + 1;
  if (letters > 0 && letters < head.size()) {
    subscripts.push_back(head.substr(letters));
    head.resize(letters);
  }
  const auto append = [&subscripts](auto first, auto last) {
    for (; first != last; ++first)
      for (const std::string& word : parts_of(*first, '_')) subscripts.push_back(symbol(word));
  };
  append(words.begin() + 1, words.end());
  append(path.begin(), path.end() - 1);
  LatexName result{symbol(head), ""};
  for (const std::string& subscript : subscripts)
    result.subscript += (result.subscript.empty() ? "" : ",") + subscript;
  return result;
}

std::string to_string(const LatexName& name) {
  return name.subscript.empty() ? name.base : name.base + "_{" + name.subscript + "}";
}

std::vector<LatexName> latex_names(const std::vector<std::string>& names) {
  std::vector<LatexName> result;
  std::unordered_map<std::string, int> count;
  for (const std::string& name : names) {
    result.push_back(latex_name(name));
    ++count[to_string(result.back())];
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (count[to_string(result[i])] > 1) result[i] = letter_by_letter(names[i]);
  return result;
}

std::string latex_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\textbackslash{}";
        break;
      case '^':
        result += "\\textasciicircum{}";
        break;
      case '~':
        result += "\\textasciitilde{}";
        break;
      case '<':
        result += "\\textless{}";
        break;
      case '>':
        result += "\\textgreater{}";
        break;
      case '{':
      case '}':
      case '$':
      case '&':
      case '#':
      case '_':
      case '%':
        result += '\\';
        [[fallthrough]];
      default:
        result += c;
    }
  }
  return result;
}

std::string latex_number(const std::string& number) {
  const std::size_t e = number.find('e');
  if (e == std::string::npos) return number;
  std::string exponent = number.substr(e + 1);
  const bool negative = exponent.front() == '-';
  if (negative || exponent.front() == '+') exponent.erase(0, 1);
  exponent.erase(0, std::min(exponent.find_first_not_of('0'), exponent.size() - 1));
  const std::string mantissa = number.substr(0, e);
  return (mantissa == "1" ? "" : mantissa + "\\cdot ") + "10^{" + (negative ? "-" : "") + exponent + "}";
}

}  // namespace mti::text
