#include "solvers/partial_assignments/exclusion.hpp"

#include <algorithm>
#include <bit>

#include "mti/common/at.hpp"
#include "solvers/partial_assignments/truth_table.hpp"

namespace mti {
namespace {

constexpr int bits = 64;

std::uint64_t bit_of(int binary) { return std::uint64_t{1} << (binary % bits); }

}  // namespace

void PackedAssignment::assign(std::span<const signed char> z) {
  const std::size_t words = z.size() / bits + 1;  // never none: an exclusion of nothing looks at the first
  decided_.assign(words, 0);
  values_.assign(words, 0);
  for (std::size_t i = 0; i < z.size(); ++i)
    if (z[i] != mti::undecided) set(static_cast<int>(i), z[i]);
}

void PackedAssignment::set(int binary, signed char value) {
  decided_[at(binary / bits)] |= bit_of(binary);
  if (value != 0) values_[at(binary / bits)] |= bit_of(binary);
}

PackedExclusion::PackedExclusion(const Exclusion& exclusion) {
  if (!exclusion.empty()) first_.index = exclusion.front().first / bits;
  for (const auto& [binary, value] : exclusion) {
    Word* word = &first_;
    if (binary / bits != first_.index) {
      const auto found = std::ranges::find(more_, binary / bits, &Word::index);
      word = found != more_.end() ? &*found : &more_.emplace_back(Word{.index = binary / bits});
    }
    word->mask |= bit_of(binary);
    if (value != 0) word->values |= bit_of(binary);
    binaries_.push_back(binary);
  }
}

PackedExclusion::State PackedExclusion::state(const PackedAssignment& z) const {
  int left = 0;
  const auto is_fulfilled = [&](const Word& word) {
    const std::uint64_t decided = word.mask & z.decided(word.index);
    left += std::popcount(word.mask ^ decided);
    return (decided & (z.values(word.index) ^ word.values)) != 0;
  };
  if (is_fulfilled(first_) || std::ranges::any_of(more_, is_fulfilled)) return State::fulfilled;
  if (left > 1) return State::open;
  return left == 1 ? State::one_left : State::met;
}

int PackedExclusion::undecided(const PackedAssignment& z) const {
  const auto left = [&](const Word& word) { return std::popcount(word.mask & ~z.decided(word.index)); };
  int sum = left(first_);
  for (const Word& word : more_) sum += left(word);
  return sum;
}

std::pair<int, signed char> PackedExclusion::open_literal(const PackedAssignment& z) const {
  const auto left = [&](const Word& word) { return word.mask & ~z.decided(word.index); };
  const auto word = left(first_) != 0
                        ? &first_
                        : &*std::ranges::find_if(more_, [&](const Word& each) { return left(each) != 0; });
  return {bits * word->index + std::countr_zero(left(*word)), (word->values & left(*word)) != 0 ? 1 : 0};
}

}  // namespace mti
