#include <algorithm>
#include <string_view>

#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"
#include "solvers/structure/sub_problems.hpp"
#include "solvers/structure/successor_incidence.hpp"

namespace mti {
namespace {

/// `text` in the middle of a field of `width`.
std::string centred(std::string_view text, std::size_t width) {
  const std::size_t left = (width - text.size()) / 2;
  return std::string(left, ' ').append(text).append(width - text.size() - left, ' ');
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string counted(std::size_t number, const std::string& noun) {
  return std::to_string(number) + ' ' + noun + (number == 1 ? "" : "s");
}

/// Draws sub-sets of one model.
class Picture {
 public:
  explicit Picture(const Model& model)
      : model_(model), incidence_(successor_incidence(model)), column_of_(model.signature.size()) {
    const Indexed<PatternColumn, SignalRow> unknowns = successor_unknowns(model.signature);
    for (const PatternColumn column : unknowns.indices()) column_of_[unknowns[column]] = column;
  }

  [[nodiscard]] std::string draw(const SubSet& sub_set) const {
    std::size_t margin = 0;
    for (const SubProblem& problem : sub_set.sub_problems)
      for (const PatternRow row : rows_of(problem)) margin = std::max(margin, row_name(row).size());

    std::string header(margin, ' ');
    for (const SubProblem& problem : sub_set.sub_problems) {
      header += ' ';
      for (const int unknown : problem.unknowns) header += ' ' + model_.signature.row_name(unknown);
      header += ' ';
    }
    std::string text = trimmed(std::move(header));
    for (std::size_t problem = 0; problem < sub_set.sub_problems.size(); ++problem)
      for (const PatternRow row : rows_of(sub_set.sub_problems[problem])) {
        std::string name = row_name(row);
        name.resize(margin, ' ');
        text += trimmed(name + cells(sub_set, problem, row));
      }
    return text;
  }

  [[nodiscard]] std::string row_name(PatternRow row) const {
    const int constraint = row.value() - model_.equations();
    return constraint < 0 ? model_.equation_names[at(row.value())] : model_.constraint_names[at(constraint)];
  }

 private:
  [[nodiscard]] std::vector<PatternRow> rows_of(const SubProblem& problem) const {
    std::vector<PatternRow> rows(problem.equations.begin(), problem.equations.end());
    for (const int constraint : problem.constraints) rows.emplace_back(model_.equations() + constraint);
    return rows;
  }

  /// The row up to the end of its own sub-problem; it contains nothing beyond.
  [[nodiscard]] std::string cells(const SubSet& sub_set, std::size_t own, PatternRow row) const {
    const auto contained = incidence_.row(row);
    std::string text;
    for (std::size_t problem = 0; problem <= own; ++problem) {
      text += ' ';
      bool first = true;
      for (const int unknown : sub_set.sub_problems[problem].unknowns) {
        const bool holds =
            std::binary_search(contained.begin(), contained.end(), column_of_[SignalRow(unknown)]);
        text += first && problem == own ? '[' : ' ';
        text += centred(holds ? "x" : ".", model_.signature.row_name(unknown).size());
        first = false;
      }
      text += problem == own ? ']' : ' ';
    }
    return text;
  }

  const Model& model_;
  Incidence incidence_;
  Indexed<SignalRow, PatternColumn> column_of_;  // of the incidence
};

}  // namespace

std::string block_triangular_picture(const Model& model, const Structure& structure, int largest) {
  const Picture picture(model);
  std::string text;
  for (std::size_t s = 0; s < structure.sub_sets.size(); ++s) {
    const SubSet& sub_set = structure.sub_sets[s];
    std::size_t unknowns = 0;
    for (const SubProblem& problem : sub_set.sub_problems) unknowns += problem.unknowns.size();
    if (s > 0) text += '\n';
    text.append("sub-set ").append(std::to_string(s + 1)).append(": ").append(counted(unknowns, "unknown"));
    text.append(" in ").append(counted(sub_set.sub_problems.size(), "sub-problem"));
    if (unknowns > at(std::max(largest, 0)))
      text += " (too many for a picture)\n";
    else
      text += "\n\n" + picture.draw(sub_set);
  }
  if (!structure.equations_of_knowns.empty() || !structure.constraints_of_knowns.empty()) {
    text += "\nwithout unknowns:";
    for (const int row : structure.equations_of_knowns) text += ' ' + picture.row_name(PatternRow(row));
    for (const int row : structure.constraints_of_knowns)
      text += ' ' + picture.row_name(PatternRow(model.equations() + row));
    text += '\n';
  }
  return text;
}

}  // namespace mti
