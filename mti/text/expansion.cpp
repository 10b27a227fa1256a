#include "mti/text/expansion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/text/evaluate.hpp"
#include "mti/text/functions.hpp"
#include "mti/text/multiply_out.hpp"

namespace mti::text {
namespace {

Polynomial missing() { return Polynomial::constant(std::numeric_limits<double>::quiet_NaN()); }

bool is_condition(const Node& node) {
  switch (node.kind) {
    case Node::Kind::comparison:
    case Node::Kind::negation:
    case Node::Kind::conjunction:
    case Node::Kind::disjunction:
    case Node::Kind::choice:
      return true;
    default:
      const Function* function = node.kind == Node::Kind::call ? find_function(node.name) : nullptr;
      return function != nullptr && function->kind == Function::Kind::condition;
  }
}

}  // namespace

Expansion::Expansion(Expander& expander, std::string_view text, const Relation& relation,
                     const Expander::Owner& owner, std::vector<TextFault>& faults)
    : expander_(expander),
      names_(expander.names_),
      text_(text),
      relation_(relation),
      owner_(owner),
      faults_(faults) {}

Polynomial Expansion::expand(const Node& node) {
  switch (node.kind) {
    case Node::Kind::number:
      return Polynomial::constant(node.number);
    case Node::Kind::name:
      return name(node);
    case Node::Kind::sum:
      return sum(node);
    case Node::Kind::product:
      return product(node);
    case Node::Kind::power:
      return power(node);
    case Node::Kind::call:
      return call(node);
    case Node::Kind::comparison:
    case Node::Kind::negation:
    case Node::Kind::conjunction:
    case Node::Kind::disjunction:
    case Node::Kind::choice:
      return condition(node);
    case Node::Kind::list:
      return fail("wrong-arguments", node, "a list of numbers can only stand in table(...) and table2(...)");
    case Node::Kind::initial:
      return fail("wrong-arguments", node, "initial can only stand in hysteresis(...)");
  }
  return missing();
}

void Expansion::look_at(const Node& node) {
  look_at_unused(faults_, failed_, [&] { static_cast<void>(expand(node)); });
}

void Expansion::add(Polynomial& sum, const Polynomial& other, double factor, const Node& node) {
  if (!spend(other.size(), node)) return;
  sum.add(other, factor);
}

Polynomial Expansion::fail(const char* id, const Node& node, std::string message) {
  failed_ = true;
  faults_.push_back({id, node.begin, std::move(message)});
  return missing();
}

/// False, with one fault, once more monomials than allowed have been made.
bool Expansion::spend(std::size_t monomials, const Node& node) {
  if (exhausted_) return false;
  std::size_t& spare = expander_.spare_terms_;
  if (monomials <= spare) {
    spare -= monomials;
    return true;
  }
  exhausted_ = true;
  spare = 0;  // what follows has what its own text allows
  fail("too-many-terms", node,
       "multiplied out, the model would have more than " + std::to_string(kMaximumTerms) +
           " terms; name parts of this as algebraic signals");
  return false;
}

Polynomial Expansion::times(const Polynomial& a, const Polynomial& b, const Node& node) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  const bool overflows = b.size() != 0 && a.size() > most / b.size();
  if (!spend(overflows ? most : a.size() * b.size(), node)) return missing();
  Polynomial result = a * b;
  // Products of products grow beyond any whole number, and definitions that a relation needs are not looked at again.
  if (result.highest_exponent() > kMaximumPower) return fail("power-too-high", node, power_too_high());
  return result;
}

Polynomial Expansion::signal(const Declarations::Entry& entry, bool remembered) {
  Group group = Group::state;
  if (entry.kind == Declarations::Kind::input) group = Group::input;
  if (entry.kind == Declarations::Kind::algebraic) group = Group::algebraic;
  if (entry.kind == Declarations::Kind::binary) group = Group::binary;
  return Polynomial::variable({group, entry.index, entry.binary, remembered});
}

Polynomial Expansion::clock(bool remembered) {
  expander_.uses_clock_ = true;
  return Polynomial::variable({Group::input, names_.clock, false, remembered});
}

