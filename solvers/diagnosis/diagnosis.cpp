#include "solvers/diagnosis/diagnosis.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/blocks/start_point.hpp"
#include "solvers/mode/mode_balance.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/mode/recombination_text.hpp"
#include "solvers/mode_sets/formula.hpp"
#include "solvers/mode_sets/mode_count.hpp"
#include "solvers/motion/system_jacobian_rank.hpp"
#include "solvers/multimode/solvable_modes.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/solvability/contradictions.hpp"
#include "solvers/solvability/redundant_rows.hpp"
#include "solvers/structure/undecided_binaries.hpp"
#include "solvers/structure/unused_signals.hpp"

namespace mti {
namespace {

using Names = std::vector<std::string>;

/// What is known about all modes, and the remarks derived from it.
class Examination {
 public:
  Examination(const Model& model, const DiagnosisLimits& limits) : model_(model), limits_(limits) {}

  Diagnosis conclude() && {
    add_unused();
    // In a sample pre(z) may be anything; in a motion it is z, and all modes can be told by z alone.
    if (model_.is_discrete() && model_.signature.r() > 0) {
      examine_start_mode("a model of discrete time with pre(z) is not examined in all modes");
    } else {
      try {
        examine_all_modes();
      } catch (const ModeSetTooLarge& error) {
        examine_start_mode(error.what());
      }
    }
    begin_run();
    std::stable_partition(result_.remarks.begin(), result_.remarks.end(),
                          [](const Remark& remark) { return remark.is_error; });
    return std::move(result_);
  }

 private:
  void warn(Remark remark) { result_.remarks.push_back(std::move(remark)); }

  void add_unused() {
    Names names = unused_signals(model_);
    if (names.empty()) return;
    const bool one = names.size() == 1;
    warn({.id = "unused-signal",
          .message = enumerated(names) + (one ? " occurs" : " occur") +
                     " in no equation, constraint, invariant or law",
          .signals = std::move(names)});
  }

  /// Binaries whose values make no difference to anything that the model asks for. One without which some mode cannot
  /// be solved is decided by that.
  void add_undecided(const std::vector<int>& needed) {
    Names names;
    for (const int binary : undecided_binaries(model_))
      if (std::ranges::find(needed, model_.signature.binary_row(binary)) == needed.end())
        names.push_back(model_.signature.binaries()[at(binary)].name);
    if (names.empty()) return;
    const bool one = names.size() == 1;
    warn({.id = "undecided-binary",
          .message = "nothing decides " + enumerated(names) +
                     ": no constraint, invariant or equation of binaries depends on " +
                     (one ? "it: it keeps its start value" : "them: they keep their start values"),
          .signals = std::move(names)});
  }

  void examine_all_modes() {
    SolvableModes modes = solvable_modes(model_, limits_.nodes);
    const ModeSpace space = modes.space;
    Diagnosis::Modes numbers{count_modes({}, space.variables()), "0", "0"};
    if (space.contradictory()) {
      result_.modes = numbers;
      const Names rules = rules_of_binaries(model_);
      warn({.is_error = true,
            .id = "no-mode-left",
            .message = "no mode is left: " + enumerated(rules) +
                       (rules.size() == 1 ? " has no solution in 0 and 1" : " contradict each other") +
                       (model_.signature.r() > 0 ? " where pre(z) is z" : ""),
            .equations = rules});
      return;
    }
    numbers.considered = count(space, ModeSet::all());
    RedundantRows redundant(model_, space);
    while (redundant.find_more(modes.over_determined))
      modes = solvable_modes(model_, limits_.nodes, redundant.left_out());
    const ModeSet unsolvable = modes.unsolvable();
    const Mode start = start_mode(model_, model_.experiment.start);
    const std::vector<Contradiction> contradicted = contradictions(model_, space, !unsolvable, start);
    ModeSet may_run = !unsolvable;
    for (const Contradiction& contradiction : contradicted) may_run -= contradiction.where;
    numbers.solvable = count(space, may_run);
    all_fail_ = numbers.solvable == "0";
    // Equations too many may follow from others; unknowns too many stay open whatever the numbers.
    no_run_ = space.considered(!modes.lacking).empty();
    result_.modes = numbers;
    add_redundant(redundant, space, numbers);
    add_singular(modes, redundant, numbers);
    add_contradictions(contradicted, space, numbers);
    add_kept(modes, modes.undetermined,
             {"undetermined-signal", "not determined",
              "those that the equations leave open keep their values there"},
             numbers);
    add_kept(modes, modes.absent, {"absent-signal", "in no equation", "they keep their values there"},
             numbers);
    if (!all_fail_) add_ranks(modes, may_run, numbers);
    std::vector<int> needed;
    for (const int variable : unsolvable.support()) needed.push_back(space.row_of(variable));
    add_undecided(needed);
  }

