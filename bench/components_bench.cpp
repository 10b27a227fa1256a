// What it costs to build models from components, beside the same models written out by a program:
//
//     components_bench [largest N, default 10000]
//
// A row per N, each measured in a process of its own (peak memory), processor time on one core:
//
//     read      read_model(file with components, n = N): reading, putting together, building
//     reduce    reduce(that model): aliases of connections and explicit signals eliminated; equations left
//     direct    build(source made by a C++ program), which has the same equations without the inputs that are
//               driven (tank ring), or in all the same ones (coaxial cable)
//
// and exponents p of c·N^p fitted over N ≥ 100.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/families.hpp"
#include "bench/faulty_coaxial.hpp"
#include "bench/timing.hpp"
#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "mti/transform/reduce.hpp"

namespace {

using mti::Model;
using mti::bench::thread_seconds;

struct Family {
  const char* name;
  const char* file;
  std::function<mti::Source(int)> direct;
};

struct Costs {
  int N = 0;
  double read = NAN, reduce = NAN, direct = NAN, read_megabytes = NAN, direct_megabytes = NAN;
  long equations = 0, columns = 0, equations_left = 0;
};

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// What `measured` fills in, in a process of its own.
Costs apart(const std::function<Costs()>& measured) {
  std::fflush(stdout);
  Costs result;
  int ends[2];
  if (pipe(ends) != 0) return result;
  const pid_t child = fork();
  if (child == 0) {
    const Costs found = measured();
    _exit(write(ends[1], &found, sizeof found) == static_cast<ssize_t>(sizeof found) ? 0 : 1);
  }
  close(ends[1]);
  Costs received;
  if (read(ends[0], &received, sizeof received) == static_cast<ssize_t>(sizeof received)) result = received;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return result;
}

Costs measure(const Family& family, int N) {
  const std::filesystem::path file = std::filesystem::path(MTI_SOURCE_DIR) / family.file;
  Costs costs = apart([&] {
    const double begun = thread_seconds();
    const Model model = mti::read_model(file, {{"n", static_cast<double>(N)}});
    Costs found{.read = thread_seconds() - begun,
                .read_megabytes = peak_megabytes(),
                .equations = model.equations(),
                .columns = model.columns()};
    const double built = thread_seconds();
    found.equations_left = mti::reduce(model).model.equations();
    found.reduce = thread_seconds() - built;
    return found;
  });
  const Costs direct = apart([&] {
    const double begun = thread_seconds();
    const Model model = mti::build(family.direct(N));
    return Costs{.direct = thread_seconds() - begun, .direct_megabytes = peak_megabytes()};
  });
  costs.N = N;
  costs.direct = direct.direct;
  costs.direct_megabytes = direct.direct_megabytes;
  return costs;
}

double exponent(const std::vector<Costs>& rows, double Costs::*cost) {
  return mti::bench::growth_exponent(rows, cost, 100).value_or(NAN);
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::max(10, std::atoi(argv[1])) : 10000;
  const std::vector<Family> families = {
      {"ring of N tanks", "examples/tank_ring/model.json", [](int N) { return mti::bench::tank_ring(N); }},
      {"FaultyCoaxial(N)", "bench/components/coaxial.json", [](int N) {
         return mti::bench::FaultyCoaxial{N, mti::bench::FaultyCoaxial::Declared::by_element}.source();
       }}};
  for (const Family& family : families) {
    std::printf(
        "%s\n\nN | equations | columns | read ms | reduce ms | left | direct ms | read MB | direct MB\n"
        "--|--|--|--|--|--|--|--|--\n",
        family.name);
    std::vector<Costs> rows;
    for (int N = 10; N <= largest; N *= 10) {
      const Costs& row = rows.emplace_back(measure(family, N));
      std::printf("%d | %ld | %ld | %.1f | %.1f | %ld | %.1f | %.1f | %.1f\n", N, row.equations, row.columns,
                  1e3 * row.read, 1e3 * row.reduce, row.equations_left, 1e3 * row.direct, row.read_megabytes,
                  row.direct_megabytes);
    }
    std::printf("exponent | | | %.2f | %.2f | | %.2f | %.2f | %.2f\n\n", exponent(rows, &Costs::read),
                exponent(rows, &Costs::reduce), exponent(rows, &Costs::direct),
                exponent(rows, &Costs::read_megabytes), exponent(rows, &Costs::direct_megabytes));
  }
  return 0;
}
