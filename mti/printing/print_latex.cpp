#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/printing/latex_name.hpp"
#include "mti/printing/readable.hpp"
#include "mti/printing/readable_rows.hpp"

namespace mti {
namespace {

using text::LatexName;
using text::ReadableRow;

/// Names of the rows of S as LaTeX: \dot{x}_{1} or x_{1}^{+}, x_{1}, z_{1}^{-}; from signature.size() on,
/// left limits.
class LatexNames {
 public:
  explicit LatexNames(const Model& model) : signature_(model.signature) {
    std::vector<std::string> names;
    for (int row = signature_.state_row(0); row < signature_.pre_row(0); ++row)
      names.push_back(signature_.row_name(row));
    names_ = text::latex_names(names);
  }

  [[nodiscard]] std::string operator()(int row) const {
    const bool left = row >= signature_.size();
    if (left) row -= signature_.size();
    if (row < signature_.state_row(0)) {
      LatexName name = names_[at(row)];
      if (signature_.is_discrete()) return to_string(name) + "^{+}";
      name.base = "\\dot{" + name.base + "}";
      return to_string(name) + (left ? "^{-}" : "");
    }
    if (row >= signature_.pre_row(0))
      return of(signature_.binary_row(signature_.pre()[at(row - signature_.pre_row(0))])) + "^{-}";
    return of(row) + (left ? "^{-}" : "");
  }

 private:
  [[nodiscard]] std::string of(int row) const { return to_string(names_[at(row - signature_.state_row(0))]); }

  const Signature& signature_;
  std::vector<LatexName> names_;  ///< of x, u, y, z
};

std::string latex_function(const ElementaryFunction& phi, const std::string& argument) {
  using Kind = ElementaryFunction::Kind;
  const std::string inside = "\\left(" + argument + "\\right)";
  switch (phi.kind) {
    case Kind::power:
      return inside + "^{" + text::latex_number(text::format_rounded(phi.exponent, 17)) + "}";
    case Kind::sqrt:
      return "\\sqrt{" + argument + "}";
    case Kind::cbrt:
      return "\\sqrt[3]{" + argument + "}";
    case Kind::abs:
      return "\\left|" + argument + "\\right|";
    case Kind::asin:
    case Kind::acos:
    case Kind::atan:
      return "\\arc" + std::string(phi.name().substr(1)) + inside;
    case Kind::asinh:
    case Kind::acosh:
    case Kind::atanh:
    case Kind::erf:
      return "\\operatorname{" + std::string(phi.name()) + "}" + inside;
    default:
      return "\\" + std::string(phi.name()) + inside;
  }
}

text::Notation latex_notation(const LatexNames& names, int digits) {
  return {
      .name = names,
      .number = [digits](double value) { return text::latex_number(text::format_rounded(value, digits)); },
      .power =
          [](const std::string& base, int exponent) {
            const std::string power = "^{" + std::to_string(exponent) + "}";
            return base.ends_with("^{-}") || base.ends_with("^{+}") ? "\\left(" + base + "\\right)" + power
                                                                    : base + power;
          },
      .apply = latex_function,
      .times = "\\,",
      .open = "\\left(",
      .close = "\\right)"};
}

/// Characters that a piece of LaTeX fills on paper, about: a command counts as one, fonts, braces and marks
/// of scripts as none.
std::size_t printed_length(const std::string& latex) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < latex.size(); ++i) {
    const char c = latex[i];
    if (c == '\\') {
      const std::size_t begin = i + 1;
      while (i + 1 < latex.size() && std::isalpha(static_cast<unsigned char>(latex[i + 1])) != 0) ++i;
      const std::string command = latex.substr(begin, i + 1 - begin);
      if (command != "mathrm" && command != "mathtt") ++length;
    } else if (c != '{' && c != '}' && c != '_' && c != '^') {
      ++length;
    }
  }
  return length;
}