  [[nodiscard]] static std::string count(const ModeSpace& space, const ModeSet& set) {
    std::vector<ModeSet> sets = space.factors();
    sets.push_back(set);
    return count_modes(sets, space.variables());
  }
  [[nodiscard]] static std::string where(const ModeSpace& space, const ModeSet& set) {
    return formula(set, space.care_of(set), [&](int variable) { return space.name(variable); });
  }

  /// "in every mode", "in 2 of 4 modes, where a"; nothing if there is one mode at all.
  [[nodiscard]] static std::string extent(const Remark& remark, const Diagnosis::Modes& numbers) {
    if (numbers.considered == "1") return "";
    if (remark.modes == numbers.considered) return "in every mode";
    return "in " + remark.modes + " of " + numbers.considered + " modes, where " + remark.where;
  }

  /// Values of the binaries that a set depends on.
  [[nodiscard]] std::string values(const SolvableModes& modes, const ModeSet& set, const Mode& mode) const {
    constexpr std::size_t most = 12;
    const std::vector<int> support = set.support();
    std::string text;
    for (std::size_t i = 0; i < std::min(most, support.size()); ++i)
      text += (i == 0 ? "" : ", ") + modes.space.name(support[i]) + " = " +
              (modes.space.contains(ModeSet::where(support[i]), mode) ? "1" : "0");
    return text + (support.size() > most ? ", …" : "");
  }

  /// Rows that a run leaves out, in its words.
  void add_redundant(const RedundantRows& redundant, const ModeSpace& space,
                     const Diagnosis::Modes& numbers) {
    for (const RedundantRow& row : redundant.rows()) {
      Remark remark{.id = "redundant-equation",
                    .where = where(space, row.where),
                    .modes = count(space, row.where),
                    .equations = {model_.equation_names[at(row.equation)]}};
      const std::string reach = extent(remark, numbers);
      remark.message = row.text + (reach.empty() ? "" : " ") + reach + ": left out";
      warn(std::move(remark));
    }
  }

  /// Modes in which equations and unknowns match, but numbers leave no solution.
  void add_contradictions(const std::vector<Contradiction>& found, const ModeSpace& space,
                          const Diagnosis::Modes& numbers) {
    for (const Contradiction& contradiction : found) {
      Remark remark{.is_error = all_fail_,
                    .id = "contradictory-equations",
                    .where = where(space, contradiction.where),
                    .modes = count(space, contradiction.where)};
      for (const int row : contradiction.equations)
        remark.equations.push_back(model_.equation_names[at(row)]);
      const std::string reach = extent(remark, numbers);
      remark.message = reach + (reach.empty() ? "" : ": ") + enumerated(remark.equations) +
                       " contradict each other whatever the signals are";
      for (std::size_t i = 0; i < contradiction.lines.size(); ++i)
        remark.message += (i == 0 ? ": " : "; ") + contradiction.lines[i];
      warn(std::move(remark));
    }
  }

  /// The modes with too many equations or unknowns, by what is wrong with one of them.
  void add_singular(const SolvableModes& modes, const RedundantRows& redundant,
                    const Diagnosis::Modes& numbers) {
    constexpr int most_kinds = 6;
    ModeSet rest = modes.space.considered(modes.unsolvable());
    if (rest.empty()) return;
    const SignalRows rows(model_);
    for (int kind = 0; !rest.empty() && kind < most_kinds; ++kind) {
      const Mode mode =
          mode_within(rest, modes.space, model_.signature, start_mode(model_, model_.experiment.start));
      FrozenMode frozen(rows, mode);
      for (std::size_t i = 0; i < redundant.left_out().size(); ++i)
        if (modes.space.contains(redundant.left_out()[i], mode)) frozen.equation_form[i] = RowForm::vanished;
      const ModeBalance balance = balance_of(model_, frozen);
      const bool over = modes.space.contains(modes.over_determined, mode);
      ModeSet alike = rest & (over ? modes.over_determined : modes.under_determined);
      if (kind + 1 < most_kinds) alike = of_same_kind(modes, alike, balance);
      rest = modes.space.considered(rest - alike);
      Remark remark = singular(balance, over);
      remark.where = where(modes.space, alike);
      remark.modes = count(modes.space, alike);
      const std::string reach = extent(remark, numbers);
      const std::string example =
          remark.modes == "1" || alike.is_constant() ? "" : " (" + values(modes, alike, mode) + ")";
      remark.message = reach + example + (reach.empty() ? "" : ": ") + describe(balance, model_);
      warn(std::move(remark));
    }
  }

