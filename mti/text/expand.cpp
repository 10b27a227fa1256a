#include "mti/text/expand.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/text/evaluate.hpp"
#include "mti/text/multiply_out.hpp"

namespace mti::text {
namespace {

std::string power_too_high() {
  return "powers of signals go up to " + std::to_string(kMaximumPower) +
         "; name parts of it as algebraic signals";
}

}  // namespace

/// The expansion of one relation. After a fault it goes on with NaN in the place of what is missing, so that
/// the other faults of the text are found too.
class Expansion {
 public:
  Expansion(Expander& expander, std::string_view text, const Relation& relation, Expander::Place place,
            std::vector<TextFault>& faults)
      : expander_(expander),
        names_(expander.names_),
        text_(text),
        relation_(relation),
        place_(place),
        faults_(faults) {}

  [[nodiscard]] bool failed() const { return failed_; }

  Polynomial expand(const Node& node) {
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
    }
    return missing();
  }

  void add(Polynomial& sum, const Polynomial& other, double factor, const Node& node) {
    if (!spend(other.size(), node)) return;
    sum.add(other, factor);
  }

  Polynomial fail(const char* id, const Node& node, std::string message) {
    failed_ = true;
    faults_.push_back({id, node.begin, std::move(message)});
    return missing();
  }

 private:
  static Polynomial missing() { return Polynomial::constant(std::numeric_limits<double>::quiet_NaN()); }

  /// False, with one fault, once more monomials than allowed have been made.
  bool spend(std::size_t monomials, const Node& node) {
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

  Polynomial times(const Polynomial& a, const Polynomial& b, const Node& node) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    const bool overflows = b.size() != 0 && a.size() > most / b.size();
    return spend(overflows ? most : a.size() * b.size(), node) ? a * b : missing();
  }

  Polynomial signal(const Declarations::Entry& entry, bool remembered) {
    Group group = Group::state;
    if (entry.kind == Declarations::Kind::input) group = Group::input;
    if (entry.kind == Declarations::Kind::algebraic) group = Group::algebraic;
    if (entry.kind == Declarations::Kind::binary) group = Group::binary;
    return Polynomial::variable({group, entry.index, entry.binary, remembered});
  }

  Polynomial clock(bool remembered) {
    expander_.uses_clock_ = true;
    return Polynomial::variable({Group::input, names_.clock, false, remembered});
  }

  Polynomial name(const Node& node) {
    if (node.name == "pi") return Polynomial::constant(std::numbers::pi);
    if (node.name == "time") return clock(false);
    const Declarations::Entry* entry = names_.find(node.name);
    if (entry == nullptr) return fail("unknown-name", node, names_.unknown(node.name));
    if (entry->kind != Declarations::Kind::parameter) return signal(*entry, false);
    if (!entry->value) failed_ = true;
    return entry->value ? Polynomial::constant(*entry->value) : missing();
  }

  Polynomial sum(const Node& node) {
    Polynomial result;
    for (const Node& operand : node.operands)
      add(result, expand(operand), operand.inverse ? -1.0 : 1.0, operand);
    return result;
  }

  Polynomial product(const Node& node) {
    Polynomial result = Polynomial::constant(1.0);
    for (const Node& operand : node.operands) {
      const Polynomial next = expand(operand);
      if (!operand.inverse) {
        result = times(result, next, operand);
        continue;
      }
      const std::optional<double> divisor = next.constant_value();
      if (!divisor) {
        result = fail("division-by-signal", operand, division_by_signal(text_, relation_, operand));
      } else if (*divisor == 0.0) {
        result = fail("division-by-zero", operand, "division by zero");
      } else {
        result.divide(*divisor);
      }
    }
    return result;
  }

  Polynomial power(const Node& node) {
    const Node& base_node = node.operands[0];
    const Polynomial base = expand(base_node);
    const std::optional<double> exponent = number(node.operands[1]);
    if (!exponent) return missing();
    if (const std::optional<double> constant = base.constant_value()) {
      if (*constant == 0.0 && *exponent < 0.0) return fail("division-by-zero", base_node, "division by zero");
      return Polynomial::constant(std::pow(*constant, *exponent));
    }
    if (*exponent != std::floor(*exponent))
      return fail("bad-exponent", node.operands[1], "the exponent of a signal must be a whole number");
    if (*exponent < 0.0) return fail("division-by-signal", base_node, negative_power(text_, base_node));
    if (*exponent > kMaximumPower) return fail("power-too-high", node.operands[1], power_too_high());
    Polynomial result = Polynomial::constant(1.0);
    for (int i = 0; i < static_cast<int>(*exponent); ++i) result = times(result, base, node);
    return result;
  }

