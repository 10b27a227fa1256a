#include "bench/families.hpp"

#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <string_view>

#include "mti/common/number.hpp"

namespace mti::bench {
namespace {

using text::format_number;

std::string numbered(const char* name, int i) { return name + std::to_string(i); }

/// Fractional parts of the multiples of the golden ratio: evenly spread and never twice the same.
double spread(int i) {
  const double multiple = std::numbers::phi * i;
  return multiple - std::floor(multiple);
}

/// A number or expression plus a number.
Number raised(const Number& number, double by) {
  if (const double* value = std::get_if<double>(&number)) return *value + by;
  return "(" + std::get<std::string>(number) + ") + " + format_number(by);
}

bool continues_name(char c) {
  return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// The text with `prefix` before each of `names`.
std::string with_prefix(std::string_view expression, const std::string& prefix,
                        const std::set<std::string>& names) {
  std::string result;
  for (std::size_t i = 0; i < expression.size();) {
    std::size_t end = i;
    while (end < expression.size() && continues_name(expression[end])) ++end;
    if (end == i) end = i + 1;
    const std::string word(expression.substr(i, end - i));
    if (names.contains(word)) result += prefix;
    result += word;
    i = end;
  }
  return result;
}

}  // namespace

Source tank_ring(int tanks, double band) {
  Source source;
  source.name = "tank_ring_" + std::to_string(tanks);
  source.parameters = {{"c", 4200.0}, {"m", 5.0}, {"a", 125.0}, {"g", "3*a"}, {"fv", 0.09}};
  source.inputs = {{.name = "ambient", .form = Number(0.0)}, {.name = "inlet", .form = Number(80.0)}};
  for (int i = 1; i <= tanks; ++i) {
    const std::string x = numbered("x", i), open = numbered("open", i), shut = numbered("shut", i);
    const double middle = 35.0 + 5.0 * spread(3 * i);
    source.states.push_back({x, middle + 8.0 * (spread(i) - 0.5), "degC", 40.0});
    source.binaries.push_back({open, 0.0});
    source.binaries.push_back({shut, 0.0});
    const std::string before = numbered("x", i == 1 ? tanks : i - 1), after = numbered("x", i % tanks + 1);
    source.equations.emplace_back(numbered("tank", i), "c*m*der(" + x + ") + g*" + x + " - a*(" + before +
                                                           " + " + after + ") - a*ambient + c*fv*(" + x +
                                                           " - inlet)*" + open + " = 0");
    source.constraints.emplace_back(numbered("low", i), "(" + format_number(middle - 0.5 * band) + " - " + x +
                                                            ")*(1 - " + open + " + " + shut + ") <= 0");
    source.constraints.emplace_back(
        numbered("high", i),
        "(" + x + " - " + format_number(middle + 0.5 * band) + ")*(1 - " + shut + " + " + open + ") <= 0");
  }
  source.experiment = {.stop = 100.0, .rtol = 1e-6, .atol = 1e-6};
  return source;
}

Source train_brake_line(int cars, double T) {
  Source source;
  source.name = "train_brake_line_" + std::to_string(cars);
  source.parameters = {{"R", 100.0}, {"S", 10.0}, {"C", 1e-3},     {"D", 1e-4},
                       {"T", T},     {"u0", 7.5}, {"rho", 0.6667}, {"n", static_cast<double>(cars)}};
  source.inputs = {
      {.name = "w0", .form = TableSource{{0.0, "T/2", "T/2"}, {10.0, 10.0, 0.0}, {}}, .unit = "bar"}};
  for (int i = 1; i <= cars; ++i) {
    const std::string u = numbered("u", i), v = numbered("v", i), w = numbered("w", i), h = numbered("h", i),
                      j = numbered("j", i - 1), k = numbered("k", i), l = numbered("l", i),
                      blocks = numbered("blocks", i), w_before = numbered("w", i - 1),
                      j_after = i < cars ? " - " + numbered("j", i) : "";
    const std::string place = "rho*" + std::to_string(i - 1) + "/n";
    source.states.push_back({u, "u0*(1 - rho + " + place + ")", "bar", 10.0});
    source.states.push_back({v, "-u0*(1 + " + place + ")", "bar", 0.01});
    source.algebraic.push_back({j, 0.0, "", 0.1});
    source.algebraic.push_back({k, 0.0, "", 0.1});
    source.algebraic.push_back({l, 0.0, "", 0.1});
    source.algebraic.push_back({h, 0.0, "bar", 0.01});
    source.algebraic.push_back({w, 0.0, "bar", 10.0});
    source.binaries.push_back({blocks, 1.0});
    source.equations.emplace_back(numbered("flow", i), j + " - " + k + " - " + l + j_after + " = 0");
    source.equations.emplace_back(numbered("pressure", i), w + " = " + u + " + " + v);
    source.equations.emplace_back(numbered("line", i), w_before + " - R*" + j + " - " + w + " = 0");
    source.equations.emplace_back(numbered("branch", i), h + " + S*" + k + " = " + v);
    source.equations.emplace_back(numbered("main", i), "C*der(" + u + ") = " + k + " + " + l);
    source.equations.emplace_back(numbered("small", i), "D*der(" + v + ") = " + l);
    source.equations.emplace_back(numbered("valve", i),
                                  blocks + "*" + k + " + (1 - " + blocks + ")*" + h + " = 0");
    source.constraints.emplace_back(numbered("valve_flow", i), "-" + k + " <= 0");
    source.constraints.emplace_back(numbered("valve_pressure", i), h + " <= 0");
  }
  source.experiment = {.stop = T, .rtol = 1e-8, .atol = 1e-8, .output_interval = Number(T / 20.0)};
  return source;
}

Source copies_of(const Source& model, int copies, double shift) {
  Source source = model;
  source.name = model.name + "_copies_" + std::to_string(copies);
  source.states.clear();
  source.inputs.clear();
  source.algebraic.clear();
  source.binaries.clear();
  source.equations.clear();
  source.constraints.clear();
  std::set<std::string> names;
  const auto collect = [&](const auto& list) {
    for (const auto& entry : list) names.insert(entry.name);
  };
  collect(model.states);
  collect(model.inputs);
  collect(model.algebraic);
  collect(model.binaries);
  for (int copy = 1; copy <= copies; ++copy) {
    const std::string prefix = "c" + std::to_string(copy) + ".";
    const auto append = [&](auto& to, const auto& from) {
      for (auto entry : from) {
        if (!entry.name.empty()) entry.name.insert(0, prefix);
        if constexpr (requires { entry.is_object; }) entry.text = with_prefix(entry.text, prefix, names);
        to.push_back(std::move(entry));
      }
    };
    const std::size_t first = source.states.size();
    append(source.states, model.states);
    for (std::size_t i = first; i < source.states.size(); ++i)
      source.states[i].start = raised(source.states[i].start, shift * spread(copy));
    append(source.inputs, model.inputs);
    append(source.algebraic, model.algebraic);
    append(source.binaries, model.binaries);
    append(source.equations, model.equations);
    append(source.constraints, model.constraints);
  }
  return source;
}

Source many_events(int N, int M) {
  Source source;
  source.name = "many_events_" + std::to_string(N) + "_" + std::to_string(M);
  source.parameters = {{"N", static_cast<double>(N)}, {"M", static_cast<double>(M)}};
  source.algebraic = {{"v", 0.0}};
  std::string count = "v = 0";
  for (int i = 1; i <= N; ++i) {
    const std::string x = numbered("x", i), e = numbered("e", i);
    source.states.push_back({x, 0.0});
    source.binaries.push_back({e, 0.0});
    source.equations.emplace_back("der(" + x + ") = M/(N + 1 - " + std::to_string(i) + ")");
    source.constraints.emplace_back("(" + x + " - 1)*(1 - " + e + ") <= 0");
    source.constraints.emplace_back("pre(" + e + ") - " + e + " <= 0");
    count += " + " + e;
  }
  source.equations.emplace_back("count", count);
  source.experiment = {.stop = 1.0, .rtol = 1e-8, .atol = 1e-8, .output_interval = Number(0.1)};
  return source;
}

}  // namespace mti::bench
