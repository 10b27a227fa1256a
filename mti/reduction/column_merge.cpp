#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "mti/common/rounding.hpp"
#include "mti/multilinear/affine_columns.hpp"
#include "mti/reduction/column.hpp"

namespace mti::reduction {
namespace {

constexpr int no_signal = -1;

/// So much of a number may be rounding: that of a factor which was put together from others a few times.
constexpr double share_of_rounding = 8.0 * machine_epsilon;

/// Gives numbers S that differ by rounding only the same value, so that equal factors are known as equal: neither S
/// nor 1 − |S|, the two numbers of a factor, changes by more.
class Values {
 public:
  double snap(double S) {
    const double close = share_of_rounding * std::min(std::abs(S), 1.0 - std::abs(S));
    const auto next = known_.lower_bound(S - close);
    if (next != known_.end() && *next <= S + close) return *next;
    known_.insert(S);
    return S;
  }

 private:
  std::set<double> known_{-1.0, -0.5, 0.0, 0.5, 1.0};
};

std::uint64_t mixed(std::uint64_t bits) {  // the finaliser of splitmix64
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebULL;
  return bits ^ (bits >> 31U);
}

std::uint64_t hash_of(const std::pair<int, double>& factor) {
  return mixed(mixed(static_cast<std::uint64_t>(factor.first) + 1) ^
               std::bit_cast<std::uint64_t>(factor.second));
}

/// A column with one signal left out, or none.
struct Rest {
  std::uint64_t hash;  ///< sum over the factors that stay
  int signal;
  std::size_t column;
};

bool equal_without(const Column& a, const Column& b, int signal) {
  const auto skip = [signal](const Column& column, std::size_t& at) {
    if (at < column.factors.size() && column.factors[at].first == signal) ++at;
  };
  for (std::size_t i = 0, j = 0;; ++i, ++j) {
    skip(a, i);
    skip(b, j);
    const bool a_ends = i >= a.factors.size(), b_ends = j >= b.factors.size();
    if (a_ends || b_ends) return a_ends && b_ends;
    if (a.factors[i] != b.factors[j]) return false;
  }
}

double factor_of(const Column& column, int signal) {
  for (const auto& [own, S] : column.factors)
    if (own == signal) return S;
  return 0.0;
}

/// Σ_k a_k Φ_kᵀ, 2 × rows, with Σ |a_k| |Φ_k| and what was rounded in it.
class Sum {
 public:
  void add(const Column& column, int signal) {
    const double S = signal == no_signal ? 0.0 : factor_of(column, signal);
    for (const auto& [row, weight] : column.weights) {
      Entry& entry = entries_[row];
      const double parts[2] = {(1.0 - std::abs(S)) * weight, S * weight};
      for (int part = 0; part < 2; ++part) {
        const double total = entry.value[part] + parts[part], taken = total - entry.value[part];
        const double rest = (entry.value[part] - (total - taken)) + (parts[part] - taken);
        const double factor = part == 0 ? 1.0 - std::abs(S) : S;
        const double cut = std::fma(factor, weight, -parts[part]);
        entry.exact = entry.exact && rest == 0.0 && cut == 0.0;
        entry.error[part] += std::abs(rest) + std::abs(cut);
        entry.value[part] = total;
        entry.size[part] += std::abs(parts[part]);
      }
    }
    ++count_;
  }

  /// Whether the sum keeps its digits at v = 0 and v = 1, where its two parts are added up after rounding: each
  /// row is of about the size of what is in it, or exactly nothing, as 1 − v is at v = 1.
  [[nodiscard]] bool survives() const {
    constexpr double least = 0.125;
    return std::ranges::all_of(entries_, [](const auto& pair) {
      const Entry& entry = pair.second;
      const double first = std::abs(entry.value[0]), second = std::abs(entry.value[0] + entry.value[1]);
      return first >= least * entry.size[0] &&
             (second >= least * (entry.size[0] + entry.size[1]) || (second == 0.0 && entry.exact));
    });
  }

  struct Part {
    double a, b;
    std::vector<std::pair<int, double>> weights;
  };
  /// As few columns (a + b v) ⊗ weights as have the same sum: one only where it holds both numbers of each row.
  [[nodiscard]] std::vector<Part> parts(bool binary) {
    const double rounding = share_of_rounding * count_;
    const Entry* pivot = nullptr;
    int large = 0;
    for (auto& [row, entry] : entries_)
      for (int part = 0; part < 2; ++part) {
        if (std::abs(entry.value[part]) <= entry.error[part]) entry.value[part] = 0.0;
        if (entry.value[part] == 0.0) continue;
        if (pivot != nullptr && std::abs(entry.value[part]) <= std::abs(pivot->value[large])) continue;
        pivot = &entry;
        large = part;
      }
    if (pivot == nullptr) return {};
    const int small = 1 - large;
    const double ratio = pivot->value[small] / pivot->value[large];
    const double a = large == 0 ? 1.0 : ratio, b = large == 0 ? ratio : 1.0;
    const bool is_rank_one = std::ranges::all_of(entries_, [&](const auto& pair) {
      const Entry& entry = pair.second;
      const double other = ratio * entry.value[large];
      return std::abs(entry.value[small] - other) <=
             rounding * (std::abs(entry.value[small]) + std::abs(other)) + entry.error[small] +
                 std::abs(ratio) * entry.error[large];
    });
    if (is_rank_one && fits_one_column({0, a, b}, binary, 4.0 * share_of_rounding))
      return {{a, b, weights(large)}};
    return {{1.0, 0.0, weights(0)}, {0.0, 1.0, weights(1)}};
  }

