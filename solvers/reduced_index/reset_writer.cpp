#include "solvers/reduced_index/reset_writer.hpp"

#include <algorithm>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "mti/text/parse.hpp"

namespace mti {
namespace {

/// A state is where equations put its signal if they differ by less than this part of the nominal value: more than the error of
/// any integration that is of use, less than any jump that matters. An impulse is none below it.
constexpr double continuous = 1e-4;

/// A condition as a number, 1 where it holds.
std::string as_number(const text::Node& condition, const std::string& text) {
  using Kind = text::Node::Kind;
  if (condition.kind == Kind::name) return condition.name == "true" ? "1" : std::string(condition.name);
  if (condition.kind == Kind::negation) return "(1 - " + as_number(condition.operands.front(), text) + ")";
  if (condition.kind != Kind::conjunction && condition.kind != Kind::disjunction)
    return "(if " + text.substr(condition.begin, condition.end - condition.begin) + " then 1 else 0)";
  const bool any = condition.kind == Kind::disjunction;
  std::string product;
  for (const text::Node& operand : condition.operands) {
    const std::string factor = as_number(operand, text);
    product += (product.empty() ? "" : "*") + (any ? "(1 - " + factor + ")" : factor);
  }
  return any ? "(1 - " + product + ")" : product;
}

}  // namespace

void ResetWriter::write(const std::vector<RestartRows>& restarts) {
  for (const RestartRows& restart : restarts) {
    // What is below the values that jump, as positions below speeds, does not.
    for (const RestartRows::After& after : restart.after)
      for (int order = 0; order < after.replicate.order; ++order)
        assert_continuous({.signal = after.replicate.signal, .order = order}, restart.where);
    if (!restart.rows.empty()) {
      write_restart(restart);
      continue;
    }
    for (const RestartRows::After& after : restart.after) assert_continuous(after.replicate, restart.where);
  }
  // A state that does not follow its signal everywhere begins with it.
  for (const auto& [replicate, state] : told_.states()) {
    const ModeSet lower = replicates_.lower(replicate);
    if (lower == replicates_.modes()) continue;
    const ModeSet where = lower - (set_.contains(replicate) ? set_.at(replicate) : ModeSet::none());
    if (!where.empty()) write_reset(where, {state + " = pre(" + replicates_.name(replicate) + ")"});
  }
}

void ResetWriter::write_restart(const RestartRows& restart) {
  std::vector<std::string> resets;
  for (const RestartRows::After& after : restart.after) {
    out_.algebraic.push_back({.name = after.name});
    const std::string* state = told_.state_of(after.replicate);
    if (state == nullptr) continue;
    resets.push_back(*state + " = pre(" + after.name + ")");
    set_[after.replicate] |= restart.where;
  }
  for (const std::string& impulse : restart.impulses) out_.algebraic.push_back({.name = impulse});
  const Replacement in_states = told_.in_states();
  for (const auto& [name, residual] : restart.rows)
    out_.equations.emplace_back(name, told_.written_equation("0 = " + rewritten(residual, in_states).text));
  judge_impulses(restart, in_states);
  write_reset(restart.where, std::move(resets));
}

/// A constraint whose weight at the change would be positive forbids the mode: a binary says so beforehand.
void ResetWriter::judge_impulses(const RestartRows& restart, const Replacement& in_states) {
  const std::vector<RelationSource>& constraints = replicates_.source().constraints;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const WrittenTerm weight = weight_of(static_cast<int>(i), restart);
    if (!weight.is(0.0))
      forbid(restart, rewritten(weight.text, in_states).at(1),
             constraints[i].name.empty() ? "c" + std::to_string(i + 1) : constraints[i].name);
  }
}

