#include "bench/coupled_binaries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"

namespace mti::bench {
namespace {

std::string indexed(const char* name, int i) { return name + std::to_string(i); }

/// Digits enough to get the number back.
std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "(%.17g)", value);
  return text.data();
}

/// Random numbers that are the same with every standard library.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
  bool coin() { return below(2) == 1; }
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  std::vector<int> permutation(int size) {
    std::vector<int> order(at(size));
    std::iota(order.begin(), order.end(), 0);
    for (int i = size - 1; i > 0; --i) std::swap(order[at(i)], order[at(below(i + 1))]);
    return order;
  }

 private:
  std::mt19937 engine_;
};

/// What the families have in common.
struct Instance {
  explicit Instance(const Draw& draw) : random(draw.seed), before(at(draw.binaries)) {
    source.states = {{"clock", 0.0}};
    source.equations.emplace_back("der(clock) = 1");
    for (char& bit : before) bit = random.coin() ? 1 : 0;
    answer = before;
    std::vector<int> order = random.permutation(draw.binaries);
    for (int i = 0; i < draw.distance; ++i) answer[at(order[at(i)])] ^= 1;
    for (int i = 0; i < draw.binaries; ++i)
      source.binaries.push_back({indexed("z", i), static_cast<double>(before[at(i)])});
  }
  CoupledBinaries finish(const Draw& draw) {
    source.name = "coupled_binaries";
    return {build(source), before, draw.feasible ? answer : std::vector<char>{}};
  }

  Random random;
  Source source;
  std::vector<char> before, answer;
};

/// Rows over GF(2) in echelon form.
class Rank {
 public:
  /// True if the row was independent of those before.
  bool add(std::uint64_t row) {
    for (const std::uint64_t pivot : rows_) row = std::min(row, row ^ pivot);
    if (row == 0) return false;
    rows_.push_back(row);
    return true;
  }
  [[nodiscard]] int value() const { return static_cast<int>(rows_.size()); }

 private:
  std::vector<std::uint64_t> rows_;
};

}  // namespace

CoupledBinaries logic_network(const Draw& draw) {
  Instance instance(draw);
  Random& random = instance.random;
  const std::vector<char>& answer = instance.answer;
  const auto some = [&](int count) {
    std::vector<int> chosen = random.permutation(draw.binaries);
    chosen.resize(at(count));
    return chosen;
  };
  const auto literal = [](int i, bool positive) {
    return positive ? indexed("z", i) : "(1 - " + indexed("z", i) + ")";
  };
  for (Rank rank; rank.value() < draw.binaries;) {
    const std::vector<int> of = some(3);
    std::uint64_t row = 0;
    std::string product;
    int sum = 0;
    for (const int i : of) {
      row |= std::uint64_t{1} << i;
      sum += answer[at(i)];
      product += (product.empty() ? "(1 - 2*" : "*(1 - 2*") + indexed("z", i) + ")";
    }
    if (rank.add(row)) instance.source.equations.emplace_back(product + (sum % 2 == 0 ? " = 1" : " = -1"));
  }
  for (int clause = 0; clause < draw.binaries; ++clause) {
    const std::vector<int> of = some(3);
    const int sure = random.below(3);
    std::string sum;
    for (int i = 0; i < 3; ++i) {
      const bool holds = i == sure || random.coin();
      sum += (i == 0 ? "" : " + ") + literal(of[at(i)], (answer[at(of[at(i)])] != 0) == holds);
    }
    instance.source.constraints.emplace_back(sum + " >= 1");
  }
  for (int row = 0; row < draw.binaries / 8; ++row) {
    std::string sum;
    int count = 0;
    for (const int i : some(std::min(8, draw.binaries))) {
      sum += (sum.empty() ? "" : " + ") + indexed("z", i);
      count += answer[at(i)];
    }
    instance.source.constraints.emplace_back(sum + " <= " + std::to_string(count));
  }
  const std::vector<int> of = some(3);
  if (!draw.feasible) {
    std::string sum;
    for (const int i : of) sum += (sum.empty() ? "" : " + ") + literal(i, answer[at(i)] == 0);
    instance.source.constraints.emplace_back(sum + " >= 1");
  }
  return instance.finish(draw);
}

