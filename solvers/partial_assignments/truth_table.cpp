#include "solvers/partial_assignments/truth_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {

TruthTable::TruthTable(std::vector<int> variables, const std::function<bool(unsigned)>& holds)
    : variables_(std::move(variables)) {
  const unsigned vertices = 1U << variables_.size();
  allowed_.assign((vertices + 63) / 64, 0);
  for (unsigned vertex = 0; vertex < vertices; ++vertex)
    if (holds(vertex)) {
      allowed_[vertex / 64] |= std::uint64_t{1} << (vertex % 64);
      ++allowed_count_;
    }
}

std::uint64_t TruthTable::ones(std::size_t i, std::size_t word) {
  constexpr std::array<std::uint64_t, 6> within = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC,
                                                   0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00,
                                                   0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
  if (i < within.size()) return within[i];
  return (word >> (i - within.size()) & 1U) != 0 ? ~std::uint64_t{0} : 0;
}

std::uint64_t TruthTable::left(std::span<const signed char> values, std::size_t word) const {
  std::uint64_t vertices = allowed_[word];
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const signed char value = values[at(variables_[i])];
    if (value == undecided) continue;
    vertices &= value == 1 ? ones(i, word) : ~ones(i, word);
  }
  return vertices;
}

int TruthTable::fewest_changes(std::span<const signed char> values, std::span<const char> preferred,
                               int counted) const {
  unsigned preferred_vertex = 0, free = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const auto variable = at(variables_[i]);
    if (values[variable] != undecided || variables_[i] >= counted) continue;
    free |= 1U << i;
    if (preferred[variable] != 0) preferred_vertex |= 1U << i;
  }
  int fewest = static_cast<int>(variables_.size());
  for (std::size_t word = 0; word < allowed_.size(); ++word)
    for (std::uint64_t vertices = left(values, word); vertices != 0; vertices &= vertices - 1) {
      const auto vertex =
          static_cast<unsigned>(64 * word) + static_cast<unsigned>(std::countr_zero(vertices));
      fewest = std::min(fewest, std::popcount((vertex ^ preferred_vertex) & free));
    }
  return fewest;
}

}  // namespace mti
