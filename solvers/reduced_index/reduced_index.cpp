#include "solvers/reduced_index/reduced_index.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "mti/printing/print.hpp"
#include "mti/text/parse.hpp"
#include "solvers/linearization/linearization_points.hpp"
#include "solvers/reduced_index/lower_rows.hpp"
#include "solvers/reduced_index/replicates.hpp"
#include "solvers/reduced_index/restart_rows.hpp"

namespace mti {
namespace {

/// A state is where equations put its signal if they differ by less than this part of the nominal value: more than the error of
/// any integration that is of use, less than any jump that matters.
constexpr double continuous = 1e-4;

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
  static std::string operand(const std::string& text) {
    return rewritten(text, [](const std::string&) { return std::nullopt; }).at(1);
  }
  const Replicates& replicates_;
  std::vector<std::pair<ModeSet, std::string>> parts_;
};

class Reduction {
 public:
  explicit Reduction(const Source& source) : replicates_(source), lower_(replicates_), out_(source) {}

  Source write() {
    if (is_reduced()) return std::move(out_);
    out_.states.clear();
    out_.algebraic.clear();
    out_.equations.clear();
    out_.scenarios.clear();
    restarts_ = restart_rows(replicates_);
    name_states();
    write_signals();
    pair_absent();
    for (int i = 0; i < replicates_.equations(); ++i) write_equation(i);
    write_lower();
    rewrite_references();
    write_restarts();
    if (!replicates_.singular_modes().empty())
      out_.invariants.push_back("not (" + replicates_.singular_modes() + ")");
    for (const InputSource& rate : replicates_.input_rates()) out_.inputs.push_back(rate);
    return std::move(out_);
  }

 private:
  using Names = std::map<std::string, std::string, std::less<>>;

  [[nodiscard]] const Source& source() const { return replicates_.source(); }

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

  /// A state of the model that is one in all modes.
  [[nodiscard]] bool is_kept(int signal) const {
    const Replicate value{.signal = signal, .order = 0};
    return replicates_.is_state(signal) && replicates_.most(signal) > 0 &&
           lower_.is_state(value) == replicates_.modes() && lower_.moved_by(value).empty();
  }

  /// Its slope is a signal of its own then: what sets the state replaces der(x) = der_x alone.
  [[nodiscard]] bool is_set_anew(int signal) const {
    const std::string target = replicates_.name({.signal = signal, .order = 0}) + " =";
    for (const TransitionSource& law : source().transitions)
      for (const std::string& equation : law.equations)
        if (equation.starts_with(target) && !law.replaces.empty()) return true;
    return std::ranges::any_of(restarts_, [&](const RestartRows& restart) {
      return !restart.rows.empty() && std::ranges::any_of(restart.after, [&](const RestartRows::After& after) {
        return after.replicate == Replicate{.signal = signal, .order = 0};
      });
    });
  }

  void name_states() {
    for (int j = 0; j < replicates_.signals(); ++j) {
      if (is_kept(j)) {
        const std::string& name = replicates_.name({.signal = j, .order = 0});
        states_[{.signal = j, .order = 0}] = name;
        if (replicates_.most(j) == 1 && !is_set_anew(j))
          slopes_[replicates_.name({.signal = j, .order = 1})] = "der(" + name + ")";
      }
      for (int order = 0; order < replicates_.most(j); ++order) {
        const Replicate one{.signal = j, .order = order};
        if (states_.contains(one) || lower_.is_state(one).empty()) continue;
        states_[one] = replicates_.fresh("s_" + replicates_.name(one));
      }
    }
  }

  /// Texts in replicates, with der(x) for those of states that stay.
  [[nodiscard]] WrittenTerm final_term(const std::string& expression) const {
    return rewritten(expression, [this](const std::string& name) -> std::optional<WrittenTerm> {
      const auto found = slopes_.find(name);
      return found == slopes_.end() ? std::nullopt : std::optional(name_term(found->second));
    });
  }
  [[nodiscard]] std::string final_equation(const std::string& text) const {
    const std::size_t equal = text.find('=');
    return final_term(text.substr(0, equal)).at(1) + " = " + final_term(text.substr(equal + 1)).text;
  }
  void add_equation(const std::string& name, const std::string& text) {
    out_.equations.emplace_back(name, final_equation(text));
  }

