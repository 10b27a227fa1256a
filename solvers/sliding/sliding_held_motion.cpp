#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/impulses/impulse_signs.hpp"
#include "solvers/mode/surface_columns.hpp"
#include "solvers/motion/algebraic_jumps.hpp"
#include "solvers/rest/functions_at_rest.hpp"
#include "solvers/sliding/sliding.hpp"

namespace mti {
namespace {

/// A sliding motion with weights held, those of surface `index` at one side: s and its derivatives.
///
/// Of k surfaces one is looked at by itself: its own binaries are put to one side, the others keep the ζ that the
/// sliding motion has found, as numbers. So the equations s_j = 0 are gone, and the motion may leave the surface: f in
/// the mode of that side, averaged over the sides of all other surfaces. But for surfaces that `follow`: they are kept, with
/// the weights that this side asks for, or left where these would be beyond [0, 1].
class HeldMotion {
 public:
  enum class Weight { below, above, as_it_is };

  HeldMotion(const SwitchingProblem& problem, const Motion& sliding, int index, Weight weight,
             std::span<const char> follow = {})
      : problem_(problem), row_(problem.model.constraints() + index) {
    const Mode& mode = sliding.system().mode;
    std::vector<FixedSignal> held;
    std::vector<int> following;
    for (int s = 0; s < std::ssize(mode.slides); ++s) {
      if (s != index && !follow.empty() && follow[at(s)] != 0)
        following.push_back(s);
      else
        hold(problem, sliding, s, s == index ? weight : Weight::as_it_is, held);
    }
    solve(problem, mode, held);
    // Each round holds one surface more at least.
    while (motion_->solved() && hold_what_is_left(problem, mode, following, held)) solve(problem, mode, held);
  }

  [[nodiscard]] bool solved() const { return motion_->solved(); }
  /// All that may follow does.
  [[nodiscard]] bool keeps_what_follows() const { return !leaves_; }
  /// Taylor coefficient of order k of s.
  [[nodiscard]] Ball s(int k) { return motion_->constraint(row_, k); }
  /// By how much s moves while t itself is uncertain; where it has no slope, as of a root, nothing is known of that.
  [[nodiscard]] double moves_unseen() {
    const double moved = std::abs(s(1).value) * problem_.instant.time_uncertainty;
    return std::isfinite(moved) ? moved : 0.0;
  }
  /// s with which the motion begins: beyond all bounds where an impulse is in it.
  [[nodiscard]] Ball first_s() {
    const std::vector<ImpulsivePart> parts =
        impulses_at_beginning(*motion_, problem_.instant, problem_.model.signature);
    if (parts.empty()) return s(0);
    const TiedPulses ties(motion_->system().f, parts);
    const ImpulseSign sign = impulse_sign(motion_->system().g, row_, motion_->v(), parts, ties);
    if (sign != ImpulseSign::forbidden && sign != ImpulseSign::allowed) return s(0);
    constexpr double beyond = std::numeric_limits<double>::infinity();
    return {sign == ImpulseSign::forbidden ? beyond : -beyond, 0.0};
  }

 private:
  static void hold(const SwitchingProblem& problem, const Motion& sliding, int index, Weight weight,
                   std::vector<FixedSignal>& held) {
    const Slide& slide = sliding.system().mode.slides[at(index)];
    for (std::size_t i = 0; i < slide.binaries.size(); ++i) {
      const int row = problem.model.signature.binary_row(slide.binaries[i]);
      const double side = weight == Weight::above ? slide.above[i] : slide.below[i];
      held.push_back({row, weight == Weight::as_it_is ? sliding.v()[at(row)] : side});
    }
  }

  void solve(const SwitchingProblem& problem, const Mode& mode, std::span<const FixedSignal> held) {
    motion_ =
        motion_in(problem.model, problem.cache.with_held(mode, held), problem.accuracy, problem.instant);
  }

