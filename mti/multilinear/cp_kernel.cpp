#include "mti/multilinear/cp_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Pattern of the Jacobian: signal b is in row j if a column holds both. Linear in Σ_k nnz(S_k)·nnz(Φ_k)
/// by two bucket passes instead of a sort.
SparsePattern jacobian_pattern(const CpMap& map) {
  std::vector<std::vector<int>> rows_of(at(map.signals()));
  for (int k = 0; k < map.columns(); ++k)
    for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor)
      for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
        rows_of[at(factor.row())].push_back(static_cast<int>(weight.row()));
  SparsePattern pattern;
  pattern.rows = map.rows();
  pattern.cols = map.signals();
  pattern.column_start.assign(1, 0);
  for (std::vector<int>& rows : rows_of) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    pattern.row.insert(pattern.row.end(), rows.begin(), rows.end());
    pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
  }
  return pattern;
}

/// Columns ordered by their first signal, so that v is walked through once.
std::vector<int> evaluation_order(const CpMap& map) {
  std::vector<int> order(at(map.columns())), first(order.size(), -1);
  std::iota(order.begin(), order.end(), 0);
  for (int k = 0; k < map.columns(); ++k)
    if (const SparseColumns::InnerIterator factor(map.S(), k); factor)
      first[at(k)] = static_cast<int>(factor.row());
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return first[at(a)] < first[at(b)]; });
  return order;
}

/// Maps whose v, f and J exceed this many bytes do not fit the processor's second cache.
constexpr std::size_t prefetch_above = 2'000'000;
constexpr std::size_t columns_ahead = 16;

}  // namespace

class CpKernel::Prefetch {
 public:
  Prefetch(const CpKernel& kernel, std::span<const double> v, std::span<const double> f,
           std::span<const double> J)
      : kernel_(kernel),
        v_(v),
        f_(f),
        J_(J),
        slot_(kernel.slot_.data()),
        columns_((v.size() + f.size() + J.size()) * sizeof(double) > prefetch_above
                     ? kernel.factor_start_.size() - 1
                     : 0) {
    for (std::size_t k = 0; k < columns_ahead; ++k) advance();
  }

  void advance() noexcept {
    if (next_ >= columns_) return;
    const auto factor_begin = at(kernel_.factor_start_[next_]);
    const auto factor_end = at(kernel_.factor_start_[next_ + 1]);
    const auto weight_begin = at(kernel_.weight_start_[next_]);
    const auto weight_end = at(kernel_.weight_start_[next_ + 1]);
    for (std::size_t i = factor_begin; i < factor_end; ++i)
      __builtin_prefetch(&v_[at(kernel_.factors_[i].signal)]);
    for (std::size_t j = weight_begin; j < weight_end; ++j)
      __builtin_prefetch(&f_[at(kernel_.weights_[j].row)], 1);
    const std::int32_t* const end = slot_ + (factor_end - factor_begin) * (weight_end - weight_begin);
    for (; slot_ != end; ++slot_) __builtin_prefetch(&J_[at(*slot_)], 1);
    ++next_;
  }

 private:
  const CpKernel& kernel_;
  std::span<const double> v_, f_, J_;
  const std::int32_t* slot_;
  std::size_t columns_, next_ = 0;
};

CpKernel::CpKernel(const CpMap& map)
    : rows_(map.rows()), signals_(map.signals()), pattern_(jacobian_pattern(map)) {
  factors_.reserve(at(map.S().nonZeros()));
  weights_.reserve(at(map.Phi().nonZeros()));
  for (const int k : evaluation_order(map)) {
    if (const ElementaryFunction* const phi = map.function_of(k)) {
      const auto signal = static_cast<int>(SparseColumns::InnerIterator(map.S(), k).row());
      const auto first = pattern_.row.begin() + pattern_.column_start[at(signal)];
      const auto last = pattern_.row.begin() + pattern_.column_start[at(signal) + 1];
      for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight) {
        const int row = static_cast<int>(weight.row());
        functions_.push_back(
            {*phi, weight.value(), signal, row,
             static_cast<std::int32_t>(std::lower_bound(first, last, row) - pattern_.row.begin())});
      }
      continue;
    }
    for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor) {
      const auto first = pattern_.row.begin() + pattern_.column_start[at(factor.row())];
      const auto last = pattern_.row.begin() + pattern_.column_start[at(factor.row()) + 1];
      for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
        slot_.push_back(static_cast<std::int32_t>(
            std::lower_bound(first, last, static_cast<int>(weight.row())) - pattern_.row.begin()));
      factors_.push_back({factor.value(), static_cast<std::int32_t>(factor.row())});
    }
    for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
      weights_.push_back({weight.value(), static_cast<std::int32_t>(weight.row())});
    longest_column_ = std::max(longest_column_, factors_.size() - at(factor_start_.back()));
    factor_start_.push_back(static_cast<std::int32_t>(factors_.size()));
    weight_start_.push_back(static_cast<std::int32_t>(weights_.size()));
  }
}

