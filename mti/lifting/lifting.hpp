#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "mti/lifting/continuity.hpp"
#include "mti/lifting/lifted_source.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// p = m/k in lowest terms.
struct Fraction {
  int numerator = 0, denominator = 1;
};
/// Of a power that stays algebraic: k <= 4, |m| <= 8.
[[nodiscard]] std::optional<Fraction> small_fraction(double p);
/// φ(a) is the integral of φ'(a)·a' after lifting, or follows from such integrals, and is not a root.
[[nodiscard]] bool is_integrated(const ElementaryFunction& phi);
/// It is a state itself; cosh and tanh follow from sinh.
[[nodiscard]] bool becomes_state(const ElementaryFunction& phi);

/// What lift_functions() does to the rows of one model.
class Lifting {
 public:
  /// All of them outlive this.
  Lifting(const Model& model, std::span<const double> start, const Continuity& continuity);

  /// Every function row in other words.
  void lift_functions();
  /// A continuous divisor keeps its sign.
  void bound_divisors();
  [[nodiscard]] Source finish() && { return std::move(lifted_).finish(); }

 private:
  /// The signal that is φ of an argument, and the row that it is to be written in; −1: one more.
  struct Host {
    std::string name;
    int equation = -1;
  };

  struct Multiple {
    int signal = -1;
    double factor = 1.0;
  };

  std::string signal_of(int argument, const ElementaryFunction& phi, const std::string& wanted);
  Host host_of(int argument, const ElementaryFunction& phi, const std::string& wanted);
  [[nodiscard]] bool can_be_state(int row) const;
  void give(const Host& host, const std::string& text);
  void define(const Host& host, int argument, const ElementaryFunction& phi);
  void define_by_root(const Host& host, int argument, const ElementaryFunction& phi);
  void define_power(const Host& host, int argument, double exponent);

  [[nodiscard]] std::string name_of(int row) const { return model_.signature.row_name(row); }
  std::string rate_of(int row);
  std::string make_rate(int row);
  std::string rate_of_function(int row, int function);
  std::string rate_by_equation(int row, int equation);
  std::string tie(int row);
  [[nodiscard]] std::optional<Multiple> multiple_in(int equation, int row) const;
  [[nodiscard]] bool has_rates(int equation) const;

  const Model& model_;
  std::span<const double> start_;
  const Continuity& continuity_;
  RowMap f_;
  LiftedSource lifted_;
  std::map<std::tuple<int, ElementaryFunction::Kind, double>, std::string> signals_;
  std::map<int, std::string> rates_;
  std::map<int, int> function_of_;  ///< by equation
  std::set<int> state_rows_;        ///< algebraic signals that have become states
};

}  // namespace mti
