#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/motion/motion.hpp"

namespace mti::test {

/// Kinds of sub-models that meet the successor search in different ways.
enum class Shape {
  square,           ///< one constraint per binary, as in the paper
  complementarity,  ///< z·a + (1−z)·b = 0, −a ≤ 0, −b ≤ 0: a network of diodes
  logic,            ///< thresholds and gates behind them
  latch,            ///< rows with pre(z)
  chain,            ///< sub-problems in series: a later one may refuse what an earlier one chose
  shared,           ///< two-point controllers of one algebraic signal, two binaries each
  tangency,         ///< integrator chains that meet the boundary at order 1 to 5
  rope,             ///< constraints without binaries of their own
  cascade,          ///< breakers that overload each other
  contradiction,    ///< a switch that cuts off what opened it
  sources,          ///< two sources on one node, undetermined where a switch is open
  generic,          ///< rows of any form
};
/// As often as they serve a collection of models: most orders above D come from tangencies, most ways back
/// from chains, most successors that are found only in a larger A from cascades.
inline constexpr std::array all_shapes{
    Shape::square,  Shape::complementarity, Shape::logic,    Shape::latch,  Shape::chain,   Shape::chain,
    Shape::shared,  Shape::tangency,        Shape::tangency, Shape::rope,   Shape::cascade, Shape::cascade,
    Shape::cascade, Shape::contradiction,   Shape::sources,  Shape::generic};

/// A hybrid model with small integer data and an instant at which its mode may change.
///
/// Equations are linear in (ẋ, y) and hold n + p rows that determine them in most modes, and rows of
/// binaries alone. Everything is drawn from the seed.
class RandomHybridModel {
 public:
  RandomHybridModel(Shape shape, unsigned seed);

  /// Draws states, z⁻ and pre(z) = z⁻ anew; most binaries are 0.
  void draw_point();
  /// The source's relations, the states and z⁻, to be read in a failing test.
  [[nodiscard]] std::string text() const;

  /// What `model` was built from.
  [[nodiscard]] const Source& source() const noexcept { return source_; }

  Model model;
  Mode before;      ///< z⁻
  Instant instant;  ///< t = 0

 private:
  bool draw(Shape shape);
  void add(Shape shape);

  void add_square();
  void add_complementarity();
  void add_logic();
  void add_latch();
  void add_chain();
  void add_shared();
  void add_tangency();
  void add_rope();
  void add_cascade();
  void add_contradiction();
  void add_sources();
  void add_generic();
  void add_invariant();

  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return integer(1, 100) <= percent; }
  const std::string& any(const std::vector<std::string>& names) {
    return names[at(integer(0, static_cast<int>(names.size()) - 1))];
  }
  /// Non-zero integer of at most `size`.
  std::string factor(int size);
  std::string constant(int low, int high) { return "(" + std::to_string(integer(low, high)) + ")"; }
  std::string state(int low = -2, int high = 2);
  std::string input();
  std::string algebraic();
  std::string binary();
  std::vector<std::string> binaries(int count);
  /// c₀ + Σ c·name over one to three of the names.
  std::string sum(const std::vector<std::string>& names);
  /// g ≤ 0 unless z or one of one or two others, old or new, is 1.
  std::string one_of(const std::string& g, const std::string& z);
  void equation(const std::string& text) { source_.equations.emplace_back(text); }
  void logic_equation(const std::string& text) { logic_.emplace_back(text); }
  void constraint(const std::string& text) { source_.constraints.emplace_back(text); }

  struct Range {
    int low, high;
  };
  std::mt19937 random_;
  Source source_;
  std::vector<std::string> logic_;    ///< equations of binaries alone, put behind the others
  std::vector<Range> starts_;         ///< of the states, for draw_point
  std::vector<std::string> signals_;  ///< of all sub-models so far: what may couple them
  std::vector<std::string> z_;        ///< of all sub-models
  int parts_ = 0;
};

}  // namespace mti::test
