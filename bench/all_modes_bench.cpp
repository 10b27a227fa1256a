// What the analysis of all modes at once costs, beside analysing modes one by one:
//
//     all_modes_bench [largest N, default 1000] [seconds per case, default 60]
//
// First a table for each family with a row per N = 10, 30, 100, …, each measured in a process of its own:
//
//     all modes   AllModes(model), processor time; the model is there already
//     one mode    analyze_mode(model, mode) of a single mode, with freezing; and how many of these the
//                 analysis of all modes costs
//     MB          largest memory of the process, with the model
//     nodes       different nodes of the decision diagrams of blocks, edges, offsets and incidences
//
// with exponents fitted over N ≥ 30. Then, for few elements, all modes one by one: 2^q calls of analyze_mode.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "bench/clutch_chain.hpp"
#include "bench/families.hpp"
#include "bench/faulty_coaxial.hpp"
#include "bench/timing.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/multimode/all_modes.hpp"
#include "solvers/structure/mode_structure.hpp"

namespace {

using mti::AllModes;
using mti::Mode;
using mti::Model;
using mti::ModeSet;
using mti::Source;
using mti::bench::Closing;
using mti::bench::ClutchChain;
using mti::bench::FaultyCoaxial;
using mti::bench::thread_seconds;

struct Family {
  std::string name;
  std::function<Source(int)> source;
};

std::vector<Family> families() {
  const auto coaxial = [](FaultyCoaxial::Declared declared) {
    return [declared](int N) { return FaultyCoaxial{N, declared}.source(); };
  };
  const auto clutches = [](Closing closing) {
    return [closing](int N) { return ClutchChain{.bodies = N + 1, .closing = closing}.source(); };
  };
  return {{"FaultyCoaxial(N)", coaxial(FaultyCoaxial::Declared::by_element)},
          {"FaultyCoaxial(N), all opens declared before all shorts",
           coaxial(FaultyCoaxial::Declared::opens_first)},
          {"FaultyCoaxial(N), declared without order", coaxial(FaultyCoaxial::Declared::shuffled)},
          {"ring of N tanks", [](int N) { return mti::bench::tank_ring(N); }},
          {"brake line of N cars", [](int N) { return mti::bench::train_brake_line(N); }},
          {"N clutches, by input", clutches(Closing::by_input)},
          {"N clutches, by contact", clutches(Closing::by_constraint)}};
}

struct Costs {
  int N = 0;
  double all = NAN, one = NAN, megabytes = NAN;
  int variables = 0;
  double blocks = NAN, edges = NAN, nodes = NAN;
};

double time_of(const std::function<void()>& function, double budget) {
  return mti::bench::time_of(function, budget, 101);
}

/// The mode number `bits`: binaries first, then binary inputs.
Mode mode_of(const Model& model, unsigned long bits) {
  const mti::Signature& signature = model.signature;
  Mode mode;
  const auto next = [&] {
    const char bit = (bits & 1UL) != 0 ? 1 : 0;
    bits >>= 1U;
    return bit;
  };
  for (int i = 0; i < signature.q(); ++i) mode.z.push_back(next());
  for (const mti::Signal& input : signature.inputs())
    if (input.binary) mode.binary_inputs.push_back(next());
  for (const int z : signature.pre()) mode.pre.push_back(mode.z[mti::at(z)]);
  return mode;
}

/// Counts every node once, however many sets share it.
class Nodes {
 public:
  void add(const ModeSet& set) {
    std::vector<ModeSet> open{set};
    while (!open.empty()) {
      const ModeSet node = std::move(open.back());
      open.pop_back();
      if (node.is_constant() || !known_.insert(node.id()).second) continue;
      open.push_back(node.low());
      open.push_back(node.high());
    }
  }
  [[nodiscard]] std::size_t count() const { return known_.size(); }

