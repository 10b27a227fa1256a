#include "solvers/search/assignment_search.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "bench/coupled_binaries.hpp"
#include "bench/judged_assignments.hpp"
#include "mti/build/build.hpp"

namespace mti {
namespace assignment_search_test {

using Status = AssignmentSearch::Result::Status;

std::vector<int> first_numbers(int count) {
  std::vector<int> numbers(at(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

Ball unknown(int) { return {0.0, std::numeric_limits<double>::infinity()}; }

/// q binaries without any condition but that the clock runs.
Model free_binaries(int q) {
  Source source;
  source.states = {{"clock", 0.0}};
  source.equations = {"der(clock) = 1"};
  for (int i = 0; i < q; ++i) source.binaries.push_back({"z" + std::to_string(i), 0.0});
  return build(source);
}

/// All subsets in the order of the rule, made by sorting.
std::vector<std::vector<int>> all_flips(const std::vector<int>& A) {
  std::vector<std::vector<int>> sets;
  for (unsigned subset = 0; subset < 1U << A.size(); ++subset) {
    sets.emplace_back();
    for (std::size_t i = 0; i < A.size(); ++i)
      if ((subset >> i & 1U) != 0) sets.back().push_back(A[i]);
  }
  std::ranges::sort(
      sets, [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  return sets;
}

/// What a search gives when every assignment is excluded as a whole.
std::vector<std::vector<int>> enumerated(AssignmentSearch& search, const std::vector<int>& A,
                                         const std::vector<char>& before) {
  std::vector<std::vector<int>> sets;
  for (;;) {
    const AssignmentSearch::Result result = search.next();
    if (result.status != Status::found) return sets;
    sets.push_back(result.flipped);
    std::vector<char> z = before;
    for (const int binary : result.flipped) z[at(binary)] ^= 1;
    search.exclude(z, A);
  }
}

TEST(AssignmentSearch, GivesAllAssignmentsInOrder) {
  for (const int size : {0, 1, 2, 3, 4, 5, 7, 9}) {
    const Model model = free_binaries(12);
    const SignalRows rows(model);
    std::vector<int> A;
    for (int i = 0; i < size; ++i) A.push_back(i + i / 3);
    std::vector<char> before(12, 0);
    for (std::size_t i = 0; i < before.size(); i += 2) before[i] = 1;
    AssignmentSearch search(rows, unknown, A, before);
    EXPECT_EQ(enumerated(search, A, before), all_flips(A)) << size;
  }
}

TEST(AssignmentSearch, LeavesOutWhatAgreesWithAnExclusion) {
  for (const int size : {4, 8}) {  // counted through; searched
    const Model model = free_binaries(size);
    const SignalRows rows(model);
    const std::vector<int> A = first_numbers(size);
    const std::vector<char> before(A.size(), 0);
    AssignmentSearch search(rows, unknown, A, before);
    EXPECT_EQ(search.next().flipped, std::vector<int>{});
    EXPECT_EQ(search.next().flipped, std::vector<int>{});  // the same until it is excluded
    // Of 1 and 3 one must flip, and not 1 without 2; 3 alone is excluded together with 0 not flipped.
    search.exclude(std::vector<char>(A.size(), 0), std::vector<int>{1, 3});
    EXPECT_EQ(search.next().flipped, std::vector<int>{1});
    std::vector<char> z = before;
    z[1] = 1;
    search.exclude(z, std::vector<int>{1, 2});
    EXPECT_EQ(search.next().flipped, std::vector<int>{3});
    z = before;
    z[3] = 1;
    search.exclude(z, std::vector<int>{0, 3});
    EXPECT_EQ(search.next().flipped, (std::vector<int>{0, 3}));
    std::vector<std::vector<int>> expected = all_flips(A);
    std::erase_if(expected, [](const std::vector<int>& flips) {
      const auto has = [&](int i) { return std::ranges::binary_search(flips, i); };
      return (!has(1) && !has(3)) || (has(1) && !has(2)) || (has(3) && !has(0));
    });
    EXPECT_EQ(enumerated(search, A, before), expected);
    search.exclude(before, std::vector<int>{});
    EXPECT_EQ(search.next().status, Status::none);
  }
}

TEST(AssignmentSearch, AnEmptyExclusionExcludesAll) {
  for (const int size : {3, 8}) {
    const Model model = free_binaries(size);
    const SignalRows rows(model);
    const std::vector<char> before(at(size), 0);
    AssignmentSearch search(rows, unknown, first_numbers(size), before);
    search.exclude(before, std::vector<int>{});
    EXPECT_EQ(search.next().status, Status::none);
  }
}

TEST(AssignmentSearch, IndependentPairsAreFoundTogether) {
  // Sixty pairs, each of which must become (1, 1) for a reason that only a judge knows.
  constexpr int pairs = 60;
  const Model model = free_binaries(2 * pairs);
  const SignalRows rows(model);
  const std::vector<int> A = first_numbers(2 * pairs);
  const std::vector<char> before(A.size(), 0);
  AssignmentSearch search(rows, unknown, A, before);
  int calls = 0;
  for (bool admissible = false; !admissible;) {
    const AssignmentSearch::Result result = search.next();
    ASSERT_EQ(result.status, Status::found);
    ASSERT_LE(++calls, 4);  // (0,0), (1,0), (0,1), (1,1) everywhere at once
    std::vector<char> z = before;
    for (const int binary : result.flipped) z[at(binary)] ^= 1;
    admissible = true;
    for (int pair = 0; pair < pairs; ++pair) {
      const std::vector<int> both{2 * pair, 2 * pair + 1};
      if (z[at(both[0])] != 0 && z[at(both[1])] != 0) continue;
      admissible = false;
      search.exclude(z, both);
    }
    if (admissible) {
      EXPECT_EQ(result.flipped, A);
    }
  }
  EXPECT_EQ(calls, 4);
  EXPECT_LT(search.nodes(), 30 * pairs);
  // The next best differs in one pair only, and there is none: 3 of 4 assignments of each pair are out.
  search.exclude(std::vector<char>(A.size(), 1), A);
  EXPECT_EQ(search.next().status, Status::none);
}

TEST(AssignmentSearch, InvariantsExclude) {
  Source source;
  source.states = {{"clock", 0.0}};
  source.equations = {"der(clock) = 1"};
  std::string any = "z0 or z1";
  for (int i = 0; i < 16; ++i) {
    source.binaries.push_back({"z" + std::to_string(i), 0.0});
    if (i > 3) any += " or z" + std::to_string(i);
  }
  source.invariants = {"not (z0 and z1)", "z2 or z3", any};  // the last is too long for a table
  const Model model = build(source);
  const SignalRows rows(model);
  const std::vector<int> A{0, 1, 2, 3, 4};
  const std::vector<char> before(16, 0);
  const KnownValue known = [](int) { return Ball{0.0, 0.0}; };
  AssignmentSearch search(rows, known, A, before);
  std::vector<std::vector<int>> expected = all_flips(A);
  std::erase_if(expected, [](const std::vector<int>& flips) {
    const auto has = [&](int i) { return std::ranges::binary_search(flips, i); };
    return (has(0) && has(1)) || (!has(2) && !has(3)) || (!has(0) && !has(1) && !has(4));
  });
  EXPECT_EQ(enumerated(search, A, before), expected);

  AssignmentSearch wide(rows, known, first_numbers(16), before);
  EXPECT_EQ(wide.next().flipped, (std::vector<int>{0, 2}));
  std::vector<char> z = before;
  z[2] = 1;
  wide.exclude(z, std::vector<int>{2});
  EXPECT_EQ(wide.next().flipped, (std::vector<int>{0, 3}));
}

struct Family {
  const char* name;
  bench::CoupledBinaries (*make)(const bench::Draw&);
};
const std::vector<Family> families{
    {"logic", [](const bench::Draw& draw) { return bench::logic_network(draw); }},
    {"ladder", [](const bench::Draw& draw) { return bench::diode_ladder(draw); }},
    {"meshes", [](const bench::Draw& draw) { return bench::diode_ladder(draw, 10); }},
    {"sparse relays", [](const bench::Draw& draw) { return bench::relay_loop(draw, 3); }},
    {"dense relays", [](const bench::Draw& draw) { return bench::relay_loop(draw, draw.binaries); }}};

TEST(AssignmentSearch, FindsAnswersThatAreFarAway) {
  for (const Family& family : families)
    for (const bool feasible : {true, false}) {
      const bench::CoupledBinaries problem = family.make({7, 40, 20, feasible});
      bench::JudgedAssignments judge(problem.model, 1e-6);
      AssignmentLimits limits;
      limits.most_nodes = 2000;
      const auto outcome = judge.search(first_numbers(40), problem.before, limits, 2);
      EXPECT_EQ(outcome.status, Status::none) << family.name;
      EXPECT_LE(outcome.yielded, 5) << family.name;
      ASSERT_EQ(outcome.flips.size(), feasible ? 1U : 0U) << family.name;
      if (!feasible) continue;
      EXPECT_EQ(outcome.flips.front().size(), 20U) << family.name;
      for (const int binary : outcome.flips.front())
        EXPECT_NE(problem.answer[at(binary)], problem.before[at(binary)]);
    }
}

TEST(AssignmentSearch, SaysWhenTheLimitIsReached) {
  const bench::CoupledBinaries problem = bench::logic_network({3, 40, 20, false});
  bench::JudgedAssignments judge(problem.model, 1e-6);
  AssignmentLimits limits;
  limits.most_nodes = 5;
  const auto outcome = judge.search(first_numbers(40), problem.before, limits, 1);
  EXPECT_EQ(outcome.status, Status::limit);
  EXPECT_LE(outcome.nodes, limits.most_nodes + 2);  // both children of the last are looked at
}

TEST(AssignmentSearch, SeesThroughALadderByLinearAlgebraOnly) {
  const bench::CoupledBinaries problem = bench::diode_ladder({2, 40, 20, true});
  bench::JudgedAssignments judge(problem.model, 1e-6);
  AssignmentLimits limits;
  limits.most_nodes = 500;
  const auto status = [&](bool solve_equations, bool linear_relaxation) {
    limits.solve_equations = solve_equations;
    limits.linear_relaxation = linear_relaxation;
    return judge.search(first_numbers(40), problem.before, limits, 1).status;
  };
  EXPECT_EQ(status(true, false), Status::found);
  EXPECT_EQ(status(false, true), Status::found);
  EXPECT_EQ(status(false, false), Status::limit);  // row by row it takes many times as many nodes
}

}  // namespace assignment_search_test
}  // namespace mti