  void write_signals() {
    find_start();
    // The run begins in the mode that the model's begins in: what it asks for before is no change to be followed.
    if (!start_.empty())
      for (std::size_t i = 0; i < source().binaries.size(); ++i)
        out_.binaries[i].start =
            start_[at(replicates_.model().signature.binary_row(static_cast<int>(i)))] > 0.5 ? 1.0 : 0.0;
    for (int j = 0; j < replicates_.signals(); ++j) {
      const Replicate value{.signal = j, .order = 0};
      const std::string& name = replicates_.name(value);
      if (replicates_.is_state(j)) {
        StateSource state = source().states[at(j)];
        state.start = start_of(value, state.start);
        if (is_kept(j)) {
          out_.states.push_back(state);
        } else {
          out_.algebraic.push_back(
              {.name = name, .start = state.start, .unit = state.unit, .nominal = state.nominal});
          if (const auto own = states_.find(value); own != states_.end()) {
            state.name = own->second;
            out_.states.push_back(state);
          }
        }
      } else {
        const AlgebraicSource& signal = source().algebraic[at(j) - source().states.size()];
        out_.algebraic.push_back(signal);
        if (const auto own = states_.find(value); own != states_.end())
          out_.states.push_back({.name = own->second,
                                 .start = start_of(value, signal.start),
                                 .unit = signal.unit,
                                 .nominal = signal.nominal});
      }
      for (int order = 1; order <= replicates_.most(j); ++order) {
        const Replicate one{.signal = j, .order = order};
        if (!slopes_.contains(replicates_.name(one)))
          out_.algebraic.push_back({.name = replicates_.name(one), .start = start_of(one, 0.0)});
        if (const auto own = states_.find(one); own != states_.end())
          out_.states.push_back({.name = own->second, .start = start_of(one, 0.0)});
      }
    }
  }

  /// Where the run of the model begins; nothing if that cannot be told.
  void find_start() {
    try {
      start_ = start_of_run(replicates_.model());
    } catch (const FaultError&) {
      start_.clear();  // a run says what is wrong with its start
    }
  }

  /// The declared value, with its parameters, if the run begins there.
  [[nodiscard]] Number start_of(Replicate one, const Number& declared) const {
    const Signature& signature = replicates_.model().signature;
    if (start_.empty() || one.order > 1) return declared;
    const int j = one.signal;
    if (replicates_.is_state(j)) {
      const double value = start_[at(one.order == 0 ? signature.state_row(j) : signature.derivative_row(j))];
      const double given = one.order == 0 ? replicates_.model().x_start[at(j)] : std::nan("");
      if (std::abs(value - given) <= 1e-9 * std::max(1.0, std::abs(value))) return declared;
      return std::isfinite(value) ? Number(value) : declared;
    }
    if (one.order > 0) return declared;
    const double value = start_[at(signature.algebraic_row(j - signature.n()))];
    return std::isfinite(value) ? Number(value) : declared;
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
      out_.equations.back().text = references_renamed(own.text);
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
      add_equation(replicates_.fresh("bound_by_" + derivative_of_equation(row)), branches.equation());
    }
  }

  [[nodiscard]] std::string derivative_of_equation(const LowerRow& row) const {
    return std::string(row.order == 0   ? ""
                       : row.order == 1 ? "der_"
                                        : "der2_") +
           replicates_.equation_name(row.equation);
  }

