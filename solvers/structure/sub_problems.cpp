#include "solvers/structure/sub_problems.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <functional>
#include <map>
#include <utility>

#include "solvers/structure/block_triangular.hpp"
#include "solvers/structure/disjoint_sets.hpp"
#include "solvers/structure/matching.hpp"
#include "solvers/structure/successor_incidence.hpp"

namespace mti {
namespace {

/// A sub-problem that is being put together.
using Problem = IndexOf<struct ProblemTag>;

/// The successor problem on its way to a Structure. Rows: equations, constraints. Columns: ẋ, y, z.
class SuccessorStructure {
 public:
  explicit SuccessorStructure(const Model& model)
      : equations_(model.equations()),
        continuous_(model.signature.n() + model.signature.p()),
        unknowns_(successor_unknowns(model.signature)),
        incidence_(successor_incidence(model)),
        matching_(incidence_.rows(), incidence_.columns()),
        problem_of_(incidence_.columns()) {}

  Structure analyze() {
    match();
    make_sub_problems();
    place_unmatched_unknowns();
    place_unmatched_rows();
    for (SubProblem& problem : problems_) finish(problem);
    split_into_sub_sets();
    count_combinations();
    return std::move(structure_);
  }

 private:
  [[nodiscard]] bool is_equation(PatternRow row) const { return row.value() < equations_; }
  [[nodiscard]] int constraint(PatternRow row) const { return row.value() - equations_; }
  [[nodiscard]] bool is_continuous(PatternColumn column) const { return column.value() < continuous_; }

  void match() {
    match_where(
        [&](PatternRow row, PatternColumn column) { return is_equation(row) && is_continuous(column); });
    match_where([&](PatternRow row, PatternColumn) { return is_equation(row); });
    match_where(
        [&](PatternRow row, PatternColumn column) { return is_equation(row) || !is_continuous(column); });
  }

  void match_where(const std::function<bool(PatternRow, PatternColumn)>& allowed) {
    Incidence candidates(incidence_.columns());
    std::vector<PatternColumn> kept;
    for (const PatternRow row : incidence_.row_indices()) {
      kept.clear();
      for (const PatternColumn column : incidence_.row(row))
        if (allowed(row, column)) kept.push_back(column);
      candidates.add_row(kept);
    }
    grow_to_maximum(candidates, matching_);
  }

  void make_sub_problems() {
    for (const Block& block : block_triangular_form(incidence_, matching_.row_match)) {
      const Problem problem = problems_.append({});
      for (const PatternRow row : block.rows) put_row(row, problem);
      for (const PatternColumn column : block.columns) put_unknown(column, problem);
    }
  }

  void place_unmatched_unknowns() {
    // In solving order, so that the first sub-problem that contains an unknown takes it.
    for (const Problem problem : problems_.indices()) {
      const auto take = [&](PatternRow row) {
        for (const PatternColumn column : incidence_.row(row))
          if (!problem_of_[column].exists()) put_unknown(column, problem);
      };
      for (const int equation : problems_[problem].equations) take(PatternRow(equation));
      for (const int constraint : problems_[problem].constraints) take(PatternRow(equations_ + constraint));
    }
    for (const PatternColumn column : incidence_.column_indices()) {
      if (!problem_of_[column].exists()) put_unknown(column, problems_.append({}));
      if (!matching_.column_match[column].exists())
        (is_continuous(column) ? structure_.unmatched_unknowns : structure_.unmatched_binaries)
            .push_back(unknowns_[column].value());
    }
  }

  void place_unmatched_rows() {
    for (const PatternRow row : incidence_.row_indices()) {
      if (matching_.row_match[row].exists()) continue;
      const auto columns = incidence_.row(row);
      if (columns.empty()) {
        if (is_equation(row))
          structure_.equations_of_knowns.push_back(row.value());
        else
          structure_.constraints_of_knowns.push_back(constraint(row));
        continue;
      }
      if (is_equation(row)) structure_.unmatched_equations.push_back(row.value());
      Problem last(0);
      for (const PatternColumn column : columns) last = std::max(last, problem_of_[column]);
      put_row(row, last);
    }
  }

  void put_row(PatternRow row, Problem problem) {
    if (is_equation(row))
      problems_[problem].equations.push_back(row.value());
    else
      problems_[problem].constraints.push_back(constraint(row));
  }

  void put_unknown(PatternColumn column, Problem problem) {
    problem_of_[column] = problem;
    problems_[problem].unknowns.push_back(unknowns_[column].value());
    if (!is_continuous(column)) ++problems_[problem].binaries;
  }

  static void finish(SubProblem& problem) {
    for (auto* list : {&problem.equations, &problem.constraints, &problem.unknowns})
      std::sort(list->begin(), list->end());
  }

  /// Weakly connected components: sub-problems with a row in common belong together.
  void split_into_sub_sets() {
    DisjointSets connected(problems_.size());
    for (const PatternRow row : incidence_.row_indices())
      for (const PatternColumn column : incidence_.row(row))
        connected.join(problem_of_[incidence_.row(row).front()].value(), problem_of_[column].value());
    const auto representative = [&](Problem problem) { return Problem(connected.of(problem.value())); };

    // Columns ascend, so sub-sets are numbered by their first unknown.
    Indexed<Problem, int> sub_set_of(problems_.size(), -1);
    int sub_sets = 0;
    for (const Problem problem : problem_of_) {
      int& sub_set = sub_set_of[representative(problem)];
      if (sub_set < 0) sub_set = sub_sets++;
    }
    structure_.sub_sets.resize(sub_sets);
    for (const Problem problem : problems_.indices())
      structure_.sub_sets[sub_set_of[representative(problem)]].sub_problems.push_back(
          std::move(problems_[problem]));
  }

  void count_combinations() {
    using boost::multiprecision::cpp_int;
    std::map<int, long> problems_with;  // how many sub-problems have so many binaries
    for (const SubSet& sub_set : structure_.sub_sets)
      for (const SubProblem& problem : sub_set.sub_problems)
        if (problem.binaries > 0) ++problems_with[problem.binaries];
    cpp_int reduced = 0;
    for (const auto& [binaries, count] : problems_with) reduced += cpp_int(count) << binaries;
    structure_.combinations_reduced = reduced.str();
    cpp_int all = 1;
    all <<= static_cast<unsigned>(std::max(incidence_.columns() - continuous_, 0));
    structure_.combinations_all = all.str();
  }

  int equations_, continuous_;
  Indexed<PatternColumn, SignalRow> unknowns_;
  Incidence incidence_;
  Matching matching_;
  Indexed<Problem, SubProblem> problems_;
  Indexed<PatternColumn, Problem> problem_of_;
  Structure structure_;
};

}  // namespace

Structure analyze_structure(const Model& model) { return SuccessorStructure(model).analyze(); }

}  // namespace mti
