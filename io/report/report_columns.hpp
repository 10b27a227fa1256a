#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// How a page holds the values of a signal.
enum class Held {
  whole,    ///< every row
  changes,  ///< the rows at which the value is another one than before: nothing is lost
  thinned,  ///< of every stretch of rows the first, the least and the greatest value
};

/// A signal of a page: a column of the trajectory, or an input.
struct ReportColumn {
  std::string name = {}, unit = {};
  const char* group = "";  ///< state, algebraic, input, binary or binary input
  int column = -1;         ///< of the trajectory; −1: an input
  int input = -1;
  Held held = Held::whole;
};

/// The signals of a page: states, algebraic signals, inputs, then binaries and binary inputs; no auxiliary
/// ones. Binary signals are held by their changes. How those of a large run are held says
/// io/report/report_run.hpp.
struct ReportColumns {
  std::vector<ReportColumn> shown;
  std::size_t thinned = 0, left_out = 0;
};

/// All of them, for rows like those of a trajectory.
[[nodiscard]] ReportColumns report_columns(const Model& model, const Trajectory& like);

/// In a comparison: how the next signal of a run of so many rows is held, and how many signals a page holds at most.
[[nodiscard]] Held held_in_page(std::size_t rows, std::size_t signals_before);
[[nodiscard]] std::size_t most_signals(std::size_t rows);

/// Appends the values of one signal as JSON: [value, …] where it is held whole, {"rows": […], "values": […]}
/// otherwise, with "thinned": true where values are missing.
void append_held(std::string& text, Held held, std::size_t count,
                 const std::function<double(std::size_t row)>& value);

}  // namespace mti
