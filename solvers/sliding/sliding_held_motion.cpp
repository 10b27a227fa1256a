#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/mode/surface_columns.hpp"
#include "solvers/sliding/sliding.hpp"

namespace mti {
namespace {

/// A sliding motion with all weights held, those of surface `index` at one side: s and its derivatives.
class HeldMotion {
 public:
  enum class Weight { below, above, as_it_is };

  HeldMotion(const Model& model, ModeCache& cache, const Accuracy& accuracy, const Instant& instant,
             const Motion& sliding, std::size_t index, Weight weight)
      : row_(model.constraints() + static_cast<int>(index)) {
    const Mode& mode = sliding.system().mode;
    std::vector<FixedSignal> held;
    for (std::size_t s = 0; s < mode.slides.size(); ++s) {
      const Slide& slide = mode.slides[s];
      for (std::size_t i = 0; i < slide.binaries.size(); ++i) {
        const int row = model.signature.binary_row(slide.binaries[i]);
        const double side = weight == Weight::above ? slide.above[i] : slide.below[i];
        held.push_back({row, s == index && weight != Weight::as_it_is ? side : sliding.v()[at(row)]});
      }
    }
    motion_ = motion_in(model, cache.with_held(mode, held), accuracy, instant);
  }

  [[nodiscard]] bool solved() const { return motion_->status() == Motion::Status::solved; }
  /// Taylor coefficient of order k of s.
  [[nodiscard]] Ball s(int k) { return motion_->constraint(row_, k); }

 private:
  int row_;
  std::shared_ptr<Motion> motion_;
};

bool is_zero(const Ball& number) { return std::abs(number.value) <= number.error; }

/// Orders at which the sides of a surface may differ first.
constexpr int most_orders = 4;

/// The sides press on the surface: by the values of s where they differ, else by the first of `orders`
/// derivatives that is not zero on both.
bool presses(HeldMotion& below, HeldMotion& above, int orders) {
  if (!below.solved() || !above.solved()) return false;
  const Ball from_below = below.s(0), from_above = above.s(0);
  if (std::abs(from_below.value - from_above.value) > from_below.error + from_above.error)
    return from_below.value >= -from_below.error && from_above.value <= from_above.error &&
           from_below.value > from_above.value;
  for (int k = 1; k <= orders; ++k) {
    const Ball up = below.s(k), down = above.s(k);
    if (is_zero(up) && is_zero(down) && k < orders) continue;
    return up.value >= -up.error && down.value <= down.error && up.value > down.value;
  }
  return false;
}

/// The other surfaces keep the motion on this one.
bool is_kept(HeldMotion& motion) {
  if (!motion.solved()) return false;
  for (int k = 0; k <= most_orders; ++k)
    if (!is_zero(motion.s(k))) return false;
  return true;
}

}  // namespace

Admissibility check_mode(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                         const Instant& instant, const Mode& mode, const Admissibility* base) {
  const bool varies = base != nullptr && base->motion && mode.slides.empty();
  Admissibility verdict =
      varies ? check_variation(model, cache.rows(), cache.get(mode), accuracy, instant, *base)
             : check_admissibility(model, cache.get(mode), accuracy, instant);
  // That switches accumulate on the surfaces shows that they attract, also where a side alone does not press.
  if (!verdict.motion || instant.accumulates) return verdict;
  // A surface whose own derivative does not see its weight is only held where others, which attract by their
  // first derivatives, hold that derivative at zero: x'' = −r₁ sgn x − r₂ sgn x'.
  const bool pinned = std::any_of(mode.slides.begin(), mode.slides.end(),
                                  [](const Slide& slide) { return slide.pinned.has_value(); });
  for (std::size_t index = 0; index < mode.slides.size(); ++index) {
    using Weight = HeldMotion::Weight;
    const auto held = [&](Weight weight) {
      return HeldMotion(model, cache, accuracy, instant, *verdict.motion, index, weight);
    };
    HeldMotion below = held(Weight::below), above = held(Weight::above);
    bool holds = presses(below, above, pinned ? most_orders : 1);
    if (holds && mode.slides[index].pinned) {
      HeldMotion kept = held(Weight::as_it_is);
      holds = is_kept(kept);
    }
    if (holds) continue;
    if (verdict.admissible()) verdict.rejection = Rejection::not_attracting;
    verdict.constraints.push_back(model.constraints() + 2 * static_cast<int>(index));
    verdict.decided_at.push_back(1);
  }
  return verdict;
}

bool holds_with_other_memory(const Model& model, ModeCache& cache, const Mode& mode) {
  const Signature& signature = model.signature;
  const Outputs& outputs = cache.outputs();
  if (signature.r() == 0) return true;
  if (!chatters(signature, outputs, mode)) return false;
  for (const Slide& slide : mode.slides)
    for (const bool above : {false, true}) {
      Mode side = mode;
      side.slides.clear();
      side.blended.clear();
      for (const Slide& each : mode.slides)
        for (std::size_t i = 0; i < each.binaries.size(); ++i) {
          const int binary = each.binaries[i];
          const bool own = &each == &slide;
          side.z[at(binary)] = own && above ? each.above[i] : each.below[i];
          if (const auto row = signature.find_pre(binary))
            side.pre[at(*row - signature.pre_row(0))] = own && !above ? each.above[i] : each.below[i];
        }
      outputs.settle(side);
      const auto system = cache.get(side);
      if (!system->broken_equations.empty() || !system->broken_constraints.empty() || system->forbidden)
        return false;
    }
  return true;
}

}  // namespace mti