void CpKernel::value(std::span<const double> v, std::span<double> f) const noexcept {
  std::fill(f.begin(), f.end(), 0.0);
  const Factor* factor = factors_.data();
  const Weight* weight = weights_.data();
  for (std::size_t k = 0; k + 1 < factor_start_.size(); ++k) {
    const Factor* const factors_end = factors_.data() + factor_start_[k + 1];
    const Weight* const weights_end = weights_.data() + weight_start_[k + 1];
    double product = 1.0;
    for (; factor != factors_end; ++factor)
      product *= 1.0 - std::abs(factor->S) + factor->S * v[at(factor->signal)];
    for (; weight != weights_end; ++weight) f[at(weight->row)] += weight->Phi * product;
  }
  for (const Function& function : functions_)
    f[at(function.row)] += function.Phi * function.phi.value(v[at(function.signal)]);
}

void CpKernel::value_and_jacobian(std::span<const double> v, std::span<double> f, std::span<double> J,
                                  Workspace& workspace) const noexcept {
  std::fill(f.begin(), f.end(), 0.0);
  std::fill(J.begin(), J.end(), 0.0);
  double* const prefix = workspace.prefix.data();
  const std::int32_t* slot = slot_.data();
  Prefetch prefetch(*this, v, f, J);
  for (std::size_t k = 0; k + 1 < factor_start_.size(); ++k) {
    prefetch.advance();
    const Factor* const factors = factors_.data() + factor_start_[k];
    const int count = factor_start_[k + 1] - factor_start_[k];
    const Weight* const weights = weights_.data() + weight_start_[k];
    const int weight_count = weight_start_[k + 1] - weight_start_[k];
    prefix[0] = 1.0;
    for (int i = 0; i < count; ++i)
      prefix[i + 1] = prefix[i] * (1.0 - std::abs(factors[i].S) + factors[i].S * v[at(factors[i].signal)]);
    for (int j = 0; j < weight_count; ++j) f[at(weights[j].row)] += weights[j].Phi * prefix[count];
    double suffix = 1.0;
    for (int i = count - 1; i >= 0; --i) {
      const double partial = factors[i].S * prefix[i] * suffix;
      const std::int32_t* const slots = slot + static_cast<std::ptrdiff_t>(i) * weight_count;
      for (int j = 0; j < weight_count; ++j) J[at(slots[j])] += weights[j].Phi * partial;
      suffix *= 1.0 - std::abs(factors[i].S) + factors[i].S * v[at(factors[i].signal)];
    }
    slot += static_cast<std::ptrdiff_t>(count) * weight_count;
  }
  for (const Function& function : functions_) {
    const double a = v[at(function.signal)];
    f[at(function.row)] += function.Phi * function.phi.value(a);
    J[at(function.slot)] += function.Phi * function.phi.slope(a);
  }
}

void CpKernel::value_and_rate(std::span<const double> v, std::span<const double> rate, std::span<double> f,
                              std::span<double> Df) const noexcept {
  std::fill(f.begin(), f.end(), 0.0);
  std::fill(Df.begin(), Df.end(), 0.0);
  const Factor* factor = factors_.data();
  const Weight* weight = weights_.data();
  for (std::size_t k = 0; k + 1 < factor_start_.size(); ++k) {
    const Factor* const factors_end = factors_.data() + factor_start_[k + 1];
    const Weight* const weights_end = weights_.data() + weight_start_[k + 1];
    double product = 1.0, slope = 0.0;
    for (; factor != factors_end; ++factor) {
      const auto signal = at(factor->signal);
      const double value = 1.0 - std::abs(factor->S) + factor->S * v[signal];
      slope = slope * value + product * factor->S * rate[signal];
      product *= value;
    }
    for (; weight != weights_end; ++weight) {
      f[at(weight->row)] += weight->Phi * product;
      Df[at(weight->row)] += weight->Phi * slope;
    }
  }
  for (const Function& function : functions_) {
    const auto signal = at(function.signal);
    f[at(function.row)] += function.Phi * function.phi.value(v[signal]);
    Df[at(function.row)] += function.Phi * function.phi.slope(v[signal]) * rate[signal];
  }
}

}  // namespace mti