Polynomial Expansion::name(const Node& node) {
  if (node.name == "pi") return Polynomial::constant(std::numbers::pi);
  if (node.name == "time") return clock(false);
  if (node.name == "true" || node.name == "false")
    return Polynomial::constant(node.name == "true" ? 1.0 : 0.0);
  const Declarations::Entry* entry = names_.find(node.name);
  if (entry == nullptr) return fail("unknown-name", node, names_.unknown(node.name));
  if (entry->kind != Declarations::Kind::parameter) return signal(*entry, false);
  if (!entry->value) failed_ = true;
  return entry->value ? Polynomial::constant({*entry->value, entry->slopes}) : missing();
}

Polynomial Expansion::sum(const Node& node) {
  Polynomial result;
  for (const Node& operand : node.operands) {
    Polynomial part = expand(operand);
    const bool is_first = result.size() == 0 && result.tangents() == 0 && !operand.inverse;
    if (!is_first)
      add(result, part, operand.inverse ? -1.0 : 1.0, operand);
    else if (spend(part.size(), operand))
      result = std::move(part);
  }
  return result;
}

Polynomial Expansion::product(const Node& node) {
  std::vector<Polynomial> factors;
  for (const Node& operand : node.operands) factors.push_back(expand(operand));
  std::vector<std::size_t> sums;
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (!node.operands[i].inverse && is_kept(factors[i])) sums.push_back(i);
  if (sums.size() < 2) sums.clear();                // there is nothing to have signals in common with
  std::map<std::uint32_t, std::size_t> first_with;  // by signals of sums
  std::vector<char> is_named(factors.size(), 0);
  for (const std::size_t i : sums)
    for (const Monomial& monomial : factors[i].monomials())
      for (const Power& power : monomial.powers)
        if (const auto first = first_with.try_emplace(power.symbol.code(), i).first->second; first != i)
          is_named[i] = is_named[first] = 1;
  Polynomial result = Polynomial::constant(1.0);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Node& operand = node.operands[i];
    if (operand.inverse)
      result = quotient(std::move(result), factors[i], operand);
    else
      result = times(result, is_named[i] != 0 ? kept(factors[i]) : factors[i], operand);
  }
  return result;
}

/// Whether a sum is to be a signal where it would be multiplied by one that has signals in common with it. What holds
/// binaries is not: while they slide they stand in sums, of which z² = z is to be true.
bool Expansion::is_kept(const Polynomial& sum) const {
  if (failed_ || !expander_.lowering_.sum || owner_.place != Expander::Place::relation) return false;
  int terms = 0;
  bool has_signal = false;
  for (const Monomial& monomial : sum.monomials()) {
    if (monomial.coefficient.value().is_zero()) continue;
    ++terms;
    for (const Power& power : monomial.powers) {
      if (power.symbol.idempotent() || power.symbol.group() == Group::derivative) return false;
      has_signal = true;
    }
  }
  return terms > 1 && has_signal;
}

Polynomial Expansion::kept(const Polynomial& sum) const {
  return Polynomial::variable(expander_.lowering_.sum(sum));
}

Polynomial Expansion::quotient(Polynomial dividend, const Polynomial& divisor, const Node& node) {
  const std::optional<double> number = divisor.constant_value();
  if (number && *number == 0.0) return fail("division-by-zero", node, "division by zero");
  if (number) {
    dividend.divide(divisor);
    return dividend;
  }
  if (expander_.lowering_.elementary)
    return expander_.lowering_.elementary(*this, {"/", node, {std::move(dividend), divisor}});
  return fail("division-by-signal", node, division_by_signal(text_, relation_, node));
}

