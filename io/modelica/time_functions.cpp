#include "io/modelica/time_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "mti/text/evaluate.hpp"
#include "mti/text/parse.hpp"

namespace mti::modelica {
namespace {

std::optional<double> value_of(const std::string& text, const Declarations& parameters) {
  std::vector<text::TextFault> faults;
  try {
    const std::optional<double> value = text::evaluate(text::parse_expression(text), parameters, faults);
    return faults.empty() && value && std::isfinite(*value) ? value : std::nullopt;
  } catch (const text::SyntaxError&) {
    return std::nullopt;
  }
}

/// Two numbers that differ by rounding alone.
bool are_one(const Number& a, const Number& b) {
  const auto *one = std::get_if<double>(&a), *other = std::get_if<double>(&b);
  if (one == nullptr || other == nullptr) return a == b;
  return std::abs(*one - *other) <=
         8.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(*one), std::abs(*other));
}

}  // namespace

bool TimeFunctions::is_constant(const Node& node) const { return expressions_.is_of_parameters(node); }

std::optional<double> TimeFunctions::value(const Node& node) const {
  return value_of(expressions_.is_boolean(node) ? expressions_.truth(node) : expressions_.number(node),
                  parameters_);
}

std::optional<double> TimeFunctions::value(const std::string& expression) const {
  return value_of(expression, parameters_);
}

/// A constant of numbers alone is one number: what parameters are in stays an expression, for they may be set.
Number TimeFunctions::number(const std::string& text) const {
  if (const auto value = value_of(text, Declarations())) return *value;
  return text;
}

bool TimeFunctions::runs(const Node& node) const { return !is_constant(node); }

std::optional<TimeFunctions::Clock> TimeFunctions::clock_of(const Node& node) const {
  const Node* call = nullptr;
  int times = 0, inside = 0;
  bool alike = true, known = true;
  walk(node, [&](const Node& part) {
    if (part.kind == Node::Kind::name && part.name == "time") ++times;
    if (part.kind == Node::Kind::name && names_.find(part.name) != nullptr &&
        names_.find(part.name)->role != Variable::Role::parameter)
      known = false;
    if (!is_call(part, "mod") || is_constant(part)) return;
    ++inside;
    if (part.operands.size() != 2) {
      known = false;
      return;
    }
    alike = alike && (call == nullptr || expressions_.written(*call) == expressions_.written(part));
    call = &part;
  });
  if (!known || times == 0 || !alike || (call != nullptr && times != inside)) return std::nullopt;
  if (call == nullptr) return Clock{};
  const auto shifted = linear(call->operands[0], Clock{});
  if (!shifted || !is_constant(call->operands[1]) || value_of(shifted->slope, parameters_) != 1.0)
    return std::nullopt;
  return Clock{expressions_.number(call->operands[1]), "-(" + shifted->offset + ")", shifted->slope};
}

bool TimeFunctions::is_clock(const Node& node, const Clock& clock) const {
  return clock.period ? is_call(node, "mod") && !is_constant(node)
                      : node.kind == Node::Kind::name && node.name == "time";
}

std::optional<TimeFunctions::Linear> TimeFunctions::linear(const Node& node, const Clock& clock) const {
  if (is_clock(node, clock)) return Linear{"1", "0"};
  if (is_constant(node)) return Linear{"0", expressions_.number(node)};
  if (node.kind == Node::Kind::sum) {
    Linear sum{"0", "0"};
    for (const Node& operand : node.operands) {
      const auto one = linear(operand, clock);
      if (!one) return std::nullopt;
      const std::string sign = operand.inverse ? " - (" : " + (";
      sum.slope += sign + one->slope + ")";
      sum.offset += sign + one->offset + ")";
    }
    return sum;
  }
  if (node.kind != Node::Kind::product) return std::nullopt;
  Linear product{"1", "1"};
  bool found = false;
  for (const Node& operand : node.operands) {
    const auto one = linear(operand, clock);
    const bool is_running = runs(operand);
    if (!one || (is_running && (found || operand.inverse))) return std::nullopt;
    found = found || is_running;
    const std::string sign = operand.inverse ? "/(" : "*(";
    product.slope += sign + (is_running ? one->slope : one->offset) + ")";
    product.offset += sign + one->offset + ")";
  }
  return product;
}