  bool hold_what_is_left(const SwitchingProblem& problem, const Mode& mode, std::vector<int>& following,
                         std::vector<FixedSignal>& held) {
    const auto is_left = [&](int index) {
      const Slide& slide = mode.slides[at(index)];
      const double zeta = motion_->v()[at(problem.model.signature.binary_row(slide.binaries[0]))];
      if (zeta >= 0.0 && zeta <= 1.0) return false;
      const bool is_above = (zeta > 1.0) == (slide.above[0] != 0);
      for (std::size_t i = 0; i < slide.binaries.size(); ++i)
        held.push_back({problem.model.signature.binary_row(slide.binaries[i]),
                        static_cast<double>(is_above ? slide.above[i] : slide.below[i])});
      return true;
    };
    const bool any = std::erase_if(following, is_left) > 0;
    leaves_ = leaves_ || any;
    return any;
  }

  const SwitchingProblem& problem_;
  int row_;
  bool leaves_ = false;
  std::shared_ptr<Motion> motion_;
};

bool is_zero(const Ball& number) { return std::abs(number.value) <= number.error; }

/// Orders at which the sides of a surface may differ first.
constexpr int most_orders = 4;

/// The sides press on the surface: by the values of s where they differ, else by the first of `orders`
/// derivatives that is not zero on both.
///
/// Filippov's condition: s rises below the surface and falls above it, so that either side brings the motion back
/// [filippov1988]. Where s depends on its binaries algebraically it need not rise, it is beyond zero at once:
/// s(below) > 0 > s(above), by an impulse, too: of v in 10·(u − x) = 3·sgn v, where v = ẋ is as large as it takes. One of the two may be zero, a side that runs along the surface; with both zero nothing
/// holds the motion there.
bool presses(HeldMotion& below, HeldMotion& above, int orders) {
  if (!below.solved() || !above.solved()) return false;
  const Ball from_below = below.first_s(), from_above = above.first_s();
  if (std::abs(from_below.value - from_above.value) > from_below.error + from_above.error)
    return from_below.value >= -from_below.error - below.moves_unseen() &&
           from_above.value <= from_above.error + above.moves_unseen() && from_below.value > from_above.value;
  for (int k = 1; k <= orders; ++k) {
    const Ball up = below.s(k), down = above.s(k);
    if (is_zero(up) && is_zero(down) && k < orders) continue;
    return up.value >= -up.error && down.value <= down.error && up.value > down.value;
  }
  return false;
}

/// D^k s for k ≥ `first` vanish where nothing holds them at zero: the other surfaces keep the motion on this one, or a side
/// runs along it.
bool is_kept(HeldMotion& motion, int first = 0) {
  if (!motion.solved()) return false;
  for (int k = first; k <= most_orders; ++k)
    if (!is_zero(motion.s(k))) return false;
  return true;
}

/// Where s does not depend on the weight, both sides are as far off s = 0 as the instant is.
bool runs_along(HeldMotion& side, HeldMotion& other) {
  return is_kept(side, side.s(0).value == other.s(0).value ? 1 : 0);
}

/// Chattering would meet each side of a surface with the pre-values of the other: whether the equations and
/// constraints of binaries alone hold on each side even so, and its outputs come back to what they are there.
bool holds_with_other_memory(const SwitchingProblem& problem, const Mode& mode) {
  const Signature& signature = problem.model.signature;
  const Outputs& outputs = problem.outputs();
  if (signature.r() == 0) return true;
  if (!chatters(signature, outputs, mode)) return false;
  // A chattering motion comes to each side of a surface from the other one, whose values pre(z) then holds. The
  // surfaces are crossed one at a time, the others at `below`.
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
      const auto system = problem.cache.get(side);
      if (!system->broken_equations.empty() || !system->broken_constraints.empty() || system->forbidden)
        return false;
    }
  return true;
}

/// A surface may be pressed on only through others, whose weights follow at once what chatters across it: on a + b = 0, where
/// a' = 2 − 4p, b' = r − 0.4 and p keeps the sum at zero, a' = 0.4 − r. Those that are pressed on by themselves follow
/// first, then those that are with them. On one side of the surface they may be left: then motion comes to it there, crosses them, and
/// slides back on the other side: they attract upon sliding [dieci2013].
void let_pressed_follow(const SwitchingProblem& problem, const Motion& sliding, std::vector<char>& pressed) {
  for (bool more = true; more;) {
    more = false;
    if (std::ranges::count(pressed, 1) == 0) return;
    for (int index = 0; index < std::ssize(pressed); ++index) {
      if (pressed[at(index)] != 0) continue;
      using Weight = HeldMotion::Weight;
      HeldMotion below(problem, sliding, index, Weight::below, pressed),
          above(problem, sliding, index, Weight::above, pressed);
      if (!below.keeps_what_follows() && !above.keeps_what_follows()) continue;
      if (!presses(below, above, 1)) continue;
      pressed[at(index)] = 1;
      more = true;
    }
  }
}

}  // namespace

