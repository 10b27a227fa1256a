#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "mti/common/at.hpp"

namespace mti {

/// A binary that is not decided yet; decided ones are 0 and 1.
constexpr signed char undecided = -1;

/// A condition on a few binaries, as the set of the values that fulfil it.
///
/// A multilinear function has its extreme values over a box at the vertices; with all of them tabulated,
/// what a partial assignment leaves possible is exact.
class TruthTable {
 public:
  static constexpr std::size_t most_variables = 12;

  /// `holds(vertex)`: bit i of the vertex is the value of variables[i].
  TruthTable(std::vector<int> variables, const std::function<bool(unsigned vertex)>& holds);

  [[nodiscard]] const std::vector<int>& variables() const noexcept { return variables_; }
  [[nodiscard]] bool always() const noexcept { return allowed_count_ == std::size_t{1} << variables_.size(); }
  [[nodiscard]] bool never() const noexcept { return allowed_count_ == 0; }

  /// Decides every variable for which one value is left; false if no vertex agrees with `values` (by
  /// variable). Calls decided(variable, value) for each.
  template <class Decided>
  bool propagate(std::span<const signed char> values, Decided decided) const;

  /// Smallest number of undecided variables below `counted` that must differ from `preferred` (by variable).
  [[nodiscard]] int fewest_changes(std::span<const signed char> values, std::span<const char> preferred,
                                   int counted = std::numeric_limits<int>::max()) const;

  /// The same with other names: variables[i] becomes name(variables[i]).
  template <class Name>
  [[nodiscard]] TruthTable renamed(Name name) const {
    TruthTable table = *this;
    for (int& variable : table.variables_) variable = name(variable);
    return table;
  }

 private:
  /// Vertices of word w whose variable i is 1.
  [[nodiscard]] static std::uint64_t ones(std::size_t i, std::size_t word);
  /// Vertices of word w that agree with the values.
  [[nodiscard]] std::uint64_t left(std::span<const signed char> values, std::size_t word) const;

  std::vector<int> variables_;
  std::vector<std::uint64_t> allowed_;
  std::size_t allowed_count_ = 0;
};

template <class Decided>
bool TruthTable::propagate(std::span<const signed char> values, Decided decided) const {
  unsigned can_be_1 = 0, can_be_0 = 0;
  for (std::size_t word = 0; word < allowed_.size(); ++word) {
    const std::uint64_t vertices = left(values, word);
    if (vertices == 0) continue;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const std::uint64_t with = ones(i, word);
      can_be_1 |= static_cast<unsigned>((vertices & with) != 0) << i;
      can_be_0 |= static_cast<unsigned>((vertices & ~with) != 0) << i;
    }
    if (variables_.empty()) return true;
  }
  if ((can_be_0 | can_be_1) == 0) return false;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (values[at(variables_[i])] != undecided) continue;
    if ((can_be_1 >> i & 1U) == 0) decided(variables_[i], static_cast<signed char>(0));
    if ((can_be_0 >> i & 1U) == 0) decided(variables_[i], static_cast<signed char>(1));
  }
  return true;
}

}  // namespace mti
