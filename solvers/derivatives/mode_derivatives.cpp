#include "solvers/derivatives/mode_derivatives.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/model/freeze.hpp"
#include "mti/model/frozen_rows.hpp"
#include "mti/multilinear/cp_rows.hpp"
#include "solvers/mode/surface_columns.hpp"

namespace mti {
namespace {

bool has_entries(const RowMap& map) {
  for (int row = 0; row < map.rows(); ++row)
    if (!map.terms(row).empty()) return true;
  return false;
}

/// Rows without entries below those of `map`, up to `rows`.
RowMap padded(const CpMap& map, int rows) {
  const RowMap given(map);
  RowMap::Builder builder;
  for (int row = 0; row < rows; ++row) {
    builder.begin_row();
    if (row >= given.rows()) continue;
    for (const RowMap::Term& term : given.terms(row))
      builder.add_term(term.Phi, given.factors(term.column), given.function_of(term.column));
  }
  return builder.build();
}

}  // namespace

ModeDerivatives::ModeDerivatives(const Model& model, const Outputs& outputs, const ModeSystem& system,
                                 std::span<const ParameterDerivative> parameters) {
  for (const ParameterDerivative& parameter : parameters)
    maps_.push_back(maps_of(model, outputs, system, parameter));
  if (system.recombination) combine(system);
}

ModeDerivatives::Maps ModeDerivatives::maps_of(const Model& model, const Outputs& outputs,
                                               const ModeSystem& system,
                                               const ParameterDerivative& parameter) const {
  Maps maps;
  const Mode& mode = system.mode;
  const int equations = system.f.rows(), constraints = system.g.rows();
  if (mode.slides.empty()) {
    const HeldSignals held(model.signature.size(), fixed_signals(model.signature, mode));
    maps.f = freeze_rows(RowMap(parameter.f), held);
    maps.g = freeze_rows(RowMap(parameter.g), held);
  } else {
    // The rows of SlidingMode: f, then s of every surface, then ties and blends, in which p does not occur.
    SurfaceColumns columns(model.signature, outputs, mode);
    CpMap f = columns.interpolate(parameter.f);
    for (std::size_t s = 0; s < mode.slides.size(); ++s) {
      CpMap row = select_rows(parameter.g, std::span(&mode.slides[s].constraint, 1));
      row = columns.interpolate(row, static_cast<int>(s));
      if (mode.slides[s].pinned) row = CpMap(row.S(), SparseColumns(1, row.columns()));
      f = stack_rows(f, row);
    }
    maps.f = padded(f, equations);
    maps.g = padded(columns.interpolate(parameter.g), constraints);
  }
  maps.f_is_empty = !has_entries(maps.f);
  return maps;
}

/// Follows the steps by which rows were put together.
void ModeDerivatives::combine(const ModeSystem& system) {
  parts_.resize(at(system.f.rows()));
  for (std::size_t row = 0; row < parts_.size(); ++row) parts_[row] = {{static_cast<int>(row), 1.0}};
  std::vector<std::vector<char>> differentiated(parts_.size(), std::vector<char>(maps_.size(), 0));
  for (const Recombination::Step& step : system.recombination->steps) {
    std::vector<Part> sum;
    std::vector<char> unknown(maps_.size(), 0);
    for (const Recombination::Step::Part& part : step.parts) {
      const auto from = at(part.equation.value());
      for (const Part& base : parts_[from]) sum.push_back({base.row, base.factor * part.factor});
      for (std::size_t p = 0; p < maps_.size(); ++p) {
        const bool occurs = std::ranges::any_of(
            parts_[from], [&](const Part& base) { return !maps_[p].f.terms(base.row).empty(); });
        if (differentiated[from][p] != 0 || (part.times > 0 && occurs)) unknown[p] = 1;
      }
      // Differentiated rows in which no parameter occurs add nothing to f_p.
      if (part.times > 0) sum.resize(sum.size() - parts_[from].size());
    }
    const auto row = at(step.equation.value());
    if (step.dropped) dropped_.push_back(std::exchange(sum, {}));
    parts_[row] = std::move(sum);
    differentiated[row] = std::move(unknown);
  }
  for (std::size_t p = 0; p < maps_.size(); ++p)
    maps_[p].is_unknown =
        std::ranges::any_of(differentiated, [&](const std::vector<char>& row) { return row[p] != 0; });
}

double ModeDerivatives::equation(std::size_t parameter, int row, const TaylorSeries& series, int k) const {
  const RowMap& f = maps_[parameter].f;
  if (parts_.empty()) return f.terms(row).empty() ? 0.0 : factorial(k) * f.coefficient(row, series, k).value;
  double sum = 0.0;
  for (const Part& part : parts_[at(row)])
    sum += part.factor * factorial(k) * f.coefficient(part.row, series, k).value;
  return sum;
}

double ModeDerivatives::equation(std::size_t parameter, int row, std::span<const double> v) const {
  const RowMap& f = maps_[parameter].f;
  if (parts_.empty()) return f.terms(row).empty() ? 0.0 : f.value(row, v);
  double sum = 0.0;
  for (const Part& part : parts_[at(row)]) sum += part.factor * f.value(part.row, v);
  return sum;
}

bool ModeDerivatives::occurs(std::size_t parameter, int row) const {
  const RowMap& f = maps_[parameter].f;
  if (parts_.empty()) return !f.terms(row).empty();
  return std::ranges::any_of(parts_[at(row)], [&](const Part& part) { return !f.terms(part.row).empty(); });
}

bool ModeDerivatives::contradicts(std::size_t parameter, std::span<const double> v) const {
  constexpr double rounding = 1e-10;
  const RowMap& f = maps_[parameter].f;
  return std::ranges::any_of(dropped_, [&](const std::vector<Part>& parts) {
    double sum = 0.0, summands = 0.0;
    for (const Part& part : parts) {
      sum += part.factor * f.value(part.row, v);
      summands += std::abs(part.factor) * f.magnitude(part.row, v);
    }
    return std::abs(sum) > rounding * summands;
  });
}

double ModeDerivatives::constraint(std::size_t parameter, int row, std::span<const double> v) const {
  return maps_[parameter].g.value(row, v);
}

double ModeDerivatives::dirac_part(std::size_t parameter, int row, std::span<const double> v,
                                   std::span<const double> dirac) const {
  const RowMap& f = maps_[parameter].f;
  double sum = 0.0;
  const auto add = [&](int base, double factor) {
    f.gradient(base, v, [&](int signal, double slope) { sum += factor * slope * dirac[at(signal)]; });
  };
  if (parts_.empty())
    add(row, 1.0);
  else
    for (const Part& part : parts_[at(row)]) add(part.row, part.factor);
  return sum;
}

}  // namespace mti
