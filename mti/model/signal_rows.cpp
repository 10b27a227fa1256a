#include "mti/model/signal_rows.hpp"

#include "mti/common/sort_distinct.hpp"

namespace mti {
namespace {

using Lists = std::vector<std::vector<int>>;

/// Enters items in ascending order, each once.
void enter(std::vector<int>& list, int item) {
  if (list.empty() || list.back() != item) list.push_back(item);
}

PackedLists invariants_by_signal(const Model& model) {
  Lists with(at(model.signature.size()));
  for (std::size_t i = 0; i < model.invariants.size(); ++i)
    for (const BooleanFormula::Step& step : model.invariants[i].steps)
      if (step.operation == BooleanFormula::Operation::variable)
        enter(with[at(step.row)], static_cast<int>(i));
  return PackedLists(with);
}

}  // namespace

PackedLists::PackedLists(const Lists& lists) {
  start_.reserve(lists.size() + 1);
  std::size_t items = 0;
  for (const std::vector<int>& list : lists) items += list.size();
  items_.reserve(items);
  for (const std::vector<int>& list : lists) {
    items_.insert(items_.end(), list.begin(), list.end());
    start_.push_back(static_cast<int>(items_.size()));
  }
}

IndexedRowMap::IndexedRowMap(const CpMap& map, const Signature& signature)
    : RowMap(map), logic_(at(rows()), 1) {
  Lists with_signal(at(signature.size())), binaries_of(at(rows())), signals_of(at(rows()));
  for (int row = 0; row < rows(); ++row) {
    for (const Term& term : terms(row))
      for (const Factor& factor : factors(term.column)) {
        const int signal = factor.signal;
        enter(with_signal[at(signal)], row);
        const int binary = signal - signature.binary_row(0), input = signal - signature.input_row(0);
        if (binary >= signature.q()) continue;  // pre(z)
        if (binary >= 0) {
          binaries_of[at(row)].push_back(binary);
        } else if (input >= 0 && input < signature.m()) {
          if (!signature.inputs()[at(input)].binary) logic_[at(row)] = 0;
        } else {
          signals_of[at(row)].push_back(signal);
          logic_[at(row)] = 0;
        }
      }
    sort_distinct(binaries_of[at(row)]);
    sort_distinct(signals_of[at(row)]);
  }
  with_ = PackedLists(with_signal);
  binaries_ = PackedLists(binaries_of);
  signals_ = PackedLists(signals_of);
}

std::vector<int> IndexedRowMap::with_any(std::span<const int> signals) const {
  std::vector<int> rows_with;
  for (const int signal : signals) {
    const std::span<const int> rows_of_signal = with(signal);
    rows_with.insert(rows_with.end(), rows_of_signal.begin(), rows_of_signal.end());
  }
  sort_distinct(rows_with);
  return rows_with;
}

SignalRows::SignalRows(const Model& model_)
    : model(model_),
      f(model.f(), model.signature),
      g(model.g(), model.signature),
      invariants_with(invariants_by_signal(model)),
      conditional(conditional_definitions(model, f, g)) {}

}  // namespace mti
