// Value and full Jacobian of CP maps: what a non-zero of S costs from 10 to 10^5 signals, what a product
// does, how that compares with reading the same bytes once, and that nothing is allocated.
//
//     kernel_bench [Google Benchmark options]

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "bench/timing.hpp"
#include "mti/common/at.hpp"
#include "mti/multilinear/cp_kernel.hpp"

namespace {

std::atomic<long> allocations{0};

}  // namespace

// NOLINTBEGIN: these replace the program's own allocation functions in order to count the calls.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND

namespace {

/// signals × columns for S, rows × columns for Φ.
struct Size {
  int signals, columns, rows;
  int weights;  ///< non-zeros of Φ per column; `rows` of them: Φ is dense
};

/// Columns of 2 to 4 distinct signals with |S| ≤ 1 and their weights, all at random with a fixed seed.
mti::CpMap random_map(const Size& size) {
  std::mt19937 random(20251);
  std::uniform_int_distribution<int> length(2, 4), signal(0, size.signals - 1), row(0, size.rows - 1);
  std::uniform_real_distribution<double> value(0.1, 1.0);
  std::vector<Eigen::Triplet<double>> S, Phi;
  for (int k = 0; k < size.columns; ++k) {
    std::vector<int> chosen;
    for (const int count = length(random); static_cast<int>(chosen.size()) < count;) {
      const int next = signal(random);
      if (std::find(chosen.begin(), chosen.end(), next) == chosen.end()) chosen.push_back(next);
    }
    for (const int next : chosen) S.emplace_back(next, k, random() % 2 == 0 ? value(random) : -value(random));
    for (int j = 0; j < size.weights; ++j)
      Phi.emplace_back(size.weights == size.rows ? j : row(random), k, value(random));
  }
  mti::SparseColumns sparse_S(size.signals, size.columns), sparse_Phi(size.rows, size.columns);
  sparse_S.setFromTriplets(S.begin(), S.end());
  sparse_Phi.setFromTriplets(Phi.begin(), Phi.end());
  return {std::move(sparse_S), std::move(sparse_Phi)};
}

/// Σ_k nnz(S_k)·nnz(Φ_k): the additions to the Jacobian.
std::size_t products(const mti::CpMap& map) {
  std::size_t sum = 0;
  for (int k = 0; k < map.columns(); ++k)
    sum += mti::at(map.S().col(k).nonZeros()) * mti::at(map.Phi().col(k).nonZeros());
  return sum;
}

/// What an evaluation reads and writes: 16 bytes per non-zero of S and Φ (value and index), two starts per
/// column, a place in J per product, and v, f, J.
std::size_t bytes(const mti::CpMap& map, const mti::CpKernel& kernel) {
  const auto nonzeros = mti::at(map.S().nonZeros() + map.Phi().nonZeros());
  const auto numbers = mti::at(map.signals() + map.rows()) + kernel.pattern().nonzeros();
  return 16 * nonzeros + 8 * mti::at(map.columns()) + 4 * products(map) + 8 * numbers;
}

/// Evaluations that are timed together: some 10^5 products, so that reading the clock does not count.
int batch_size(std::size_t work) { return static_cast<int>(std::max<std::size_t>(1, 100'000 / work)); }

/// Measures one size; returns nanoseconds per non-zero of S.
double measure(benchmark::State& state, const Size& size) {
  const mti::CpMap map = random_map(size);
  const mti::CpKernel kernel(map);
  mti::CpKernel::Workspace workspace = kernel.workspace();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::vector<double> v(mti::at(map.signals()));
  for (double& entry : v) entry = value(random);
  std::vector<double> f(mti::at(map.rows())), J(kernel.pattern().nonzeros());
  const std::vector<std::uint64_t> same_bytes(bytes(map, kernel) / sizeof(std::uint64_t), 1);
  const int batch = batch_size(products(map));

  std::vector<double> times, stream_ratios;
  times.reserve(1 << 20);
  stream_ratios.reserve(1 << 20);
  long counted = 0;
  for (auto _ : state) {
    const long before = allocations;
    const double begun = mti::bench::thread_seconds();
    for (int i = 0; i < batch; ++i) {
      kernel.value_and_jacobian(v, f, J, workspace);
      benchmark::ClobberMemory();
    }
    const double evaluated = mti::bench::thread_seconds();
    counted += allocations - before;
    for (int i = 0; i < batch; ++i) {
      benchmark::DoNotOptimize(std::accumulate(same_bytes.begin(), same_bytes.end(), std::uint64_t{0}));
      benchmark::ClobberMemory();
    }
    const double streamed = mti::bench::thread_seconds();
    times.push_back((evaluated - begun) / batch);
    stream_ratios.push_back((evaluated - begun) / (streamed - evaluated));
    state.SetIterationTime(times.back());
  }
  const double time = mti::bench::median(times);
  const double per_nonzero = 1e9 * time / static_cast<double>(map.S().nonZeros());
  state.counters["ns_per_nonzero"] = per_nonzero;
  state.counters["ns_per_product"] = 1e9 * time / static_cast<double>(products(map));
  state.counters["to_stream"] = mti::bench::median(stream_ratios);
  state.counters["MB"] = 1e-6 * static_cast<double>(bytes(map, kernel));
  state.counters["allocations"] = static_cast<double>(counted);
  return per_nonzero;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  std::vector<double> per_nonzero;
  for (const int signals : {10, 100, 1'000, 10'000, 100'000}) {
    const Size size{signals, signals, signals, 2};
    benchmark::RegisterBenchmark(
        ("sparse/" + std::to_string(signals)).c_str(),
        [&per_nonzero, size](auto& state) { per_nonzero.push_back(measure(state, size)); })
        ->UseManualTime()
        ->Iterations(200)
        ->Unit(benchmark::kMicrosecond);
  }
  for (const Size size : {Size{10, 100'000, 10, 2}, Size{1'000, 100'000, 1'000, 2}})
    benchmark::RegisterBenchmark(
        ("many_columns/" + std::to_string(size.signals) + "/" + std::to_string(size.columns)).c_str(),
        [size](auto& state) { (void)measure(state, size); })
        ->UseManualTime()
        ->Iterations(50)
        ->Unit(benchmark::kMicrosecond);
  for (const Size size : {Size{20'000, 10, 20'000, 20'000}, Size{100'000, 100, 100'000, 100'000}})
    benchmark::RegisterBenchmark(
        ("dense_Phi/" + std::to_string(size.signals) + "/" + std::to_string(size.columns)).c_str(),
        [size](auto& state) { (void)measure(state, size); })
        ->UseManualTime()
        ->Iterations(10)
        ->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
  if (per_nonzero.size() > 1) {
    const auto [least, most] = std::minmax_element(per_nonzero.begin(), per_nonzero.end());
    std::printf("\nNanoseconds per non-zero of S over the sparse sizes: %.2f to %.2f, ratio %.2f\n", *least,
                *most, *most / *least);
  }
}
