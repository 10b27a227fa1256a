#include "solvers/reduced_index/told_states.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/text/parse.hpp"
#include "solvers/linearization/linearization_points.hpp"

namespace mti {

ToldStates::ToldStates(Replicates& replicates, const LowerRows& lower,
                       const std::vector<RestartRows>& restarts)
    : replicates_(replicates), lower_(lower) {
  name_states(restarts);
  find_start();
}

const std::string* ToldStates::state_of(Replicate replicate) const {
  const auto found = states_.find(replicate);
  return found == states_.end() ? nullptr : &found->second;
}

/// A state of the model that is one in all modes.
bool ToldStates::is_kept(int signal) const {
  const Replicate value{.signal = signal, .order = 0};
  return replicates_.is_state(signal) && replicates_.most(signal) > 0 &&
         lower_.is_state(value) == replicates_.modes() && lower_.moved_by(value).empty();
}

/// Its slope is a signal of its own then: what sets the state replaces der(x) = der_x alone.
bool ToldStates::is_set_anew(int signal, const std::vector<RestartRows>& restarts) const {
  const std::string& name = replicates_.name({.signal = signal, .order = 0});
  for (const TransitionSource& law : replicates_.source().transitions)
    for (const std::string& equation : law.equations)
      if (!law.replaces.empty() && text::parse_relation(equation).left.name == name) return true;
  return std::ranges::any_of(restarts, [&](const RestartRows& restart) {
    return !restart.rows.empty() && std::ranges::any_of(restart.after, [&](const RestartRows::After& after) {
      return after.replicate == Replicate{.signal = signal, .order = 0};
    });
  });
}

void ToldStates::name_states(const std::vector<RestartRows>& restarts) {
  for (int j = 0; j < replicates_.signals(); ++j) {
    if (is_kept(j)) {
      const std::string& name = replicates_.name({.signal = j, .order = 0});
      states_[{.signal = j, .order = 0}] = name;
      if (replicates_.most(j) == 1 && !is_set_anew(j, restarts))
        slopes_[replicates_.name({.signal = j, .order = 1})] = "der(" + name + ")";
    }
    for (int order = 0; order < replicates_.most(j); ++order) {
      const Replicate one{.signal = j, .order = order};
      if (states_.contains(one) || lower_.is_state(one).empty()) continue;
      states_[one] = replicates_.fresh("s_" + replicates_.name(one));
    }
  }
}

Replacement ToldStates::in_states() const {
  return [this](const std::string& name) -> std::optional<WrittenTerm> {
    const std::optional<Replicate> replicate = replicates_.find(name_within(name));
    if (!replicate || name.starts_with("der(")) return std::nullopt;
    const std::string* state = state_of(*replicate);
    if (state == nullptr || replicates_.lower(*replicate) != replicates_.modes()) return std::nullopt;
    return name_term(name.starts_with("pre(") ? "pre(" + *state + ")" : *state);
  };
}

WrittenTerm ToldStates::written(const std::string& expression) const {
  return rewritten(expression, [this](const std::string& name) -> std::optional<WrittenTerm> {
    const auto found = slopes_.find(name);
    return found == slopes_.end() ? std::nullopt : std::optional(name_term(found->second));
  });
}

std::string ToldStates::written_equation(const std::string& text) const {
  const std::size_t equal = text.find('=');
  return written(text.substr(0, equal)).at(1) + " = " + written(text.substr(equal + 1)).text;
}

std::string ToldStates::written_relation(const std::string& relation) const {
  const text::Relation parsed = text::parse_relation(relation);
  bool changes = false;
  const Replacement replacement = [&](const std::string& name) -> std::optional<WrittenTerm> {
    if (!name.starts_with("der(")) return std::nullopt;
    const auto found = replicates_.find(name_within(name));
    if (!found) return std::nullopt;
    const bool moves = replicates_.most(found->signal) > 0;
    const std::string slope = moves ? replicates_.name({.signal = found->signal, .order = 1}) : "";
    if (slopes_.contains(slope)) return std::nullopt;
    changes = true;
    return moves ? name_term(slope) : number_term(0.0);
  };
  const WrittenTerm left = rewritten(parsed.left, replacement), right = rewritten(parsed.right, replacement);
  if (!changes) return relation;
  using Comparison = text::Relation::Comparison;
  return left.at(1) +
         (parsed.comparison == Comparison::equal        ? " = "
          : parsed.comparison == Comparison::less_equal ? " <= "
                                                        : " >= ") +
         right.text;
}

void ToldStates::find_start() {
  try {
    start_ = start_of_run(replicates_.model());
  } catch (const FaultError&) {
    start_.clear();  // a run says what is wrong with its start
  }
}

Number ToldStates::start_of(Replicate one, const Number& declared) const {
  const Signature& signature = replicates_.model().signature;
  const bool is_state = replicates_.is_state(one.signal);
  if (start_.empty() || one.order > (is_state ? 1 : 0)) return declared;
  const int place = replicates_.place(one.signal);
  const int row = !is_state        ? signature.algebraic_row(place)
                  : one.order == 0 ? signature.state_row(place)
                                   : signature.derivative_row(place);
  const double value = start_[at(row)];
  if (!std::isfinite(value)) return declared;
  const bool is_declared =
      is_state && one.order == 0 &&
      std::abs(value - replicates_.model().x_start[at(place)]) <= 1e-9 * std::max(1.0, std::abs(value));
  return is_declared ? declared : Number(value);
}

bool ToldStates::begins_in(const ModeSet& where) const {
  if (!start_.empty()) return replicates_.is_in(where, start_);
  std::vector<double> v(at(replicates_.model().signature.size()));
  for (std::size_t i = 0; i < replicates_.model().z_start.size(); ++i)
    v[at(replicates_.model().signature.binary_row(static_cast<int>(i)))] = replicates_.model().z_start[i];
  return replicates_.is_in(where, v);
}

}  // namespace mti
