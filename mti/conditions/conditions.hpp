#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "mti/conditions/condition_names.hpp"
#include "mti/conditions/generated.hpp"
#include "mti/text/auxiliaries.hpp"
#include "mti/text/elementary.hpp"
#include "mti/text/expansion.hpp"

namespace mti::conditions {

/// Expands conditions exactly to binaries with constraints, logic equations and multilinear values.
///
///     (a < b), step(a)     z = [p >= 0] with p = b − a:   p·(1 − z) <= 0,   −p·z <= 0
///     max(a, b)            z·a + (1 − z)·b with z = [a > b];  min, abs, pos, neg, sign alike
///     clamp, deadzone      two such binaries that never hold at once
///     if C then a else b   C·a + (1 − C)·b,  C a binary or a logic equation of binaries
///     hysteresis           z with memory:   (a − high)·(1 − z) <= 0,   (low − a)·z <= 0
///     table, table2        z_k = [x >= x_k] for each inner break point, a chain
///     atan2(b, a)          two signs, a quotient and a function row: the angle from the diagonal of the quadrant
///     smooth(k, e)         e, with |p| of function rows in the place of binaries
///
/// An argument p, a − high or low − a that holds a hysteresis, or binaries of the model, is an algebraic signal of
/// its own. Relations that are equal up to a factor share one binary, with opposite sign its complement. A relation of
/// binaries alone is a logic equation. docs/language.md has the forms as a user sees them.
/// Faults: `not-a-condition`, `bad-limits`, `bad-table`, `wrong-arguments`, `condition-in-law`,
/// `condition-in-scenario`, `condition-in-smooth`.
class Conditions {
 public:
  /// Binaries that are made follow the `declared` ones. Conditions with a text of `apart_at_zero` do not share a binary if
  /// they have different values where the compared signal is zero: binaries alone decide it (find_logic).
  Conditions(int declared, text::Auxiliaries& auxiliaries, text::Elementary& elementary,
             const std::set<std::string>& apart_at_zero)
      : declared_(declared),
        auxiliaries_(auxiliaries),
        elementary_(elementary),
        apart_at_zero_(apart_at_zero) {}

  /// The value of a condition; text::Lowering::condition.
  [[nodiscard]] text::Polynomial lower(text::Expansion& place, const text::Node& node);
  /// The value of a function of signals, by rows of Elementary or, of atan2, by conditions and such rows;
  /// text::Lowering::elementary.
  [[nodiscard]] text::Polynomial lower(text::Expansion& place, const text::Application& application);

  [[nodiscard]] const Generated& made() const { return made_; }

 private:
  using Polynomial = text::Polynomial;
  using Expansion = text::Expansion;
  using Node = text::Node;

  /// How a binary is called in places with and without a name, and what it stands for.
  struct Title {
    std::string_view word, numbered_word;
    std::string text;
  };

  Polynomial truth(Expansion& place, const Node& node);
  Polynomial comparison(Expansion& place, const Node& node, const char* word, const char* numbered_word);
  Polynomial logic(Expansion& place, const Node& node);
  Polynomial choice(Expansion& place, const Node& node);
  Polynomial call(Expansion& place, const Node& node);
  Polynomial extreme(Expansion& place, const Node& node, bool largest);
  Polynomial of_sign(Expansion& place, const Node& node);
  Polynomial limited(Expansion& place, const Node& node);
  Polynomial hysteresis(Expansion& place, const Node& node);
  Polynomial table(Expansion& place, const Node& node);
  Polynomial grid(Expansion& place, const Node& node);
  Polynomial argument(Expansion& place, const Node& node);

  Polynomial angle(Expansion& place, const Polynomial& b, const Polynomial& a, const Node& node);
  /// z = [p >= 0] as the sign 2z − 1; where the model begins at p = 0 it is +1.
  Polynomial sign(Expansion& place, const Polynomial& p, const char* word, const Node& node);

  /// The forms within smooth(…).
  Polynomial smooth(Expansion& place, const Node& node);
  Polynomial without_events(Expansion& place, const Node& node);
  Polynomial not_in_smooth(Expansion& place, const Node& node);
  Polynomial absolute(Expansion& place, Polynomial p, const Node& node);
  Polynomial larger(Expansion& place, const Polynomial& a, const Polynomial& b, const Node& node);
  Polynomial smaller(Expansion& place, const Polynomial& a, const Polynomial& b, const Node& node);
  Polynomial smooth_table(Expansion& place, const Node& node);

  /// An operand of a condition, as a signal of its own if it would make the result grow.
  Polynomial operand(Expansion& place, const Node& node);
  Polynomial bounded(Expansion& place, Polynomial polynomial);
  /// p, as a signal of its own if it holds binaries that others of its row must not take along.
  Polynomial apart(Expansion& place, const Polynomial& p);
  using AtZero = GeneratedBinary::AtZero;
  /// [p >= 0]; where only numbers or binaries decide, `at_zero` is its value at p = 0.
  Polynomial sign_binary(Expansion& place, const Polynomial& p, const Title& title, AtZero at_zero,
                         const Node& node);
  Polynomial counted(Expansion& place, const Polynomial& p, const Title& title, AtZero at_zero,
                     const Node& node);
  Polynomial logic_binary(Expansion& place, const Polynomial& value, const Title& title);
  /// c·a + (1 − c)·b
  Polynomial selected(Expansion& place, const Polynomial& c, const Polynomial& a, const Polynomial& b,
                      const Node& node);
  /// The binaries z_2 … z_(n−1) of break points and the weight of each piece between them.
  std::vector<Polynomial> pieces(Expansion& place, const Polynomial& x, const std::vector<Dual>& points,
                                 const Node& argument, const char* word);
  text::Symbol add(GeneratedBinary binary);
  void exclude(const Polynomial& first, const Polynomial& second);
  [[nodiscard]] bool is_made(const Polynomial& polynomial) const;
  [[nodiscard]] bool holds_memory(const Polynomial& polynomial) const;

  int declared_;
  text::Auxiliaries& auxiliaries_;
  text::Elementary& elementary_;
  const std::set<std::string>& apart_at_zero_;
  int smooth_ = 0;  ///< calls of smooth(…) that are open
  ConditionNames names_;
  Generated made_;
  /// By made binary: a hysteresis, or logic of one or of binaries of the model.
  std::vector<char> has_memory_;
  std::map<text::PolynomialKey, std::pair<text::Symbol, bool>>
      by_sign_;  ///< the binary, and whether p is −p of it
  std::map<text::PolynomialKey, text::Symbol> by_value_;
  std::map<std::tuple<text::PolynomialKey, text::PolynomialKey, bool>, text::Symbol>
      by_limits_;  ///< with the value at the start
};

}  // namespace mti::conditions
