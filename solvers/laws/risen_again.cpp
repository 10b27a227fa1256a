#include "solvers/laws/risen_again.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "mti/common/at.hpp"
#include "mti/model/signal_rows.hpp"

namespace mti {

std::vector<char> RisenAgain::before(std::vector<char> z_before, std::span<const char> z,
                                     std::span<const double> v) {
  pass(v);
  for (const Transition& law : model_->transitions) {
    const auto binary = at(law.target);
    if (law.when != Transition::When::risen || z_before[binary] != 0 || z[binary] == 0) continue;
    const auto same = std::ranges::find(fired_, law.target, &Fired::binary);
    if (same != fired_.end() && !has_changed(*same)) {
      z_before[binary] = 1;
      continue;
    }
    if (same != fired_.end()) fired_.erase(same);
    fired_.push_back({law.target, {v.begin(), v.end()}, passed_.size()});
  }
  return z_before;
}

void RisenAgain::pass(std::span<const double> v) {
  if (!fired_.empty()) passed_.emplace_back(v.begin(), v.end());
}

bool RisenAgain::has_changed(const Fired& fired) const {
  const std::vector<int> about = rows_about(fired.binary);
  return std::any_of(passed_.begin() + static_cast<std::ptrdiff_t>(fired.passed), passed_.end(),
                     [&](const std::vector<double>& v) {
                       return std::ranges::any_of(about, [&](int row) {
                         const double before = fired.v[at(row)], now = v[at(row)];
                         const double size = std::max(std::abs(now), std::abs(before));
                         return std::abs(now - before) > accuracy_->of(row, size);
                       });
                     });
}

/// Binaries with constraints are about the signals there, others about what their logic holds.
std::vector<int> RisenAgain::rows_about(int binary) const {
  const Signature& signature = model_->signature;
  const SignalRows rows(*model_);
  std::set<int> about, seen = {binary};
  std::vector<int> open = {binary};
  const auto take = [&](const IndexedRowMap& map, int row, bool follows) {
    for (const RowMap::Term& term : map.terms(row))
      for (const RowMap::Factor& factor : map.factors(term.column)) {
        const int other = factor.signal - signature.binary_row(0);
        if (other < 0 || other >= signature.q())
          about.insert(factor.signal);
        else if (follows && seen.insert(other).second)
          open.push_back(other);
      }
  };
  while (!open.empty()) {
    const int row_of_v = signature.binary_row(open.back());
    open.pop_back();
    const auto deciding = rows.g.with(row_of_v);
    for (const int row : deciding) take(rows.g, row, false);
    if (!deciding.empty()) continue;
    for (const int row : rows.f.with(row_of_v))
      if (rows.f.is_logic(row)) take(rows.f, row, true);
  }
  return {about.begin(), about.end()};
}

}  // namespace mti
