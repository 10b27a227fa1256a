#pragma once

#include <set>
#include <utility>
#include <vector>

namespace mti {

/// A candidate z that was turned down, and with it every assignment z' with z'_i = z_i for all i in `binaries`.
struct Nogood {
  std::vector<char> z;
  std::vector<int> binaries;  ///< ascending
  bool alone = false;         ///< only z itself, whatever A is by then
};

/// What a search has learned: its nogoods, in the order in which they were learned, and which candidates have
/// been judged.
class NogoodStore {
 public:
  /// Each reason is a list of binaries that were enough to turn z down (solvers/admissibility/conflicts.hpp).
  /// Without any, z is excluded alone.
  void learn(const std::vector<char>& z, std::vector<std::vector<int>> reasons) {
    if (reasons.empty()) exclude_alone(z);
    for (std::vector<int>& reason : reasons) nogoods_.push_back({z, std::move(reason), false});
  }
  void exclude_alone(std::vector<char> z) { nogoods_.push_back({std::move(z), {}, true}); }
  /// Nothing is excluded but by itself: what was learned rests on something that does not hold.
  void forget_reasons() {
    std::erase_if(nogoods_, [](const Nogood& nogood) { return !nogood.alone; });
  }
  [[nodiscard]] const std::vector<Nogood>& nogoods() const noexcept { return nogoods_; }

  /// A candidate is known by the deciders that flip against z⁻, ascending.
  void mark_judged(const std::vector<int>& flipped) { judged_.insert(flipped); }
  [[nodiscard]] bool is_judged(const std::vector<int>& flipped) const { return judged_.contains(flipped); }

  /// z⁻ itself has become another.
  void clear() {
    nogoods_.clear();
    judged_.clear();
  }

 private:
  std::vector<Nogood> nogoods_;
  std::set<std::vector<int>> judged_;
};

}  // namespace mti
