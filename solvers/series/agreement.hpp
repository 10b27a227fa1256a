#pragma once

#include <functional>
#include <span>
#include <vector>

#include "solvers/blocks/instant.hpp"
#include "solvers/series/series_program.hpp"

namespace mti {

/// Up to where the polynomials of a step agree with the functions and quotients between them,
///
///     r = φ(a)    and    r = n/d    (a block of one unknown, d·r − n = 0) .
///
/// A pulse exp(−((t − 50)/5)²), and all that is known of its series at t = 0, is 0 to any tolerance, and so it is at t = 100:
/// from the ends of a step nothing of it is seen. But a, n and d have polynomials of their own, which move. In Bernstein form
/// they bound φ(a) or n/d on any part of the step. A part is clear where
///
///     max − min of φ(a), or of n/d,  +  max − min of r  ≤  4 ε_r ,
///
/// or where a (or d) moves by less than half of the scale on which φ changes, and r is right at its middle and its end.
/// Others are divided. So a pulse is found however narrow it is. That nothing hides is mostly known without that, in O(p), by
/// Cauchy's bound on a disc of ρ steps:
///
///     |Σ_{k>p} r_k τ^k| ≤ max_{|z| ≤ ρτ} |φ(a(z))| · ρ^(−p)/(ρ − 1),    |a(z) − a_0| ≤ Σ_{k≥1} |a_k| (ρτ)^k .
///
/// Both are statements on the polynomials of a, n and d, and these are right by the same reason, one after the other. Of blocks
/// of several unknowns nothing is said.
class Agreement {
 public:
  explicit Agreement(const Accuracy& accuracy) : accuracy_(accuracy) {}

  /// Lists the functions and quotients of a mode, with v by rows of S for what is constant. `program` must outlive it.
  void begin(const SeriesProgram& program, std::span<const double> v);
  using Coefficients = std::function<std::span<const double>(int slot)>;
  /// What of [0, tau] agrees, from its beginning; all of it: tau. The step is `step` long, in the unit of time of slopes;
  /// r has been found up to `order`.
  [[nodiscard]] double agrees_up_to(double tau, double step, int order, const Coefficients& coefficients);

 private:
  static constexpr std::size_t most_coefficients = 100;

  /// weight · Π of slots
  struct Product {
    double weight = 0.0;
    std::vector<int> slots;
  };
  using Sum = std::vector<Product>;
  struct Relation {
    int result = 0;         ///< slot of r
    int state = -1;         ///< slot of x where r is its slope: what it may be off by over the step is ε_x
    int tolerance_row = 0;  ///< of S
    const ElementaryFunction* phi = nullptr;  ///< none: numerator/argument
    double weight = 1.0;                      ///< of φ
    Sum argument, numerator;
  };
  /// A sum on the step, as coefficients of (τ/tau)^k.
  struct Polynomial {
    std::vector<double> c;
    double size = 0.0;  ///< Σ |c_k|
    double tail = 0.0;  ///< what is left out of it, about
  };
  /// Of r, a (or d) and n on a part of the step, in Bernstein form.
  struct Part {
    std::vector<double> r, a, n;
  };

  void list_function(const SeriesProgram& program, const SeriesProgram::Row& row, std::span<const double> v);
  void list_quotient(const SeriesProgram& program, const SeriesProgram::Block& block,
                     std::span<const double> v);
  [[nodiscard]] bool take_result(const SeriesProgram& program, int slot, Relation& relation) const;
  [[nodiscard]] bool multiply(const SeriesProgram& program, int place, Sum& sum) const;
  [[nodiscard]] bool evaluate(const Sum& sum, double tau, const Coefficients& coefficients,
                              Polynomial& result);
  [[nodiscard]] double value(const Relation& relation, double a, double n) const;
  [[nodiscard]] double accuracy_of(const Relation& relation, double r) const;
  [[nodiscard]] double allowed_at(const Relation& relation, double r, double a, double n) const;
  [[nodiscard]] bool agrees(const Relation& relation, double r, double a, double n) const;
  [[nodiscard]] bool is_clear(const Relation& relation, const Part& part) const;
  [[nodiscard]] double look_at(const Relation& relation, int order);

  const Accuracy& accuracy_;
  std::vector<Relation> relations_;
  double step_ = 0.0, state_ = 0.0;
  Polynomial r_, a_, n_;
  Sum result_ = {{1.0, {0}}};
  std::vector<double> product_, factor_, multiplied_;
};

}  // namespace mti
