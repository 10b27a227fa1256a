#pragma once

#include <array>
#include <span>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/multilinear/cp_kernel.hpp"
#include "solvers/integration/differentiated_rows.hpp"
#include "solvers/integration/segment_unknowns.hpp"

namespace mti {

/// The rows of a segment's DAE F(t, w, w') = 0, in this order.
struct SegmentRows {
  std::span<const int> row_of_kernel;  ///< for each row of the kernel its row in F; −1: none
  int of_kernel = 0;                   ///< how many of them F has
  const DifferentiatedRows& differentiated;
  // Then w'_a − w_b = 0 for every tie between unknowns, and
  std::span<const int> held;  ///< (signal of this row of S) − (its value) = 0
};

/// Where each entry of a segment's Jacobian stands in its sparse matrix
///
///     J = ∂F/∂w + α ∂F/∂w'
///
/// An unknown w_j stands for a signal, its rate w'_j for the derivative of that signal. So one entry of J is
/// the sum of at most two entries of the kernel's Jacobian, by the derivative (times α) and by the signal
/// itself; the same holds for the differentiated rows. Ties and held signals have the entries α, −1 and 1.
class JacobianLayout {
 public:
  JacobianLayout() = default;
  JacobianLayout(const Signature& signature, const SegmentUnknowns& unknowns, const SparsePattern& kernel,
                 const SegmentRows& rows);

  [[nodiscard]] const SparsePattern& pattern() const noexcept { return pattern_; }
  /// By unknown: w'_j occurs in F.
  [[nodiscard]] const std::vector<char>& differential() const noexcept { return differential_; }

  /// J in the order of pattern(), from the Jacobians of the kernel and of the differentiated rows.
  void fill(double alpha, std::span<const double> kernel, std::span<const double> differentiated,
            std::span<double> J) const;

 private:
  enum Source { of_kernel, of_differentiated, constant, sources };
  static constexpr std::array<double, 2> constants = {1.0, -1.0};
  static constexpr int plus_one = 0, minus_one = 1;  ///< positions in `constants`

  struct Placed {
    int row, place;  ///< in J's column, and in the source
    Source source;
    bool is_rate;
  };
  struct Entry {
    int place, target;  ///< in the source, and in J
  };
  struct Entries {
    std::vector<Entry> of_rates, of_values;
  };

  void compress(std::vector<Placed> column);

  SparsePattern pattern_;
  std::vector<char> differential_;
  std::array<Entries, sources> entries_;
};

}  // namespace mti
