#include "solvers/integration/differentiated_rows.hpp"

#include <algorithm>
#include <set>

#include "mti/common/at.hpp"

namespace mti {
namespace {

std::set<int> signals_of(const RowMap& f, int equation) {
  std::set<int> signals;
  for (const RowMap::Term& term : f.terms(equation))
    for (const RowMap::Factor& factor : f.factors(term.column)) signals.insert(factor.signal);
  return signals;
}

}  // namespace

DifferentiatedRows::DifferentiatedRows(const RowMap& f, const SolutionPlan& plan, const Signature& signature,
                                       const SegmentUnknowns& unknowns,
                                       std::span<const DifferentiatedInput> inputs)
    : series_(plan.differentiated() ? signature.size() + static_cast<int>(inputs.size()) : 0) {
  for (const SolutionBlock& block : plan.blocks)
    for (std::size_t i = 0; i < block.c.size(); ++i)
      for (int order = 1; order <= block.c[i]; ++order) rows_.push_back({block.equations[i], order});
  if (rows_.empty()) return;
  int highest = 0;
  std::set<std::pair<int, int>> needed;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    highest = std::max(highest, rows_[row].order);
    std::vector<Target>& targets = targets_.emplace_back();
    for (const int signal : signals_of(f, rows_[row].equation))
      for (int order = 0; order <= rows_[row].order; ++order) {
        needed.emplace(signal, order);
        const bool input = (signal >= signature.input_row(0) && signal < signature.algebraic_row(0)) ||
                           signal >= signature.size();
        const auto place = input ? SegmentUnknowns::Place{} : unknowns.place(signal, order);
        if (place.slot < 0) continue;
        targets.push_back({signal, order, static_cast<int>(entries_.size())});
        entries_.push_back({static_cast<int>(row), place});
      }
  }
  for (int order = 0; order <= highest; ++order) series_.add_order();
  for (const auto& [signal, order] : needed) {
    if (order == 0) {
      signals_.push_back(signal);
      continue;
    }
    const int input = signal - signature.input_row(0);
    if (signal >= signature.size()) {
      const DifferentiatedInput& derivative = inputs[at(signal - signature.size())];
      known_.push_back({signal, order, {}, derivative.input, derivative.order});
    } else if (input >= 0 && input < signature.m()) {
      known_.push_back({signal, order, {}, input});
    } else if (const auto place = unknowns.place(signal, order); place.slot >= 0) {
      known_.push_back({signal, order, place});
    }
  }
}

void DifferentiatedRows::load(double t, std::span<const double> v, std::span<const double> w,
                              std::span<const double> wp, std::span<const InputPiece> pieces) {
  for (const int signal : signals_) series_.at(signal, 0).value = v[at(signal)];
  for (const Known& known : known_) {
    const auto slot = at(known.place.slot);
    const double value = known.input >= 0
                             ? pieces[at(known.input)].derivative(t, known.order + known.input_order)
                         : known.place.is_rate ? wp[slot]
                                               : w[slot];
    series_.at(known.signal, known.order).value = value / factorial(known.order);
  }
}

void DifferentiatedRows::value(const RowMap& f, std::span<double> F) const {
  for (std::size_t row = 0; row < rows_.size(); ++row)
    F[row] =
        factorial(rows_[row].order) * f.coefficient(rows_[row].equation, series_, rows_[row].order).value;
}

void DifferentiatedRows::jacobian(const RowMap& f, std::span<double> J) const {
  std::fill(J.begin(), J.end(), 0.0);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const int equation = rows_[row].equation, k = rows_[row].order;
    for (int order = 0; order <= k; ++order)
      f.gradient_coefficient(equation, series_, k - order, [&](int signal, double slope) {
        for (const Target& target : targets_[row])
          if (target.signal == signal && target.order == order)
            J[at(target.entry)] += factorial(k) / factorial(order) * slope;
      });
  }
}

}  // namespace mti
