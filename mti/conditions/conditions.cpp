#include "mti/conditions/conditions.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/conditions/truth.hpp"
#include "mti/text/multiply_out.hpp"

namespace mti::conditions {
namespace {

using text::Expansion;
using text::Node;
using text::Polynomial;

/// Operands that hold generated binaries double in length where a condition selects one of two: with so many
/// monomials they become signals of their own, so that nested conditions grow linearly.
constexpr std::size_t kLongestOperand = 8;

Polynomial missing() { return Polynomial::constant(std::numeric_limits<double>::quiet_NaN()); }

bool is_input(const Polynomial& value) {
  return value.monomials().size() == 1 && value.monomials()[0].powers.size() == 1 &&
         value.monomials()[0].powers[0].symbol.group() == text::Group::input;
}

bool is_condition_node(const Node& node) {
  return node.kind == Node::Kind::comparison || node.kind == Node::Kind::negation ||
         node.kind == Node::Kind::conjunction || node.kind == Node::Kind::disjunction;
}

}  // namespace

Polynomial Conditions::lower(Expansion& place, const Node& node) {
  using Place = text::Expander::Place;
  const char* remedy = ": name it as an algebraic signal in an equation, and write the name here";
  if (place.owner().place == Place::law)
    return place.fail("condition-in-law", node, std::string("a condition cannot stand in a law") + remedy);
  if (place.owner().place == Place::scenario)
    return place.fail("condition-in-scenario", node,
                      std::string("a condition cannot stand in a scenario or initial equation") + remedy);
  if (node.kind == Node::Kind::call && node.name == "smooth") return smooth(place, node);
  if (smooth_ > 0) return without_events(place, node);
  if (is_condition_node(node)) return truth(place, node);
  return node.kind == Node::Kind::choice ? choice(place, node) : call(place, node);
}

Polynomial Conditions::lower(Expansion& place, const text::Application& application) {
  const std::vector<Polynomial>& arguments = application.arguments;
  const bool in_relation = place.owner().place == text::Expander::Place::relation;
  if (application.function != "atan2" || !in_relation || place.failed())
    return elementary_.lower(place, application);
  return angle(place, arguments[0], arguments[1], application.node);
}

Polynomial Conditions::call(Expansion& place, const Node& node) {
  if (node.name == "max" || node.name == "min") return extreme(place, node, node.name == "max");
  if (node.name == "clamp" || node.name == "deadzone") return limited(place, node);
  if (node.name == "hysteresis") return hysteresis(place, node);
  if (node.name == "table") return table(place, node);
  if (node.name == "table2") return grid(place, node);
  return of_sign(place, node);
}

/// Something that is true or false, as a polynomial with the values 1 and 0.
Polynomial Conditions::truth(Expansion& place, const Node& node) {
  if (node.kind == Node::Kind::comparison) return comparison(place, node, "on", "if");
  if (node.kind == Node::Kind::negation) return complement(truth(place, node.operands[0]));
  if (node.kind == Node::Kind::conjunction || node.kind == Node::Kind::disjunction) return logic(place, node);
  const Polynomial value = place.expand(node);
  if (place.failed()) return missing();
  if (!is_truth(value)) {
    const std::string found(text::slice(place.text(), node));
    return place.fail(
        "not-a-condition", node,
        "expected a condition: a comparison, or what is 0 or 1 as binaries are; found " + found +
            (is_input(value) ? ", an input, or the past of a signal: compare it, as in " + found + " > 0.5"
                             : ""));
  }
  return place.is_decided(value, node, "a condition") ? missing() : value;
}

Polynomial Conditions::comparison(Expansion& place, const Node& node, const char* word,
                                  const char* numbered_word) {
  const bool greater = node.name.front() == '>';
  const Polynomial left = operand(place, node.operands[0]), right = operand(place, node.operands[1]);
  if (place.failed()) return missing();
  return sign_binary(place, greater ? difference(left, right) : difference(right, left),
                     {word, numbered_word, bare_text(place, node)},
                     node.name.size() == 2 ? AtZero::on : AtZero::off, node);
}

/// a and b and …, a or b or …: a binary of its own with a logic equation.
Polynomial Conditions::logic(Expansion& place, const Node& node) {
  const bool all = node.kind == Node::Kind::conjunction;
  Polynomial product = Polynomial::constant(1.0);  // of the operands, or of their complements
  for (const Node& part : node.operands) {
    const Polynomial holds = truth(place, part);
    if (place.failed()) return missing();
    product = place.times(product, all ? holds : complement(holds), part);
    if (product.size() > kLongestOperand && &part != &node.operands.back())
      product = logic_binary(
          place, product,
          {"part", "part",
           all ? "a part of " + bare_text(place, node) : "no part so far of " + bare_text(place, node)});
  }
  product.drop_cancelled();
  const Polynomial value = all ? product : complement(product);
  return logic_binary(place, value, {all ? "all" : "any", all ? "all" : "any", bare_text(place, node)});
}

Polynomial Conditions::logic_binary(Expansion& place, const Polynomial& value, const Title& title) {
  if (value.constant_value() || literal_of(value)) return value;
  const auto [found, is_new] = by_value_.try_emplace(text::key_of(value));
  if (is_new)
    found->second = add(
        {.name = names_.make(place, title.word, title.numbered_word), .text = title.text, .value = value});
  return Polynomial::variable(found->second);
}

Polynomial Conditions::choice(Expansion& place, const Node& node) {
  std::vector<Polynomial> conditions, branches;  // in the order of the text, for the sake of names
  bool decided = false;                          // by parameters: a condition before holds
  const auto branch = [&](const Node& part, bool is_used) {
    if (is_used) return operand(place, part);
    place.look_at(part);
    return Polynomial::constant(0.0);
  };
  for (std::size_t i = 0; i + 1 < node.operands.size(); i += 2) {
    conditions.push_back(truth(place, node.operands[i]));
    constexpr double open = 0.5;
    const double holds = conditions.back().constant_value().value_or(open);  // NaN after a fault
    branches.push_back(branch(node.operands[i + 1], !decided && holds != 0.0));
    decided = decided || holds == 1.0;
  }
  Polynomial result = branch(node.operands.back(), !decided);
  if (place.failed()) return missing();
  for (std::size_t i = conditions.size(); i-- > 0;)
    result = selected(place, conditions[i], branches[i], bounded(place, std::move(result)),
                      node.operands[2 * i + 1]);
  return result;
}

Polynomial Conditions::selected(Expansion& place, const Polynomial& c, const Polynomial& a,
                                const Polynomial& b, const Node& node) {
  Polynomial result = place.times(c, a, node);
  place.add(result, place.times(complement(c), b, node), 1.0, node);
  result.drop_cancelled();
  return result;
}

Polynomial Conditions::operand(Expansion& place, const Node& node) {
  Polynomial value = place.expand(node);
  return place.failed() ? value : bounded(place, std::move(value));
}

Polynomial Conditions::bounded(Expansion& place, Polynomial polynomial) {
  if (polynomial.size() <= kLongestOperand || !is_made(polynomial)) return polynomial;
  return Polynomial::variable(auxiliaries_.signal(polynomial, names_.make(place, "part", "part")));
}

/// An event may change all binaries of the rows that it triggers: with z in p·(1 − c) <= 0, c = [p >= 0], it could
/// change a hysteresis z far from both of its limits instead of c. A binary without memory cannot change but where its
/// own argument is zero; it stays in the row, so that both slide as one where their arguments vanish together.
Polynomial Conditions::apart(Expansion& place, const Polynomial& p) {
  if (!holds_memory(p)) return p;
  return Polynomial::variable(auxiliaries_.signal(p, names_.make(place, "argument", "argument")));
}

/// What binaries of the model do is not known here: they may have memory.
bool Conditions::holds_memory(const Polynomial& polynomial) const {
  const auto has_memory = [&](const text::Power& power) {
    if (power.symbol.group() != text::Group::binary) return false;
    const int made = power.symbol.index() - declared_;
    return made < 0 || has_memory_[at(made)] != 0;
  };
  return std::ranges::any_of(polynomial.monomials(), [&](const text::Monomial& monomial) {
    return !monomial.coefficient.value().is_zero() && std::ranges::any_of(monomial.powers, has_memory);
  });
}

bool Conditions::is_made(const Polynomial& polynomial) const {
  for (const text::Monomial& monomial : polynomial.monomials())
    for (const text::Power& power : monomial.powers)
      if (power.symbol.group() == text::Group::binary && power.symbol.index() >= declared_) return true;
  return false;
}

text::Symbol Conditions::add(GeneratedBinary binary) {
  const bool remembers = binary.initial || (binary.value && holds_memory(*binary.value));
  has_memory_.push_back(remembers ? 1 : 0);
  made_.binaries.push_back(std::move(binary));
  return {text::Group::binary, declared_ + static_cast<int>(made_.binaries.size()) - 1, true};
}

void Conditions::exclude(const Polynomial& first, const Polynomial& second) {
  const auto a = literal_of(first), b = literal_of(second);
  if (!a || !b) return;
  const Exclusion exclusion{*a, *b}, turned{*b, *a};
  if (std::ranges::find(made_.exclusions, exclusion) == made_.exclusions.end() &&
      std::ranges::find(made_.exclusions, turned) == made_.exclusions.end())
    made_.exclusions.push_back(exclusion);
}

}  // namespace mti::conditions
