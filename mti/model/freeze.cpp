#include "mti/model/freeze.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/model/idle_definitions.hpp"
#include "mti/model/signal_rows.hpp"

namespace mti {

CpMap freeze(const CpMap& map, std::span<const FixedSignal> fixed) {
  std::vector<char> is_fixed(at(map.signals()), 0);
  std::vector<double> value(at(map.signals()), 0.0);
  for (const FixedSignal& signal : fixed) {
    is_fixed[at(signal.row)] = 1;
    value[at(signal.row)] = signal.value;
  }
  CpBuilder builder(map.signals(), map.rows());
  builder.reserve(at(map.columns()), at(map.S().nonZeros()), at(map.Phi().nonZeros()));
  std::vector<std::pair<int, double>> factors;
  for (int k = 0; k < map.columns(); ++k) {
    factors.clear();
    if (const ElementaryFunction* const phi = map.function_of(k)) {
      const auto signal = static_cast<int>(SparseColumns::InnerIterator(map.S(), k).row());
      for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight) {
        const int row = static_cast<int>(weight.row());
        if (is_fixed[at(signal)] != 0)
          builder.add_normalised(row, weight.value() * phi->value(value[at(signal)]), factors);
        else
          builder.add_function(row, weight.value(), signal, *phi);
      }
      continue;
    }
    double scale = 1.0;
    for (SparseColumns::InnerIterator factor(map.S(), k); factor && scale != 0.0; ++factor) {
      const auto row = at(factor.row());
      if (is_fixed[row] != 0)
        scale *= 1.0 - std::abs(factor.value()) + factor.value() * value[row];
      else
        factors.emplace_back(static_cast<int>(factor.row()), factor.value());
    }
    if (scale == 0.0) continue;
    for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
      builder.add_normalised(static_cast<int>(weight.row()), scale * weight.value(), factors);
  }
  return builder.build();
}

namespace {

/// Calls enter(row of S, value) for everything that a mode fixes.
template <class Enter>
void visit(const Signature& signature, const Mode& mode, Enter enter) {
  const bool holds_all = mode.slides.empty() && mode.blended.empty();
  const auto slides = [&](int binary) {
    return std::binary_search(mode.blended.begin(), mode.blended.end(), binary) ||
           std::any_of(mode.slides.begin(), mode.slides.end(), [&](const Slide& slide) {
             return std::binary_search(slide.binaries.begin(), slide.binaries.end(), binary);
           });
  };
  for (int i = 0; i < signature.q(); ++i)
    if (holds_all || !slides(i)) enter(signature.binary_row(i), static_cast<double>(mode.z[at(i)]));
  for (int i = 0; i < signature.r(); ++i) enter(signature.pre_row(i), static_cast<double>(mode.pre[at(i)]));
  if (mode.binary_inputs.empty()) return;
  std::size_t next = 0;
  for (int i = 0; i < signature.m(); ++i)
    if (signature.inputs()[at(i)].binary)
      enter(signature.input_row(i), static_cast<double>(mode.binary_inputs[next++]));
}

}  // namespace

std::vector<FixedSignal> fixed_signals(const Signature& signature, const Mode& mode) {
  std::vector<FixedSignal> fixed;
  fixed.reserve(mode.z.size() + mode.pre.size() + mode.binary_inputs.size());
  visit(signature, mode, [&](int row, double value) { fixed.push_back({row, value}); });
  return fixed;
}

void write_mode(const Signature& signature, const Mode& mode, std::span<double> v) {
  visit(signature, mode, [&](int row, double value) { v[at(row)] = value; });
}

FrozenModel freeze(const Model& model, const Mode& mode) {
  const std::vector<FixedSignal> fixed = fixed_signals(model.signature, mode);
  FrozenModel frozen{freeze(model.f(), fixed), freeze(model.g(), fixed)};
  if (model.is_multilinear() && model.divisors.empty()) return frozen;
  std::vector<Definition> idle = idle_definitions(SignalRows(model), RowMap(frozen.f), RowMap(frozen.g));
  add_resting(model, mode, idle);
  if (!idle.empty()) frozen.f = without_definitions(frozen.f, idle);
  return frozen;
}

}  // namespace mti