  /// What tells a replicate below what leads, and the state that does.
  void write_lower(Replicate one) {
    const std::string& name = replicates_.name(one);
    const std::string& next = replicates_.name({.signal = one.signal, .order = one.order + 1});
    const ModeSet lower = replicates_.lower(one);
    const auto state = states_.find(one);
    if (state != states_.end() && state->second == name) {  // a state that stays
      if (!slopes_.contains(next))
        add_equation(replicates_.fresh("slope_of_" + name), "der(" + name + ") = " + next);
      return;
    }
    Branches branches(replicates_);
    for (const LowerRow* row : lower_.given_by(one)) branches.add(row->where, row->text);
    if (state != states_.end()) {
      std::string told = name + " - " + state->second;
      for (const LowerRow* row : lower_.moved_by(one))
        told += " - (" + row->gradient.at(one) + ")*" + row->multiplier;
      branches.add(lower_.is_state(one), told);
    }
    branches.add(replicates_.modes() - lower, next);
    add_equation(replicates_.fresh("value_of_" + name), branches.equation());
    if (state == states_.end()) return;
    const std::string slope = lower == replicates_.modes()
                                  ? next
                                  : "if " + replicates_.condition(lower) + " then " + next + " else 0";
    out_.equations.emplace_back(replicates_.fresh("slope_of_" + state->second),
                                "der(" + state->second + ") = " + final_term(slope).text);
  }

  /// der(x) of states that have become signals, in relations that stay.
  [[nodiscard]] std::string references_renamed(const std::string& relation) const {
    const text::Relation parsed = text::parse_relation(relation);
    bool changes = false;
    const Replacement replacement = [&](const std::string& name) -> std::optional<WrittenTerm> {
      if (!name.starts_with("der(")) return std::nullopt;
      const auto found = replicates_.find(name.substr(4, name.size() - 5));
      if (!found) return std::nullopt;
      const bool moves = replicates_.most(found->signal) > 0;
      const std::string slope = moves ? replicates_.name({.signal = found->signal, .order = 1}) : "";
      if (slopes_.contains(slope)) return std::nullopt;
      changes = true;
      return moves ? name_term(slope) : number_term(0.0);
    };
    const WrittenTerm left = rewritten(parsed.left, replacement),
                      right = rewritten(parsed.right, replacement);
    if (!changes) return relation;
    using Comparison = text::Relation::Comparison;
    return left.at(1) +
           (parsed.comparison == Comparison::equal        ? " = "
            : parsed.comparison == Comparison::less_equal ? " <= "
                                                          : " >= ") +
           right.text;
  }

  /// The state that holds what a law or when sets.
  [[nodiscard]] std::string state_to_set(const std::string& name, const std::string& pointer) const {
    const auto found = replicates_.find(name);
    if (!found || found->order > 0) return name;
    const auto state = states_.find(*found);
    if (state == states_.end())
      throw InvalidModel("modelica-unwritable", pointer, name + " is set, and is a state in no mode");
    return state->second;
  }

  void rewrite_references() {
    for (RelationSource& constraint : out_.constraints) constraint.text = references_renamed(constraint.text);
    for (std::size_t i = 0; i < out_.transitions.size(); ++i)
      rewrite_law(out_.transitions[i], "/transitions/" + std::to_string(i));
    for (std::size_t i = 0; i < out_.whens.size(); ++i)
      for (auto& [target, value] : out_.whens[i].set)
        target = state_to_set(target, "/when/" + std::to_string(i));
  }

  /// A law sets the state of a signal, whose slope is a signal of its own: der(s) = der_x alone is replaced.
  void rewrite_law(TransitionSource& law, const std::string& pointer) const {
    for (std::string& equation : law.equations) {
      const text::Relation relation = text::parse_relation(equation);
      const bool of_left_limits =
          std::ranges::none_of(names_in(equation.substr(relation.right.begin)), [this](const std::string& name) {
            return replicates_.find(name).has_value();
          });
      if (relation.left.kind != text::Node::Kind::name || !of_left_limits)
        throw InvalidModel("modelica-unwritable", pointer,
                           "the law " + law.when + ": " + equation +
                               " is no reset of a state to a value of left limits, which a model whose index is "
                               "reduced can hold");
      const std::string target(relation.left.name);
      require_own_impulse(target, law, pointer);
      equation.replace(equation.find(target), target.size(), state_to_set(target, pointer));
    }
    law.replaces.clear();
  }

