#include "mti/freeze.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mti {

CpMap freeze(const CpMap& map, std::span<const FixedSignal> fixed) {
  std::vector<char> is_fixed(static_cast<std::size_t>(map.signals()), 0);
  std::vector<double> value(static_cast<std::size_t>(map.signals()), 0.0);
  for (const FixedSignal& signal : fixed) {
    is_fixed[static_cast<std::size_t>(signal.row)] = 1;
    value[static_cast<std::size_t>(signal.row)] = signal.value;
  }
  CpBuilder builder(map.signals(), map.rows());
  builder.reserve(static_cast<std::size_t>(map.columns()), static_cast<std::size_t>(map.S().nonZeros()),
                  static_cast<std::size_t>(map.Phi().nonZeros()));
  std::vector<std::pair<int, double>> factors;
  for (int k = 0; k < map.columns(); ++k) {
    factors.clear();
    double scale = 1.0;
    for (SparseColumns::InnerIterator factor(map.S(), k); factor && scale != 0.0; ++factor) {
      const auto row = static_cast<std::size_t>(factor.row());
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
  const auto slides = [&](int binary) {
    return std::binary_search(mode.blended.begin(), mode.blended.end(), binary) ||
           std::any_of(mode.slides.begin(), mode.slides.end(), [&](const Slide& slide) {
             return std::binary_search(slide.binaries.begin(), slide.binaries.end(), binary);
           });
  };
  for (int i = 0; i < signature.q(); ++i)
    if (!slides(i)) enter(signature.binary_row(i), static_cast<double>(mode.z[static_cast<std::size_t>(i)]));
  for (int i = 0; i < signature.r(); ++i)
    enter(signature.pre_row(i), static_cast<double>(mode.pre[static_cast<std::size_t>(i)]));
  if (mode.binary_inputs.empty()) return;
  std::size_t next = 0;
  for (int i = 0; i < signature.m(); ++i)
    if (signature.inputs()[static_cast<std::size_t>(i)].binary)
      enter(signature.input_row(i), static_cast<double>(mode.binary_inputs[next++]));
}

}  // namespace

std::vector<FixedSignal> fixed_signals(const Signature& signature, const Mode& mode) {
  std::vector<FixedSignal> fixed;
  visit(signature, mode, [&](int row, double value) { fixed.push_back({row, value}); });
  return fixed;
}

void write_mode(const Signature& signature, const Mode& mode, std::span<double> v) {
  visit(signature, mode, [&](int row, double value) { v[static_cast<std::size_t>(row)] = value; });
}

FrozenModel freeze(const Model& model, const Mode& mode) {
  const std::vector<FixedSignal> fixed = fixed_signals(model.signature, mode);
  return {freeze(model.f(), fixed), freeze(model.g(), fixed)};
}

}  // namespace mti