 private:
  std::unordered_set<int> known_;
};

double nodes_of(const AllModes& all) {
  Nodes nodes;
  for (const auto& row : all.incidence.entries)
    for (const auto& entry : row) nodes.add(entry.present), nodes.add(entry.derivative);
  for (const auto* numbers : {&all.offsets.c, &all.offsets.d})
    for (const mti::ModeNumber& number : *numbers)
      for (const ModeSet& level : number.levels) nodes.add(level);
  for (const mti::ConditionalBlock& block : all.graph.blocks) nodes.add(block.where);
  for (const mti::ConditionalEdge& edge : all.graph.edges) nodes.add(edge.where);
  return static_cast<double>(nodes.count());
}

/// One analysis comes first, by itself: its memory is that of the process. Further ones would find results of
/// the first in the caches of the diagrams, which is not what a user's first call does.
Costs measure(const Family& family, int N) {
  const Model model = mti::build(family.source(N));
  Costs costs{.N = N};
  const double begun = thread_seconds();
  const AllModes all(model);
  costs.all = thread_seconds() - begun;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  costs.megabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
  costs.variables = all.space.variables();
  costs.blocks = static_cast<double>(all.graph.blocks.size());
  costs.edges = static_cast<double>(all.graph.edges.size());
  costs.nodes = nodes_of(all);
  const Mode mode = mode_of(model, 0);
  costs.one = time_of([&] { static_cast<void>(mti::analyze_mode(model, mode)); }, 0.2);
  return costs;
}

/// In a process of its own, which is ended after `budget` seconds of processor time.
template <class Measured>
Measured apart(double budget, const Measured& otherwise, const std::function<Measured()>& measured) {
  std::fflush(stdout);
  int ends[2];
  if (pipe(ends) != 0) return otherwise;
  const pid_t child = fork();
  if (child == 0) {
    const auto seconds = static_cast<rlim_t>(std::ceil(budget));
    const rlimit limit{seconds, seconds};
    setrlimit(RLIMIT_CPU, &limit);
    const Measured result = measured();
    _exit(write(ends[1], &result, sizeof result) == static_cast<ssize_t>(sizeof result) ? 0 : 1);
  }
  close(ends[1]);
  Measured result = otherwise, received;
  if (read(ends[0], &received, sizeof received) == static_cast<ssize_t>(sizeof received)) result = received;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return result;
}

/// From N = 30 on; not a number where there are too few points.
double exponent(const std::vector<Costs>& rows, double Costs::*cost) {
  return mti::bench::growth_exponent(rows, cost, 30).value_or(NAN);
}

void print_growth(const Family& family, int largest, double budget) {
  std::printf(
      "%s\n\nN | variables | all modes ms | one mode ms | ratio | MB | blocks | edges | nodes\n"
      "--|--|--|--|--|--|--|--|--\n",
      family.name.c_str());
  std::vector<Costs> rows;
  for (const int N : {10, 30, 100, 300, 1000, 3000, 10000}) {
    if (N > largest) break;
    const Costs row = apart<Costs>(budget, Costs{.N = N}, [&] { return measure(family, N); });
    if (!(row.all > 0.0)) {
      std::printf("%d | not within %.0f s\n", N, budget);
      break;
    }
    std::printf("%d | %d | %.2f | %.3f | %.1f | %.1f | %.0f | %.0f | %.0f\n", N, row.variables, 1e3 * row.all,
                1e3 * row.one, row.all / row.one, row.megabytes, row.blocks, row.edges, row.nodes);
    rows.push_back(row);
  }
  std::printf("exponent | | %.2f | %.2f | | %.2f | %.2f | %.2f | %.2f\n\n", exponent(rows, &Costs::all),
              exponent(rows, &Costs::one), exponent(rows, &Costs::megabytes), exponent(rows, &Costs::blocks),
              exponent(rows, &Costs::edges), exponent(rows, &Costs::nodes));
}

struct OneByOne {
  double all = NAN, enumerated = NAN;
  int variables = 0;
  long considered = 0, same_verdict = 0;
};

/// All 2^q modes by analyze_mode, after those not considered are left out.
OneByOne enumerate(const Family& family, int N) {
  const Model model = mti::build(family.source(N));
  const double begun = thread_seconds();
  const AllModes all(model);
  OneByOne result{.all = thread_seconds() - begun, .variables = all.space.variables()};
  result.enumerated = 0.0;
  for (unsigned long bits = 0; bits < 1UL << result.variables; ++bits) {
    const Mode mode = mode_of(model, bits);
    if (!std::ranges::all_of(all.space.factors(),
                             [&](const ModeSet& factor) { return all.space.contains(factor, mode); }))
      continue;
    ++result.considered;
    const double before = thread_seconds();
    const mti::ModeStructure structure = mti::analyze_mode(model, mode);
    result.enumerated += thread_seconds() - before;
    if (structure.singular == all.space.contains(all.parts.singular, mode)) ++result.same_verdict;
  }
  return result;
}

void print_one_by_one(const Family& family, double budget) {
  std::printf(
      "%s, all modes one by one\n\nN | variables | modes | same verdict | all at once ms | one by one ms | "
      "ratio\n--|--|--|--|--|--|--\n",
      family.name.c_str());
  for (const int N : {3, 4, 5, 6, 8}) {
    const OneByOne row = apart<OneByOne>(budget, OneByOne{}, [&] { return enumerate(family, N); });
    if (!(row.all > 0.0)) {
      std::printf("%d | not within %.0f s\n", N, budget);
      break;
    }
    std::printf("%d | %d | %ld | %ld | %.2f | %.2f | %.1f\n", N, row.variables, row.considered,
                row.same_verdict, 1e3 * row.all, 1e3 * row.enumerated, row.enumerated / row.all);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::max(10, std::atoi(argv[1])) : 1000;
  const double budget = argc > 2 ? std::max(1.0, std::atof(argv[2])) : 60.0;
  std::printf("Processor time on one core; exponents over N >= 30\n\n");
  for (const Family& family : families()) print_growth(family, largest, budget);
  for (const Family& family : families()) print_one_by_one(family, budget);
  return 0;
}