std::optional<SineSource> TimeFunctions::sine(const Node& node, const Clock& clock) const {
  if (clock.period) return std::nullopt;
  const std::vector<Node> alone{node};
  const std::vector<Node>& terms = node.kind == Node::Kind::sum ? node.operands : alone;
  SineSource result;
  std::string offset = "0";
  bool found = false;
  for (const Node& term : terms) {
    if (is_constant(term)) {
      offset += (term.inverse && &terms != &alone ? " - " : " + ") + expressions_.number(term);
      continue;
    }
    if (found) return std::nullopt;
    std::string amplitude = term.inverse && &terms != &alone ? "-1" : "1";
    const std::vector<Node> one{term};
    for (const Node& factor : term.kind == Node::Kind::product ? term.operands : one) {
      const bool inverse = term.kind == Node::Kind::product && factor.inverse;
      if (is_constant(factor)) {
        amplitude += (inverse ? "/" : "*") + expressions_.number(factor);
        continue;
      }
      const bool is_cosine = is_call(factor, "cos");
      if (found || inverse || !(is_call(factor, "sin") || is_cosine) || factor.operands.size() != 1)
        return std::nullopt;
      const auto argument = linear(factor.operands.front(), clock);
      if (!argument) return std::nullopt;
      found = true;
      result.frequency = number("(" + argument->slope + ")/(2*pi)");
      result.phase = number(argument->offset + (is_cosine ? " + pi/2" : ""));
    }
    result.amplitude = number(amplitude);
  }
  if (!found) return std::nullopt;
  result.offset = number(offset);
  return result;
}

/// The numbers with which the clock is compared; false where something else is compared with it.
bool TimeFunctions::collect(const Node& node, const Clock& clock, std::vector<const Node*>& breaks) const {
  if (node.kind == Node::Kind::comparison && runs(node)) {
    const Node &a = plain(node.operands.front()), &b = plain(node.operands.back());
    if (!is_clock(a, clock) && !is_clock(b, clock)) return false;
    const Node& other = is_clock(a, clock) ? b : a;
    if (node.name == "==" || node.name == "<>" || !is_constant(other)) return false;
    breaks.push_back(&other);
    return true;
  }
  return std::ranges::all_of(node.operands,
                             [&](const Node& operand) { return collect(operand, clock, breaks); });
}

std::optional<bool> TimeFunctions::holds(const Node& outer, const Clock& clock, double t) const {
  const Node& node = plain(outer);
  if (is_constant(node)) {
    const auto known = value(node);
    return known ? std::optional(*known > 0.5) : std::nullopt;
  }
  switch (node.kind) {
    case Node::Kind::comparison: {
      const bool is_left = is_clock(plain(node.operands.front()), clock);
      const auto other = value(plain(is_left ? node.operands.back() : node.operands.front()));
      if (!other) return std::nullopt;
      return (node.name.front() == '<') == is_left ? t < *other : t > *other;
    }
    case Node::Kind::negation: {
      const auto inner = holds(node.operands.front(), clock, t);
      return inner ? std::optional(!*inner) : std::nullopt;
    }
    case Node::Kind::conjunction:
    case Node::Kind::disjunction: {
      const bool is_and = node.kind == Node::Kind::conjunction;
      bool result = is_and;
      for (const Node& operand : node.operands) {
        const auto inner = holds(operand, clock, t);
        if (!inner) return std::nullopt;
        result = is_and ? result && *inner : result || *inner;
      }
      return result;
    }
    case Node::Kind::choice:
      for (std::size_t i = 0; i + 1 < node.operands.size(); i += 2) {
        const auto condition = holds(node.operands[i], clock, t);
        if (!condition) return std::nullopt;
        if (*condition) return holds(node.operands[i + 1], clock, t);
      }
      return holds(node.operands.back(), clock, t);
    default:
      return std::nullopt;
  }
}

/// The node with what its choices choose at a time.
std::optional<Node> TimeFunctions::resolved(const Node& outer, const Clock& clock, double t) const {
  Node node = plain(outer);
  node.inverse = outer.inverse;
  if (node.kind == Node::Kind::choice) {
    std::size_t chosen = node.operands.size() - 1;
    for (std::size_t i = 0; i + 1 < node.operands.size(); i += 2) {
      const auto condition = holds(node.operands[i], clock, t);
      if (!condition) return std::nullopt;
      if (!*condition) continue;
      chosen = i + 1;
      break;
    }
    auto result = resolved(node.operands[chosen], clock, t);
    if (result) result->inverse = outer.inverse;
    return result;
  }
  for (Node& operand : node.operands) {
    auto result = resolved(operand, clock, t);
    if (!result) return std::nullopt;
    operand = std::move(*result);
  }
  return node;
}

std::string TimeFunctions::at_time(const Node& node, const std::string& t) const {
  const std::map<std::string_view, std::string> stands_for{{"time", t}, {"mod", t}};
  return expressions_.number(node, {.stands_for = &stands_for});
}