/// "& a + b \\\\ & \quad + c = 0": a new line where the next term would go beyond the width.
std::string aligned(const std::vector<std::string>& terms, const std::string& comparison, std::size_t width) {
  std::string result = "  & ";
  std::size_t used = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::size_t length = printed_length(terms[i]);
    if (i > 0 && used + 1 + length > width) {
      result += " \\\\\n  & \\quad {} ";
      used = 4;
    } else if (i > 0) {
      result += ' ';
    }
    result += terms[i];
    used += length + 1;
  }
  return result + comparison;
}

std::string section(const std::string& title, const std::vector<ReadableRow>& rows,
                    const std::string& comparison, std::size_t width) {
  if (rows.empty()) return {};
  std::string result = "\\paragraph{" + title + "}\n\\begin{align*}\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result += aligned(rows[i].terms, comparison, width);
    if (!rows[i].name.empty()) result += " \\tag{" + text::latex_text(rows[i].name) + "}";
    result += i + 1 < rows.size() ? " \\\\\n" : "\n";
  }
  return result + "\\end{align*}\n";
}

/// A formula in postfix order; a disjunction inside a conjunction is put in parentheses.
std::string latex_formula(const BooleanFormula& formula, const LatexNames& names) {
  using Operation = BooleanFormula::Operation;
  enum Strength { disjunction, conjunction, operand };
  std::vector<std::pair<std::string, Strength>> stack;
  const auto take = [&stack](Strength at_least) {
    auto [latex, strength] = std::move(stack.back());
    stack.pop_back();
    return strength < at_least ? "\\left(" + latex + "\\right)" : latex;
  };
  for (const BooleanFormula::Step& step : formula.steps) {
    if (step.operation == Operation::variable) {
      stack.emplace_back(names(step.row), operand);
    } else if (step.operation == Operation::constant) {
      stack.emplace_back(step.value ? "\\top" : "\\bot", operand);
    } else if (step.operation == Operation::negation) {
      const std::string inner = take(operand);
      stack.emplace_back("\\lnot " + inner, operand);
    } else {
      const Strength strength = step.operation == Operation::conjunction ? conjunction : disjunction;
      const std::string right = take(strength), left = take(strength);
      stack.emplace_back(left + (strength == conjunction ? " \\land " : " \\lor ") + right, strength);
    }
  }
  return stack.empty() ? "\\top" : stack.back().first;
}

std::string latex_signals(const Model& model, const text::PowerCopies& copies, const LatexNames& names) {
  std::string result = "\\paragraph{Signals}\n\\begin{tabular}{lll}\n";
  for (const auto& [name, kind, unit, meaning] : text::signal_lines(model, copies))
    result += "  $" + names(*model.signature.find(name)) + "$ & " + kind +
              (meaning.empty() ? "" : ", 1 where " + text::latex_text(meaning)) + " & " +
              text::latex_text(unit) + " \\\\\n";
  return result + "\\end{tabular}\n";
}

}  // namespace

std::string print_latex(const Model& model, const ReadableStyle& style) {
  const LatexNames names(model);
  const text::ModelRows rows(model, latex_notation(names, style.digits));
  std::string result = section("Equations", rows.equations(), " = 0", style.width);
  result += section("Constraints", rows.constraints(), " \\le 0", style.width);
  std::vector<ReadableRow> invariants;
  for (const BooleanFormula& formula : model.invariants)
    invariants.push_back({"", {latex_formula(formula, names)}});
  result += section("Invariants", invariants, "", style.width);
  for (const Transition& law : model.transitions)
    result += section("When " + text::latex_text(text::condition(law, model)) +
                          (law.replaces.empty() ? ""
                                                : ", in the place of " +
                                                      text::latex_text(text::names_of(law.replaces, model))),
                      rows.law(law), " = 0", style.width);
  for (const Scenario& scenario : model.scenarios)
    result += section(
        (scenario.is_initial ? "Initial equations" : "Scenario " + text::latex_text(scenario.name)) +
            (scenario.modes.steps.empty() ? "" : ", where $" + latex_formula(scenario.modes, names) + "$"),
        rows.scenario(scenario), " = 0", style.width);
  return result + latex_signals(model, rows.copies(), names);
}

}  // namespace mti
