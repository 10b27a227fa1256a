#include "solvers/reduced_index/reduced_index.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <variant>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/printing/print.hpp"
#include "mti/text/parse.hpp"
#include "solvers/reduced_index/law_rewriting.hpp"
#include "solvers/reduced_index/lower_rows.hpp"
#include "solvers/reduced_index/replicates.hpp"
#include "solvers/reduced_index/reset_writer.hpp"
#include "solvers/reduced_index/restart_rows.hpp"
#include "solvers/reduced_index/told_states.hpp"

namespace mti {
namespace {

/// Branches of an equation 0 = if … then … else …, by the modes in which they hold; the last one is the rest.
class Branches {
 public:
  explicit Branches(const Replicates& replicates) : replicates_(replicates) {}

  void add(const ModeSet& where, std::string residual) {
    if (!where.empty()) parts_.emplace_back(where, std::move(residual));
  }
  [[nodiscard]] std::string equation() const {
    if (parts_.size() == 1) return "0 = " + parts_.front().second;
    std::string text = "0 = ";
    for (std::size_t i = 0; i + 1 < parts_.size(); ++i)
      text += (i == 0 ? "if " : " elseif ") + replicates_.condition(parts_[i].first) + " then " +
              operand(parts_[i].second);
    return text + " else " + operand(parts_.back().second);
  }

 private:
  static std::string operand(const std::string& text) { return term_of(text).at(1); }
  const Replicates& replicates_;
  std::vector<std::pair<ModeSet, std::string>> parts_;
};

/// The state whose start values are the past of delay(x, T), without a third argument; empty if there is none.
std::string delayed_from_start(const text::Node& node) {
  if (node.kind == text::Node::Kind::call && node.name == "delay" && node.operands.size() == 2 &&
      node.operands.front().kind == text::Node::Kind::name)
    return std::string(node.operands.front().name);
  for (const text::Node& operand : node.operands)
    if (std::string found = delayed_from_start(operand); !found.empty()) return found;
  return {};
}

class Reduction {
 public:
  explicit Reduction(const Source& source)
      : replicates_(source),
        lower_(replicates_),
        restarts_(restart_rows(replicates_)),
        told_(replicates_, lower_, restarts_),
        out_(source) {}

  Source write() {
    exclude_singular_modes();
    if (is_reduced()) return std::move(out_);
    out_.states.clear();
    out_.algebraic.clear();
    out_.equations.clear();
    out_.scenarios.clear();
    write_signals();
    require_pasts();
    pair_absent();
    for (int i = 0; i < replicates_.equations(); ++i) write_equation(i);
    write_lower();
    for (RelationSource& constraint : out_.constraints)
      constraint.text = told_.written_relation(constraint.text);
    rewrite_laws(replicates_, lower_, told_, out_);
    ResetWriter(replicates_, lower_, told_, out_).write(restarts_);
    for (const InputSource& rate : replicates_.input_rates()) out_.inputs.push_back(rate);
    return std::move(out_);
  }

 private:
  [[nodiscard]] const Source& source() const { return replicates_.source(); }

  /// A run does not come there, but a tool that keeps one structure looks at them.
  void exclude_singular_modes() {
    if (!replicates_.singular_modes().empty())
      out_.invariants.push_back("not (" + replicates_.singular_modes() + ")");
  }

  /// c = 0 and the same d in all modes.
  [[nodiscard]] bool is_reduced() const {
    for (int i = 0; i < replicates_.equations(); ++i)
      if (replicates_.most_differentiated(i) > 0 || !replicates_.vanishes(i).empty()) return false;
    for (int j = 0; j < replicates_.signals(); ++j) {
      if (!replicates_.absent(j).empty()) return false;
      for (int k = 0; k < replicates_.most(j); ++k)
        if (replicates_.lower({.signal = j, .order = k}) != replicates_.modes()) return false;
    }
    return true;
  }

