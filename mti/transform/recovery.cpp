#include "mti/transform/recovery.hpp"

#include <algorithm>
#include <string>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/multilinear/cp_kernel.hpp"
#include "mti/printing/print.hpp"

namespace mti {
namespace {

std::vector<RowOrigin> chained(const std::vector<RowOrigin>& first, const std::vector<RowOrigin>& next) {
  std::vector<RowOrigin> result(first.size());
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (first[j].row < 0) continue;
    const RowOrigin& then = next[at(first[j].row)];
    if (then.row >= 0) result[j] = {then.row, first[j].factor * then.factor};
  }
  return result;
}

}  // namespace

std::vector<double> Recovery::values(std::span<const double> v) const {
  std::vector<double> result(v.begin(), v.end());
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    if (result.size() != at(stage->v.signals()))
      throw InvalidOption("matrix-size", "",
                          "found " + std::to_string(result.size()) +
                              " values, expected one for each of the " + std::to_string(stage->v.signals()) +
                              " rows of S");
    std::vector<double> before(at(stage->v.rows()));
    CpKernel(stage->v).value(result, before);
    result = std::move(before);
  }
  return result;
}

Recovery Recovery::followed_by(const Recovery& next) const {
  Recovery result = *this;
  result.stages.insert(result.stages.end(), next.stages.begin(), next.stages.end());
  result.equations = chained(equations, next.equations);
  result.constraints = chained(constraints, next.constraints);
  result.time_scale = time_scale * next.time_scale;
  return result;
}

std::vector<std::string> eliminated_signals(const Recovery& recovery) {
  std::vector<std::string> result;
  for (auto stage = recovery.stages.rbegin(); stage != recovery.stages.rend(); ++stage)
    for (int i = 0; i < stage->before.p(); ++i) {
      const std::string& name = stage->before.algebraic()[at(i)].name;
      if (stage->after.find(name)) continue;
      result.push_back(name + " = " + row_to_text(stage->v, stage->before.algebraic_row(i), stage->after));
    }
  return result;
}

}  // namespace mti
