#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mti/functions/elementary_function.hpp"
#include "mti/text/auxiliaries.hpp"
#include "mti/text/expand.hpp"

namespace mti::text {

/// Elementary functions, quotients and powers of signals as rows of their own:
///
///     r − φ(a) = 0,    a a signal or y_a − (the argument) = 0
///     q·b − (the dividend) = 0
///     a^b = exp(b·log a)
///
/// Equal arguments, applications and quotients are one signal. Functions of numbers, and of one binary
/// φ(0)(1 − z) + φ(1) z, need none.
class Elementary {
 public:
  /// r − φ(a) = 0
  struct Function {
    Symbol result, argument;
    ElementaryFunction phi;
    std::string text;  ///< as written
  };
  /// `zero` = 0 determines the signal.
  struct Equation {
    Symbol signal;
    Polynomial zero;
  };
  struct Divisor {
    Symbol signal;
    std::string text;
    Symbol quotient;
  };

  /// Makes its signals in `auxiliaries`, which outlives it.
  explicit Elementary(Auxiliaries& auxiliaries) : auxiliaries_(auxiliaries) {}

  /// The polynomial that stands for an application. Ids `function-of-signal` (in a law or scenario),
  /// `unknown-function`, `outside-domain`.
  [[nodiscard]] Polynomial lower(Expansion& expansion, const Application& application);
  /// φ(argument) and dividend/divisor, parts of a form that stands at the node; `text` is what messages call them.
  [[nodiscard]] Polynomial apply(Expansion& expansion, const ElementaryFunction& phi,
                                 const Polynomial& argument, const Node& node, const std::string& text);
  [[nodiscard]] Polynomial divide(Expansion& expansion, const Polynomial& dividend, const Polynomial& divisor,
                                  const Node& node, const std::string& text);

  /// The signal that is `sum`, which stands in a product more than once; text::Lowering::sum.
  [[nodiscard]] Symbol sum(const Polynomial& sum);

  [[nodiscard]] const std::vector<Function>& functions() const noexcept { return functions_; }
  [[nodiscard]] const std::vector<Equation>& equations() const noexcept { return equations_; }
  [[nodiscard]] const std::vector<Divisor>& divisors() const noexcept { return divisors_; }

 private:
  Polynomial raise(Expansion& expansion, const Polynomial& base, const Polynomial& exponent,
                   const Node& node);
  [[nodiscard]] Symbol signal_of(const Polynomial& polynomial, const std::string& wanted);

  Auxiliaries& auxiliaries_;
  std::vector<Function> functions_;
  std::vector<Equation> equations_;
  std::vector<Divisor> divisors_;
  std::map<std::pair<std::string, std::uint32_t>, Symbol> applied_;    ///< by function and argument
  std::map<std::pair<PolynomialKey, std::uint32_t>, Symbol> divided_;  ///< by dividend and divisor
  std::map<std::uint32_t, Symbol> slopes_;                             ///< y = ẋ, by ẋ
  std::map<std::string, int> count_;                                   ///< signals of a function's name
};

}  // namespace mti::text