  /// A start that jumps is written as what it jumps to, which is no past of before it.
  void require_pasts() const {
    std::map<std::string, std::string> delayed;  // to where it stands
    for (std::size_t i = 0; i < source().equations.size(); ++i) {
      const text::Relation relation = text::parse_relation(source().equations[i].text);
      for (const text::Node* side : {&relation.left, &relation.right})
        if (const std::string name = delayed_from_start(*side); !name.empty())
          delayed.emplace(name, "/equations/" + std::to_string(i));
    }
    for (std::size_t i = 0; i < source().inputs.size(); ++i)
      if (const auto* delay = std::get_if<DelaySource>(&source().inputs[i].form);
          delay != nullptr && !delay->before)
        delayed.emplace(delay->of, "/inputs/" + std::to_string(i));
    for (int j = 0; j < static_cast<int>(source().states.size()); ++j) {
      const StateSource& state = source().states[at(j)];
      const auto found = delayed.find(state.name);
      if (found != delayed.end() && told_.start_of({.signal = j, .order = 0}, state.start) != state.start)
        throw InvalidModel("modelica-unwritable", found->second,
                           "the past of " + state.name +
                               " is its start value, with which the run does not begin: expected delay(" +
                               state.name + ", T, h) with the past h, or a start that does not jump");
    }
  }

  void add_equation(const std::string& name, const std::string& text) {
    out_.equations.emplace_back(name, told_.written_equation(text));
  }

  void write_signals() {
    // The run begins in the mode that the model's begins in: what it asks for before is no change to be followed.
    if (!told_.start().empty())
      for (std::size_t i = 0; i < source().binaries.size(); ++i)
        out_.binaries[i].start =
            told_.start()[at(replicates_.model().signature.binary_row(static_cast<int>(i)))] > 0.5 ? 1.0
                                                                                                   : 0.0;
    for (int j = 0; j < replicates_.signals(); ++j) {
      const Replicate value{.signal = j, .order = 0};
      const std::string& name = replicates_.name(value);
      if (replicates_.is_state(j)) {
        StateSource state = source().states[at(j)];
        state.start = told_.start_of(value, state.start);
        if (told_.is_kept(j)) {
          out_.states.push_back(state);
        } else {
          out_.algebraic.push_back(
              {.name = name, .start = state.start, .unit = state.unit, .nominal = state.nominal});
          if (const std::string* own = told_.state_of(value)) {
            state.name = *own;
            out_.states.push_back(state);
          }
        }
      } else {
        const AlgebraicSource& signal = source().algebraic[at(j) - source().states.size()];
        out_.algebraic.push_back(signal);
        if (const std::string* own = told_.state_of(value))
          out_.states.push_back({.name = *own,
                                 .start = told_.start_of(value, signal.start),
                                 .unit = signal.unit,
                                 .nominal = signal.nominal});
      }
      for (int order = 1; order <= replicates_.most(j); ++order) {
        const Replicate one{.signal = j, .order = order};
        if (!told_.is_slope(replicates_.name(one)))
          out_.algebraic.push_back({.name = replicates_.name(one), .start = told_.start_of(one, 0.0)});
        if (const std::string* own = told_.state_of(one))
          out_.states.push_back({.name = *own, .start = told_.start_of(one, 0.0)});
      }
    }
  }

  /// Equations that say nothing in a mode leave as many signals that occur nowhere; these are 0 there, states held.
  void pair_absent() {
    std::vector<int> signals;
    for (int j = 0; j < replicates_.signals(); ++j)
      if (!replicates_.absent(j).empty()) signals.push_back(j);
    for (int i = 0; i < replicates_.equations(); ++i) {
      const ModeSet& vanishes = replicates_.vanishes(i);
      if (vanishes.empty()) continue;
      const auto partner =
          std::ranges::find_if(signals, [&](int j) { return replicates_.absent(j) == vanishes; });
      if (partner == signals.end())
        throw InvalidModel("no-state-selection", "/equations/" + std::to_string(i),
                           replicates_.equation_name(i) + ": says nothing where " +
                               replicates_.condition(vanishes) +
                               ", and no signal is absent in just these modes");
      absent_[i] = *partner;
      signals.erase(partner);
    }
    if (!signals.empty())
      throw InvalidModel("no-state-selection", "",
                         replicates_.name({.signal = signals.front(), .order = 0}) +
                             ": is absent in some modes, and no equation says nothing in just these");
  }

