#include "mti/text/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "mti/source/declarations.hpp"

namespace mti::text {
namespace {

using Values = std::span<const double>;
constexpr Function::Kind kSignal = Function::Kind::signal;
constexpr Function::Kind kElementary = Function::Kind::elementary;
constexpr Function::Kind kCondition = Function::Kind::condition;
constexpr Function::Kind kNumber = Function::Kind::number;
constexpr int kAny = -1;

double smallest(Values a) {
  return std::accumulate(a.begin() + 1, a.end(), a[0], [](double x, double y) { return y < x ? y : x; });
}
double largest(Values a) {
  return std::accumulate(a.begin() + 1, a.end(), a[0], [](double x, double y) { return x < y ? y : x; });
}
double sign_of(Values a) { return a[0] > 0.0 ? 1.0 : a[0] < 0.0 ? -1.0 : 0.0; }
double clamped(Values a) { return a[0] < a[1] ? a[1] : a[0] > a[2] ? a[2] : a[0]; }
double outside_zone(Values a) { return a[0] < a[1] ? a[0] - a[1] : a[0] > a[2] ? a[0] - a[2] : 0.0; }

// The overload sets of <cmath> need a named call each.
constexpr std::array<Function, 37> kFunctions = {{
    {"der", kSignal, 1, 1, nullptr},
    {"next", kSignal, 1, 1, nullptr},
    {"pre", kSignal, 1, 1, nullptr},
    {"sqrt", kElementary, 1, 1, [](Values a) { return std::sqrt(a[0]); }},
    {"exp", kElementary, 1, 1, [](Values a) { return std::exp(a[0]); }},
    {"log", kElementary, 1, 1, [](Values a) { return std::log(a[0]); }},
    {"sin", kElementary, 1, 1, [](Values a) { return std::sin(a[0]); }},
    {"cos", kElementary, 1, 1, [](Values a) { return std::cos(a[0]); }},
    {"tan", kElementary, 1, 1, [](Values a) { return std::tan(a[0]); }},
    {"abs", kCondition, 1, 1, [](Values a) { return std::abs(a[0]); }},
    {"min", kCondition, 2, kAny, smallest},
    {"max", kCondition, 2, kAny, largest},
    {"asin", kElementary, 1, 1, [](Values a) { return std::asin(a[0]); }},
    {"acos", kElementary, 1, 1, [](Values a) { return std::acos(a[0]); }},
    {"atan", kElementary, 1, 1, [](Values a) { return std::atan(a[0]); }},
    {"atan2", kElementary, 2, 2, [](Values a) { return std::atan2(a[0], a[1]); }},
    {"sinh", kElementary, 1, 1, [](Values a) { return std::sinh(a[0]); }},
    {"cosh", kElementary, 1, 1, [](Values a) { return std::cosh(a[0]); }},
    {"tanh", kElementary, 1, 1, [](Values a) { return std::tanh(a[0]); }},
    {"asinh", kElementary, 1, 1, [](Values a) { return std::asinh(a[0]); }},
    {"acosh", kElementary, 1, 1, [](Values a) { return std::acosh(a[0]); }},
    {"atanh", kElementary, 1, 1, [](Values a) { return std::atanh(a[0]); }},
    {"cbrt", kElementary, 1, 1, [](Values a) { return std::cbrt(a[0]); }},
    {"erf", kElementary, 1, 1, [](Values a) { return std::erf(a[0]); }},
    {"pos", kCondition, 1, 1, [](Values a) { return a[0] > 0.0 ? a[0] : 0.0; }},
    {"neg", kCondition, 1, 1, [](Values a) { return a[0] < 0.0 ? -a[0] : 0.0; }},
    {"sign", kCondition, 1, 1, sign_of},
    {"step", kCondition, 1, 1, [](Values a) { return a[0] > 0.0 ? 1.0 : 0.0; }},
    {"clamp", kCondition, 3, 3, clamped},
    {"deadzone", kCondition, 3, 3, outside_zone},
    {"hysteresis", kCondition, 3, 4, nullptr},
    {"table", kCondition, 3, 3, nullptr},
    {"table2", kCondition, 5, 5, nullptr},
    {"smooth", kCondition, 2, 2, [](Values a) { return a[1]; }},
    {"floor", kNumber, 1, 1, [](Values a) { return std::floor(a[0]); }},
    {"ceil", kNumber, 1, 1, [](Values a) { return std::ceil(a[0]); }},
    {"mod", kNumber, 2, 2, [](Values a) { return a[0] - std::floor(a[0] / a[1]) * a[1]; }},
}};

}  // namespace

const Function* find_function(std::string_view name) {
  const auto* found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                   [&](const Function& function) { return function.name == name; });
  return found == kFunctions.end() ? nullptr : found;
}

std::string arguments_of(const Function& function) {
  const auto count = [](int n) { return n == 1 ? std::string("one") : n == 2 ? "two" : std::to_string(n); };
  std::string result = count(function.fewest);
  if (function.most < 0) result += " or more";
  if (function.most > function.fewest) result += " or " + count(function.most);
  return result + (function.fewest == 1 && function.most == 1 ? " argument" : " arguments");
}

std::string did_you_mean_function(std::string_view name, bool discrete) {
  // What they are called elsewhere.
  using Alias = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Alias, 11> aliases = {{{"ln", "log"},
                                              {"log10", "log(x)/log(10)"},
                                              {"arcsin", "asin"},
                                              {"arccos", "acos"},
                                              {"arctan", "atan"},
                                              {"sgn", "sign"},
                                              {"heaviside", "step"},
                                              {"sat", "clamp"},
                                              {"pow", "x^a"},
                                              {"round", "floor(x + 1/2)"},
                                              {"ceiling", "ceil"}}};
  if (const auto known = std::ranges::find(aliases, name, &Alias::first); known != aliases.end())
    return ", did you mean " + std::string(known->second) + "?";
  std::vector<std::string> known;
  for (const Function& function : kFunctions)
    if (function.name != (discrete ? "der" : "next")) known.emplace_back(function.name);
  return did_you_mean(name, known);
}

}  // namespace mti::text
