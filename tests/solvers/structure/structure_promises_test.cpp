#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "solvers/structure/sub_problems.hpp"
#include "solvers/structure/successor_incidence.hpp"
#include "tests/solvers/pattern_model.hpp"
#include "tests/solvers/structure/patterns.hpp"

/// What the header promises about every structure, looked at on random models.
namespace mti {
namespace structure_promises_test {

/// Small, of any shape, with its incidence.
struct RandomModel {
  Model model;
  Incidence incidence;
  Indexed<PatternColumn, SignalRow> unknowns;
  int continuous;  // that many of them are ẋ and y
};

RandomModel random_model(std::mt19937& random) {
  std::uniform_int_distribution<int> some(0, 3);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const auto names = [&](const std::string& letter) {
    std::vector<std::string> result;
    for (int i = some(random); i > 0; --i) result.push_back(letter + std::to_string(i));
    return result;
  };
  using test::signals;
  const std::vector<std::string> x = names("x"), y = names("y"), z = names("z");
  const Signature signature(signals(x), {}, signals(y), signals(z));
  const double density = 0.6 * unit(random);
  const auto rows = [&](const std::string& letter) {
    std::vector<test::NamedSum> result;
    for (int j = some(random) + some(random); j > 0; --j) {
      test::NamedSum row{letter + std::to_string(j), {}};
      for (const SignalRow unknown : successor_unknowns(signature))
        if (unit(random) < density) row.terms.push_back({signature.row_name(unknown.value())});
      result.push_back(row);
    }
    return result;
  };
  const std::vector<test::NamedSum> equations = rows("f"), constraints = rows("g");
  Model model = test::pattern_model(signature, equations, constraints);
  Incidence incidence = successor_incidence(model);
  return {std::move(model), std::move(incidence), successor_unknowns(signature),
          signature.n() + signature.p()};
}

/// Where each row and unknown ended up, −1: nowhere. Sub-problems are numbered through all sub-sets.
struct SourceMap {
  std::vector<int> problem_of_row, sub_set_of_row;          // rows of the incidence
  std::vector<int> problem_of_unknown, sub_set_of_unknown;  // rows of S
};

/// Fails the test where something has two places.
SourceMap find_places(const RandomModel& random, const Structure& structure) {
  const int rows = random.incidence.rows(), signals = random.model.signature.size();
  SourceMap places{std::vector<int>(rows, -1), std::vector<int>(rows, -1), std::vector<int>(signals, -1),
                   std::vector<int>(signals, -1)};
  int problems = 0;
  for (int s = 0; s < static_cast<int>(structure.sub_sets.size()); ++s)
    for (const SubProblem& problem : structure.sub_sets[s].sub_problems) {
      const auto put = [&](int index, std::vector<int>& problem_of, std::vector<int>& sub_set_of) {
        EXPECT_EQ(problem_of[index], -1);
        problem_of[index] = problems;
        sub_set_of[index] = s;
      };
      for (const int unknown : problem.unknowns)
        put(unknown, places.problem_of_unknown, places.sub_set_of_unknown);
      for (const int row : problem.equations) put(row, places.problem_of_row, places.sub_set_of_row);
      for (const int row : problem.constraints)
        put(random.model.equations() + row, places.problem_of_row, places.sub_set_of_row);
      ++problems;
    }
  return places;
}

template <typename Check>
void on_random_models(const Check& check) {
  std::mt19937 random(8);
  for (int trial = 0; trial < 1000; ++trial) {
    const RandomModel model = random_model(random);
    check(model, analyze_structure(model.model));
  }
}

TEST(StructurePromises, rows_need_their_own_and_earlier_sub_problems_only_and_none_waits_longer) {
  on_random_models([](const RandomModel& random, const Structure& structure) {
    const SourceMap places = find_places(random, structure);
    std::size_t rows_of_knowns = 0;
    for (const PatternRow row : random.incidence.row_indices()) {
      int last = -1;
      for (const PatternColumn column : random.incidence.row(row)) {
        const int unknown = random.unknowns[column].value();
        last = std::max(last, places.problem_of_unknown[unknown]);
        EXPECT_EQ(places.sub_set_of_unknown[unknown], places.sub_set_of_row[row.value()]);
      }
      EXPECT_EQ(places.problem_of_row[row.value()], last);
      rows_of_knowns += last < 0 ? 1 : 0;
    }
    EXPECT_EQ(structure.equations_of_knowns.size() + structure.constraints_of_knowns.size(), rows_of_knowns);
  });
}

TEST(StructurePromises, every_unknown_has_one_place_and_combinations_count_binaries) {
  on_random_models([](const RandomModel& random, const Structure& structure) {
    const SourceMap places = find_places(random, structure);
    for (const SignalRow unknown : random.unknowns) EXPECT_GE(places.problem_of_unknown[unknown.value()], 0);
    long reduced = 0;
    for (const SubSet& sub_set : structure.sub_sets)
      for (const SubProblem& problem : sub_set.sub_problems) {
        EXPECT_FALSE(problem.unknowns.empty());
        EXPECT_EQ(problem.binaries,
                  std::count_if(problem.unknowns.begin(), problem.unknowns.end(), [&](int unknown) {
                    return unknown >= random.model.signature.binary_row(0);
                  }));
        if (problem.binaries > 0) reduced += 1L << problem.binaries;
      }
    EXPECT_EQ(structure.combinations_reduced, std::to_string(reduced));
    EXPECT_EQ(structure.combinations_all, std::to_string(1L << random.model.signature.q()));
  });
}

// Spreading from one unknown over rows reaches all of its sub-set. (That it reaches no more follows from the
// first promise: a row touches one sub-set.)
TEST(StructurePromises, sub_sets_cannot_be_split) {
  on_random_models([](const RandomModel& random, const Structure& structure) {
    for (const SubSet& sub_set : structure.sub_sets) {
      std::set<int> members;
      for (const SubProblem& problem : sub_set.sub_problems)
        members.insert(problem.unknowns.begin(), problem.unknowns.end());
      std::set<int> reached = {*members.begin()};
      for (std::size_t before = 0; before != reached.size();) {
        before = reached.size();
        for (const PatternRow row : random.incidence.row_indices()) {
          std::vector<int> contained;
          for (const PatternColumn column : random.incidence.row(row))
            contained.push_back(random.unknowns[column].value());
          if (std::any_of(contained.begin(), contained.end(), [&](int c) { return reached.count(c) > 0; }))
            reached.insert(contained.begin(), contained.end());
        }
      }
      EXPECT_EQ(reached, members);
    }
  });
}

// The three steps of matching are each as large as exhaustive search on their pattern finds.
TEST(StructurePromises, as_much_is_matched_as_can_be) {
  on_random_models([](const RandomModel& random, const Structure& structure) {
    const int equations = random.model.equations();
    const auto largest = [&](bool equations_with_binaries, bool constraints) {
      std::vector<std::vector<int>> rows(random.incidence.rows());
      for (const PatternRow row : random.incidence.row_indices())
        for (const PatternColumn column : random.incidence.row(row)) {
          const bool continuous = column.value() < random.continuous;
          if (row.value() < equations ? continuous || equations_with_binaries : !continuous && constraints)
            rows[row.value()].push_back(column.value());
        }
      return test::matching_size_by_search(test::pattern(random.incidence.columns(), rows));
    };
    const int left_unknowns = static_cast<int>(structure.unmatched_unknowns.size());
    const int left_binaries = static_cast<int>(structure.unmatched_binaries.size());
    const int left_equations =
        static_cast<int>(structure.unmatched_equations.size() + structure.equations_of_knowns.size());
    EXPECT_EQ(random.continuous - left_unknowns, largest(false, false));
    EXPECT_EQ(equations - left_equations, largest(true, false));
    EXPECT_EQ(random.incidence.columns() - left_unknowns - left_binaries, largest(true, true));
  });
}

}  // namespace structure_promises_test
}  // namespace mti
