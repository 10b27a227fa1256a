#pragma once

#include <list>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "solvers/mode/mode_system.hpp"
#include "solvers/multimode/all_modes.hpp"

namespace mti {

/// The mode systems of a run, made when first asked for, from a mode nearby where that saves work. Memory is
/// bounded: the least recently used go first, and of large models fewer are kept.
class ModeCache {
 public:
  explicit ModeCache(const Model& model, std::size_t capacity = 512);
  /// With plans that outlive the run, of runs of models that differ in numbers only.
  ModeCache(const Model& model, PlanMemory* plans);
  ModeCache(const ModeCache&) = delete;
  ModeCache& operator=(const ModeCache&) = delete;
  ~ModeCache() = default;

  [[nodiscard]] std::shared_ptr<const ModeSystem> get(const Mode& mode);
  /// The mode with sliding binaries held; not kept.
  [[nodiscard]] std::shared_ptr<const ModeSystem> with_held(const Mode& mode,
                                                            std::span<const FixedSignal> held) const;
  /// Which rows hold which signals, before freezing. Whoever needs that during a run borrows it here.
  [[nodiscard]] const SignalRows& rows() const noexcept { return rows_; }
  /// Of the model's logic.
  [[nodiscard]] const Outputs& outputs() const noexcept { return outputs_; }
  /// Distinct modes made so far (a mode dropped and made again counts again).
  [[nodiscard]] long made() const noexcept { return made_; }

 private:
  using Entry = std::pair<Mode, std::shared_ptr<const ModeSystem>>;
  [[nodiscard]] std::shared_ptr<const ModeSystem> make(const Mode& mode);
  void count_plan();

  const Model& model_;
  SignalRows rows_;
  Outputs outputs_;
  std::size_t capacity_;
  PlanMemory* plans_ = nullptr;
  long made_ = 0;
  /// Plans that had to be made; some dozen of them cost what the structure of all modes does.
  int planned_ = 0;
  std::optional<AllModes> all_;
  std::list<Entry> recent_;
  std::unordered_map<Mode, std::list<Entry>::iterator, ModeHash> by_mode_;
};

}  // namespace mti
