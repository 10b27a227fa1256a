#pragma once

#include <vector>

#include "mti/common/at.hpp"
#include "tests/solvers/plain_rows.hpp"

namespace mti::test {

/// The sub-problems of a model in an order in which they can be solved one after the other (docs/theory.md,
/// "Structure"): equations matched with (ẋ, y), left-over equations with binaries, constraints with the binaries
/// still free; what depends on each other, directly or not, is one sub-problem.
class SubProblemOrder {
 public:
  SubProblemOrder(const std::vector<PlainRow>& f, const std::vector<PlainRow>& g, const Signature& signature);

  [[nodiscard]] int sub_problems() const { return sub_problems_; }
  [[nodiscard]] int of_binary(int binary) const { return of_unknown_[first_binary_ + at(binary)]; }
  /// The sub-problem after which all unknowns of the row are known.
  [[nodiscard]] int of_equation(int row) const { return of_row_[at(row)]; }
  [[nodiscard]] int of_constraint(int row) const { return of_row_[equations_ + at(row)]; }

 private:
  std::size_t first_binary_ = 0, equations_ = 0;
  int sub_problems_ = 0;
  std::vector<int> of_unknown_, of_row_;
};

}  // namespace mti::test
