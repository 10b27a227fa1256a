#include "io/kinetics/shared_comparison.hpp"

#include <set>
#include <utility>

#include "mti/common/number.hpp"

namespace mti::sbml {
namespace {

/// The comparisons of formulas, as the two sides in the order of their texts.
class Comparisons {
 public:
  using Sides = std::pair<std::string, std::string>;
  explicit Comparisons(SourceWriter& writer) : writer_(writer) {}

  [[nodiscard]] std::set<Sides> of(const Math& math) {
    found_.clear();
    seen_.clear();
    visit(math);
    return found_;
  }

 private:
  void visit(const Math& math) {
    if (math.op == "lt" || math.op == "leq" || math.op == "gt" || math.op == "geq")
      for (std::size_t i = 0; i + 1 < math.of.size(); ++i) {
        Sides sides{text(math.of[i]), text(math.of[i + 1])};
        if (sides.second < sides.first) std::swap(sides.first, sides.second);
        found_.insert(std::move(sides));
      }
    if (math.op == "name" && seen_.insert(math.name).second)
      if (const Quantity* quantity = writer_.quantities().find(math.name);
          quantity != nullptr && quantity->by == Quantity::By::rule && quantity->rule != nullptr)
        visit(*quantity->rule);
    for (const Math& part : math.of) visit(part);
  }

  [[nodiscard]] std::string text(const Math& math) {
    if (writer_.is_constant(math))
      if (const auto value = writer_.quantities().start_value(math)) return text::format_number(*value);
    if (math.op == "name") return math.name;
    std::string result = math.op;
    for (std::size_t i = 0; i < math.of.size(); ++i)
      result += (i == 0 ? "(" : ", ") + text(math.of[i]) + (i + 1 == math.of.size() ? ")" : "");
    return result;
  }

  SourceWriter& writer_;
  std::set<Sides> found_;
  std::set<std::string> seen_;
};

}  // namespace

std::optional<std::string> shared_comparison(SourceWriter& writer, const Math& one, const Math& other) {
  Comparisons comparisons(writer);
  const std::set<Comparisons::Sides> first = comparisons.of(one), second = comparisons.of(other);
  for (const Comparisons::Sides& sides : first)
    if (second.contains(sides)) return sides.first + " and " + sides.second;
  return std::nullopt;
}

}  // namespace mti::sbml
