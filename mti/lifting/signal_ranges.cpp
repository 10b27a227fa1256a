#include "mti/lifting/signal_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/lifting/binary_steps.hpp"

namespace mti {
namespace {

Range product(Range a, Range b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

Range power(Range a, int exponent) {
  const auto [low, high] = std::minmax({std::pow(a.low, exponent), std::pow(a.high, exponent)});
  if (exponent % 2 == 0 && a.low < 0.0 && a.high > 0.0) return {0.0, high};
  return {low, high};
}

Range affine(double constant, double slope, Range a) {
  const auto [low, high] = std::minmax({constant + slope * a.low, constant + slope * a.high});
  return {low, high};
}

}  // namespace

SignalRanges::SignalRanges(const Model& model, std::map<int, Range> given)
    : model_(model), rows_(model), known_(std::move(given)) {
  // Copies: an auxiliary signal ŷ and another with ŷ − y = 0.
  for (int equation = 0; equation < model.equations(); ++equation) {
    const auto terms = rows_.f.terms(equation);
    if (terms.size() != 2 || terms[0].Phi != -terms[1].Phi) continue;
    const auto first = rows_.f.factors(terms[0].column), second = rows_.f.factors(terms[1].column);
    if (first.size() != 1 || second.size() != 1 || first[0].S != 1.0 || second[0].S != 1.0 ||
        rows_.f.function_of(terms[0].column) != nullptr || rows_.f.function_of(terms[1].column) != nullptr)
      continue;
    const auto [low, high] = std::minmax(first[0].signal, second[0].signal);
    const int y = high - model.signature.algebraic_row(0);
    if (y >= 0 && y < model.signature.p() && model.signature.algebraic()[at(y)].auxiliary)
      copy_of_.emplace(high, low);
  }
}

int SignalRanges::original(int row) const {
  for (auto found = copy_of_.find(row); found != copy_of_.end(); found = copy_of_.find(row))
    row = found->second;
  return row;
}

std::optional<Range> SignalRanges::of(int row) {
  if (is_binary_row(model_.signature, row)) return Range{0.0, 1.0};
  if (const auto found = known_.find(row); found != known_.end()) return found->second;
  if (!open_.insert(row).second) return std::nullopt;
  std::optional<Range> range;
  for (const int equation : rows_.f.with(row)) {
    const auto another = by_equation(equation, row);
    if (another && range)
      range = Range{std::max(range->low, another->low), std::min(range->high, another->high)};
    else if (another)
      range = another;
  }
  open_.erase(row);
  if (range) known_.emplace(row, *range);
  return range;
}

std::optional<Range> SignalRanges::by_equation(int equation, int row) {
  Range coefficient;
  bool has_own = false;
  std::vector<RowMap::Term> rest;
  std::set<int> signals;
  for (const RowMap::Term& term : rows_.f.terms(equation)) {
    const auto factors = rows_.f.factors(term.column);
    if (rows_.f.function_of(term.column) != nullptr) return std::nullopt;
    const auto own = std::ranges::find(factors, row, &RowMap::Factor::signal);
    for (const RowMap::Factor& factor : factors)
      if (factor.signal != row && !of(factor.signal)) return std::nullopt;
    if (own == factors.end()) {
      rest.push_back(term);
      for (const RowMap::Factor& factor : factors) signals.insert(factor.signal);
      continue;
    }
    if (std::abs(own->S) != 1.0) return std::nullopt;
    Range of_own{term.Phi * own->S, term.Phi * own->S};
    for (const RowMap::Factor& factor : factors)
      if (factor.signal != row)
        of_own = product(of_own, affine(1.0 - std::abs(factor.S), factor.S, *of(factor.signal)));
    coefficient = {coefficient.low + of_own.low, coefficient.high + of_own.high};
    has_own = true;
  }
  if (!has_own || coefficient.low * coefficient.high <= 0.0) return std::nullopt;
  Range h = by_intervals(rest);
  constexpr std::size_t most_signals = 12;
  if (signals.size() <= most_signals) {
    const Range corners = in_corners(rest, {signals.begin(), signals.end()});
    h = {std::max(h.low, corners.low), std::min(h.high, corners.high)};
  }
  const Range y = product({-h.high, -h.low}, {1.0 / coefficient.high, 1.0 / coefficient.low});
  return Range{y.low + 0.0, y.high + 0.0};  // no −0
}

Range SignalRanges::in_corners(const std::vector<RowMap::Term>& terms,
                               const std::vector<int>& signals) const {
  std::vector<double> v(at(model_.signature.size()), 0.0);
  Range range{HUGE_VAL, -HUGE_VAL};
  for (std::size_t corner = 0; corner < (std::size_t{1} << signals.size()); ++corner) {
    for (std::size_t i = 0; i < signals.size(); ++i) {
      const bool is_binary = is_binary_row(model_.signature, signals[i]);
      const Range of_signal = is_binary ? Range{0.0, 1.0} : known_.at(signals[i]);
      v[at(signals[i])] = ((corner >> i) & 1U) != 0 ? of_signal.high : of_signal.low;
    }
    double sum = 0.0;
    for (const RowMap::Term& term : terms) {
      double value = term.Phi;
      for (const auto& [signal, S] : rows_.f.factors(term.column))
        value *= 1.0 - std::abs(S) + S * v[at(signal)];
      sum += value;
    }
    range = {std::min(range.low, sum), std::max(range.high, sum)};
  }
  return range;
}

Range SignalRanges::by_intervals(const std::vector<RowMap::Term>& terms) const {
  Range sum;
  for (const RowMap::Term& term : terms) {
    const Range range = of_term(term);
    sum = {sum.low + range.low, sum.high + range.high};
  }
  return sum;
}

/// Plain factors that are copies of one signal are a power of it.
Range SignalRanges::of_term(const RowMap::Term& term) const {
  Range result{term.Phi, term.Phi};
  std::map<int, int> powers;
  for (const auto& [signal, S] : rows_.f.factors(term.column)) {
    if (S == 1.0 && known_.contains(original(signal)))
      ++powers[original(signal)];
    else
      result = product(result,
                       affine(1.0 - std::abs(S), S,
                              is_binary_row(model_.signature, signal) ? Range{0.0, 1.0} : known_.at(signal)));
  }
  for (const auto& [signal, exponent] : powers) result = product(result, power(known_.at(signal), exponent));
  return result;
}

}  // namespace mti
