#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mti/polynomials/polynomial.hpp"
#include "mti/source/declarations.hpp"
#include "mti/text/ast.hpp"

namespace mti::text {

/// Powers of signals may go up to this exponent: each costs exponent − 1 auxiliary signals.
inline constexpr int kMaximumPower = 64;
/// Monomials made on the way to the relations of one model: a fixed number, and so many for each character
/// of their texts, as a long model may need. More is refused with id `too-many-terms`: the products of a
/// short text would fill any memory.
inline constexpr std::size_t kMaximumTerms = 1'000'000;
inline constexpr std::size_t kTermsPerCharacter = 20;

class Expansion;

/// An elementary function of signals: a function by its name, "/" (dividend, divisor) or "^" (base, exponent).
/// Not all of its arguments are numbers.
struct Application {
  std::string_view function;
  const Node& node;  ///< where it stands, for faults; of a division the divisor
  std::vector<Polynomial> arguments;
};

/// What becomes of those parts of a text that are no polynomials: each gives the polynomial that stands for
/// its part, and notes by itself what else the model needs. Without one such parts are faults.
struct Lowering {
  /// φ(a) of elementary functions, divisions by signals, powers with any exponent.
  std::function<Polynomial(Expansion&, const Application&)> elementary = {};
  /// Calls of functions of kind `condition` (mti/text/functions.hpp), comparisons, and/or/not, if-then-else.
  std::function<Polynomial(Expansion&, const Node&)> condition = {};
  /// The signal that is a sum which stands in a product more than once. Without it such sums are multiplied out.
  std::function<Symbol(const Polynomial&)> sum = {};
};

/// Multiplies relations out to sums of monomials, and remembers which known signals they use.
///
///     a = b  →  a − b = 0,      a <= b  →  a − b <= 0,      a >= b  →  b − a <= 0
///
/// z·z = z for binaries, binary inputs and pre(z). Exponents of other signals are kept: Copies
/// (mti/polynomials/copies.hpp) makes the result multilinear. Sums that are multiplied by themselves, or by others of the
/// same signals, are signals (Lowering::sum): (p − c)², multiplied out, is known to the rounding of c² only.
class Expander {
 public:
  /// In a relation or a scenario pre(z) is a signal of its own, of binaries only; in a law pre(s) is the left
  /// limit of any signal s.
  enum class Place { relation, scenario, law };
  /// What the text belongs to: a relation has a name.
  struct Owner {
    Place place = Place::relation;
    std::string name = {};
  };

  explicit Expander(const Declarations& names, Lowering lowering = {});

  /// The left side of "… = 0" or "… <= 0"; nothing if there are faults, which are appended: those of
  /// evaluate.hpp and `der-of-non-state`, `next-of-non-state`, `der-in-discrete-model`,
  /// `next-in-continuous-model`, `pre-of-non-binary`, `function-of-signal`, `division-by-signal`,
  /// `bad-exponent`, `power-too-high`, `too-many-terms`, `not-finite`.
  std::optional<Polynomial> expand(std::string_view text, const Relation& relation, const Owner& owner,
                                   std::vector<TextFault>& faults);

  [[nodiscard]] const Declarations& names() const { return names_; }
  [[nodiscard]] bool uses_clock() const { return uses_clock_; }
  /// Binaries z whose pre(z) occurs in a relation, ascending.
  [[nodiscard]] std::vector<int> remembered() const;

 private:
  friend class Expansion;
  const Declarations& names_;
  Lowering lowering_;
  bool uses_clock_ = false;
  std::size_t spare_terms_ = kMaximumTerms;
  std::vector<char> uses_pre_;
};

}  // namespace mti::text
