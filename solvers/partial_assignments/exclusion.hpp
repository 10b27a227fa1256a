#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace mti {

/// Values that binaries must not have all together.
using Exclusion = std::vector<std::pair<int, signed char>>;

/// A partial assignment of binaries, 64 to a word.
class PackedAssignment {
 public:
  /// From 0, 1 or undecided by binary.
  void assign(std::span<const signed char> z);
  void set(int binary, signed char value);

  [[nodiscard]] std::uint64_t decided(int word) const { return decided_[static_cast<std::size_t>(word)]; }
  /// Of those that are decided.
  [[nodiscard]] std::uint64_t values(int word) const { return values_[static_cast<std::size_t>(word)]; }

 private:
  std::vector<std::uint64_t> decided_, values_;
};

/// An exclusion against partial assignments, in some operations for 64 binaries at once.
class PackedExclusion {
 public:
  enum class State {
    fulfilled,  ///< a binary has another value
    met,        ///< all have the values that they must not have
    one_left,   ///< all but one, which is undecided
    open,
  };

  explicit PackedExclusion(const Exclusion& exclusion);

  [[nodiscard]] State state(const PackedAssignment& z) const;
  /// Met, or one is left.
  [[nodiscard]] bool acts(const PackedAssignment& z) const {
    if ((first_.mask & z.decided(first_.index) & (z.values(first_.index) ^ first_.values)) != 0) return false;
    const State now = state(z);
    return now == State::met || now == State::one_left;
  }
  /// Of its binaries.
  [[nodiscard]] int undecided(const PackedAssignment& z) const;
  /// The one that is left.
  [[nodiscard]] std::pair<int, signed char> open_literal(const PackedAssignment& z) const;

  template <class Visit>
  void for_each_binary(const Visit& visit) const {
    for (const int binary : binaries_) visit(binary);
  }

 private:
  struct Word {
    int index = 0;
    std::uint64_t mask = 0, values = 0;
  };
  Word first_;  ///< here, not behind a pointer: most exclusions have no other
  std::vector<Word> more_;
  std::vector<int> binaries_;
};

}  // namespace mti
