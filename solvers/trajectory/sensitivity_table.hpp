#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace mti {

/// Derivatives that do not exist from an instant on.
struct UndefinedSensitivity {
  std::vector<int> parameters = {};  ///< positions in SensitivityTable::parameters()
  std::string reason = {};           ///< in the model's names
};

/// ∂v_i(t)/∂p_j of the states and algebraic signals of a run, at fixed t, one row for each row of the trajectory, limits
/// from both sides at events included. Where a derivative does not exist the entry is no number (NaN).
class SensitivityTable {
 public:
  SensitivityTable() = default;
  /// `rows_of_S` of `signals`.
  SensitivityTable(std::vector<std::string> parameters, std::vector<std::string> signals,
                   std::vector<int> rows_of_S)
      : parameters_(std::move(parameters)), signals_(std::move(signals)), rows_of_S_(std::move(rows_of_S)) {}

  /// No derivatives were asked for.
  [[nodiscard]] bool empty() const noexcept { return parameters_.empty(); }
  [[nodiscard]] const std::vector<std::string>& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const std::vector<std::string>& signals() const noexcept { return signals_; }
  [[nodiscard]] const std::vector<int>& rows_of_S() const noexcept { return rows_of_S_; }
  /// Entries of a row: signals × parameters.
  [[nodiscard]] std::size_t width() const noexcept { return parameters_.size() * signals_.size(); }
  /// Of the trajectory's row, signal after signal. Throws std::out_of_range.
  [[nodiscard]] std::span<const double> row(std::size_t row) const {
    if (width() == 0 || row >= values_.size() / width())
      throw std::out_of_range("no such row of derivatives");
    return {values_.data() + row * width(), width()};
  }
  /// All rows, one after the other.
  [[nodiscard]] std::span<const double> values() const noexcept { return values_; }
  /// The position of a signal's derivative by a parameter in a row. Throws std::out_of_range where there is none.
  [[nodiscard]] std::size_t column(const std::string& signal, const std::string& parameter) const;

 private:
  friend class Trajectory;

  std::vector<std::string> parameters_, signals_;
  std::vector<int> rows_of_S_;
  std::vector<double> values_;
};

}  // namespace mti
