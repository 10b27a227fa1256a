#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "io/report/report_rows.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// The constraints of a page.
struct ReportConstraints {
  std::vector<int> shown;
  /// Those that hold what a trajectory does not record (derivatives; pre(z) in discrete time), with the first such
  /// row of S.
  std::vector<std::pair<int, int>> unknown;
  std::size_t left_out = 0;
};

[[nodiscard]] ReportConstraints report_constraints(const Model& model, const RowMap& g,
                                                   const ReportRows& rows);

/// {"names": […], "unknown": [[name, why], …], "left_out": count, "values": [ — to be followed by the values of those
/// shown, "]" and "}".
[[nodiscard]] std::string constraints_head(const Model& model, const ReportConstraints& constraints);

}  // namespace mti