Polynomial Expansion::power(const Node& node) {
  const Node &base_node = node.operands[0], &exponent_node = node.operands[1];
  const Polynomial base = expand(base_node);
  const auto elementary_power = [&](Polynomial exponent) {
    return expander_.lowering_.elementary(*this, {"^", node, {base, std::move(exponent)}});
  };
  const std::size_t before = faults_.size();
  const std::optional<Dual> dual = evaluate_dual(exponent_node, names_, faults_);
  const std::optional<double> exponent = dual ? std::optional(dual->value) : std::nullopt;
  if (!exponent && expander_.lowering_.elementary && follows_signals(before)) {
    faults_.resize(before);
    return elementary_power(expand(exponent_node));
  }
  if (!exponent) {
    failed_ = true;
    return missing();
  }
  const std::optional<double> constant = base.constant_value();
  // pow() has numbers for what is none, 1^x and x^0.
  if (std::isnan(*exponent) || (constant && std::isnan(*constant))) {
    if (!failed_) fail("not-finite", node, "a power of what is not a finite number");
    return missing();
  }
  if (constant) {
    if (*constant == 0.0 && *exponent < 0.0) return fail("division-by-zero", base_node, "division by zero");
    return power_of_number(*constant, base, *dual, node);
  }
  const bool is_whole = *exponent == std::floor(*exponent);
  if (is_whole && is_decided(Polynomial::constant(*dual), exponent_node, "a whole exponent"))
    return missing();
  if (expander_.lowering_.elementary && (!is_whole || *exponent < 0.0))
    return elementary_power(Polynomial::constant(*dual));
  if (!is_whole)
    return fail("bad-exponent", exponent_node, "the exponent of a signal must be a whole number");
  if (*exponent < 0.0) return fail("division-by-signal", base_node, negative_power(text_, base_node));
  if (*exponent > kMaximumPower) return fail("power-too-high", exponent_node, power_too_high());
  const Polynomial factor = *exponent > 1.0 && is_kept(base) ? kept(base) : base;
  Polynomial result = Polynomial::constant(1.0);
  for (int i = 0; i < static_cast<int>(*exponent) && !failed_; ++i) result = times(result, factor, node);
  return result;
}

/// c^e with the derivatives of both.
Polynomial Expansion::power_of_number(double constant, const Polynomial& base, const Dual& exponent,
                                      const Node& node) {
  const double slope = mti::power({constant, {1.0}}, exponent.value).slope(0);
  Polynomial result = Polynomial::chained(std::pow(constant, exponent.value), slope, base);
  result.add(Polynomial::constant({0.0, mti::power(constant, exponent).slopes}), 1.0);
  return differentiable(std::move(result), node);
}

/// True if what was noted since `before` says that a part follows a signal, and nothing else is wrong.
bool Expansion::follows_signals(std::size_t before) const {
  return faults_.size() > before &&
         std::all_of(faults_.begin() + static_cast<std::ptrdiff_t>(before), faults_.end(),
                     [](const TextFault& fault) { return fault.id == "signal-as-number"; });
}

std::optional<Dual> Expansion::number(const Node& node) {
  std::optional<Dual> value = evaluate_dual(node, names_, faults_);
  if (!value) failed_ = true;
  return value;
}

bool Expansion::is_decided(const Polynomial& value, const Node& node, const std::string& what) {
  if (!value.varies()) return false;
  fail("parameter-decides", node, decides(names_.directions_of(value.directions()), what));
  return true;
}

Polynomial Expansion::differentiable(Polynomial value, const Node& node) {
  std::vector<double> lost(value.tangents(), 0.0);
  for (std::size_t d = 0; d < lost.size(); ++d)
    for (const Monomial& monomial : value.tangent(d).monomials())
      if (!std::isfinite(monomial.coefficient.value().rounded())) lost[d] = 1.0;
  const std::string directions = names_.directions_of(lost);
  if (directions.empty()) return value;
  return fail("not-differentiable", node, not_differentiable(directions, slice(text_, node)));
}

Polynomial Expansion::call(const Node& node) {
  if (node.name == "der" || node.name == "next") return of_state(node);
  if (node.name == "pre") return left_limit(node);
  // What is made of parameters is a number, computed as the value of a parameter is.
  const std::size_t before = faults_.size();
  const std::optional<Dual> value = evaluate_dual(node, names_, faults_);
  if (value) return Polynomial::constant(*value);
  const Function* function = find_function(node.name);
  const bool is_condition = function != nullptr && function->kind == Function::Kind::condition;
  const bool is_of_numbers = function != nullptr && function->kind == Function::Kind::number;
  const auto& lowering = expander_.lowering_;
  if (follows_signals(before) && !is_of_numbers &&
      (is_condition ? lowering.condition != nullptr : lowering.elementary != nullptr)) {
    faults_.resize(before);
    return is_condition ? condition(node) : elementary(node);
  }
  failed_ = true;
  for (std::size_t i = before; i < faults_.size(); ++i) {
    if (faults_[i].id != "signal-as-number") continue;
    faults_[i].id = "function-of-signal";
    faults_[i].message = std::string(node.name) + " takes parameters only: " + faults_[i].message;
  }
  return missing();
}

