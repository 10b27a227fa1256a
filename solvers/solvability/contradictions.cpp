#include "solvers/solvability/contradictions.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "mti/model/signal_rows.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/mode/recombination_text.hpp"
#include "solvers/multimode/solvable_modes.hpp"

namespace mti {
namespace {

/// Modes that are frozen and planned one by one, and their equations in all: some tens of milliseconds.
constexpr int most_modes_searched = 64, most_rows_searched = 20'000;

class ContradictionSearch {
 public:
  ContradictionSearch(const Model& model, const ModeSpace& space, ModeSet among, const Mode& start)
      : model_(model),
        space_(space),
        start_(start),
        rows_(model),
        rest_(std::move(among)),
        modes_left_(std::min(most_modes_searched, most_rows_searched / std::max(1, model.equations()))) {}

  std::vector<Contradiction> run() && {
    examine_one_of(rest_);
    for (int variable = 0; variable < space_.variables() && modes_left_ > 0; ++variable) {
      const ModeSet is_1 = ModeSet::where(variable);
      examine_one_of(space_.contains(is_1, start_) ? rest_ - is_1 : rest_ & is_1);
    }
    while (examine_one_of(rest_)) {
    }
    return std::move(found_);
  }

 private:
  /// The mode of the set that is nearest to the start; false if there is none, or no work left for it.
  bool examine_one_of(const ModeSet& set) {
    if (modes_left_ <= 0 || space_.considered(set).empty()) return false;
    --modes_left_;
    const Mode mode = mode_within(set, space_, model_.signature, start_);
    const ModeSet here = only_mode(mode, space_);
    rest_ -= here;
    const ModeSystem system(rows_, mode);
    if (!system.broken_equations.empty()) return true;  // rows that structure finds to be too many
    const std::shared_ptr<const ModeSystem> other = system.recombined(model_);
    if (!other || other->broken_equations.empty()) return true;
    const ModeSet where = like(mode, other->broken_equations);
    found_.push_back({other->broken_equations, recombination_lines(model_, mode), (rest_ | here) & where});
    rest_ -= where;
    return true;
  }

  /// The modes in which these equations hold the same numbers as in `mode`.
  [[nodiscard]] ModeSet like(const Mode& mode, const std::vector<int>& equations) const {
    ModeSet set = ModeSet::all();
    for (int row = 0; row < model_.signature.size(); ++row) {
      const int variable = space_.variable_of(row);
      const auto holds = [&](int equation) { return std::ranges::binary_search(equations, equation); };
      if (variable < 0 || std::ranges::none_of(rows_.f.with(row), holds)) continue;
      const ModeSet is_1 = ModeSet::where(variable);
      set = space_.contains(is_1, mode) ? set & is_1 : set - is_1;
    }
    return set;
  }

  const Model& model_;
  const ModeSpace& space_;
  const Mode& start_;
  const SignalRows rows_;
  ModeSet rest_;  ///< modes that may still hold a contradiction that is not known
  int modes_left_;
  std::vector<Contradiction> found_;
};

}  // namespace

std::vector<Contradiction> contradictions(const Model& model, const ModeSpace& space, const ModeSet& among,
                                          const Mode& start) {
  return ContradictionSearch(model, space, among, start).run();
}

}  // namespace mti