/// Of the excess of a constraint over 0.
WrittenTerm ResetWriter::weight_of(int constraint, const RestartRows& restart) const {
  const std::string& text = replicates_.source().constraints[at(constraint)].text;
  const std::string residual = rewritten_residual(text, replicates_.in_replicates(restart.where)).text;
  WrittenTerm weight = number_term(0.0);
  for (const auto& [name, own] : restart.weights) {
    const WrittenTerm slope = derivative(residual, along(name));
    for (const std::string& one : names_in(slope.text))
      if (restart.weights.contains(one))
        throw InvalidModel("modelica-unwritable", "/constraints/" + std::to_string(constraint),
                           text + " multiplies signals that carry impulses");
    weight = weight + slope * term_of(own);
  }
  const bool is_least = text::parse_relation(text).comparison == text::Relation::Comparison::greater_equal;
  return is_least ? number_term(0.0) - weight : weight;
}

void ResetWriter::forbid(const RestartRows& restart, const std::string& weight,
                         const std::string& constraint) {
  const std::string begun = begun_in(restart.where),
                    forbidden = replicates_.fresh("forbids_" + begun.substr(std::string("begins").size()));
  out_.binaries.push_back({.name = forbidden});
  out_.equations.emplace_back(replicates_.fresh("where_" + forbidden),
                              forbidden + " = (" + weight + " > " + text::format_number(continuous) + ")");
  // Held by the constraint in its own words: a binary that only says what others are, and stands in none, changes with them at no
  // cost, and takes no part in which change is the nearest.
  const std::string condition = replicates_.condition(restart.where);
  out_.constraints.emplace_back(replicates_.fresh("impulse_of_" + constraint),
                                as_number(text::parse_expression(condition), condition) + "*(1 - pre(" +
                                    begun + "))*pre(" + forbidden + ") <= 0");
}

/// Where equations give what a state follows, that is where the state is. Otherwise the mode would move it without a
/// balance of impulses, and is no mode to go on in.
void ResetWriter::assert_continuous(Replicate one, const ModeSet& where) {
  const std::string* state = told_.state_of(one);
  if (state == nullptr || replicates_.lower(one) != replicates_.modes()) return;
  if ((where - lower_.is_state(one)).empty() && lower_.moved_by(one).empty()) return;
  const std::string difference = "(" + replicates_.name(one) + " - " + *state + ")";
  const std::string bound = text::format_number(continuous * nominal_of(one.signal));
  if (!followed_.insert(one).second) return;
  for (const char* sign : {"", "-"})
    out_.constraints.emplace_back(
        replicates_.fresh(replicates_.name(one) + (*sign == 0 ? "_not_above_" : "_not_below_") + *state),
        sign + difference + " <= " + bound);
}

/// What is set where modes begin. A binary says that they have; the law is part of the change, so that its left limits
/// are those before it.
void ResetWriter::write_reset(const ModeSet& where, std::vector<std::string> equations) {
  if (equations.empty()) return;
  std::string condition = replicates_.condition(where);
  const bool falls = condition.starts_with("not ");
  if (falls) condition.erase(0, 4);
  const bool is_binary = std::ranges::find(replicates_.source().binaries, condition, &BinarySource::name) !=
                         replicates_.source().binaries.end();
  out_.transitions.push_back(
      {.when = (is_binary ? (falls ? "fall(" : "rise(") + condition : "rise(" + begun_in(where)) + ")",
       .equations = std::move(equations)});
}

/// The binary that is 1 in these modes.
std::string ResetWriter::begun_in(const ModeSet& where) {
  auto begun = std::ranges::find(begun_, where, &Begun::where);
  if (begun == begun_.end()) {
    begun_.push_back({where, replicates_.fresh("begins" + std::to_string(begun_.size() + 1))});
    begun = begun_.end() - 1;
    out_.binaries.push_back({.name = begun->name, .start = told_.begins_in(where) ? 1.0 : 0.0});
    out_.equations.emplace_back(replicates_.fresh("where_" + begun->name),
                                begun->name + " = (" + replicates_.condition(where) + ")");
  }
  return begun->name;
}

double ResetWriter::nominal_of(int signal) const {
  const Signature& signature = replicates_.model().signature;
  const auto& group = replicates_.is_state(signal) ? signature.states() : signature.algebraic();
  return group[at(replicates_.place(signal))].nominal;
}

}  // namespace mti
