#include "mti/model/signature.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Insertions, deletions, substitutions and swaps of neighbours that turn a into b (optimal string
/// alignment).
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> two_above, above, row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above = std::exchange(above, row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string derivative_name(const Signature& signature, int row, int order) {
  if (row < signature.state_row(0)) return derivative_name(signature, row + signature.n(), order + 1);
  std::string name = signature.row_name(row);
  if (order == 0) return name;
  return (signature.is_discrete() ? "next(" : "der(") + name +
         (order == 1 ? ")" : ", " + std::to_string(order) + ")");
}

std::string closest_name(std::string_view name, const std::vector<std::string>& names) {
  const int limit = std::max<int>(name.size() > 1 ? 1 : 0, static_cast<int>(name.size()) / 3);
  std::string best;
  int best_distance = limit + 1;
  for (const std::string& candidate : names) {
    const int distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

Signature::Signature(std::vector<Signal> states, std::vector<Signal> inputs, std::vector<Signal> algebraic,
                     std::vector<Signal> binaries, std::vector<int> pre, StateRow first_rows)
    : states_(std::move(states)),
      inputs_(std::move(inputs)),
      algebraic_(std::move(algebraic)),
      binaries_(std::move(binaries)),
      pre_(std::move(pre)),
      first_rows_(first_rows) {
  const auto enter = [this](const std::vector<Signal>& signals, int first_row) {
    for (std::size_t i = 0; i < signals.size(); ++i)
      rows_.emplace(signals[i].name, first_row + static_cast<int>(i));
  };
  enter(states_, state_row(0));
  enter(inputs_, input_row(0));
  enter(algebraic_, algebraic_row(0));
  enter(binaries_, binary_row(0));
}

std::optional<int> Signature::find(std::string_view name) const {
  const auto found = rows_.find(std::string(name));
  if (found == rows_.end()) return std::nullopt;
  return found->second;
}

std::optional<int> Signature::find_pre(int binary) const {
  const auto found = std::find(pre_.begin(), pre_.end(), binary);
  if (found == pre_.end()) return std::nullopt;
  return pre_row(static_cast<int>(found - pre_.begin()));
}

std::string Signature::row_name(int row) const {
  const auto name = [](const std::vector<Signal>& signals, int i) { return signals[at(i)].name; };
  if (row < state_row(0)) return (is_discrete() ? "next(" : "der(") + name(states_, row) + ")";
  if (row < input_row(0)) return name(states_, row - state_row(0));
  if (row < algebraic_row(0)) return name(inputs_, row - input_row(0));
  if (row < binary_row(0)) return name(algebraic_, row - algebraic_row(0));
  if (row < pre_row(0)) return name(binaries_, row - binary_row(0));
  return "pre(" + name(binaries_, pre_[at(row - pre_row(0))]) + ")";
}

std::string Signature::suggestion(std::string_view name) const {
  std::vector<std::string> names;
  names.reserve(rows_.size());
  for (const auto* group : {&states_, &inputs_, &algebraic_, &binaries_})
    for (const Signal& signal : *group) names.push_back(signal.name);
  return closest_name(name, names);
}

}  // namespace mti
