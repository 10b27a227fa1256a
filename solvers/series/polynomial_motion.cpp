#include "solvers/series/polynomial_motion.hpp"

#include <algorithm>
#include <vector>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Degrees of all places, up to one that stands for more than any polynomial that is looked at has.
class Degrees {
 public:
  static constexpr int endless = 1 << 10;

  Degrees(const SeriesCoefficients& coefficients, int p)
      : program_(coefficients.program()), degree_(at(program_.places()), unknown) {
    for (std::size_t slot = 0; slot < program_.slots().size(); ++slot) {
      const auto c = coefficients.of(static_cast<int>(slot));
      int degree = p;
      while (degree > 0 && c[at(degree)] == 0.0) --degree;
      degree_[slot] = degree;
    }
  }

  [[nodiscard]] int largest(std::span<const SeriesProgram::Row> rows) {
    int result = 0;
    for (const SeriesProgram::Row& row : rows)
      for (const SeriesProgram::Term& term : row)
        if (term.node >= 0) result = std::max(result, of(term.node));
    return result;
  }

 private:
  static constexpr int unknown = -1;

  [[nodiscard]] int of(int place) {
    int& known = degree_[at(place)];
    if (known != unknown) return known;
    known = of_node(program_.nodes()[at(place) - program_.slots().size()]);
    return known;
  }

  /// Operands stand before what is made of them: recursion ends, and is as deep as a column is long.
  [[nodiscard]] int of_node(const SeriesProgram::Node& node) {
    // What a function evaluates with itself stands in no term but with it.
    if (node.function == SeriesProgram::Node::companion) return 0;
    const int left = of(node.left);
    if (node.function >= 0) return left == 0 ? 0 : endless;
    return node.right < 0 ? left : std::min(endless, left + of(node.right));
  }

  const SeriesProgram& program_;
  std::vector<int> degree_;
};

}  // namespace

bool is_polynomial(const SeriesCoefficients& coefficients, int p) {
  Degrees degrees(coefficients, p);
  int largest = degrees.largest(coefficients.program().constraints());
  for (const SeriesProgram::Block& block : coefficients.program().blocks())
    largest = std::max(largest, degrees.largest(block.equations));
  return largest < p;
}

}  // namespace mti