  /// What the law replaces may carry an impulse that acts on its state alone: others would have to jump, too.
  void require_own_impulse(const std::string& target, const TransitionSource& law, const std::string& pointer) const {
    const auto holds = [](const RelationSource& equation, const std::string& name) {
      const text::Relation relation = text::parse_relation(equation.text);
      return names_in(equation.text.substr(relation.left.begin, relation.left.end - relation.left.begin))
                 .contains(name) ||
             names_in(equation.text.substr(relation.right.begin)).contains(name);
    };
    const auto is_replaced = [&](std::size_t i) {
      return std::ranges::find(law.replaces, replicates_.equation_name(static_cast<int>(i))) != law.replaces.end();
    };
    if (law.replaces.empty()) return;
    for (std::size_t row = 0; row < source().equations.size(); ++row) {
      if (!holds(source().equations[row], "der(" + target + ")")) continue;
      for (const AlgebraicSource& signal : source().algebraic)
        for (std::size_t i = 0; i < source().equations.size(); ++i)
          if (holds(source().equations[row], signal.name) && i != row && !is_replaced(i) &&
              holds(source().equations[i], signal.name))
            throw InvalidModel("modelica-unwritable", pointer,
                               "the law " + law.when + " leaves an impulse of " + signal.name +
                                   " to other equations, which no reset does");
    }
  }

  void write_restarts() {
    std::map<Replicate, ModeSet> set;
    for (const RestartRows& restart : restarts_) {
      if (restart.rows.empty()) {
        for (const RestartRows::After& after : restart.after) assert_continuous(after.replicate, restart.where);
        continue;
      }
      std::vector<std::string> resets;
      Names before;  // what a state holds is not changed by the change of modes itself
      for (const RestartRows::After& after : restart.after) {
        out_.algebraic.push_back({.name = after.name});
        const auto state = states_.find(after.replicate);
        if (state == states_.end()) continue;
        if (replicates_.lower(after.replicate) == replicates_.modes())
          before[replicates_.name(after.replicate)] = state->second;
        resets.push_back(state->second + " = pre(" + after.name + ")");
        set[after.replicate] |= restart.where;
      }
      for (const std::string& impulse : restart.impulses) out_.algebraic.push_back({.name = impulse});
      const Replacement in_states = [&before](const std::string& one) {
        const auto found = before.find(one);
        return found == before.end() ? std::nullopt : std::optional(name_term(found->second));
      };
      for (const auto& [name, residual] : restart.rows)
        add_equation(name, "0 = " + rewritten(residual, in_states).text);
      judge_impulses(restart, in_states);
      write_reset(restart.where, std::move(resets));
    }
    // A state that does not follow its signal everywhere begins with it.
    for (const auto& [replicate, state] : states_) {
      const ModeSet lower = replicates_.lower(replicate);
      if (lower == replicates_.modes()) continue;
      const ModeSet where = lower - (set.contains(replicate) ? set.at(replicate) : ModeSet::none());
      if (!where.empty()) write_reset(where, {state + " = pre(" + replicates_.name(replicate) + ")"});
    }
  }

  /// A constraint whose weight at the change would be positive forbids the mode: a binary says so beforehand.
  void judge_impulses(const RestartRows& restart, const Replacement& in_states) {
    for (std::size_t i = 0; i < source().constraints.size(); ++i) {
      const RelationSource& constraint = source().constraints[i];
      const text::Relation relation = text::parse_relation(constraint.text);
      const std::string residual =
          rewritten_residual(constraint.text, replicates_.in_replicates(restart.where)).text;
      WrittenTerm weight = number_term(0.0);
      for (const auto& [name, own] : restart.weights) {
        const WrittenTerm slope = derivative(residual, [&](const std::string& other) {
          return other == name ? std::optional(number_term(1.0)) : std::nullopt;
        });
        for (const std::string& one : names_in(slope.text))
          if (restart.weights.contains(one))
            throw InvalidModel("modelica-unwritable", "/constraints/" + std::to_string(i),
                               constraint.text + " multiplies signals that carry impulses");
        weight = weight + slope * rewritten(own, [](const std::string&) { return std::nullopt; });
      }
      if (weight.is(0.0)) continue;
      if (relation.comparison == text::Relation::Comparison::greater_equal) weight = number_term(0.0) - weight;
      const std::string begun = begun_in(restart.where),
                        forbidden = replicates_.fresh("forbids_" + begun.substr(std::string("begins").size()));
      out_.binaries.push_back({.name = forbidden});
      out_.equations.emplace_back(replicates_.fresh("where_" + forbidden),
                                  forbidden + " = (" + rewritten(weight.text, in_states).at(1) + " > " +
                                      text::format_number(continuous) + ")");
      out_.constraints.emplace_back(
          replicates_.fresh("impulse_of_" + (constraint.name.empty() ? "c" + std::to_string(i + 1) : constraint.name)),
          begun + "*(1 - pre(" + begun + "))*pre(" + forbidden + ") <= 0");
    }
  }