Admissibility check_mode(const SwitchingProblem& problem, const Mode& mode, const Admissibility* base) {
  if (!mode.slides.empty() && !holds_with_other_memory(problem, mode)) {
    Admissibility verdict;
    verdict.rejection = Rejection::forbidden;
    verdict.reason = "crossing its surfaces again and again would change what pre() remembers";
    verdict.system = problem.cache.get(mode);
    return verdict;
  }
  // A plain mode is solved as a variation of the base, which has most blocks and rows in common with it; the columns
  // of a sliding mode are others.
  const bool varies = base != nullptr && base->motion && mode.slides.empty();
  Admissibility verdict =
      varies ? check_variation(problem.model, problem.cache.rows(), problem.cache.get(mode), problem.accuracy,
                               problem.instant, *base)
             : problem.check(mode.slides.empty()
                                 ? mode
                                 : with_those_on_surfaces_at_rest(problem.model, problem.cache,
                                                                  problem.accuracy, problem.instant, mode));
  // That switches accumulate on the surfaces shows that they attract, also where a side alone does not press.
  if (!verdict.motion || problem.instant.accumulates) return verdict;
  // A surface whose own derivative does not see its weight is only held where others, which attract by their
  // first derivatives, hold that derivative at zero: x'' = −r₁ sgn x − r₂ sgn x'.
  const bool pinned = std::any_of(mode.slides.begin(), mode.slides.end(),
                                  [](const Slide& slide) { return slide.pinned.has_value(); });
  using Weight = HeldMotion::Weight;
  std::vector<char> pressed(mode.slides.size(), 0);
  for (int index = 0; index < std::ssize(mode.slides); ++index) {
    const auto held = [&](Weight weight) { return HeldMotion(problem, *verdict.motion, index, weight); };
    HeldMotion below = held(Weight::below), above = held(Weight::above);
    bool holds = presses(below, above, pinned ? most_orders : 1);
    if (holds && mode.slides[at(index)].pinned) {
      HeldMotion kept = held(Weight::as_it_is);
      holds = is_kept(kept);
    } else if (holds) {
      if (runs_along(below, above) || runs_along(above, below)) verdict.run_along.push_back(index);
    }
    pressed[at(index)] = holds ? 1 : 0;
  }
  if (!pinned) let_pressed_follow(problem, *verdict.motion, pressed);
  for (int index = 0; index < std::ssize(mode.slides); ++index) {
    if (pressed[at(index)] != 0) continue;
    if (verdict.admissible()) verdict.rejection = Rejection::not_attracting;
    verdict.constraints.push_back(problem.model.constraints() + 2 * index);
    verdict.decided_at.push_back(1);
    ++verdict.sides_that_leave;
  }
  return verdict;
}

}  // namespace mti
