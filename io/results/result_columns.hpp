#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/results/write_results.hpp"
#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// The columns of results: states, inputs, algebraic signals and binaries, each in the order of the model, and then
/// derivatives of states, where they are asked for.
class ResultColumns {
 public:
  struct Column {
    std::string name = {}, unit = {};
    std::string_view kind = {};  ///< "state", "input", "algebraic", "binary", "derivative"
    int recorded = -1;           ///< column of the trajectory
    int input = -1;              ///< of its inputs, where there is none
  };

  /// Of a run with rows like those of `like`.
  ResultColumns(const Model& model, const Trajectory& like, const ResultSelection& selection = {});

  [[nodiscard]] const std::vector<Column>& list() const noexcept { return columns_; }
  [[nodiscard]] std::vector<std::string> names() const;
  /// A row of `part`, one value for each column.
  void read(const Trajectory& part, std::size_t row, std::span<double> values) const;

 private:
  std::vector<Column> columns_;
};

/// The columns of the signals that are asked for, whether or not a run has them.
[[nodiscard]] std::vector<ResultColumns::Column> chosen_columns(const Model& model,
                                                                const ResultSelection& selection);

/// Derivatives are among these columns.
[[nodiscard]] bool has_rates(const std::vector<ResultColumns::Column>& columns);

/// Derivatives are asked for. Throws InvalidOption (id `unknown-signal`) for patterns that no signal of results fits.
[[nodiscard]] bool wants_rates(const Model& model, const ResultSelection& selection);

}  // namespace mti
