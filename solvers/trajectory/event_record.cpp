#include "solvers/trajectory/event_record.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/motion/algebraic_jumps.hpp"

namespace mti {
namespace {

/// The binary runs between the same values on the same surface; others may have joined it or left it. Which of its sides is below
/// depends on the side that the search began on.
bool same_surface(const Slide& a, const Slide& b, int binary) {
  const auto values = [&](const Slide& slide) {
    const auto i =
        std::lower_bound(slide.binaries.begin(), slide.binaries.end(), binary) - slide.binaries.begin();
    return std::minmax(slide.below[at(i)], slide.above[at(i)]);
  };
  return a.constraint == b.constraint && a.pinned == b.pinned && values(a) == values(b);
}

/// All sides as they stand, or all turned.
bool is_same(const Slide& a, const Slide& b) {
  return a.constraint == b.constraint && a.pinned == b.pinned && a.binaries == b.binaries &&
         ((a.below == b.below && a.above == b.above) || (a.below == b.above && a.above == b.below));
}

bool is_blended(const Mode& mode, int binary) {
  return std::binary_search(mode.blended.begin(), mode.blended.end(), binary);
}

/// A binary has another value, slides on another surface, or begins or ends to slide.
bool has_changed(const Mode& before, const Mode& after, int binary) {
  const Slide *const slid = slide_of(before, binary), *const slides = slide_of(after, binary);
  if (is_blended(before, binary) || is_blended(after, binary))
    return is_blended(before, binary) != is_blended(after, binary) ||
           !std::ranges::equal(before.slides, after.slides, is_same);
  if (slid != nullptr && slides != nullptr) return !same_surface(*slid, *slides, binary);
  if (slid != nullptr || slides != nullptr) return true;
  return before.z[at(binary)] != after.z[at(binary)];
}

/// Weights of one order add up over the steps of an instant; by row, the highest order first.
void merge(std::vector<Impulse>& impulses) {
  std::stable_sort(impulses.begin(), impulses.end(), [](const Impulse& a, const Impulse& b) {
    return a.row != b.row ? a.row < b.row : a.order > b.order;
  });
  std::vector<Impulse> merged;
  for (const Impulse& impulse : impulses)
    if (!merged.empty() && merged.back().row == impulse.row && merged.back().order == impulse.order)
      merged.back().weight += impulse.weight;
    else
      merged.push_back(impulse);
  impulses = std::move(merged);
}

bool is_auxiliary(const Signature& signature, int row) {
  const int y = row - signature.algebraic_row(0);
  return y >= 0 && y < signature.p() && signature.algebraic()[at(y)].auxiliary;
}

}  // namespace

std::vector<Change> changes_between(const Signature& signature, const Mode& before,
                                    std::span<const double> v_before, const Mode& after,
                                    std::span<const double> v_after) {
  std::vector<Change> result;
  for (int i = 0; i < signature.q(); ++i) {
    const int row = signature.binary_row(i);
    if (has_changed(before, after, i)) result.push_back({row, v_before[at(row)], v_after[at(row)]});
  }
  std::size_t next = 0;
  for (int i = 0; i < signature.m(); ++i) {
    if (!signature.inputs()[at(i)].binary) continue;
    const double was = before.binary_inputs[next], is = after.binary_inputs[next];
    if (was != is) result.push_back({signature.input_row(i), was, is});
    ++next;
  }
  return result;
}

EventKind kind_of(EventKind kind, const Mode& before, const Mode& after) {
  if (kind == EventKind::initial || kind == EventKind::zeno) return kind;
  const auto is_among = [](const Slide& slide, const std::vector<Slide>& slides) {
    return std::ranges::any_of(slides, [&](const Slide& other) { return is_same(slide, other); });
  };
  if (!std::ranges::all_of(after.slides, [&](const Slide& slide) { return is_among(slide, before.slides); }))
    return EventKind::slide_begin;
  const bool ends =
      !std::ranges::all_of(before.slides, [&](const Slide& slide) { return is_among(slide, after.slides); });
  return ends ? EventKind::slide_end : kind;
}

bool note_restart(const Motion& motion, const Instant& here, const Signature& signature, Event& event) {
  const std::size_t before = event.jumps.size();
  for (const ImpulsivePart& part : motion.restart().impulsive_parts()) {
    if (part.row < signature.n())
      event.jumps.push_back({part.row + signature.n(), 0.0, 0.0});
    else if (!is_auxiliary(signature, part.row))
      event.impulses.push_back({part.row, part.weight.value, part.order});
  }
  for (const ImpulsivePart& part : algebraic_jumps(motion, here, signature))
    event.jumps.push_back({part.row + signature.n(), 0.0, 0.0});
  return event.jumps.size() > before;
}

bool moves_states(const Motion& motion, const Instant& here, const Signature& signature) {
  constexpr double rounding = 1e-14;
  for (int row = signature.n(); row < 2 * signature.n(); ++row) {
    const double x = here.v[at(row)], moved = motion.v()[at(row)];
    if (std::abs(moved - x) > rounding * (std::abs(x) + std::abs(moved))) return true;
  }
  return false;
}

void complete_jumps(Event& event, std::span<const double> left, std::span<const double> right) {
  std::ranges::sort(event.jumps, {}, &Change::row);
  const auto same = [](const Change& a, const Change& b) { return a.row == b.row; };
  event.jumps.erase(std::unique(event.jumps.begin(), event.jumps.end(), same), event.jumps.end());
  for (Change& jump : event.jumps) {
    jump.before = left[at(jump.row)];
    jump.after = right[at(jump.row)];
  }
  constexpr double rounding = 1e-14;
  std::erase_if(event.jumps, [&](const Change& jump) {
    return std::abs(jump.after - jump.before) <= rounding * (std::abs(jump.before) + std::abs(jump.after));
  });
  merge(event.impulses);
}

bool gathers_surfaces(const Mode& before, const Mode& after) {
  const auto begun = std::ranges::count_if(after.slides, [&](const Slide& slide) {
    return std::ranges::find(before.slides, slide) == before.slides.end();
  });
  return begun > 1;
}

}  // namespace mti
