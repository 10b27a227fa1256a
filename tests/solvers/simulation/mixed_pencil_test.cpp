// Linear systems whose rows and signals have been added to each other: units and order change nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/solvers/random_pencil.hpp"

namespace mti::test {
namespace mixed_pencil_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rtol = 1e-9, stop = 0.0078125;

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  int integer(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
  VectorXd vector(Index n) {
    VectorXd v(n);
    for (Index i = 0; i < n; ++i) v[i] = integer(-2, 2);
    return v;
  }
  std::vector<int> permutation(Index n) {
    std::vector<int> order(at(n));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    return order;
  }
  /// Integers with determinant ±1: rows added to each other, then permuted.
  MatrixXd unimodular(Index n) {
    MatrixXd M = MatrixXd::Identity(n, n);
    constexpr double largest = 6.0;
    for (Index k = 0; k < 3 * n; ++k) {
      const int to = integer(0, static_cast<int>(n) - 1), other = integer(0, static_cast<int>(n) - 2);
      const int factor = integer(0, 1) == 0 ? integer(1, 2) : -integer(1, 2);
      if (M.cwiseAbs().maxCoeff() < largest) M.row(to) += factor * M.row(other < to ? other : other + 1);
    }
    MatrixXd permuted(n, n);
    const std::vector<int> order = permutation(n);
    for (Index i = 0; i < n; ++i) permuted.row(i) = M.row(order[at(i)]);
    return permuted;
  }

 private:
  std::mt19937 random_;
};

/// P diag(I, N) Q and P diag(J, I) Q with nilpotent blocks of up to `index`; all numbers are integers.
RandomPencil mixed_pencil(unsigned seed, int index) {
  Draw draw(seed);
  const Index n1 = draw.integer(index < 2 ? 1 : 0, 3);
  std::vector<int> blocks = {index};
  if (draw.integer(0, 1) == 1) blocks.push_back(draw.integer(1, index));
  const Index n2 = std::accumulate(blocks.begin(), blocks.end(), Index{0}), n = n1 + n2;
  MatrixXd E = MatrixXd::Identity(n, n), A = MatrixXd::Identity(n, n);
  E.bottomRightCorner(n2, n2).setZero();
  Index first = n1;
  for (const int size : blocks) {
    for (Index k = first; k + 1 < first + size; ++k) E(k, k + 1) = 1.0;
    first += size;
  }
  for (Index i = 0; i < n1; ++i)
    for (Index j = 0; j < n1; ++j) A(i, j) = draw.integer(-1, 1) + (i == j ? 2.0 : 0.0);
  const MatrixXd P = draw.unimodular(n), Q = draw.unimodular(n);
  RandomPencil pencil;
  pencil.E = P * E * Q;
  pencil.A = P * A * Q;
  pencil.b = {draw.vector(n)};
  pencil.x_minus = draw.vector(n);
  return pencil;
}

/// Rows in another order, rows and signals in other units.
struct Writing {
  explicit Writing(Index n) : order(at(n)), row_exponents(at(n), 0), signal_exponents(at(n), 0) {
    std::iota(order.begin(), order.end(), 0);
  }