CoupledBinaries diode_ladder(const Draw& draw, int chords) {
  Instance instance(draw);
  Random& random = instance.random;
  const int n = draw.binaries;
  struct Resistor {
    int from, to;
    double g;
  };
  std::vector<Resistor> resistors;
  for (int i = 1; i < n; ++i) resistors.push_back({i - 1, i, random.between(0.5, 2.0)});
  for (int i = 0; i < chords; ++i) {
    const int from = random.below(n), to = random.below(n);
    if (from != to) resistors.push_back({from, to, random.between(0.5, 2.0)});
  }
  // Potentials and currents are drawn, and the sources follow from them.
  std::vector<double> E(at(n)), v(at(n)), a(at(n));
  for (int i = 0; i < n; ++i) {
    const bool conducts = instance.answer[at(i)] != 0;
    E[at(i)] = random.between(1.0, 3.0);
    v[at(i)] = E[at(i)] - (conducts ? 0.0 : random.between(0.2, 2.0));
    a[at(i)] = conducts ? random.between(0.2, 2.0) : 0.0;
  }
  int limited = -1;
  for (int i = 0; i < n; ++i) {
    const std::string vi = indexed("v", i), ai = indexed("a", i), zi = indexed("z", i);
    const double h = random.between(0.05, 0.2);
    double source = a[at(i)] + h * v[at(i)];
    std::string balance = ai + " + " + number(h) + "*" + vi;
    for (const Resistor& resistor : resistors) {
      if (resistor.from != i && resistor.to != i) continue;
      const int other = resistor.from == i ? resistor.to : resistor.from;
      source += resistor.g * (v[at(i)] - v[at(other)]);
      balance += " + " + number(resistor.g) + "*(" + vi + " - " + indexed("v", other) + ")";
    }
    instance.source.algebraic.push_back({vi, 0.0});
    instance.source.algebraic.push_back({ai, 0.0});
    instance.source.equations.emplace_back(balance + " = " + number(source));
    instance.source.equations.emplace_back(zi + "*(" + number(E[at(i)]) + " - " + vi + ") + (1 - " + zi +
                                           ")*" + ai + " = 0");
    instance.source.constraints.emplace_back(ai + " >= 0");
    instance.source.constraints.emplace_back(vi + " <= " + number(E[at(i)]));
    if (limited < 0 && a[at(i)] > 0.0 && i >= n / 2) limited = i;
  }
  if (!draw.feasible && limited >= 0)
    instance.source.constraints.emplace_back(indexed("a", limited) + " <= " + number(0.5 * a[at(limited)]));
  return instance.finish(draw);
}

CoupledBinaries relay_loop(const Draw& draw, int neighbours) {
  Instance instance(draw);
  Random& random = instance.random;
  const int n = draw.binaries;
  constexpr double lo = -0.1, hi = 0.1, margin = 0.5;
  const std::vector<int> order = random.permutation(n);  // order[k]: the relay at place k
  std::vector<std::vector<double>> T(at(n), std::vector<double>(at(n), 0.0));
  std::vector<double> c(at(n)), w(at(n));
  for (int place = 0; place < n; ++place) {
    const int i = order[at(place)];
    std::vector<int> earlier(order.begin(), order.begin() + place);
    std::vector<double>& row = T[at(i)];
    for (int k = 0; k < std::min(neighbours, place); ++k) {
      std::swap(earlier[at(k)], earlier[at(k + random.below(place - k))]);
      row[at(earlier[at(k)])] = random.between(0.2, 1.0) * (random.coin() ? 1.0 : -1.0);
    }
    const int later = n - 1 - place;
    for (int k = 0; k < std::min(neighbours, later); ++k)
      row[at(order[at(place + 1 + random.below(later))])] =
          0.9 * margin / std::max(1, std::min(neighbours, later)) * (random.coin() ? 1.0 : -1.0);
    double sum = 0.0;
    for (int j = 0; j < place; ++j) sum += row[at(order[at(j)])] * instance.answer[at(order[at(j)])];
    // Without the later ones the row's sum is `margin` or more beyond hi or lo.
    const double side = instance.answer[at(i)] != 0 ? 1.0 : -1.0;
    c[at(i)] = side * (hi + margin + random.between(0.0, 0.5)) - sum;
  }
  if (!draw.feasible) {
    const int last = order.back();
    T[at(last)][at(last)] = -4.0;
    c[at(last)] += 2.0;  // what it had is between -2 and 2: now w > hi when it is off and w < lo when on
  }
  // w = c + T z is written as w = b + K z + L w with b = (1 − L) c and K = (1 − L) T.
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) % n;
    const double loop = random.between(0.3, 0.7) * (random.coin() ? 1.0 : -1.0);
    const std::string wi = indexed("w", i), zi = indexed("z", i);
    std::string right =
        number(c[at(i)] - loop * c[at(next)]) + " + " + number(loop) + "*" + indexed("w", next);
    for (int j = 0; j < n; ++j)
      if (const double K = T[at(i)][at(j)] - loop * T[at(next)][at(j)]; K != 0.0)
        right += " + " + number(K) + "*" + indexed("z", j);
    instance.source.algebraic.push_back({wi, 0.0});
    instance.source.equations.emplace_back(wi + " = " + right);
    instance.source.constraints.emplace_back("(" + wi + " - " + number(hi) + ")*(1 - " + zi + ") <= 0");
    instance.source.constraints.emplace_back("(" + number(lo) + " - " + wi + ")*" + zi + " <= 0");
  }
  return instance.finish(draw);
}

}  // namespace mti::bench
