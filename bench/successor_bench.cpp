// Sub-problems of coupled binaries whose answer is many flips away, and such without an answer:
//
//     successor_bench [binaries [seeds [first_seed]]]
//
// Prints for every family and seed the processor time of the assignment search and of posing the whole
// successor problem, from the model to the answer, the assignments that had to be judged, the partial
// assignments looked at and the linear programmes solved. The last line of a family holds the largest of
// each. Exit status 1 if an answer is not the one that the generator knows.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "bench/coupled_binaries.hpp"
#include "bench/judged_assignments.hpp"
#include "bench/timing.hpp"
#include "solvers/switching/successor.hpp"

namespace {

using namespace mti;

struct Family {
  const char* name;
  std::function<bench::CoupledBinaries(const bench::Draw&)> make;
};

struct Figures {
  double seconds = 0.0;  ///< of the assignment search with its judge
  double whole = 0.0;    ///< of posing the whole successor problem, sliding and the extension of A included
  bench::JudgedAssignments::Outcome outcome;
  bool right = false;
};

/// The whole of what an event asks: A from what z⁻ breaks, assignments, sliding, a larger A.
bool successor_exists(const bench::CoupledBinaries& problem, const Instant& instant) {
  constexpr double tolerance = 1e-6;
  constexpr long most_candidates = 100'000;
  const Accuracy accuracy(problem.model, tolerance, tolerance);
  ModeCache cache(problem.model);
  const SuccessorSearch search(problem.model, cache, accuracy, {.max_candidates = most_candidates});
  Mode before;
  before.z = problem.before;
  return search.find(instant, before).status == Successor::Status::found;
}

Figures run(const bench::CoupledBinaries& problem) {
  Figures figures;
  std::vector<int> A(problem.before.size());
  for (std::size_t i = 0; i < A.size(); ++i) A[i] = static_cast<int>(i);
  bench::JudgedAssignments judge(problem.model, 1e-6);
  const double begun = bench::thread_seconds();
  figures.outcome = judge.search(A, problem.before, {}, 1);
  figures.seconds = bench::thread_seconds() - begun;
  const double posed = bench::thread_seconds();
  const bool found = successor_exists(problem, judge.instant());
  figures.whole = bench::thread_seconds() - posed;
  std::vector<int> expected;
  for (std::size_t i = 0; i < problem.answer.size(); ++i)
    if (problem.answer[i] != problem.before[i]) expected.push_back(static_cast<int>(i));
  using Status = AssignmentSearch::Result::Status;
  figures.right = problem.answer.empty()
                      ? figures.outcome.status == Status::none
                      : figures.outcome.status == Status::found && figures.outcome.flips.front() == expected;
  figures.right = figures.right && found == !problem.answer.empty();
  return figures;
}

void print(const char* family, const char* kind, const std::string& seed, const Figures& figures) {
  std::printf("%-20s %-10s %4s  %9.1f ms %9.1f ms %8d %9ld %9ld  %s\n", family, kind, seed.c_str(),
              1e3 * figures.seconds, 1e3 * figures.whole, figures.outcome.yielded, figures.outcome.nodes,
              figures.outcome.linear_programmes, figures.right ? "right" : "NOT the answer");
}

}  // namespace

int main(int argc, char** argv) {
  const int binaries = argc > 1 ? std::atoi(argv[1]) : 40;
  const unsigned seeds = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 20;
  const unsigned first = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1;
  const std::vector<Family> families{
      {"logic", bench::logic_network},
      {"ladder", [](const bench::Draw& draw) { return bench::diode_ladder(draw); }},
      {"ladder with chords",
       [](const bench::Draw& draw) { return bench::diode_ladder(draw, draw.binaries / 4); }},
      {"relays, sparse", [](const bench::Draw& draw) { return bench::relay_loop(draw, 3); }},
      {"relays, dense", [](const bench::Draw& draw) { return bench::relay_loop(draw, draw.binaries); }}};
  std::printf("%-20s %-10s %4s  %12s %12s %8s %9s %9s\n", "family", "", "seed", "assignments", "whole search",
              "judged", "nodes", "LPs");
  bool right = true;
  for (const Family& family : families)
    for (const bool feasible : {true, false}) {
      const char* kind = feasible ? "answer" : "infeasible";
      Figures worst;
      worst.right = true;
      for (unsigned seed = first; seed < first + seeds; ++seed) {
        const Figures figures = run(family.make({seed, binaries, binaries / 2, feasible}));
        print(family.name, kind, std::to_string(seed), figures);
        std::fflush(stdout);
        worst.seconds = std::max(worst.seconds, figures.seconds);
        worst.whole = std::max(worst.whole, figures.whole);
        worst.outcome.yielded = std::max(worst.outcome.yielded, figures.outcome.yielded);
        worst.outcome.nodes = std::max(worst.outcome.nodes, figures.outcome.nodes);
        worst.outcome.linear_programmes =
            std::max(worst.outcome.linear_programmes, figures.outcome.linear_programmes);
        worst.right = worst.right && figures.right;
      }
      print(family.name, kind, "max", worst);
      right = right && worst.right;
    }
  return right ? 0 : 1;
}