  [[nodiscard]] Remark singular(const ModeBalance& balance, bool over) const {
    Remark remark{.is_error = all_fail_, .id = over ? "over-determined" : "under-determined"};
    const auto take = [&](const std::vector<ModeBalance::Part>& parts) {
      for (const ModeBalance::Part& part : parts) {
        for (const int row : part.equations) remark.equations.push_back(model_.equation_names[at(row)]);
        for (const int row : part.unknowns) remark.signals.push_back(model_.signature.row_name(row));
      }
    };
    take(balance.over);
    take(balance.under);
    return remark;
  }

  /// Those of `set` in which the same signals are open as in this mode: what can be told at once.
  [[nodiscard]] ModeSet of_same_kind(const SolvableModes& modes, ModeSet set,
                                     const ModeBalance& balance) const {
    constexpr std::size_t most = 50;
    std::size_t taken = 0;
    for (const ModeBalance::Part& part : balance.under)
      for (const int row : part.unknowns)
        if (++taken <= most) set &= modes.open[at(signal_of_row(model_.signature, row))];
    for (const ModeBalance::Part& part : balance.over)
      for (const int row : part.equations)
        if (++taken <= most) set &= modes.surplus[at(row)];
    return modes.space.considered(set);
  }

  /// The words for signals that keep their values.
  struct Kept {
    std::string id, what, several;
  };

  /// Signals that keep their values in some modes, those of the same modes together.
  void add_kept(const SolvableModes& modes, const std::vector<ModeSet>& sets, const Kept& words,
                const Diagnosis::Modes& numbers) {
    std::vector<std::pair<ModeSet, Names>> groups;
    std::unordered_map<ModeSet, std::size_t, ModeSetHash> place;
    for (std::size_t j = 0; j < sets.size(); ++j) {
      const int row = row_of_signal(model_.signature, static_cast<int>(j));
      ModeSet set = modes.space.considered(sets[j] - modes.unsolvable());
      if (set.empty() || is_auxiliary(model_.signature, row)) continue;
      const std::string name = model_.signature.row_name(row);
      if (is_unused(name)) continue;
      const auto [found, is_new] = place.try_emplace(set, groups.size());
      if (is_new) groups.push_back({std::move(set), {}});
      groups[found->second].second.push_back(name);
    }
    for (auto& [set, names] : groups) {
      const bool one = names.size() == 1;
      Remark remark{.id = words.id, .where = where(modes.space, set), .modes = count(modes.space, set)};
      const std::string reach = extent(remark, numbers);
      remark.message = enumerated(names) + (one ? " is " : " are ") + words.what +
                       (reach.empty() ? "" : " ") + reach + ": " +
                       (one ? "it keeps its value there" : words.several);
      remark.signals = std::move(names);
      warn(std::move(remark));
    }
  }

  [[nodiscard]] bool is_unused(const std::string& name) const {
    return std::ranges::any_of(result_.remarks, [&](const Remark& remark) {
      return remark.id == "unused-signal" && std::ranges::find(remark.signals, name) != remark.signals.end();
    });
  }

