#pragma once

#include <cstddef>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// What inputs were in the course of a run, which were set one after the other.
class PastInputs {
 public:
  /// At first they are those of the model.
  explicit PastInputs(const Model& model) : first_(model.inputs), past_(model.inputs.size()) {}

  /// Input i, and pulses whose widths follow it, are those of `model` from a time on at which there were so many rows.
  void add(int i, const Model& model, double time, std::size_t rows);

  /// `model` with inputs as they were at these rows: those that were set as tables, the others as they were at first.
  [[nodiscard]] Model model_of(Model model, const Trajectory& rows) const;

 private:
  struct Part {
    double from;
    std::size_t rows;
    Input input;
  };
  [[nodiscard]] TableInput table_of(int i, Model model, const Trajectory& trajectory) const;

  std::vector<Input> first_;
  std::vector<std::vector<Part>> past_;  ///< by input
};

}  // namespace mti
