#include "mti/printing/readable.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/printing/print.hpp"
#include "mti/printing/readable_rows.hpp"

namespace mti {
namespace {

using text::ModelRows;
using text::Notation;
using text::ReadableRow;

Notation text_notation(const Signature& signature, int digits) {
  return {
      .name =
          [&signature](int row) {
            if (row < signature.size()) return signature.row_name(row);
            return "pre(" + signature.row_name(row - signature.size()) + ")";
          },
      .number = [digits](double value) { return text::format_rounded(value, digits); },
      .power = [](const std::string& base, int exponent) { return base + "^" + std::to_string(exponent); },
      .apply = [](const ElementaryFunction& phi, const std::string& argument) { return phi.text(argument); },
      .times = "*",
      .open = "(",
      .close = ")"};
}

std::string joined_terms(const std::vector<std::string>& terms) {
  std::string result;
  for (const std::string& term : terms) {
    if (!result.empty()) result += ' ';
    result += term;
  }
  return result;
}

/// Term after term, a new line where the next one would go beyond the width.
std::string wrapped(const std::vector<std::string>& terms, const std::string& end, std::size_t used,
                    std::size_t indent, std::size_t width) {
  std::string result;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::string piece = terms[i] + (i + 1 == terms.size() ? end : "");
    if (i > 0 && used + 1 + piece.size() > width) {
      result += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (i > 0) {
      result += ' ';
      ++used;
    }
    result += piece;
    used += piece.size();
  }
  return result + "\n";
}

std::string section(const std::string& title, const std::vector<ReadableRow>& rows, const char* comparison,
                    std::size_t width) {
  if (rows.empty()) return {};
  std::size_t longest = 0;
  constexpr std::size_t longest_aligned = 24;
  for (const ReadableRow& row : rows)
    if (row.name.size() <= longest_aligned) longest = std::max(longest, row.name.size());
  std::string result = title + "\n";
  for (const ReadableRow& row : rows) {
    std::string head = "  ";
    if (!row.name.empty())
      head += row.name + ":" + std::string(2 + longest - std::min(longest, row.name.size()), ' ');
    result +=
        head + wrapped(row.terms, comparison, head.size(), (row.name.empty() ? 0 : longest + 3) + 4, width);
  }
  return result + "\n";
}

std::string text_of_signals(const std::vector<text::SignalLine>& lines) {
  std::size_t longest = 0;
  for (const text::SignalLine& line : lines) longest = std::max(longest, line.name.size());
  std::string result = "signals\n";
  for (const auto& [name, kind, unit, meaning] : lines)
    result += "  " + name + std::string(longest + 2 - name.size(), ' ') + kind +
              (unit.empty() ? "" : ", " + unit) + (meaning.empty() ? "" : ", is 1 where " + meaning) + "\n";
  return result;
}

}  // namespace

Source to_readable(const Model& model, const ReadableStyle& style) {
  const ModelRows writer(model, text_notation(model.signature, style.digits));
  Source source = to_equations(model);
  source.algebraic = to_matrices(model).algebraic;  // results of functions have rows of their own here
  const std::vector<ReadableRow> equations = writer.equations(), constraints = writer.constraints();
  source.equations.clear();
  for (const ReadableRow& row : equations)
    source.equations.emplace_back(row.name, joined_terms(row.terms) + " = 0");
  source.constraints.clear();
  for (const ReadableRow& row : constraints)
    source.constraints.emplace_back(row.name, joined_terms(row.terms) + " <= 0");
  const int first = model.signature.algebraic_row(0);
  int i = 0;
  std::erase_if(source.algebraic, [&](const AlgebraicSource&) {
    const int row = first + i++;
    return writer.copies().original[at(row)] != row;
  });
  std::size_t k = 0;
  for (const Scenario& scenario : model.scenarios) {
    std::size_t place = 0;
    if (!scenario.is_initial) source.scenarios[k].equations.clear();
    for (const ReadableRow& row : writer.scenario(scenario))
      if (scenario.is_initial)
        source.initial[place++].text = joined_terms(row.terms) + " = 0";
      else
        source.scenarios[k].equations.push_back(joined_terms(row.terms) + " = 0");
    if (!scenario.is_initial) ++k;
  }
  return source;
}

std::string print_text(const Model& model, const ReadableStyle& style) {
  const ModelRows writer(model, text_notation(model.signature, style.digits), style.expanded);
  std::string result;
  if (!model.name.empty()) result += model.name + "\n";
  if (!model.description.empty()) result += model.description + "\n";
  if (model.is_discrete())
    result += "sample time " + text::format_rounded(model.sample_time, style.digits) + "\n";
  if (!result.empty()) result += "\n";
  result += section("equations", writer.equations(), " = 0", style.width);
  result += section("constraints", writer.constraints(), " <= 0", style.width);
  if (!model.invariants.empty()) {
    result += "invariants\n";
    for (const BooleanFormula& formula : model.invariants) result += "  " + formula.text + "\n";
    result += "\n";
  }
  for (const Transition& law : model.transitions)
    result +=
        section("when " + text::condition(law, model) +
                    (law.replaces.empty() ? "" : ", in the place of " + text::names_of(law.replaces, model)),
                writer.law(law), " = 0", style.width);
  for (const Scenario& scenario : model.scenarios)
    result += section(text::title(scenario, "scenario") +
                          (scenario.modes.steps.empty() ? "" : ", where " + scenario.modes.text),
                      writer.scenario(scenario), " = 0", style.width);
  return result + text_of_signals(text::signal_lines(model, writer.copies()));
}

}  // namespace mti
