#include "solvers/admissibility/causal_step.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/search/assignment_search.hpp"
#include "solvers/structure/disjoint_sets.hpp"

namespace mti {
namespace {

constexpr double value_rounding = 1e-12;

std::vector<int> binaries_in(const BooleanFormula& formula, const Signature& signature) {
  std::set<int> binaries;
  for (const BooleanFormula::Step& step : formula.steps)
    if (const int binary = step.row - signature.binary_row(0);
        step.operation == BooleanFormula::Operation::variable && binary >= 0 && binary < signature.q())
      binaries.insert(binary);
  return {binaries.begin(), binaries.end()};
}

}  // namespace

/// The search for one step: tables of the values that the rows leave to the deciders, and their nearest assignment.
///
/// A simultaneous solution z⁺ has to fulfil every row with the x⁺, ẋ and y that z⁺ itself gives. A step asks for
/// less: the rows of the deciders with the signals that z⁻ gives, rows of binaries alone with pre(z⁻). So what z⁺
/// would make of the signals does not take back what z⁻ has seen; the next pose meets it with another pre(z).
class CausalSteps::Step {
 public:
  Step(const CausalSteps& model, const SwitchingProblem& problem, const Admissibility& first,
       const Mode& before, std::vector<int> deciders)
      : of_(model),
        signature_(model.model_.signature),
        first_(first),
        instant_(problem.instant),
        before_(before),
        deciders_(std::move(deciders)),
        left_(signature_.size()) {
    // An output that follows from what slides, too, takes no part: with the deciders it may join the slide or leave it,
    // and its surface makes it what it is then; a latch is what all sides of the surface make it.
    std::vector<int> sliding;
    for (const Slide& slide : before.slides)
      sliding.insert(sliding.end(), slide.binaries.begin(), slide.binaries.end());
    joining_ = of_.outputs_.outputs_behind_in_time(sliding);
    std::sort(joining_.begin(), joining_.end());
    variables_ = deciders_;
    for (const int output : of_.outputs_.outputs_behind(deciders_))
      if (!std::binary_search(joining_.begin(), joining_.end(), output)) variables_.push_back(output);
    place_.assign(at(signature_.q()), -1);
    for (std::size_t i = 0; i < variables_.size(); ++i) place_[at(variables_[i])] = static_cast<int>(i);
    v_ = first.motion ? first.motion->v() : instant_.v;
    write_mode(signature_, before, v_);
    left_.add_order();
    if (!first.motion)
      for (int row = 0; row < signature_.binary_row(0); ++row)
        left_.at(row, 0) = {v_[at(row)], problem.accuracy.of(row, v_[at(row)])};
    for (int row = signature_.binary_row(0); row < signature_.size(); ++row)
      left_.at(row, 0) = {v_[at(row)], 0.0};
  }

  /// The nearest values of the deciders for which every condition on binaries holds that is known at this step: the
  /// rows of the deciders by what z⁻ makes of the other signals, the equations of their outputs, and what ties them to
  /// each other. All of these are tables of truth values, so that nothing has to be solved.
  [[nodiscard]] CausalStep find() {
    problem_.binaries = static_cast<int>(variables_.size());
    problem_.deciders = static_cast<int>(deciders_.size());
    for (const int binary : variables_) problem_.before.push_back(before_.z[at(binary)]);
    add_constraints();
    for (const int output : std::span(variables_).subspan(deciders_.size())) add_equation_of(output);
    for (const Tie& tie : of_.ties_) add_tie(tie);
    BranchAndBound tree(std::move(problem_), false);
    SearchEffort effort;
    effort.most_nodes = AssignmentLimits{}.most_nodes;
    const BranchAndBound::Answer answer = tree.next(effort);
    if (answer.status == BranchAndBound::Status::limit)
      return {std::nullopt, "the next step of the logic of " + std::to_string(deciders_.size()) +
                                " binaries was sought in " + std::to_string(effort.most_nodes) +
                                " partial assignments only"};
    if (answer.status != BranchAndBound::Status::found)
      return {std::nullopt, widest_ == 0 ? ""
                                         : "the next step of the logic was sought without a condition on " +
                                               std::to_string(widest_) + " binaries (at most " +
                                               std::to_string(TruthTable::most_variables) + " are)"};
    Mode mode = before_;
    for (std::size_t i = 0; i < deciders_.size(); ++i)
      mode.z[at(deciders_[i])] = static_cast<char>(answer.z[i]);
    return {std::move(mode), ""};
  }