  /// Modes that structure calls regular and numbers do not.
  void add_ranks(const SolvableModes& modes, const ModeSet& may_run, const Diagnosis::Modes& numbers) {
    constexpr int most_modes = 16, most_unknowns = 200;
    if (model_.is_discrete() || model_.signature.n() + model_.signature.p() > most_unknowns) return;
    if (numbers.solvable.size() > 2 || std::stoi(numbers.solvable) > most_modes) return;
    // One after the other is taken out; what is left may hold modes that the rules exclude.
    ModeSet rest = may_run;
    for (int left = std::stoi(numbers.solvable); left > 0; --left) {
      const Mode mode =
          mode_within(rest, modes.space, model_.signature, start_mode(model_, model_.experiment.start));
      const ModeSet here = only_mode(mode, modes.space);
      rest -= here;
      const std::optional<SystemJacobianRank> rank = examine_rank(model_, mode);
      if (!rank || rank->full() || rank->excluded) continue;
      if (const Names lines = recombined(mode, rank->null_vectors.equations); !lines.empty()) {
        Remark remark{.id = "recombined-equations", .where = where(modes.space, here), .modes = "1"};
        for (const int row : rank->null_vectors.equations)
          remark.equations.push_back(model_.equation_names[at(row)]);
        const std::string reach = extent(remark, numbers);
        remark.message = reach + (reach.empty() ? "" : ": ") + "the numbers of " +
                         enumerated(remark.equations) +
                         " cancel, a run takes them together: " + lines.front();
        for (std::size_t i = 1; i < lines.size(); ++i) remark.message += "; " + lines[i];
        warn(std::move(remark));
        continue;
      }
      Remark remark{.id = "singular-jacobian", .where = where(modes.space, here), .modes = "1"};
      for (const int row : rank->null_vectors.equations)
        remark.equations.push_back(model_.equation_names[at(row)]);
      for (const int row : rank->null_vectors.signals)
        remark.signals.push_back(model_.signature.row_name(row));
      const std::string reach = extent(remark, numbers);
      remark.message = reach + (reach.empty() ? "" : ": ") + "the system Jacobian " +
                       (rank->consistent ? "where the motion begins" : "at the start values") + " has rank " +
                       (rank->rank_is_bound ? "at most " : "") + std::to_string(rank->rank) + " of " +
                       std::to_string(rank->size) + ": " + enumerated(remark.equations) +
                       (remark.equations.size() == 1 ? " does" : " depend on each other and do") +
                       " not determine " + enumerated(remark.signals);
      warn(std::move(remark));
    }
  }

  /// How a run recombines rows of the mode, if that concerns all of `equations` and leaves a system
  /// that structure calls regular.
  [[nodiscard]] Names recombined(const Mode& mode, const std::vector<int>& equations) const {
    const ModeSystem system(SignalRows(model_), mode);
    const auto other = system.recombined(model_);
    if (!other || !other->structurally_solvable() || !other->broken_equations.empty()) return {};
    std::set<EquationRow> concerned;
    for (const Recombination::Step& step : other->recombination->steps)
      for (const Recombination::Step::Part& part : step.parts) concerned.insert(part.equation);
    const bool all =
        std::ranges::all_of(equations, [&](int row) { return concerned.contains(EquationRow(row)); });
    return all ? recombination_lines(model_, mode) : Names();
  }

  /// In place of all modes the one of the start values.
  void examine_start_mode(const std::string& why) {
    warn({.id = "modes-not-examined", .message = why + "; only the start was examined"});
  }

  /// The consistent start, as a run finds it.
  void begin_run() {
    if (no_run_ || (result_.modes && result_.modes->considered == "0")) return;
    SimulationOptions options;
    options.stop = model_.experiment.start;
    options.output_interval = model_.is_discrete() ? model_.sample_time : 1.0;
    options.max_seconds = limits_.max_seconds;
    options.stop_token = limits_.stop_token;
    const Outcome outcome = simulate(model_, options).outcome;
    switch (outcome.kind) {
      case OutcomeKind::reached_stop:
        // Equations that follow from others are left out of a run.
        for (Remark& remark : result_.remarks) remark.is_error = false;
        return;
      case OutcomeKind::time_budget:
      case OutcomeKind::interrupted:
      case OutcomeKind::candidate_limit:
      case OutcomeKind::event_limit:
        warn({.id = "start-not-examined", .message = outcome.message});
        return;
      default:
        if (!all_fail_) warn({.is_error = true, .id = "no-consistent-start", .message = outcome.message});
    }
  }

  const Model& model_;
  const DiagnosisLimits& limits_;
  Diagnosis result_;
  bool all_fail_ = false;  ///< no mode can be solved, by structure
  bool no_run_ = false;    ///< and no numbers can help: the start need not be tried
};

}  // namespace

std::size_t Diagnosis::errors() const { return at(std::ranges::count_if(remarks, &Remark::is_error)); }

Diagnosis diagnose(const Model& model, const DiagnosisLimits& limits) {
  return Examination(model, limits).conclude();
}

}  // namespace mti
