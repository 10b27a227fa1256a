#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace mti {

/// Many short lists with few allocations: each is copied to where it stays, also while others follow and while this is moved.
template <class T>
class KeptLists {
 public:
  KeptLists() = default;
  KeptLists(KeptLists&&) noexcept = default;
  KeptLists& operator=(KeptLists&&) noexcept = default;
  KeptLists(const KeptLists&) = delete;
  KeptLists& operator=(const KeptLists&) = delete;
  ~KeptLists() = default;

  [[nodiscard]] std::span<const T> keep(std::span<const T> list) {
    if (list.empty()) return {};
    if (chunks_.empty() || chunks_.back().capacity() - chunks_.back().size() < list.size()) {
      constexpr std::size_t least = 16;
      const std::size_t size = chunks_.empty() ? least : 2 * chunks_.back().capacity();
      chunks_.emplace_back().reserve(std::max(size, list.size()));
    }
    std::vector<T>& chunk = chunks_.back();
    const std::size_t first = chunk.size();
    chunk.insert(chunk.end(), list.begin(), list.end());
    return std::span<const T>(chunk).subspan(first);
  }

 private:
  std::vector<std::vector<T>> chunks_;
};

}  // namespace mti
