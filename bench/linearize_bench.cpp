// Linearisation of a chain of N reactors
//
//     ẋ_i = u·x_{i−1} − (1 + k_i)·x_i − 0.1·x_i·y_i,    y_i = x_i + 0.5·x_{i−1},    x_0 = 1
//
// as it grows, and its Jacobian beside one that is written by hand:
//
//     linearize_bench [largest N, default 100000]
//
// build: from text to S and Φ; freeze: in its mode; linearize: E, A, B, C, D at a point, without
// eigenvalues; state space: y eliminated; eigenvalues: all N, by the block triangular form. Medians of
// processor time, exponents over the last two decades. `by hand` fills the values of ∂f/∂(ẋ, x, y) into a
// matrix whose pattern is fixed; `jacobian` is Jacobian::evaluate for the same three groups; `difference` is
// the largest difference of an entry.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "bench/timing.hpp"
#include "mti/build/build.hpp"
#include "mti/model/freeze.hpp"
#include "mti/model/jacobian.hpp"
#include "solvers/linearization/linearize.hpp"

namespace {

double k(int i) { return 0.01 * (i % 89); }

mti::Source chain(int N) {
  mti::Source source;
  source.inputs = {{"u", mti::Number(2.0)}};
  for (int i = 1; i <= N; ++i) {
    const std::string x = "x" + std::to_string(i), y = "y" + std::to_string(i);
    const std::string before = i == 1 ? "1" : "x" + std::to_string(i - 1);
    source.states.push_back({x, 1.0});
    source.algebraic.push_back({y, 1.0});
    source.equations.emplace_back("der(" + x + ") = u*" + before + " - (1 + " + std::to_string(k(i)) + ")*" +
                                  x + " - 0.1*" + x + "*" + y);
    source.equations.emplace_back(y + " = " + x + " + 0.5*" + before);
  }
  return source;
}

struct Costs {
  int N = 0;
  double build = NAN, freeze = NAN, linearize = NAN, state_space = NAN, eigenvalues = NAN;
  double jacobian = NAN, by_hand = NAN, ratio = NAN, difference = NAN;
};

double time_of(const std::function<void()>& function) { return mti::bench::time_of(function, 0.5, 51); }

/// The Jacobian with respect to (x, y) by hand: rows 2i of ẋ_i, 2i + 1 of y_i (0-based), and that of ẋ.
class ByHand {
 public:
  explicit ByHand(int N) : N_(N), rates_(2 * N, N), signals_(2 * N, 2 * N) {
    std::vector<Eigen::Triplet<double>> e, a;
    for (int i = 0; i < N; ++i) {
      e.emplace_back(2 * i, i, 1.0);
      for (int row = 2 * i; row < std::min(2 * i + 4, 2 * N); ++row) a.emplace_back(row, i, 1.0);
      a.emplace_back(2 * i, N + i, 1.0);
      a.emplace_back(2 * i + 1, N + i, 1.0);
    }
    rates_.setFromTriplets(e.begin(), e.end());
    signals_.setFromTriplets(a.begin(), a.end());
  }

  void evaluate(const double* x, const double* y, double u) {
    double* rate = rates_.valuePtr();
    double* entry = signals_.valuePtr();
    for (int i = 0; i < N_; ++i) {
      *rate++ = 1.0;
      *entry++ = 1.0 + k(i + 1) + 0.1 * y[i];
      *entry++ = -1.0;
      if (i + 1 == N_) break;
      *entry++ = -u;
      *entry++ = -0.5;
    }
    for (int i = 0; i < N_; ++i) {
      *entry++ = 0.1 * x[i];
      *entry++ = 1.0;
    }
  }

  /// Largest difference to another Jacobian of the same signals.
  [[nodiscard]] double difference(const mti::SparseColumns& rates, const mti::SparseColumns& states,
                                  const mti::SparseColumns& algebraic) const {
    const mti::SparseColumns x = signals_.leftCols(N_), y = signals_.rightCols(N_);
    double largest = 0.0;
    for (const mti::SparseColumns& off : {mti::SparseColumns(rates - rates_), mti::SparseColumns(states - x),
                                          mti::SparseColumns(algebraic - y)})
      largest = std::max(
          largest, Eigen::Map<const Eigen::VectorXd>(off.valuePtr(), off.nonZeros()).cwiseAbs().maxCoeff());
    return largest;
  }

 private:
  int N_;
  mti::SparseColumns rates_, signals_;
};

Costs measure(int N) {
  Costs costs;
  costs.N = N;
  const mti::Source source = chain(N);
  costs.build = time_of([&] { static_cast<void>(mti::build(source)); });
  const mti::Model model = mti::build(source);
  mti::LinearizationPoint point = mti::start_point(model, {});
  costs.freeze = time_of([&] { static_cast<void>(mti::freeze(model, point.mode)); });
  const mti::LinearizationOptions plain{.with_eigenvalues = false};
  costs.linearize = time_of([&] { static_cast<void>(mti::linearize(model, point, plain)); });
  const mti::Linearization l = mti::linearize(model, point, plain);
  costs.state_space = time_of([&] { static_cast<void>(mti::state_space(l)); });
  costs.eigenvalues = time_of([&] { static_cast<void>(mti::finite_eigenvalues(l.E, l.A)); });

  const mti::Signature& signature = model.signature;
  mti::Jacobian f(model.f(), {derivative_rows(signature), state_rows(signature), algebraic_rows(signature)});
  ByHand hand(N);
  const double* const x = point.v.data() + signature.state_row(0);
  const double* const y = point.v.data() + signature.algebraic_row(0);
  const int calls = std::max(1, 100'000 / N);
  const auto times = mti::bench::time_in_turn(31, {[&] {
                                                     for (int i = 0; i < calls; ++i) f.evaluate(point.v);
                                                   },
                                                   [&] {
                                                     for (int i = 0; i < calls; ++i) hand.evaluate(x, y, 2.0);
                                                   }});
  costs.jacobian = times[0].seconds / calls;
  costs.by_hand = times[1].seconds / calls;
  costs.ratio = times[1].first_to_this;
  costs.difference = hand.difference(f.matrix(0), f.matrix(1), f.matrix(2));
  return costs;
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::max(1000, std::atoi(argv[1])) : 100'000;
  std::printf(
      "N | build ms | freeze ms | linearize ms | state space ms | eigenvalues ms | jacobian us | by hand us "
      "| "
      "ratio | difference\n--|--|--|--|--|--|--|--|--|--\n");
  std::vector<Costs> rows;
  for (int N = 100; N <= largest; N *= 10) {
    const Costs c = rows.emplace_back(measure(N));
    std::printf("%d | %.2f | %.2f | %.2f | %.2f | %.2f | %.1f | %.1f | %.2f | %.1e\n", N, 1e3 * c.build,
                1e3 * c.freeze, 1e3 * c.linearize, 1e3 * c.state_space, 1e3 * c.eigenvalues, 1e6 * c.jacobian,
                1e6 * c.by_hand, c.ratio, c.difference);
    std::fflush(stdout);
  }
  std::printf("exponent");
  for (const auto cost : {&Costs::build, &Costs::freeze, &Costs::linearize, &Costs::state_space,
                          &Costs::eigenvalues, &Costs::jacobian, &Costs::by_hand})
    std::printf(" | %.2f",
                mti::bench::growth_exponent(rows, cost, std::max(100, largest / 100)).value_or(NAN));
  std::printf(" | |\n");
  return 0;
}