  std::vector<int> order, row_exponents, signal_exponents;
};

Writing in_wild_units(Index n, unsigned seed) {
  Draw draw(seed);
  constexpr int most = 40;
  Writing writing(n);
  for (int& exponent : writing.row_exponents) exponent = draw.integer(-most, most);
  for (int& exponent : writing.signal_exponents) exponent = draw.integer(-most, most);
  return writing;
}

Source source_of(const RandomPencil& pencil, const Writing& writing) {
  RandomPencil written = pencil;
  for (Index i = 0; i < pencil.size(); ++i) {
    const double row = std::exp2(writing.row_exponents[at(i)]);
    for (Index j = 0; j < pencil.size(); ++j) {
      const double unit = row / std::exp2(writing.signal_exponents[at(j)]);
      written.E(i, j) *= unit;
      written.A(i, j) *= unit;
    }
    written.b.front()[i] *= row;
    written.x_minus[i] *= std::exp2(writing.signal_exponents[at(i)]);
  }
  Source source = test::source_of(written);
  const auto nominal = [&](const std::string& name) {
    return std::exp2(writing.signal_exponents[at(std::stoi(name.substr(1)) - 1)]);
  };
  for (StateSource& state : source.states) state.nominal = nominal(state.name);
  for (AlgebraicSource& signal : source.algebraic) signal.nominal = nominal(signal.name);
  for (std::size_t i = 0; i < source.equations.size(); ++i)
    source.equations[i].name = "row" + std::to_string(i + 1);
  std::vector<RelationSource> ordered;
  for (const int row : writing.order) ordered.push_back(source.equations[at(row)]);
  source.equations = ordered;
  return source;
}

struct Result {
  OutcomeKind outcome = OutcomeKind::reached_stop;
  std::string message;
  VectorXd end;  ///< in the units of the pencil
};

Result run(const RandomPencil& pencil, const Writing& writing) {
  SimulationOptions options;
  options.rtol = options.atol = rtol;
  options.stop = options.output_interval = stop;
  const Trajectory trajectory = simulate(build(source_of(pencil, writing)), options);
  Result result{trajectory.outcome.kind, trajectory.outcome.message, VectorXd::Zero(pencil.size())};
  if (result.outcome != OutcomeKind::reached_stop) return result;
  for (Index j = 0; j < pencil.size(); ++j)
    result.end[j] =
        std::scalbn(trajectory.value(trajectory.size() - 1, trajectory.column("x" + std::to_string(j + 1))),
                    -writing.signal_exponents[at(j)]);
  return result;
}

/// x at the stop by the Taylor series of the oracle's motion.
VectorXd expected_end(const RandomPencil& pencil, const WongForm& form) {
  constexpr int terms = 14;
  const LinearRestart start = restart(form, pencil.x_minus, pencil.b);
  VectorXd sum = VectorXd::Zero(pencil.size());
  double factor = 1.0;
  int k = 0;
  for (const VectorXd& derivative : derivatives(form, start.x_plus, pencil.b, terms)) {
    sum += factor * derivative;
    factor *= stop / ++k;
  }
  return sum;
}

/// Danger: numbers that cancel are seen in one order of the rows and not in another, for the combination needs
/// derivatives of rows of another block.
TEST(MixedPencil, RunsInEveryOrderOfItsRows) {
  int compared = 0;
  for (unsigned seed = 0; seed < 60; ++seed)
    for (int index = 1; index <= 3; ++index) {
      const RandomPencil pencil = mixed_pencil(4 * seed + static_cast<unsigned>(index), index);
      const std::optional<WongForm> form = wong_form(pencil.E, pencil.A);
      if (!form || form->index != index || form->clearance < 1e-4) continue;
      const VectorXd expected = expected_end(pencil, *form);
      ++compared;
      for (unsigned order = 0; order < 3; ++order) {
        Writing writing(pencil.size());
        if (order > 0) writing.order = Draw(order).permutation(pencil.size());
        const Result result = run(pencil, writing);
        ASSERT_EQ(result.outcome, OutcomeKind::reached_stop)
            << "seed " << seed << ", index " << index << ", order " << order << ": " << result.message;
        EXPECT_LT((result.end - expected).cwiseAbs().maxCoeff(),
                  10.0 * rtol * form->condition * (1.0 + expected.cwiseAbs().maxCoeff()))
            << "seed " << seed << ", index " << index << ", order " << order;
      }
    }
  EXPECT_GE(compared, 120);
}

/// Danger: thresholds of ranks that see the units of rows and signals.
TEST(MixedPencil, UnitsChangeNothing) {
  for (unsigned seed = 0; seed < 100; ++seed)
    for (int index = 1; index <= 3; ++index) {
      const RandomPencil pencil = mixed_pencil(1000 + 4 * seed + static_cast<unsigned>(index), index);
      const Result plain = run(pencil, Writing(pencil.size())),
                   other = run(pencil, in_wild_units(pencil.size(), seed));
      ASSERT_EQ(other.outcome, plain.outcome)
          << "seed " << seed << ", index " << index << ": " << other.message;
      EXPECT_LE((other.end - plain.end).cwiseAbs().maxCoeff(),
                1e-12 * (1.0 + plain.end.cwiseAbs().maxCoeff()))
          << "seed " << seed << ", index " << index;
    }
}

/// The last row follows from the others but for its number: no motion, and in all units for the same reason.
TEST(MixedPencil, SingularOnesAreRefusedInAllUnits) {
  int refused = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomPencil pencil = mixed_pencil(5000 + seed, 1 + static_cast<int>(seed % 3U));
    const Index last = pencil.size() - 1;
    pencil.E.row(last) = pencil.E.row(0) - pencil.E.topRows(last).colwise().sum();
    pencil.A.row(last) = pencil.A.row(0) - pencil.A.topRows(last).colwise().sum();
    pencil.b.front()[last] = 1.0 + pencil.b.front()[0] - pencil.b.front().head(last).sum();
    if (pencil.E.isZero(0.0) || last < 2) continue;
    const Result plain = run(pencil, Writing(pencil.size())),
                 other = run(pencil, in_wild_units(pencil.size(), seed));
    ++refused;
    EXPECT_NE(plain.outcome, OutcomeKind::reached_stop) << "seed " << seed;
    EXPECT_EQ(other.outcome, plain.outcome) << "seed " << seed;
    EXPECT_EQ(other.message, plain.message) << "seed " << seed;
  }
  EXPECT_GE(refused, 30);
}

/// 3 ẋ₁ − ẋ₂ + …, 2 x₀ + 2 x₁ + t, 3 ẋ₀ + ẋ₂ + …: a combination with ẋ₀ + ẋ₁ of the second row holds no slope.
/// Danger: of factors 10^±12 and more it is lost, for no power of 2 is such a factor.
TEST(MixedPencil, AFactorOfOneRowChangesNothing) {
  VectorXd one;
  for (const int decade : {0, 12, 15, 100, -12, -15, -100}) {
    Source source;
    source.parameters = {{"f", std::pow(10.0, decade)}};
    source.states = {{"x0"}, {"x1"}, {"x2"}};
    source.equations = {"3*der(x1) - der(x2) + 2*x0 + 8*x1 = 0", "2*x0 + 2*x1 + time = 0",
                        "3*f*der(x0) + f*der(x2) + 5*f*x0 - f*x1 + 3*f*x2 = 0"};
    SimulationOptions options;
    options.rtol = options.atol = rtol;
    options.stop = options.output_interval = 1.0;
    const Trajectory trajectory = simulate(build(source), options);
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << decade << trajectory.outcome.message;
    VectorXd end(3);
    for (const int i : {0, 1, 2})
      end[i] = trajectory.value(trajectory.size() - 1, trajectory.column("x" + std::to_string(i)));
    EXPECT_NEAR(end[0] + end[1], -0.5, 1e-9) << decade;
    if (decade == 0) one = end;
    EXPECT_LT((end - one).cwiseAbs().maxCoeff(), 1e-8) << decade;
  }
}

}  // namespace mixed_pencil_test
}  // namespace mti::test