  /// Where equations give what a state follows, that is where the state is. Otherwise the mode would move it without a
  /// balance of impulses, and is no mode to go on in.
  void assert_continuous(Replicate one, const ModeSet& where) {
    const auto state = states_.find(one);
    if (state == states_.end() || replicates_.lower(one) != replicates_.modes()) return;
    if ((where - lower_.is_state(one)).empty() && lower_.moved_by(one).empty()) return;
    const std::string& name = replicates_.name(one);
    const std::string begun = begun_in(where), difference = "(" + name + " - " + state->second + ")*" + begun;
    const double nominal = nominal_of(one.signal);
    const std::string bound = text::format_number(continuous * nominal);
    for (const char* sign : {"", "-"})
      out_.constraints.emplace_back(
          replicates_.fresh(name + (*sign == 0 ? "_not_above_" : "_not_below_") + state->second),
          sign + difference + " <= " + bound);
  }

  /// What is set where modes begin. A binary says that they have; the law is part of the change, so that its left limits
  /// are those before it.
  void write_reset(const ModeSet& where, std::vector<std::string> equations) {
    if (equations.empty()) return;
    std::string condition = replicates_.condition(where);
    const bool falls = condition.starts_with("not ");
    if (falls) condition.erase(0, 4);
    const bool is_binary =
        std::ranges::find(source().binaries, condition, &BinarySource::name) != source().binaries.end();
    out_.transitions.push_back(
        {.when = (is_binary ? (falls ? "fall(" : "rise(") + condition : "rise(" + begun_in(where)) + ")",
         .equations = std::move(equations)});
  }

  /// The binary that is 1 in these modes.
  std::string begun_in(const ModeSet& where) {
    auto begun = std::ranges::find(begun_, where, &Begun::where);
    if (begun == begun_.end()) {
      begun_.push_back({where, replicates_.fresh("begins" + std::to_string(begun_.size() + 1))});
      begun = begun_.end() - 1;
      out_.binaries.push_back({.name = begun->name, .start = begins_in(where) ? 1.0 : 0.0});
      out_.equations.emplace_back(replicates_.fresh("where_" + begun->name),
                                  begun->name + " = (" + replicates_.condition(where) + ")");
    }
    return begun->name;
  }

  /// Whether the run begins in these modes: nothing is set anew there.
  [[nodiscard]] bool begins_in(const ModeSet& where) const {
    if (!start_.empty()) return replicates_.is_in(where, start_);
    std::vector<double> v(at(replicates_.model().signature.size()));
    for (std::size_t i = 0; i < replicates_.model().z_start.size(); ++i)
      v[at(replicates_.model().signature.binary_row(static_cast<int>(i)))] = replicates_.model().z_start[i];
    return replicates_.is_in(where, v);
  }

  [[nodiscard]] double nominal_of(int signal) const {
    const Signature& signature = replicates_.model().signature;
    return replicates_.is_state(signal) ? signature.states()[at(signal)].nominal
                                        : signature.algebraic()[at(signal - signature.n())].nominal;
  }

  struct Begun {
    ModeSet where;
    std::string name;
  };
  Replicates replicates_;
  LowerRows lower_;
  Source out_;
  std::map<Replicate, std::string> states_;
  Names slopes_;
  std::map<int, int> absent_;
  std::vector<RestartRows> restarts_;
  std::vector<Begun> begun_;
  std::vector<double> start_;
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