  [[nodiscard]] std::string leading_in(int signal, const ModeSet& where) const {
    for (int order = 0; order <= replicates_.most(signal); ++order)
      if ((where - replicates_.leads({.signal = signal, .order = order})).empty())
        return replicates_.name({.signal = signal, .order = order});
    throw InvalidModel("no-state-selection", "",
                       replicates_.name({.signal = signal, .order = 0}) +
                           ": where it is absent it has not one derivative that leads");
  }

  void write_equation(int i) {
    const RelationSource& own = source().equations[at(i)];
    if (replicates_.is_rule(i)) {
      out_.equations.push_back(own);
      return;
    }
    const ModeSet& vanishes = replicates_.vanishes(i);
    if (replicates_.most_differentiated(i) == 0 && vanishes.empty()) {
      out_.equations.push_back(own);
      out_.equations.back().text = told_.written_relation(own.text);
      return;
    }
    Branches branches(replicates_);
    for (int c = replicates_.most_differentiated(i); c >= 0; --c)
      if (const ModeSet where = replicates_.holds(i, c); !where.empty())
        branches.add(where, replicates_.residual(i, c, where));
    if (!vanishes.empty()) branches.add(vanishes, leading_in(absent_.at(i), vanishes));
    add_equation(replicates_.equation_name(i), branches.equation());
  }

  void write_lower() {
    for (int j = 0; j < replicates_.signals(); ++j)
      for (int order = 0; order < replicates_.most(j); ++order) write_lower({.signal = j, .order = order});
    for (const LowerRow& row : lower_.rows()) {
      if (row.multiplier.empty()) continue;
      out_.algebraic.push_back({.name = row.multiplier});
      Branches branches(replicates_);
      branches.add(row.where, row.text);
      branches.add(replicates_.modes() - row.where, row.multiplier);
      add_equation(replicates_.fresh("bound_by_" +
                                     name_of_derivative(replicates_.equation_name(row.equation), row.order)),
                   branches.equation());
    }
  }

  /// What tells a replicate below what leads, and the state that does.
  void write_lower(Replicate one) {
    const std::string& name = replicates_.name(one);
    const std::string& next = replicates_.name({.signal = one.signal, .order = one.order + 1});
    const ModeSet lower = replicates_.lower(one);
    const std::string* state = told_.state_of(one);
    if (state != nullptr && *state == name) {  // a state that stays
      if (!told_.is_slope(next))
        add_equation(replicates_.fresh("slope_of_" + name), "der(" + name + ") = " + next);
      return;
    }
    Branches branches(replicates_);
    for (const LowerRow* row : lower_.given_by(one)) branches.add(row->where, row->text);
    if (state != nullptr) {
      std::string told = name + " - " + *state;
      for (const LowerRow* row : lower_.moved_by(one))
        told += " - (" + row->gradient.at(one) + ")*" + row->multiplier;
      branches.add(lower_.is_state(one), told);
    }
    branches.add(replicates_.modes() - lower, next);
    add_equation(replicates_.fresh("value_of_" + name), branches.equation());
    if (state == nullptr) return;
    const std::string slope = lower == replicates_.modes()
                                  ? next
                                  : "if " + replicates_.condition(lower) + " then " + next + " else 0";
    out_.equations.emplace_back(replicates_.fresh("slope_of_" + *state),
                                "der(" + *state + ") = " + told_.written(slope).text);
  }

  Replicates replicates_;
  LowerRows lower_;
  std::vector<RestartRows> restarts_;
  ToldStates told_;
  Source out_;
  std::map<int, int> absent_ = {};
};

void require_writable(const Source& source) {
  const auto refuse = [](const std::string& pointer, const std::string& what) {
    throw InvalidModel("modelica-unwritable", pointer, what + " has no reduced index here");
  };
  if (source.sample_time) refuse("/sample_time", "a model of discrete time");
  if (!source.clocks.empty()) refuse("/sample", "a model with clocks");
  if (!source.initial.empty() || !std::ranges::all_of(source.states, &StateSource::fixed))
    refuse("/initial", "a model with initial equations");
}

}  // namespace

Source reduced_index(const Source& source) {
  require_writable(source);
  if (source.matrices || source.explicit_form || source.state_space)
    return Reduction(to_equations(build(source))).write();
  return Reduction(source).write();
}

}  // namespace mti
