#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solvers/admissibility/admissibility.hpp"
#include "solvers/laws/transition_laws.hpp"
#include "solvers/mode/mode_cache.hpp"

namespace mti {

/// The constraints that rows of g stand for, each once: bounds of a weight by the one whose zero is their surface.
[[nodiscard]] std::vector<int> constraints_of_rows(const Model& model, const Mode& mode,
                                                   std::span<const int> rows);

/// Those of `more` that an instant has not met yet, behind those that it has.
void add_arrived(const std::vector<int>& more, std::vector<int>& arrived);

/// What laws of one instant may take that follow from each other. They find the states that the earlier ones have left, and
/// the binaries from before them. An algebraic signal
///
///     pre(y) = Y(x, z),    g_l(x, y, z) > 0 for some l that holds z_b,    Y depends on z_b
///
/// has no value there: |x| by its mode for x < 0 is −x at an x > 0. What depends on what is told by structure: by the
/// blocks of the mode's plan, with the binaries of their rows of f.
class LawValues {
 public:
  LawValues(const Model& model, ModeCache& cache) : model_(&model), cache_(&cache) {}

  /// A law has been applied; a motion has been found, with values of its own.
  void note_law() { laws_have_moved_ = true; }
  void note_motion();
  /// What the verdict on the mode says of the values that laws have left; `due` are those that follow.
  void look(const Mode& mode, const Admissibility& verdict, const DueLaws& due);

  /// Why laws cannot be applied in the mode, if they take such a value.
  [[nodiscard]] std::optional<std::string> refusal(const Mode& mode, const DueLaws& laws) const;

 private:
  const Model* model_;
  ModeCache* cache_;
  bool laws_have_moved_ = false;
  std::vector<int> broken_ = {};  ///< constraints of the mode without a law that is due
};

}  // namespace mti
