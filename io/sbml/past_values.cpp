#include "io/sbml/past_values.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "io/sbml/document_formulas.hpp"

namespace mti::sbml {
namespace {

/// Formulas T ago.
class PastValues {
 public:
  explicit PastValues(const Document& document) {
    for (const Rule& rule : document.rules)
      if (rule.kind == Rule::Kind::assignment && rule.math) formulas_.emplace(rule.variable, *rule.math);
    for (const Reaction& reaction : document.reactions)
      if (reaction.law) formulas_.emplace(reaction.id, *reaction.law);
  }

  void write(Math& math) {
    for (Math& part : math.of) write(part);
    if (math.op != "delay" || math.of.size() != 2) return;
    if (std::optional<Math> past = ago(math.of[0], math.of[1])) math = *std::move(past);
  }

 private:
  /// Nothing where a part has no past that can be written, or follows from itself.
  std::optional<Math> ago(const Math& math, const Math& T) {
    if (math.op == "delay" || math.op == "rateOf") return std::nullopt;
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
    if (formula == formulas_.end()) return Math{.op = "past", .of = {name, T}};
    if (!open_.insert(name.name).second) return std::nullopt;
    Math own = formula->second;
    write(own);  // it may hold delays itself
    std::optional<Math> past = ago(own, T);
    open_.erase(name.name);
    return past;
  }

  std::map<std::string, Math> formulas_;
  std::set<std::string> open_;
};

}  // namespace

void write_past_values(Document& document) {
  PastValues past(document);
  for_each_formula(document, [&](Math& math) { past.write(math); });
}

}  // namespace mti::sbml
