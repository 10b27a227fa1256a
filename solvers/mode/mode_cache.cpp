#include "solvers/mode/mode_cache.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

/// Rows of S whose values differ between two modes.
std::vector<int> differing_signals(const Signature& signature, const Mode& a, const Mode& b) {
  std::vector<int> signals;
  for (std::size_t i = 0; i < a.z.size(); ++i)
    if (a.z[i] != b.z[i]) signals.push_back(signature.binary_row(static_cast<int>(i)));
  for (std::size_t i = 0; i < a.pre.size(); ++i)
    if (a.pre[i] != b.pre[i]) signals.push_back(signature.pre_row(static_cast<int>(i)));
  std::size_t next = 0;
  for (int i = 0; i < signature.m() && next < a.binary_inputs.size(); ++i) {
    if (!signature.inputs()[at(i)].binary) continue;
    if (a.binary_inputs[next] != b.binary_inputs[next]) signals.push_back(signature.input_row(i));
    ++next;
  }
  return signals;
}

/// Of models with fewer, modes are always planned one by one.
constexpr int least_unknowns_of_all_modes = 200;

int unknowns_of(const Model& model) { return model.signature.n() + model.signature.p(); }

}  // namespace

ModeCache::ModeCache(const Model& model, std::size_t capacity)
    : model_(model), rows_(model), outputs_(rows_), capacity_(capacity) {
  constexpr std::size_t most_rows_kept = 4'000'000;
  const auto rows = at(model.equations() + model.constraints() + 1);
  capacity_ = std::max<std::size_t>(8, std::min(capacity, most_rows_kept / rows));
}

/// Of a large model all modes may be planned at once, which depends on how many plans the run has had to make.
ModeCache::ModeCache(const Model& model, PlanMemory* plans) : ModeCache(model) {
  if (plans == nullptr || unknowns_of(model) >= least_unknowns_of_all_modes) return;
  plans->begin(rows_.f, model.signature);
  plans_ = plans;
}

std::shared_ptr<const ModeSystem> ModeCache::get(const Mode& mode) {
  if (const auto found = by_mode_.find(mode); found != by_mode_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second);
    return found->second->second;
  }
  std::shared_ptr<const ModeSystem> system = make(mode);
  if (recent_.size() >= capacity_) {
    by_mode_.erase(recent_.back().first);
    recent_.pop_back();
  }
  ++made_;
  recent_.emplace_front(mode, std::move(system));
  by_mode_.emplace(mode, recent_.begin());
  return recent_.front().second;
}

std::shared_ptr<const ModeSystem> ModeCache::make(const Mode& mode) {
  check_budget();
  const AllModes* all = all_ ? &*all_ : nullptr;
  if (!mode.slides.empty()) {
    auto system = std::make_shared<const ModeSystem>(rows_, SlidingMode(rows_, outputs_, mode), plans_);
    count_plan();
    return system;
  }
  // From the mode that was asked for last where few signals differ, for then few rows do.
  if (!recent_.empty() && recent_.front().first.slides.empty() &&
      recent_.front().first.resting == mode.resting) {
    const ModeSystem& nearest = *recent_.front().second;
    const std::vector<int> signals = differing_signals(model_.signature, mode, nearest.mode);
    if (4 * signals.size() <= mode.z.size() + mode.pre.size()) {
      auto system =
          std::make_shared<const ModeSystem>(rows_, mode, nearest, AffectedRows(rows_, signals), all, plans_);
      if (!system->has_plan_of(nearest)) count_plan();
      return system;
    }
  }
  auto system = std::make_shared<const ModeSystem>(rows_, mode, all, plans_);
  count_plan();
  return system;
}

/// When a large model keeps entering modes that need plans of their own, their structure is found for all
/// modes at once. Where that would not be worth while, as in a chain whose blocks are of all lengths, it is
/// not.
void ModeCache::count_plan() {
  constexpr int plans_before = 16;
  const int unknowns = unknowns_of(model_);
  if (model_.is_discrete()) return;  // that structure is one of differentiation
  if (unknowns < least_unknowns_of_all_modes || ++planned_ != plans_before) return;
  try {
    all_.emplace(model_, 200LL * unknowns);
  } catch (const ModeSetTooLarge&) {
    // Each mode goes on being planned by itself.
  }
}

std::shared_ptr<const ModeSystem> ModeCache::with_held(const Mode& mode,
                                                       std::span<const FixedSignal> held) const {
  check_budget();
  return std::make_shared<const ModeSystem>(rows_, SlidingMode(rows_, outputs_, mode, held), plans_);
}

}  // namespace mti