 private:
  /// Rows of the deciders with signals in them, at every vertex of theirs along the motion of z⁻: of s = [i ≥ i_max]
  /// the row (i − i_max)(1 − s) ≤ 0 with i as it is before o cuts it off. b and c decide as for a candidate; where z⁻
  /// has no motion, b with the last values.
  void add_constraints() {
    std::set<int> rows;
    for (const int binary : deciders_) {
      const std::span<const int> with = of_.rows_.g.with(signature_.binary_row(binary));
      rows.insert(with.begin(), with.end());
    }
    for (const int row : rows) {
      if (of_.rows_.g.is_logic(row)) continue;
      add_table(variables_in(of_.rows_.g.binaries(row)), [&](const auto& enter, unsigned vertex) {
        enter(vertex, [&](int signal, double value) { left_.at(signal, 0) = {value, 0.0}; });
        return stays_inside([&](int k) { return coefficient(row, k); }, instant_.time_uncertainty,
                            first_.motion ? orders_of_decision(of_.model_, first_.motion->system()) : 0);
      });
    }
  }

  /// Order k of the unfrozen row: signals by their series in the motion of z⁻, binaries by the vertex at order 0.
  [[nodiscard]] Ball coefficient(int row, int k) {
    if (first_.motion) {
      while (left_.orders() <= k) left_.add_order();
      for (const RowMap::Term& term : of_.rows_.g.terms(row))
        for (const RowMap::Factor& factor : of_.rows_.g.factors(term.column))
          if (moves(factor.signal))
            for (int order = 0; order <= k; ++order)
              left_.at(factor.signal, order) = first_.motion->signal(factor.signal, order);
    }
    return of_.rows_.g.coefficient(row, left_, k);
  }

  /// The signal has Taylor coefficients in the motion of z⁻.
  [[nodiscard]] bool moves(int signal) const {
    if (signal >= signature_.pre_row(0)) return false;
    if (signal >= signature_.binary_row(0))
      return slide_of(before_, signal - signature_.binary_row(0)) != nullptr;
    const int input = signal - signature_.input_row(0);
    return input < 0 || input >= signature_.m() || !signature_.inputs()[at(input)].binary;
  }

  /// None with an output that may join a slide: it need not be 0 or 1.
  void add_tie(const Tie& tie) {
    if (std::any_of(tie.binaries.begin(), tie.binaries.end(),
                    [&](int binary) { return std::binary_search(joining_.begin(), joining_.end(), binary); }))
      return;
    if (tie.kind != Tie::Kind::invariant) {
      const bool equation = tie.kind == Tie::Kind::equation;
      add_row(equation ? of_.rows_.f : of_.rows_.g, tie.index, tie.binaries, equation);
      return;
    }
    add_table(variables_in(tie.binaries), [&](const auto& enter, unsigned vertex) {
      enter(vertex, [](int, double) {});
      return of_.model_.invariants[at(tie.index)].evaluate([&](int row) { return v_[at(row)] != 0.0; });
    });
  }

  void add_equation_of(int output) {
    const int equation = of_.outputs_.equation_of(output);
    add_row(of_.outputs_.equations(), equation, of_.outputs_.binaries_of(equation), true);
  }

  void add_row(const RowMap& map, int row, std::span<const int> binaries, bool equation) {
    add_table(variables_in(binaries), [&](const auto& enter, unsigned vertex) {
      enter(vertex, [](int, double) {});
      const double value = map.value(row, v_), slack = value_rounding * map.magnitude(row, v_);
      return value <= slack && (!equation || value >= -slack);
    });
  }

  [[nodiscard]] std::vector<int> variables_in(std::span<const int> binaries) const {
    std::vector<int> variables;
    for (const int binary : binaries)
      if (place_[at(binary)] >= 0) variables.push_back(place_[at(binary)]);
    std::sort(variables.begin(), variables.end());
    return variables;
  }