std::optional<TableSource> TimeFunctions::table(const Node& node, const Clock& clock, bool is_boolean,
                                                std::vector<std::string>& fixed) const {
  std::vector<const Node*> nodes;
  if (!collect(node, clock, nodes) || nodes.empty()) return std::nullopt;
  struct Break {
    double value;
    std::string text;
  };
  std::vector<Break> breaks;
  for (const Node* other : nodes) {
    const auto known = value(*other);
    if (!known) return std::nullopt;
    breaks.push_back({*known, expressions_.number(*other)});
  }
  std::ranges::stable_sort(breaks, {}, &Break::value);
  for (std::size_t k = 1; k < breaks.size(); ++k)
    if (breaks[k].value == breaks[k - 1].value && breaks[k].text != breaks[k - 1].text)
      fixed.push_back("(" + breaks[k].text + ") - (" + breaks[k - 1].text + ")");
  breaks.erase(std::unique(breaks.begin(), breaks.end(),
                           [](const Break& a, const Break& b) { return a.value == b.value; }),
               breaks.end());
  TableSource table;
  const auto period = clock.period ? value_of(*clock.period, parameters_) : std::nullopt;
  if (clock.period) {
    if (!period) return std::nullopt;
    std::erase_if(breaks, [&](const Break& one) {  // the clock goes from 0 to the period
      const bool is_first = one.value <= 0.0, is_last = one.value >= *period;
      if (is_first) fixed.push_back("(" + one.text + " <= 0)");
      if (is_last) fixed.push_back("(" + one.text + " >= " + *clock.period + ")");
      return is_first || is_last;
    });
    breaks.insert(breaks.begin(), {0.0, "0"});
    breaks.push_back({*period, *clock.period});
    table.repeat = number(*clock.period);
    table.start = number(*clock.start);
  }
  std::vector<Node> pieces;
  std::vector<bool> truths;
  bool steps = true;
  for (std::size_t k = clock.period ? 1 : 0; k < breaks.size() + (clock.period ? 0 : 1); ++k) {
    const double t = k == 0               ? breaks.front().value - 1.0
                     : k == breaks.size() ? breaks.back().value + 1.0
                                          : 0.5 * (breaks[k - 1].value + breaks[k].value);
    if (is_boolean) {
      const auto truth = holds(node, clock, t);
      if (!truth) return std::nullopt;
      truths.push_back(*truth);
      continue;
    }
    const auto piece = resolved(node, clock, t);
    if (!piece || !linear(*piece, clock)) return std::nullopt;
    steps = steps && is_constant(*piece);
    pieces.push_back(*piece);
  }
  if (!clock.period && !is_boolean && (runs(pieces.front()) || runs(pieces.back()))) return std::nullopt;
  const auto add = [&](const Break& at_break, const Number& entry) {
    if (!table.time.empty() && table.time.back() == number(at_break.text) &&
        are_one(table.value.back(), entry))
      return;
    table.time.push_back(number(at_break.text));
    table.value.push_back(entry);
  };
  const auto entry = [&](std::size_t piece, const Break& at_break) {
    return is_boolean ? Number(truths[piece] ? 1.0 : 0.0) : number(at_time(pieces[piece], at_break.text));
  };
  const std::size_t count = is_boolean ? truths.size() : pieces.size();
  if (clock.period) {
    for (std::size_t k = 0; k < count; ++k) {
      add(breaks[k], entry(k, breaks[k]));
      if (!is_boolean && !steps) add(breaks[k + 1], entry(k, breaks[k + 1]));
    }
  } else {
    for (std::size_t k = 0; k < breaks.size(); ++k) {
      if (k == 0 || !(is_boolean || steps)) add(breaks[k], entry(k, breaks[k]));
      add(breaks[k], entry(k + 1, breaks[k]));
    }
  }
  if (!is_boolean) table.interpolation = steps ? Interpolation::previous : Interpolation::linear;
  return table;
}

std::optional<TimeFunctions::KnownInput> TimeFunctions::input(const Variable& variable,
                                                              const Node& node) const {
  const auto clock = clock_of(node);
  if (!clock) return std::nullopt;
  KnownInput result{{.name = variable.name, .binary = variable.is_boolean()}};
  if (clock->slope != "1") result.fixed.push_back(clock->slope);
  if (auto made = table(node, *clock, variable.is_boolean(), result.fixed)) {
    result.source.form = std::move(*made);
  } else if (auto wave = variable.is_boolean() ? std::nullopt : sine(node, *clock)) {
    result.source.form = std::move(*wave);
  } else {
    return std::nullopt;
  }
  return result;
}

}  // namespace mti::modelica
