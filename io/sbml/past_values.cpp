#include "io/sbml/past_values.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "io/sbml/document_formulas.hpp"
#include "io/sbml/rates_at_start.hpp"

namespace mti::sbml {
namespace {

/// Formulas T ago.
class PastValues {
 public:
  explicit PastValues(const Document& document) : document_(document) {
    for (const Rule& rule : document.rules)
      if (rule.kind == Rule::Kind::assignment && rule.math) formulas_.emplace(rule.variable, *rule.math);
    for (const Reaction& reaction : document.reactions)
      if (reaction.law) formulas_.emplace(reaction.id, *reaction.law);
    for (const Assignment& assignment : document.initial_assignments)
      if (assignment.math) initial_.emplace(assignment.variable, *assignment.math);
  }

  void write(Math& math) {
    for (Math& part : math.of) write(part);
    if (math.op != "delay" || math.of.size() != 2) return;
    if (std::optional<Math> past = ago(math.of[0], math.of[1])) math = *std::move(past);
  }

 private:
  /// Nothing where a part has no past that can be written, or follows from itself.
  std::optional<Math> ago(const Math& math, const Math& T) {
    if (math.op == "delay") return std::nullopt;
    if (math.op == "rateOf") return rate_ago(math, T);
    if (math.op == "past")  // of a past: T more
      return Math{.op = "past", .of = {math.of[0], {.op = "plus", .of = {math.of[1], T}}}};
    if (math.op == "time") return Math{.op = "minus", .of = {math, T}};
    if (math.op == "name") return of_name(math, T);
    Math result = math;
    for (Math& part : result.of) {
      std::optional<Math> past = ago(part, T);
      if (!past) return std::nullopt;
      part = *std::move(past);
    }
    return result;
  }

  std::optional<Math> of_name(const Math& name, const Math& T) {
    const auto formula = formulas_.find(name.name);
    if (formula == formulas_.end()) return of_variable(name, T);
    if (!open_.insert(name.name).second) return std::nullopt;
    Math own = formula->second;
    write(own);  // it may hold delays itself
    std::optional<Math> past = ago(own, T);
    open_.erase(name.name);
    return past;
  }

  /// An initial assignment that follows time holds before the start, too (case 00941 of the semantic test suite).
  std::optional<Math> of_variable(const Math& name, const Math& T) {
    Math past{.op = "past", .of = {name, T}};
    const auto initial = initial_.find(name.name);
    if (initial == initial_.end() || !follows_time(initial->second)) return past;
    if (!open_.insert(name.name).second) return std::nullopt;
    std::optional<Math> before = ago(initial->second, T);
    open_.erase(name.name);
    if (!before) return std::nullopt;
    return Math{.op = "piecewise",
                .of = {*std::move(before), {.op = "lt", .of = {{.op = "time"}, T}}, std::move(past)}};
  }

  /// By itself, or by what it begins with.
  bool follows_time(const Math& math) {
    if (math.op == "time") return true;
    if (math.op == "name") {
      const auto [known, is_new] = follows_.try_emplace(math.name, false);
      if (!is_new) return known->second;
      const auto formula = formulas_.find(math.name), initial = initial_.find(math.name);
      return follows_[math.name] = (formula != formulas_.end() && follows_time(formula->second)) ||
                                   (initial != initial_.end() && follows_time(initial->second));
    }
    return std::ranges::any_of(math.of, [this](const Math& part) { return follows_time(part); });
  }

  /// Before the start, where variables are what they begin with, their rates are 0 (case 01406 of the semantic test suite).
  std::optional<Math> rate_ago(const Math& math, const Math& T) {
    if (math.of.size() != 1 || math.of[0].op != "name") return std::nullopt;
    std::optional<Math> rate = rate_at_start(document_, math.of[0].name);
    if (!rate || !open_.insert("rate of " + math.of[0].name).second) return std::nullopt;
    write(*rate);
    std::optional<Math> past = ago(*rate, T);
    open_.erase("rate of " + math.of[0].name);
    if (!past) return std::nullopt;
    return Math{.op = "piecewise",
                .of = {*std::move(past), {.op = "geq", .of = {{.op = "time"}, T}}, {.value = 0.0}}};
  }

  const Document& document_;
  std::map<std::string, Math> formulas_, initial_;
  std::map<std::string, bool> follows_;
  std::set<std::string> open_;
};

}  // namespace

void write_past_values(Document& document) {
  PastValues past(document);
  for_each_formula(document, [&](Math& math) { past.write(math); });
}

}  // namespace mti::sbml