  /// A part that must be made of numbers and parameters.
  std::optional<double> number(const Node& node) {
    const std::optional<double> value = evaluate(node, names_, faults_);
    if (!value) failed_ = true;
    return value;
  }

  Polynomial call(const Node& node) {
    if (node.name == "der" || node.name == "next") return of_state(node);
    if (node.name == "pre") return left_limit(node);
    const std::size_t before = faults_.size();
    const std::optional<double> value = number(node);
    for (std::size_t i = before; i < faults_.size(); ++i) {
      if (faults_[i].id != "signal-as-number") continue;
      faults_[i].id = "function-of-signal";
      faults_[i].message = std::string(node.name) + " takes parameters only: " + faults_[i].message;
    }
    return value ? Polynomial::constant(*value) : missing();
  }

  /// The declared signal that is the only operand of der(...) or pre(...), or null.
  const Declarations::Entry* only_name(const Node& node) const {
    if (node.operands.size() != 1 || node.operands[0].kind != Node::Kind::name) return nullptr;
    return names_.find(node.operands[0].name);
  }
  bool is_unknown_name(const Node& node) const {
    return node.operands.size() == 1 && node.operands[0].kind == Node::Kind::name &&
           node.operands[0].name != "time" && node.operands[0].name != "pi" &&
           names_.find(node.operands[0].name) == nullptr;
  }

  /// der(x) in continuous time, next(x) in discrete time: they share a row of S.
  Polynomial of_state(const Node& node) {
    const bool next = node.name == "next";
    if (next && !names_.discrete)
      return fail(
          "next-in-continuous-model", node,
          "next(...) is the value at the next sample: give the model a sample_time, or write der(...)");
    if (!next && names_.discrete)
      return fail(
          "der-in-discrete-model", node,
          "a model with a sample_time has no derivatives: write next(...), the value at the next sample");
    if (is_unknown_name(node)) return name(node.operands[0]);
    const Declarations::Entry* entry = only_name(node);
    if (entry == nullptr || entry->kind != Declarations::Kind::state)
      return fail(next ? "next-of-non-state" : "der-of-non-state", node,
                  std::string(node.name) + "(...) takes the name of a state, found " + slice(text_, node));
    return Polynomial::variable({Group::derivative, entry->index, false});
  }

  Polynomial left_limit(const Node& node) {
    if (is_unknown_name(node)) return name(node.operands[0]);
    const bool in_law = place_ == Expander::Place::law;
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
    expander_.uses_pre_[at(entry->index)] = 1;
    return Polynomial::variable({Group::pre, entry->index, true});
  }

  Expander& expander_;
  const Declarations& names_;
  std::string_view text_;
  const Relation& relation_;
  Expander::Place place_;
  std::vector<TextFault>& faults_;
  bool exhausted_ = false;
  bool failed_ = false;
};

Expander::Expander(const Declarations& names) : names_(names), uses_pre_(at(names.binaries), 0) {}

std::optional<Polynomial> Expander::expand(std::string_view text, const Relation& relation, Place place,
                                           std::vector<TextFault>& faults) {
  spare_terms_ += kTermsPerCharacter * text.size();
  Expansion expansion(*this, text, relation, place, faults);
  const bool swapped = relation.comparison == Relation::Comparison::greater_equal;
  Polynomial difference = expansion.expand(relation.left);
  if (swapped) difference.scale(-1.0);
  expansion.add(difference, expansion.expand(relation.right), swapped ? 1.0 : -1.0, relation.right);
  if (expansion.failed()) return std::nullopt;
  difference.drop_cancelled();
  for (const Monomial& monomial : difference.monomials()) {
    if (!std::isfinite(monomial.coefficient.value().rounded())) {
      expansion.fail("not-finite", relation.left, "a coefficient is not finite");
      return std::nullopt;
    }
    for (const Power& power : monomial.powers) {
      if (power.exponent <= kMaximumPower) continue;
      expansion.fail("power-too-high", relation.left, power_too_high());
      return std::nullopt;
    }
  }
  return difference;
}

std::vector<int> Expander::remembered() const {
  std::vector<int> binaries;
  for (std::size_t i = 0; i < uses_pre_.size(); ++i)
    if (uses_pre_[i] != 0) binaries.push_back(static_cast<int>(i));
  return binaries;
}

}  // namespace mti::text