Polynomial Expansion::elementary(const Node& node) {
  std::vector<Polynomial> arguments;
  for (const Node& operand : node.operands) arguments.push_back(expand(operand));
  return expander_.lowering_.elementary(*this, {node.name, node, std::move(arguments)});
}

Polynomial Expansion::condition(const Node& node) {
  if (!expander_.lowering_.condition)
    return fail("function-of-signal", node,
                "a condition of signals can only stand in the equations of a model");
  return expander_.lowering_.condition(*this, node);
}

/// The declared signal that is the only operand of der(...) or pre(...), or null.
const Declarations::Entry* Expansion::only_name(const Node& node) const {
  if (node.operands.size() != 1 || node.operands[0].kind != Node::Kind::name) return nullptr;
  return names_.find(node.operands[0].name);
}
bool Expansion::is_unknown_name(const Node& node) const {
  return node.operands.size() == 1 && node.operands[0].kind == Node::Kind::name &&
         node.operands[0].name != "time" && node.operands[0].name != "pi" &&
         names_.find(node.operands[0].name) == nullptr;
}

/// der(x) in continuous time, next(x) in discrete time: they share a row of S.
Polynomial Expansion::of_state(const Node& node) {
  const bool next = node.name == "next";
  if (next && !names_.discrete)
    return fail("next-in-continuous-model", node,
                "next(...) is the value at the next sample: give the model a sample_time or a clock "
                "(\"sample\"), or write der(...)");
  if (!next && names_.discrete)
    return fail(
        "der-in-discrete-model", node,
        "a model with a sample_time has no derivatives: write next(...), the value at the next sample");
  if (is_unknown_name(node)) return name(node.operands[0]);
  if (node.operands.size() == 1 && is_condition(node.operands[0]))
    return fail("condition-in-der", node,
                "a condition has no derivative: " + std::string(node.name) +
                    "(...) takes the name of a state, found " + slice(text_, node));
  const Declarations::Entry* entry = only_name(node);
  if (entry == nullptr || entry->kind != Declarations::Kind::state)
    return fail(next ? "next-of-non-state" : "der-of-non-state", node,
                std::string(node.name) + "(...) takes the name of a state, found " + slice(text_, node));
  return Polynomial::variable({Group::derivative, entry->index, false});
}

Polynomial Expansion::left_limit(const Node& node) {
  if (is_unknown_name(node)) return name(node.operands[0]);
  const bool in_law = owner_.place == Expander::Place::law;
  const bool of_time = node.operands.size() == 1 && node.operands[0].kind == Node::Kind::name &&
                       node.operands[0].name == "time";
  if (of_time && in_law) return clock(true);
  const Declarations::Entry* entry = only_name(node);
  if (!of_time && (entry == nullptr || entry->kind == Declarations::Kind::parameter))
    return fail("pre-of-non-signal", node,
                "pre(...) takes the name of a signal, found " + slice(text_, node));
  if (in_law) return signal(*entry, true);
  if (of_time || entry->kind != Declarations::Kind::binary)
    return fail("pre-of-non-binary", node,
                "outside transitions pre(...) takes the name of a binary, found " + slice(text_, node));
  if (entry->index >= static_cast<int>(expander_.uses_pre_.size()))
    return fail(
        "pre-of-non-binary", node,
        std::string(node.operands[0].name) + " stands for a condition: pre(...) takes a binary of the model");
  expander_.uses_pre_[at(entry->index)] = 1;
  return Polynomial::variable({Group::pre, entry->index, true});
}

}  // namespace mti::text
