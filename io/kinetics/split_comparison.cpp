#include "io/kinetics/split_comparison.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/sbml/choices.hpp"

namespace mti::sbml {
namespace {

Math complement(Math condition) { return {.op = "not", .of = {std::move(condition)}}; }

/// Past values are those of names, and rates are written elsewhere.
bool is_closed(const Math& math) { return math.op == "past" || math.op == "rateOf" || math.op == "delay"; }

/// The formula with `value` in the place of one of its parts.
Math with(const Math& math, const Math* part, const Math& value) {
  if (&math == part) return value;
  Math result = math;
  for (std::size_t i = 0; i < math.of.size(); ++i) result.of[i] = with(math.of[i], part, value);
  return result;
}

class Splitting {
 public:
  explicit Splitting(const Quantities& quantities) : quantities_(quantities) {}

  /// Names that stand for a choice, at any depth, as their formulas; of one that would grow too large no more of them.
  [[nodiscard]] Math expanded(const Math& math) {
    ++nodes_;
    if (is_closed(math)) return math;
    if (math.op == "name") {
      if (nodes_ > most_nodes || !stands_for_choice(math.name) || !open_.insert(math.name).second)
        return math;
      Math own = expanded(*quantities_.find(math.name)->rule);
      open_.erase(math.name);
      return own;
    }
    Math result = math;
    for (Math& part : result.of) part = expanded(part);
    return result;
  }

  /// `op` with the sides a and b.
  [[nodiscard]] Math split(const std::string& op, const Math& a, const Math& b) {
    if (is_large()) return {.op = "false"};  // the result is not used
    if (const std::optional<Math> parts = of_extreme(op, a, b, false)) return *parts;
    if (const std::optional<Math> parts = of_extreme(op, b, a, true)) return *parts;
    for (const bool left : {true, false}) {
      const Math& side = left ? a : b;
      const Math* const part = first_choice(side);
      if (part == nullptr) continue;
      const Choice choice = choice_of(*part);
      const auto of = [&](const Math& value) {
        const Math changed = with(side, part, value);
        return left ? split(op, changed, b) : split(op, a, changed);
      };
      return {.op = "or",
              .of = {{.op = "and", .of = {choice.condition, of(choice.one)}},
                     {.op = "and", .of = {complement(choice.condition), of(choice.other)}}}};
    }
    ++count_;
    return {.op = op, .of = {a, b}};
  }
  [[nodiscard]] bool is_large() const { return count_ > most_comparisons || nodes_ > most_nodes; }
  [[nodiscard]] bool holds_choice(const Math& math) const { return first_choice(math) != nullptr; }

 private:
  [[nodiscard]] bool stands_for_choice(const std::string& name) {
    const auto [known, is_new] =
        stands_for_choice_.try_emplace(name, false);  // one that follows from itself does not
    if (!is_new) return known->second;
    const Quantity* const quantity = quantities_.find(name);
    if (quantity == nullptr || quantity->by != Quantity::By::rule || quantity->rule == nullptr) return false;
    return stands_for_choice_[name] = leads_to_choice(*quantity->rule);
  }
  [[nodiscard]] bool leads_to_choice(const Math& math) {
    if (is_closed(math) || quantities_.is_fixed(math)) return false;
    if (math.op == "name") return stands_for_choice(math.name);
    return chooses(math) ||
           std::ranges::any_of(math.of, [this](const Math& part) { return leads_to_choice(part); });
  }

  [[nodiscard]] const Math* first_choice(const Math& math) const {
    if (is_closed(math) || quantities_.is_fixed(math)) return nullptr;
    if (chooses(math)) return &math;
    for (const Math& part : math.of)
      if (const Math* found = first_choice(part)) return found;
    return nullptr;
  }

  /// |u| > b, max(u, …) > b, min(u, …) > b and their opposites; `swapped`: b > |u|.
  std::optional<Math> of_extreme(const std::string& op, const Math& extreme, const Math& other,
                                 bool swapped) {
    const bool is_abs = extreme.op == "abs";
    if (first_choice(extreme) != &extreme || (!is_abs && extreme.op != "max" && extreme.op != "min"))
      return std::nullopt;
    std::vector<Math> operands = extreme.of;
    if (is_abs) operands.push_back({.op = "minus", .of = {extreme.of[0]}});
    const bool is_greater = (op == "gt" || op == "geq") != swapped;  // it is to be the greater side
    Math result{.op = (extreme.op == "min") != is_greater ? "or" : "and"};
    for (const Math& operand : operands)
      result.of.push_back(swapped ? split(op, other, operand) : split(op, operand, other));
    return result;
  }

  static constexpr int most_comparisons = 64, most_nodes = 2000;
  const Quantities& quantities_;
  std::set<std::string> open_;
  std::map<std::string, bool> stands_for_choice_;
  int count_ = 0, nodes_ = 0;
};

}  // namespace

std::optional<Math> split_comparison(const Quantities& quantities, const Math& comparison) {
  Splitting splitting(quantities);
  const Math a = splitting.expanded(comparison.of[0]), b = splitting.expanded(comparison.of[1]);
  if (!splitting.holds_choice(a) && !splitting.holds_choice(b)) return std::nullopt;
  // Each piece is to have a value where it is not chosen.
  if (splitting.is_large() || !is_sum_of_choices(a) || !is_sum_of_choices(b)) return std::nullopt;
  Math result = splitting.split(comparison.op, a, b);
  if (splitting.is_large()) return std::nullopt;
  return result;
}

Math with_choices(const Quantities& quantities, const Math& math) {
  Splitting splitting(quantities);
  Math expanded = splitting.expanded(math);
  return splitting.is_large() ? math : expanded;
}

bool holds_choice(const Quantities& quantities, const Math& math) {
  return Splitting(quantities).holds_choice(math);
}

}  // namespace mti::sbml
