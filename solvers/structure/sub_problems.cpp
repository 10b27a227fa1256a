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

constexpr int nowhere = -1;

/// The successor problem on its way to a Structure. Rows: equations, constraints. Columns: ẋ, y, z.
class SuccessorStructure {
 public:
  explicit SuccessorStructure(const Model& model)
      : equations_(model.equations()),
        continuous_(model.signature.n() + model.signature.p()),
        unknowns_(successor_unknowns(model.signature)),
        incidence_(successor_incidence(model)),
        matching_(incidence_.rows(), incidence_.columns()),
        problem_of_(unknowns_.size(), nowhere) {}

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
  bool is_equation(int row) const { return row < equations_; }
  bool is_continuous(int column) const { return column < continuous_; }

  void match() {
    match_where([&](int row, int column) { return is_equation(row) && is_continuous(column); });
    match_where([&](int row, int) { return is_equation(row); });
    match_where([&](int row, int column) { return is_equation(row) || !is_continuous(column); });
  }

  void match_where(const std::function<bool(int row, int column)>& allowed) {
    Incidence candidates(incidence_.columns());
    std::vector<int> kept;
    for (int row = 0; row < incidence_.rows(); ++row) {
      kept.clear();
      for (const int column : incidence_.row(row))
        if (allowed(row, column)) kept.push_back(column);
      candidates.add_row(kept);
    }
    grow_to_maximum(candidates, matching_);
  }

  void make_sub_problems() {
    for (const Block& block : block_triangular_form(incidence_, matching_.row_match)) {
      const int problem = new_problem();
      for (const int row : block.rows) put_row(row, problem);
      for (const int column : block.columns) put_unknown(column, problem);
    }
  }

  void place_unmatched_unknowns() {
    // In solving order, so that the first sub-problem that contains an unknown takes it.
    const int matched_problems = static_cast<int>(problems_.size());
    for (int problem = 0; problem < matched_problems; ++problem) {
      const auto take = [&](int row) {
        for (const int column : incidence_.row(row))
          if (problem_of_[column] == nowhere) put_unknown(column, problem);
      };
      for (const int equation : problems_[problem].equations) take(equation);
      for (const int constraint : problems_[problem].constraints) take(equations_ + constraint);
    }
    for (int column = 0; column < incidence_.columns(); ++column) {
      if (problem_of_[column] == nowhere) put_unknown(column, new_problem());
      if (matching_.column_match[column] < 0)
        (is_continuous(column) ? structure_.unmatched_unknowns : structure_.unmatched_binaries)
            .push_back(unknowns_[column]);
    }
  }

  void place_unmatched_rows() {
    for (int row = 0; row < incidence_.rows(); ++row) {
      if (matching_.row_match[row] >= 0) continue;
      const auto columns = incidence_.row(row);
      if (columns.empty()) {
        if (is_equation(row))
          structure_.equations_of_knowns.push_back(row);
        else
          structure_.constraints_of_knowns.push_back(row - equations_);
        continue;
      }
      if (is_equation(row)) structure_.unmatched_equations.push_back(row);
      int last = 0;
      for (const int column : columns) last = std::max(last, problem_of_[column]);
      put_row(row, last);
    }
  }

  int new_problem() {
    problems_.emplace_back();
    return static_cast<int>(problems_.size()) - 1;
  }

  void put_row(int row, int problem) {
    if (is_equation(row))
      problems_[problem].equations.push_back(row);
    else
      problems_[problem].constraints.push_back(row - equations_);
  }

  void put_unknown(int column, int problem) {
    problem_of_[column] = problem;
    problems_[problem].unknowns.push_back(unknowns_[column]);
    if (!is_continuous(column)) ++problems_[problem].binaries;
  }

  static void finish(SubProblem& problem) {
    for (auto* list : {&problem.equations, &problem.constraints, &problem.unknowns})
      std::sort(list->begin(), list->end());
  }

  /// Weakly connected components: sub-problems with a row in common belong together.
  void split_into_sub_sets() {
    DisjointSets connected(static_cast<int>(problems_.size()));
    for (int row = 0; row < incidence_.rows(); ++row)
      for (const int column : incidence_.row(row))
        connected.join(problem_of_[incidence_.row(row).front()], problem_of_[column]);

    // Columns ascend, so sub-sets are numbered by their first unknown.
    std::vector<int> sub_set_of(problems_.size(), nowhere);
    int sub_sets = 0;
    for (const int problem : problem_of_) {
      int& sub_set = sub_set_of[at(connected.of(problem))];
      if (sub_set == nowhere) sub_set = sub_sets++;
    }
    structure_.sub_sets.resize(sub_sets);
    for (std::size_t problem = 0; problem < problems_.size(); ++problem)
      structure_.sub_sets[sub_set_of[at(connected.of(static_cast<int>(problem)))]].sub_problems.push_back(
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
  std::vector<int> unknowns_;
  Incidence incidence_;
  Matching matching_;
  std::vector<SubProblem> problems_;
  std::vector<int> problem_of_;  // the sub-problem of each column
  Structure structure_;
};

}  // namespace

Structure analyze_structure(const Model& model) { return SuccessorStructure(model).analyze(); }

}  // namespace mti
