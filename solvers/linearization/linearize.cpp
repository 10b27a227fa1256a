#include "solvers/linearization/linearize.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/sort_distinct.hpp"
#include "mti/model/delays.hpp"
#include "mti/model/freeze.hpp"
#include "mti/model/jacobian.hpp"
#include "mti/model/signal_rows.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/linearization/active_constraints.hpp"
#include "solvers/logic/outputs.hpp"
#include "solvers/mode/sliding_mode.hpp"

namespace mti {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// f and g of a mode, with the rows of its surfaces, and the binaries that are unknowns there.
struct ModeMaps {
  CpMap f, g;
  std::vector<int> sliding;
  std::vector<int> equations;    ///< rows of f that hold a signal
  std::vector<int> constraints;  ///< rows of g that can be met or broken

  ModeMaps(const Model& model, const Mode& mode) {
    if (mode.slides.empty()) {
      FrozenModel frozen = freeze(model, mode);
      f = std::move(frozen.f);
      g = std::move(frozen.g);
      const RowMap rows(f);
      for (int row = 0; row < f.rows(); ++row)
        if (form_of(rows, row) == RowForm::live) equations.push_back(row);
      for (int row = 0; row < g.rows(); ++row) constraints.push_back(row);
      return;
    }
    const SignalRows rows(model);
    SlidingMode slides(rows, Outputs(rows), mode);
    f = std::move(slides.maps.f);
    g = std::move(slides.maps.g);
    sliding = slides.frozen.sliding;
    equations = slides.frozen.live_equations();
    // The motion stays where the surfaces' own constraints are 0, so that these say nothing.
    for (const int row : slides.frozen.live_constraints)
      if (row >= model.constraints() || !is_surface(mode, row)) constraints.push_back(row);
  }

 private:
  static bool is_surface(const Mode& mode, int constraint) {
    return std::any_of(mode.slides.begin(), mode.slides.end(),
                       [&](const Slide& slide) { return slide.constraint == constraint; });
  }
};

/// The signals of a descriptor form, as rows of S.
struct Signals {
  std::vector<int> rates, unknowns, inputs;
  std::vector<int> outputs;  ///< places in `unknowns`

  Signals(const Signature& signature, const std::vector<int>& sliding)
      : rates(derivative_rows(signature)), unknowns(state_rows(signature)) {
    for (int i = 0; i < signature.p(); ++i) {
      unknowns.push_back(signature.algebraic_row(i));
      if (!signature.algebraic()[at(i)].auxiliary) outputs.push_back(signature.n() + i);
    }
    unknowns.insert(unknowns.end(), sliding.begin(), sliding.end());
    for (int i = 0; i < signature.m(); ++i)
      if (!signature.inputs()[at(i)].binary) inputs.push_back(signature.input_row(i));
  }
};

/// Places in the unknowns of those that stand in no equation of the mode: they keep their value.
std::vector<int> absent_unknowns(const Signature& signature, const ModeMaps& maps,
                                 const std::vector<int>& unknowns) {
  std::vector<char> occurs(at(signature.size()), 0);
  const RowMap f(maps.f);
  for (const int row : maps.equations)
    for (const RowMap::Term& term : f.terms(row))
      for (const RowMap::Factor& factor : f.factors(term.column)) occurs[at(factor.signal)] = 1;
  std::vector<int> absent;
  for (std::size_t j = 0; j < unknowns.size(); ++j) {
    const bool is_state = j < at(signature.n());
    const bool has_rate = is_state && occurs[at(signature.derivative_row(static_cast<int>(j)))] != 0;
    if (occurs[at(unknowns[j])] == 0 && !has_rate) absent.push_back(static_cast<int>(j));
  }
  return absent;
}

/// The matrix with rows behind its own, of which each has a 1 in its column; −1: nothing.
SparseColumns with_rows(const SparseColumns& matrix, const std::vector<int>& columns) {
  Triplets entries;
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry)
      entries.emplace_back(static_cast<int>(entry.row()), k, entry.value());
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i] >= 0) entries.emplace_back(static_cast<int>(at(matrix.rows()) + i), columns[i], 1.0);
  SparseColumns result(static_cast<int>(at(matrix.rows()) + columns.size()), static_cast<int>(matrix.cols()));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// 0 = δy, and δẋ = 0; in discrete time δx(t + Ts) = δx.
