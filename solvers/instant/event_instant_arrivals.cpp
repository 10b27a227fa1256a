// Motions that arrive at the threshold of a condition, and do not go on beyond it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/instant/event_instant.hpp"
#include "solvers/laws/transition_laws.hpp"
#include "solvers/mode/mode_outputs.hpp"

namespace mti {
namespace {

using Status = Successor::Status;

}  // namespace

/// What arrives has become true, whatever then holds the motion at the threshold: a slide, a contact, an input that goes no farther.
/// A step by which it is, once for each binary.
std::optional<Successor> EventInstant::across(const Successor& successor) {
  const bool begins = kind_ == EventKind::initial;  // and nothing arrives
  if (!has_risen_laws_ || begins || kind_ == EventKind::zeno) return std::nullopt;
  // Of the motion that ends, before inputs or laws have changed anything.
  if (!arriving_) arriving_ = kind_ == EventKind::input ? state_.here.arrived : successor.triggered;
  if (auto step = across_slide(successor)) return step;
  return successor.status == Status::step ? std::nullopt : across_threshold(successor);
}

/// What has changed here has been across: behind a law that takes it back, the same arrival is not there once more.
void EventInstant::note_crossed() {
  if (!has_risen_laws_) return;
  for (const Change& change : changed_)
    if (const int binary = change.row - signature_.binary_row(0);
        binary >= 0 && binary < signature_.q() && std::ranges::find(crossed_, binary) == crossed_.end())
      crossed_.push_back(binary);
}

/// Comparisons that keep their value in what follows, though the motion has arrived at p = 0: the other value, if a law of what has
/// risen is due by that.
std::optional<Successor> EventInstant::across_threshold(const Successor& successor) {
  const std::vector<int>& rows = *arriving_;
  std::vector<int> keep;
  for (const Comparison& comparison : tools_.search.comparisons()) {
    const int binary = comparison.binary;
    const bool is_on = state_.mode.z[at(binary)] != 0;
    const int row = is_on ? comparison.while_on : comparison.while_off;
    const bool arrives = std::ranges::find(rows, row) != rows.end() && is_at_boundary(row);
    if (arrives && (successor.mode.z[at(binary)] != 0) == is_on && slide_of(state_.mode, binary) == nullptr &&
        slide_of(successor.mode, binary) == nullptr && std::ranges::find(crossed_, binary) == crossed_.end())
      keep.push_back(binary);
  }
  if (keep.empty()) return std::nullopt;
  const auto with = [&](std::span<const int> binaries) -> std::optional<Mode> {
    Mode mode = state_.mode;
    for (const int binary : binaries) mode.z[at(binary)] ^= 1;
    const bool rises = settle_outputs(tools_.cache.outputs(), mode) &&
                       !risen_laws(tools_.model, state_.mode.z, mode.z).names.empty();
    return rises ? std::optional(std::move(mode)) : std::nullopt;
  };
  std::vector<int> alone;
  for (const int& binary : keep)
    if (with(std::span(&binary, 1))) alone.push_back(binary);
  if (!alone.empty()) keep = std::move(alone);
  auto mode = with(keep);
  if (!mode) return std::nullopt;
  crossed_.insert(crossed_.end(), keep.begin(), keep.end());
  return Successor{.status = Status::step, .mode = *std::move(mode), .triggered = successor.triggered};
}

/// The limits at the left have a constraint at zero, within what is known of the signals in it; one that is outside there has not
/// arrived, but jumped.
bool EventInstant::is_at_boundary(int constraint) const {
  const std::shared_ptr<const ModeSystem> system =
      system_before_ != nullptr ? system_before_ : tools_.cache.get(before_);  // of a run that is taken up
  const RowMap& g = system->g;
  double error = 0.0;
  g.gradient(constraint, left_, [&](int signal, double slope) {
    if (signal < signature_.binary_row(0))
      error += std::abs(slope) * tools_.accuracy.of(signal, left_[at(signal)]);
  });
  return std::abs(g.value(constraint, left_)) <= error;
}

/// A step to the side of a slide that begins on which a binary is 1 that has a law of what has risen; once for each.
std::optional<Successor> EventInstant::across_slide(const Successor& slide) {
  if (slide.mode.slides.empty()) return std::nullopt;
  Successor step{.status = Status::step, .mode = state_.mode, .triggered = slide.triggered};
  bool found = false;
  for (const Slide& surface : slide.mode.slides)
    for (std::size_t k = 0; k < surface.binaries.size(); ++k) {
      const int binary = surface.binaries[k];
      const bool rises = state_.mode.z[at(binary)] == 0 && slide_of(state_.mode, binary) == nullptr &&
                         surface.below[k] != surface.above[k];
      if (!rises || !has_risen_law(tools_.model, binary) ||
          std::ranges::find(crossed_, binary) != crossed_.end())
        continue;
      crossed_.push_back(binary);
      found = true;
      const std::vector<char>& side = surface.below[k] != 0 ? surface.below : surface.above;
      for (std::size_t i = 0; i < side.size(); ++i) step.mode.z[at(surface.binaries[i])] = side[i];
    }
  if (!found || !settle_outputs(tools_.cache.outputs(), step.mode)) return std::nullopt;
  return step;
}

}  // namespace mti
