#include "mti/printing/readable_rows.hpp"

#include <algorithm>
#include <cstddef>

#include "mti/common/at.hpp"

namespace mti::text {
namespace {

/// Terms with a derivative first and a number last, as one writes a differential equation.
std::vector<ReadableTerm> ordered(std::vector<ReadableTerm> terms, const Signature& signature) {
  std::stable_partition(terms.begin(), terms.end(), [&](const ReadableTerm& term) {
    return !term.factors.empty() && term.factors.front().row < signature.state_row(0);
  });
  std::stable_partition(terms.begin(), terms.end(),
                        [](const ReadableTerm& term) { return !term.factors.empty(); });
  return terms;
}

}  // namespace

std::vector<ReadableRow> ModelRows::equations() const {
  std::vector<ReadableRow> rows;
  const ReadableRows reader(model_.f(), [this](int row) { return copies_.original[at(row)]; });
  for (int j = 0; j < model_.equations(); ++j)
    if (copies_.is_definition[at(j)] == 0)
      rows.push_back(
          {model_.equation_names[at(j)], written(ordered(reader.terms(j), model_.signature), notation_)});
  return rows;
}

std::vector<ReadableRow> ModelRows::constraints() const {
  std::vector<ReadableRow> rows;
  const ReadableRows reader(model_.g(), [this](int row) { return copies_.original[at(row)]; });
  for (int l = 0; l < model_.constraints(); ++l)
    rows.push_back(
        {model_.constraint_names[at(l)], written(ordered(reader.terms(l), model_.signature), notation_)});
  return rows;
}

std::vector<ReadableRow> ModelRows::law(const Transition& law) const {
  const int size = model_.signature.size();
  return rows_of(law.equations, [this, size](int row) {
    return row < size ? copies_.original[at(row)] : size + copies_.original[at(row - size)];
  });
}

std::vector<ReadableRow> ModelRows::scenario(const Scenario& scenario) const {
  std::vector<ReadableRow> rows = rows_of(scenario.equations, [this, &scenario](int row) {
    return copies_.original[at(scenario.original(row))];
  });
  for (std::size_t i = 0; i < scenario.equation_names.size(); ++i) rows[i].name = scenario.equation_names[i];
  return rows;
}

std::vector<ReadableRow> ModelRows::rows_of(const CpMap& map, const std::function<int(int)>& original) const {
  const ReadableRows reader(map, original);
  std::vector<ReadableRow> rows;
  for (int row = 0; row < map.rows(); ++row)
    rows.push_back({"", written(ordered(reader.terms(row), model_.signature), notation_)});
  return rows;
}

std::string condition(const Transition& law, const Model& model) {
  const bool reach = law.when == Transition::When::reach;
  const char* const trigger = reach                                ? "reach("
                              : law.when == Transition::When::rise ? "rise("
                              : law.when == Transition::When::fall ? "fall("
                                                                   : "risen(";
  return trigger +
         (reach ? model.constraint_names[at(law.target)] : model.signature.binaries()[at(law.target)].name) +
         ")";
}

std::string title(const Scenario& scenario, const std::string& word) {
  return scenario.is_initial ? "initial equations" : word + " " + scenario.name;
}

std::string names_of(const std::vector<int>& equations, const Model& model) {
  std::string result;
  for (const int equation : equations)
    result += (result.empty() ? "" : ", ") + model.equation_names[at(equation)];
  return result;
}

std::vector<SignalLine> signal_lines(const Model& model, const PowerCopies& copies) {
  std::vector<SignalLine> lines;
  const Signature& signature = model.signature;
  const auto enter = [&](const std::vector<Signal>& signals, int first, const char* kind) {
    const bool states = first == signature.state_row(0);
    for (std::size_t i = 0; i < signals.size(); ++i)
      if (const int row = first + static_cast<int>(i); copies.original[at(row)] == row)
        lines.push_back({signals[i].name,
                         std::string(signals[i].binary ? "binary input" : kind) +
                             (states && model.has_free_start(static_cast<int>(i)) ? ", start free" : ""),
                         signals[i].unit, signals[i].generated});
  };
  enter(signature.states(), signature.state_row(0), "state");
  enter(signature.inputs(), signature.input_row(0), "input");
  enter(signature.algebraic(), signature.algebraic_row(0), "algebraic");
  enter(signature.binaries(), signature.binary_row(0), "binary");
  return lines;
}

}  // namespace mti::text