void hold_absent_unknowns(const Model& model, const std::vector<int>& absent, Linearization& result) {
  if (absent.empty()) return;
  std::vector<int> of_E = absent, of_A = absent;
  for (std::size_t i = 0; i < absent.size(); ++i) {
    const bool is_state = absent[i] < model.signature.n();
    if (!is_state) of_E[i] = -1;
    if (is_state && !model.is_discrete()) of_A[i] = -1;
  }
  result.E = with_rows(result.E, of_E);
  result.A = with_rows(result.A, of_A);
  result.B = with_rows(result.B, std::vector<int>(absent.size(), -1));
  for (const int j : absent) result.equations.push_back(result.unknowns[at(j)] + " keeps its value");
}

/// The non-zeros of some rows of `matrix`, times `sign`, with `columns` columns in all.
SparseColumns rows_of(const SparseColumns& matrix, const std::vector<int>& rows, double sign,
                      std::size_t columns) {
  std::vector<int> new_row(at(matrix.rows()), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) new_row[at(rows[i])] = static_cast<int>(i);
  Triplets entries;
  entries.reserve(at(matrix.nonZeros()));
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry)
      if (entry.value() != 0.0) entries.emplace_back(new_row[at(entry.row())], k, sign * entry.value());
  SparseColumns result(static_cast<int>(rows.size()), static_cast<int>(columns));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

bool is_finite(const SparseColumns& matrix) {
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry)
      if (!std::isfinite(entry.value())) return false;
  return true;
}

/// Algebraic signals that equations of the mode determine by numbers alone: by row of v.
std::vector<char> constant_signals(const Signature& signature, const ModeMaps& maps) {
  const RowMap f(maps.f);
  std::vector<char> constant(at(signature.size()), 0);
  for (bool grows = true; grows;) {
    grows = false;
    for (const int row : maps.equations) {
      int unknown = -1, unknowns = 0;
      for (const RowMap::Term& term : f.terms(row))
        for (const RowMap::Factor& factor : f.factors(term.column))
          if (constant[at(factor.signal)] == 0 && factor.signal != unknown) {
            unknown = factor.signal;
            ++unknowns;
          }
      if (unknowns != 1 || unknown < signature.algebraic_row(0) || unknown >= signature.binary_row(0))
        continue;
      constant[at(unknown)] = 1;
      grows = true;
    }
  }
  return constant;
}

/// A function may stand for good where its slope is infinite, as sqrt(0): a constant argument has no deviation that such
/// a slope multiplies.
void drop_infinite_slopes_of_constants(const Signature& signature, const ModeMaps& maps,
                                       const std::vector<int>& unknowns, SparseColumns& A) {
  if (is_finite(A)) return;
  const std::vector<char> constant = constant_signals(signature, maps);
  for (int k = 0; k < A.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(A, k); entry; ++entry)
      if (!std::isfinite(entry.value()) && constant[at(unknowns[at(k)])] != 0) entry.valueRef() = 0.0;
  A.prune(0.0);
}

/// At the end of the domain of a function of signals, or beyond it, there is nothing to linearise.
void require_finite(const Model& model, const ModeMaps& maps, const Jacobian& f,
                    const Linearization& result) {
  for (const int row : maps.equations)
    if (!std::isfinite(f.value()[at(row)]))
      throw InvalidModel(
          "not-finite", "",
          "equation " + equation_name(model, result.mode, row) + " has no finite value at this point");
  if (!is_finite(result.E) || !is_finite(result.A) || !is_finite(result.B))
    throw InvalidModel("not-finite", "", "a function of a signal has no finite slope at this point");
}

void set_matrices(const Model& model, const ModeMaps& maps, Linearization& result) {
  const Signals signals(model.signature, maps.sliding);
  Jacobian f(maps.f, {signals.rates, signals.unknowns, signals.inputs});
  f.evaluate(result.v);
  result.E = rows_of(f.matrix(0), maps.equations, 1.0, signals.unknowns.size());
  result.A = rows_of(f.matrix(1), maps.equations, -1.0, signals.unknowns.size());
  result.B = rows_of(f.matrix(2), maps.equations, -1.0, signals.inputs.size());
  drop_infinite_slopes_of_constants(model.signature, maps, signals.unknowns, result.A);
  require_finite(model, maps, f, result);
  Triplets entries;
  for (std::size_t i = 0; i < signals.outputs.size(); ++i)
    entries.emplace_back(static_cast<int>(i), signals.outputs[i], 1.0);
  result.C.resize(static_cast<int>(signals.outputs.size()), static_cast<int>(signals.unknowns.size()));
  result.C.setFromTriplets(entries.begin(), entries.end());
  result.D.resize(static_cast<int>(signals.outputs.size()), static_cast<int>(signals.inputs.size()));
  result.states = model.signature.n();
  for (const int row : maps.equations) {
    result.equations.push_back(equation_name(model, result.mode, row));
    const double size = std::abs(f.value()[at(row)]);
    if (size <= result.residual) continue;
    result.residual = size;
    result.residual_equation = result.equations.back();
  }
  for (const int row : signals.unknowns) result.unknowns.push_back(model.signature.row_name(row));
  for (const int row : signals.inputs) result.inputs.push_back(model.signature.row_name(row));
  for (const int output : signals.outputs) result.outputs.push_back(result.unknowns[at(output)]);
  hold_absent_unknowns(model, absent_unknowns(model.signature, maps, signals.unknowns), result);
}

