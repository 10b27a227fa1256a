#pragma once

#include <functional>
#include <span>
#include <vector>

#include "mti/model/input.hpp"
#include "mti/model/signature.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/integration/segment_unknowns.hpp"
#include "solvers/plan/differentiated_input.hpp"
#include "solvers/plan/solution_plan.hpp"

namespace mti {

/// The time derivatives of equations that a plan asks for, D^k f_i with 1 ≤ k ≤ c_i, and their Jacobian.
///
/// Multilinear functions are differentiated exactly: D^k f_i = k! × (Taylor coefficient k of f_i), and
///
///     ∂D^k f_i / ∂v_j^(l) = k!/l! × (Taylor coefficient k − l of ∂f_i/∂v_j)
class DifferentiatedRows {
 public:
  /// One non-zero of the Jacobian: row (0-based among these rows) against a value or a rate.
  struct Entry {
    int row = 0;
    SegmentUnknowns::Place place;
  };

  DifferentiatedRows() : series_(0) {}
  DifferentiatedRows(const RowMap& f, const SolutionPlan& plan, const Signature& signature,
                     const SegmentUnknowns& unknowns, std::span<const DifferentiatedInput> inputs = {});

  [[nodiscard]] int rows() const noexcept { return static_cast<int>(rows_.size()); }
  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }

  /// Takes over v (order 0), w, w' and the derivatives of inputs at t.
  void load(double t, std::span<const double> v, std::span<const double> w, std::span<const double> wp,
            std::span<const InputPiece> pieces);
  void value(const RowMap& f, std::span<double> F) const;
  /// J in the order of entries().
  void jacobian(const RowMap& f, std::span<double> J) const;

 private:
  struct Row {
    int equation = 0, order = 0;
  };
  struct Known {
    int signal = 0, order = 0;
    SegmentUnknowns::Place place;
    int input = -1;
    int input_order = 0;  ///< of a derivative of the input
  };
  struct Target {
    int signal = 0, order = 0, entry = 0;
  };

  std::vector<Row> rows_;
  std::vector<Entry> entries_;
  std::vector<std::vector<Target>> targets_;  ///< by row
  std::vector<Known> known_;
  std::vector<int> signals_;
  TaylorSeries series_;
};

}  // namespace mti