 private:
  struct Entry {
    double value[2] = {0.0, 0.0}, size[2] = {0.0, 0.0}, error[2] = {0.0, 0.0};
    bool exact = true;  ///< nothing of `value` was rounded
  };
  [[nodiscard]] std::vector<std::pair<int, double>> weights(int part) const {
    std::vector<std::pair<int, double>> result;
    for (const auto& [row, entry] : entries_)
      if (entry.value[part] != 0.0) result.emplace_back(row, entry.value[part]);
    return result;
  }

  std::map<int, Entry> entries_;
  int count_ = 0;
};

Column column_of(const Column& like, int signal, const Sum::Part& part, Values& values) {
  Column result{{}, part.weights};
  for (const auto& factor : like.factors)
    if (factor.first != signal) result.factors.push_back(factor);
  if (signal == no_signal) return result;
  const NormalisedFactor factor = normalise(part.a, part.b);
  for (auto& [row, weight] : result.weights) weight *= factor.scale;
  const double S = values.snap(factor.S);
  if (S != 0.0)
    result.factors.insert(std::ranges::lower_bound(result.factors, std::pair(signal, S)), {signal, S});
  return result;
}

std::vector<Rest> rests_of(const std::vector<Column>& columns) {
  std::vector<Rest> rests;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::uint64_t whole = 0;
    for (const auto& factor : columns[k].factors) whole += hash_of(factor);
    rests.push_back({whole, no_signal, k});
    for (const auto& factor : columns[k].factors) rests.push_back({whole - hash_of(factor), factor.first, k});
  }
  std::ranges::sort(rests, [](const Rest& a, const Rest& b) {
    return std::tuple(a.hash, a.signal, a.column) < std::tuple(b.hash, b.signal, b.column);
  });
  return rests;
}

/// Goes through all groups once.
class Pass {
 public:
  Pass(std::vector<Column>& columns, Values& values, const std::vector<int>& kept)
      : columns_(columns), values_(values), kept_(kept), is_gone_(columns.size(), 0) {}

  /// Whether anything was merged.
  bool run() {
    const std::vector<Rest> rests = rests_of(columns_);
    struct Range {
      int signal;
      std::size_t first, last, whole_first, whole_last;
    };
    std::vector<Range> ranges;
    for (std::size_t begin = 0; begin < rests.size();) {
      std::size_t end = begin;
      while (end < rests.size() && rests[end].hash == rests[begin].hash) ++end;
      std::size_t whole = begin;  // columns without any signal left out come first
      while (whole < end && rests[whole].signal == no_signal) ++whole;
      if (whole - begin > 1) ranges.push_back({no_signal, begin, whole, begin, begin});
      for (std::size_t first = whole; first < end;) {
        std::size_t last = first;
        while (last < end && rests[last].signal == rests[first].signal) ++last;
        ranges.push_back({rests[first].signal, first, last, begin, whole});
        first = last;
      }
      begin = end;
    }
    // Signal by signal: a product that was multiplied out folds up in the order of its signals.
    std::ranges::stable_sort(ranges, {}, &Range::signal);
    for (const Range& range : ranges)
      merge(rests, range.first, range.last, range.whole_first, range.whole_last, range.signal);
    if (made_.empty() && !removed_) return false;
    std::vector<Column> left;
    for (std::size_t k = 0; k < columns_.size(); ++k)
      if (is_gone_[k] == 0) left.push_back(std::move(columns_[k]));
    for (Column& column : made_) left.push_back(std::move(column));
    columns_ = std::move(left);
    return true;
  }

 private:
  void merge(const std::vector<Rest>& rests, std::size_t first, std::size_t last, std::size_t whole_first,
             std::size_t whole_last, int signal) {
    std::vector<std::size_t> members;
    const auto collect = [&](std::size_t begin, std::size_t end) {
      for (std::size_t at = begin; at < end; ++at) {
        const std::size_t k = rests[at].column;
        if (is_gone_[k] != 0) continue;
        if (members.empty() || equal_without(columns_[members.front()], columns_[k], signal))
          members.push_back(k);
      }
    };
    collect(first, last);
    collect(whole_first, whole_last);
    if (members.size() < 2) return;
    Sum sum;
    for (const std::size_t k : members) sum.add(columns_[k], signal);
    if (signal != no_signal && is_kept(signal) && !sum.survives()) return;
    const std::vector<Sum::Part> parts = sum.parts(signal != no_signal && is_kept(signal));
    if (parts.size() >= members.size()) return;
    for (const Sum::Part& part : parts)
      made_.push_back(column_of(columns_[members.front()], signal, part, values_));
    for (const std::size_t k : members) is_gone_[k] = 1;
    removed_ = true;
  }

  [[nodiscard]] bool is_kept(int signal) const { return std::ranges::binary_search(kept_, signal); }

  std::vector<Column>& columns_;
  Values& values_;
  const std::vector<int>& kept_;
  std::vector<char> is_gone_;
  std::vector<Column> made_;
  bool removed_ = false;
};

}  // namespace

void merge_exactly(std::vector<Column>& columns, const std::vector<int>& kept) {
  Values values;
  for (Column& column : columns)
    for (auto& [signal, S] : column.factors)
      if (!std::ranges::binary_search(kept, signal)) S = values.snap(S);
  while (Pass(columns, values, kept).run()) {
  }
}

}  // namespace mti::reduction