void set_eigenvalues(const EigenvalueOptions& options, Linearization& result) {
  PencilSpectrum spectrum = finite_eigenvalues(result.E, result.A, options);
  result.eigenvalues_computed = spectrum.computed;
  result.eigenvalues_note = std::move(spectrum.note);
  for (const Eigenvalue& eigenvalue : spectrum.values) result.eigenvalues.push_back(eigenvalue.value);
  result.eigenvalue_details = std::move(spectrum.values);
}

bool comes_again(const Input& input) {
  return std::holds_alternative<PeriodicInput>(input.form()) ||
         std::holds_alternative<PulseWidthInput>(input.form());
}

}  // namespace

std::vector<int> sampled_states(const Model& model) {
  const Signature& signature = model.signature;
  const SignalRows rows(model);
  const auto follows_such_an_input = [&](int binary) {
    const auto equations = rows.f.with(signature.binary_row(binary));
    return std::ranges::any_of(equations, [&](int row) {
      if (!rows.f.is_logic(row)) return false;
      for (int i = 0; i < signature.m(); ++i) {
        const auto with_input = rows.f.with(signature.input_row(i));
        if (signature.inputs()[at(i)].binary && comes_again(model.inputs[at(i)]) &&
            std::ranges::find(with_input, row) != with_input.end())
          return true;
      }
      return false;
    });
  };
  const auto stands_still = [&](int state) {
    const auto equations = rows.f.with(signature.derivative_row(state));
    return equations.size() == 1 && rows.f.signals(equations.front()).size() == 1 &&
           rows.f.binaries(equations.front()).empty();
  };
  std::vector<int> states;
  for (const Transition& law : model.transitions)
    if (law.when != Transition::When::reach && follows_such_an_input(law.target))
      std::ranges::copy_if(law.assigned, std::back_inserter(states),
                           [&](int state) { return state >= 0 && stands_still(state); });
  sort_distinct(states);
  return states;
}

Linearization linearize(const Model& model, const LinearizationPoint& point,
                        const LinearizationOptions& options) {
  require_no_delayed_signals(model, "linearisations");
  if (!point.mode.resting.empty())
    throw InvalidModel("not-finite", "",
                       model.function_texts[at(point.mode.resting.front())].text +
                           " rests at the end of its domain, where it has no finite slope");
  Linearization result;
  result.time = point.time;
  result.side = point.side;
  result.v = point.v;
  result.mode = point.mode;
  const ModeMaps maps(model, point.mode);
  set_matrices(model, maps, result);
  ConstraintRemarks remarks =
      examine_constraints(model, point.mode, maps.f, maps.g, maps.constraints, result.v);
  result.on_boundary = std::move(remarks.on_boundary);
  result.violated = std::move(remarks.violated);
  if (options.with_eigenvalues)
    set_eigenvalues(options.eigenvalues, result);
  else
    result.eigenvalues_note = "not asked for";
  if (options.state_space) result.state_space = state_space(result);
  return result;
}

Linearization linearize(const Model& model, std::span<const double> v, const LinearizationOptions& options) {
  LinearizationPoint point{.mode = mode_of(model, v), .v = {v.begin(), v.end()}};
  return linearize(model, point, options);
}

Linearization linearize(const Model& model, double time, const LinearizationOptions& options) {
  const std::vector<LinearizationPoint> points = points_of_run(model, {.times = {time}});
  if (points.empty())
    throw NotReached("not-reached", "/experiment/stop",
                     "the run has no point at t = " + std::to_string(time));
  return linearize(model, points.back(), options);
}

}  // namespace mti