  /// Conditions on more binaries than a table has room for are left out of the step.
  template <class Holds>
  void add_table(const std::vector<int>& variables, const Holds& holds) {
    if (variables.empty()) return;
    if (variables.size() > TruthTable::most_variables) {
      widest_ = std::max(widest_, variables.size());
      return;
    }
    const auto enter = [&](unsigned vertex, const auto& also) {
      for (std::size_t i = 0; i < variables.size(); ++i) {
        const int signal = signature_.binary_row(variables_[at(variables[i])]);
        v_[at(signal)] = vertex >> i & 1U;
        also(signal, v_[at(signal)]);
      }
    };
    check_budget();
    TruthTable table(variables, [&](unsigned vertex) { return holds(enter, vertex); });
    problem_.impossible = problem_.impossible || table.never();
    if (!table.always()) problem_.tables.push_back(std::move(table));
  }

  const CausalSteps& of_;
  const Signature& signature_;
  const Admissibility& first_;
  const Instant& instant_;
  const Mode& before_;
  std::vector<int> deciders_, variables_;  ///< variables: the deciders, then their outputs
  std::vector<int> joining_;               ///< ascending; outputs that follow from what slides
  std::vector<int> place_;                 ///< among the variables, by binary
  std::vector<double> v_;
  TaylorSeries left_;
  ConstraintProblem problem_;
  std::size_t widest_ = 0;  ///< binaries of the largest condition that was left out
};

CausalSteps::CausalSteps(const Model& model, const SignalRows& rows, const Dependencies& influence,
                         const Outputs& outputs)
    : model_(model), rows_(rows), influence_(influence), outputs_(outputs) {
  const Signature& signature = model.signature;
  remembered_.assign(at(signature.q()), 0);
  ties_with_.resize(at(signature.q()));
  for (const int binary : signature.pre()) remembered_[at(binary)] = 1;
  if (signature.pre().empty() || signature.is_discrete()) return;
  for (int row = 0; row < rows.f.rows(); ++row)
    if (outputs.outputs_of(row).empty() && rows.f.is_logic(row))
      add_tie(Tie::Kind::equation, row, rows.f.binaries(row));
  for (int row = 0; row < rows.g.rows(); ++row)
    if (rows.g.is_logic(row)) add_tie(Tie::Kind::constraint, row, rows.g.binaries(row));
  for (std::size_t i = 0; i < model.invariants.size(); ++i)
    add_tie(Tie::Kind::invariant, static_cast<int>(i), binaries_in(model.invariants[i], signature));
}

void CausalSteps::add_tie(Tie::Kind kind, int index, std::span<const int> binaries) {
  for (const int binary : binaries) ties_with_[at(binary)].push_back(static_cast<int>(ties_.size()));
  ties_.push_back({kind, index, {binaries.begin(), binaries.end()}});
}

/// The closure: a decider moves the outputs behind it, and whatever stands in one tie moves together, since the tie may
/// hold for no other values of the rest.
std::vector<int> CausalSteps::reached_from(std::span<const int> deciders) const {
  std::set<int> reached(deciders.begin(), deciders.end());
  std::vector<int> open(deciders.begin(), deciders.end());
  const auto reach = [&](int binary) {
    if (reached.insert(binary).second) open.push_back(binary);
  };
  std::vector<char> tie_seen(ties_.size(), 0);
  while (!open.empty()) {
    const int binary = open.back();
    open.pop_back();
    if (!outputs_.is_output(binary))
      for (const int output : outputs_.outputs_behind(std::span(&binary, 1))) reach(output);
    for (const int tie : ties_with_[at(binary)])
      if (std::exchange(tie_seen[at(tie)], 1) == 0)
        for (const int decider : outputs_.deciders_behind(ties_[at(tie)].binaries)) reach(decider);
  }
  return {reached.begin(), reached.end()};
}

/// A diode that an input turns on at the instant of a trip has nothing to do with the trip: along the motion of z⁻, in which it
/// is off, its rows may hold for no value. The next pose is its turn. What nothing but an output shares is not joined by it.
std::vector<int> CausalSteps::with_memory(const std::vector<int>& deciders) const {
  DisjointSets groups(static_cast<int>(deciders.size()));
  std::map<int, int> first_to_reach, first_in_row;
  std::vector<char> remembers(deciders.size(), 0);
  for (std::size_t i = 0; i < deciders.size(); ++i) {
    const int place = static_cast<int>(i);
    for (const int binary : reached_from(std::span(&deciders[i], 1))) {
      if (remembered_[at(binary)] != 0) remembers[i] = 1;
      if (!outputs_.is_output(binary))
        groups.join(place, first_to_reach.try_emplace(binary, place).first->second);
      for (const int row : rows_.g.with(model_.signature.binary_row(binary)))
        groups.join(place, first_in_row.try_emplace(row, place).first->second);
    }
  }
  std::set<int> groups_with_memory;
  for (std::size_t i = 0; i < deciders.size(); ++i)
    if (remembers[i] != 0) groups_with_memory.insert(groups.of(static_cast<int>(i)));
  std::vector<int> kept;
  for (std::size_t i = 0; i < deciders.size(); ++i)
    if (groups_with_memory.contains(groups.of(static_cast<int>(i)))) kept.push_back(deciders[i]);
  return kept;
}

CausalStep CausalSteps::find(const SwitchingProblem& problem, const Admissibility& first,
                             const Mode& before) const {
  if (model_.signature.pre().empty() || model_.is_discrete()) return {};
  // What has happened by z⁻ alone: the rows that it breaks name the deciders that have seen something (triggered), the
  // surfaces that it leaves give back their binaries (released).
  Mode mode = before;
  std::set<int> triggered, released;
  if (first.rejection == Rejection::not_attracting)
    return {};  // which side the motion leaves for is not known
  // Nor is it of surfaces that a side leaves while θ is between 0 and 1: they are kept for this step.
  const std::size_t own_rows = first.constraints.size() - first.sides_that_leave;
  for (const int row : std::span(first.constraints).first(own_rows)) {
    if (row < model_.constraints()) {
      const auto binaries = influence_.of_constraint(row);
      triggered.insert(binaries.begin(), binaries.end());
    } else {
      // θ has reached 0 or 1: its binaries go on with the side reached.
      const int bound = row - model_.constraints();
      const Slide& slide = before.slides[at(bound / 2)];
      for (std::size_t i = 0; i < slide.binaries.size(); ++i)
        mode.z[at(slide.binaries[i])] = bound % 2 == 0 ? slide.below[i] : slide.above[i];
      std::erase(mode.slides, slide);
      released.insert(slide.binaries.begin(), slide.binaries.end());
    }
  }
  // Only an equation of binaries alone is decided before the motion is; any other may have ẋ or y to fulfil it with.
  for (const int row : first.failure.equations)
    if (row < model_.equations() && rows_.f.is_logic(row)) {
      const auto binaries = influence_.of_equation(row);
      triggered.insert(binaries.begin(), binaries.end());
    }
  std::vector<int> from = outputs_.deciders_behind(std::vector<int>(triggered.begin(), triggered.end()));
  std::erase_if(from, [&](int binary) { return slide_of(mode, binary) != nullptr; });
  for (const int binary : released)
    if (!outputs_.is_output(binary)) from.push_back(binary);
  // All that can move in the same step. If pre(z) remembers none of it, the next pose would be this one again.
  std::vector<int> deciders = reached_from(with_memory(from));
  if (deciders.empty()) return {};
  std::erase_if(deciders, [&](int binary) {
    return outputs_.is_output(binary) || released.contains(binary) || slide_of(mode, binary) != nullptr;
  });
  settle_outputs(outputs_, mode);
  if (!deciders.empty()) {
    CausalStep flipped = Step(*this, problem, first, mode, std::move(deciders)).find();
    if (!flipped.mode) return flipped;
    mode = std::move(*flipped.mode);
    settle_outputs(outputs_, mode);
  }
  return {mode == before ? std::nullopt : std::optional(std::move(mode)), ""};
}

}  // namespace mti
