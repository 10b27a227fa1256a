#pragma once

#include <span>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/idle_definitions.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// Lists of integers one behind the other: list i is items[start_i … start_{i+1} − 1].
class PackedLists {
 public:
  PackedLists() = default;
  explicit PackedLists(const std::vector<std::vector<int>>& lists);

  [[nodiscard]] std::span<const int> operator[](int list) const {
    const auto first = at(start_[at(list)]);
    return std::span(items_).subspan(first, at(start_[at(list) + 1]) - first);
  }

 private:
  std::vector<int> start_{0}, items_;
};

/// A row map that knows who occurs where. Signals are rows of S, binaries indices 0 … q−1; all lists ascend.
class IndexedRowMap : public RowMap {
 public:
  IndexedRowMap(const CpMap& map, const Signature& signature);

  /// The rows that hold a signal.
  [[nodiscard]] std::span<const int> with(int signal) const { return with_[signal]; }
  /// The rows that hold some of these signals.
  [[nodiscard]] std::vector<int> with_any(std::span<const int> signals) const;
  /// The binaries z that a row holds; pre(z) is not among them.
  [[nodiscard]] std::span<const int> binaries(int row) const { return binaries_[row]; }
  /// The ẋ, x and y that a row holds.
  [[nodiscard]] std::span<const int> signals(int row) const { return signals_[row]; }
  /// The row holds nothing but binaries, pre(z) and binary inputs.
  [[nodiscard]] bool is_logic(int row) const { return logic_[at(row)] != 0; }

 private:
  PackedLists with_, binaries_, signals_;
  std::vector<char> logic_;
};

/// f, g and the invariants of a model before freezing, and the rows in which each signal occurs. Read off S and Φ
/// once per model, which must outlive it.
struct SignalRows {
  explicit SignalRows(const Model& model);

  const Model& model;
  IndexedRowMap f, g;
  PackedLists invariants_with;  ///< by signal
  std::vector<Definition> conditional;
};

}  // namespace mti
