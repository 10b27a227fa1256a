#include "solvers/linearization/state_space.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "solvers/linearization/linearize.hpp"

namespace mti {
namespace state_space_test {

using Dense = Eigen::MatrixXd;

SparseColumns sparse(const Dense& dense) {
  SparseColumns matrix = dense.sparseView();
  matrix.makeCompressed();
  return matrix;
}

/// A descriptor form with `n` states and as many algebraic signals as are left, all of them outputs.
Linearization descriptor(const Dense& E, const Dense& A, const Dense& B, int n) {
  Linearization l;
  l.states = n;
  l.E = sparse(E);
  l.A = sparse(A);
  l.B = sparse(B);
  const auto size = static_cast<int>(A.cols());
  Dense C = Dense::Zero(size - n, size);
  C.rightCols(size - n).setIdentity();
  l.C = sparse(C);
  l.D = SparseColumns(size - n, static_cast<int>(B.cols()));
  for (int i = 0; i < size; ++i) {
    l.equations.push_back("eq" + std::to_string(i + 1));
    l.unknowns.push_back((i < n ? "x" : "y") + std::to_string(i + 1));
    if (i >= n) l.outputs.push_back(l.unknowns.back());
  }
  for (int i = 0; i < B.cols(); ++i) l.inputs.push_back("u" + std::to_string(i + 1));
  return l;
}

std::string id_of(const Linearization& linearization, long most_entries = 1000) {
  try {
    static_cast<void>(state_space(linearization, most_entries));
  } catch (const InvalidModel& invalid) {
    return invalid.faults().front().id + ": " + invalid.faults().front().message;
  }
  return "";
}

/// ẋ1 = 2x1x… with factors (½ + ½x1)x2 and (½ − ½x1)u, Φ = [2 0; 4 6]: ẋ1 = (1 + x1)x2,
/// ẋ2 = 2(1 + x1)x2 + 3(1 − x1)u. At x = (−1, 1), u = 3 A = [1 0; 2 − 9 0] and B = (0; 3·2).
TEST(StateSpace, ExplicitModelByHand) {
  Source source;
  source.states = {{"x1", -1.0}, {"x2", 1.0}};
  source.inputs = {{"u", Number(3.0)}};
  source.equations = {"der(x1) = 2*(0.5 + 0.5*x1)*x2", "der(x2) = 4*(0.5 + 0.5*x1)*x2 + 6*(0.5 - 0.5*x1)*u"};
  const Model model = build(source);
  const Linearization l = linearize(model, consistent_point(model, start_point(model, {})));
  EXPECT_EQ(l.v[0], 0.0);
  EXPECT_EQ(l.v[1], 18.0) << "the rates are F(x, u)";
  const StateSpaceForm form = state_space(l);
  Dense A(2, 2), B(2, 1);
  A << 1, 0, -7, 0;
  B << 0, 6;
  EXPECT_EQ(Dense(form.A), A);
  EXPECT_EQ(Dense(form.B), B);
  EXPECT_EQ(form.C.rows(), 0);
}

/// Against dense elimination of random descriptor forms of index 1, with loops among ẋ and y.
TEST(StateSpace, IsTheDenseElimination) {
  std::mt19937 random(17);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::bernoulli_distribution present(0.35);
  const auto matrix = [&](int rows, int columns) -> Dense {
    return Dense::NullaryExpr(rows, columns, [&] { return present(random) ? uniform(random) : 0.0; });
  };
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 1 + trial % 7, p = trial % 5, m = trial % 3, size = n + p;
    Dense E = matrix(size, size), A = matrix(size, size);
    E.rightCols(p).setZero();
    for (int i = 0; i < n; ++i) E(i, i) = 3.0;
    for (int i = n; i < size; ++i) A(i, i) = -3.0;
    const Dense B = matrix(size, m);
    Dense leading(size, size), known(size, n + m);
    // Not by <<: where p = 0 or m = 0, Eigen's comma initialiser binds a reference to a coefficient of no
    // matrix.
    leading.leftCols(n) = E.leftCols(n);
    leading.rightCols(p) = -A.rightCols(p);
    known.leftCols(n) = A.leftCols(n);
    known.rightCols(m) = B;
    const Dense expected = leading.fullPivLu().solve(known);
    const StateSpaceForm form = state_space(descriptor(E, A, B, n));
    Dense found(size, n + m);
    found.topLeftCorner(n, n) = Dense(form.A);
    found.topRightCorner(n, m) = Dense(form.B);
    found.bottomLeftCorner(p, n) = Dense(form.C);
    found.bottomRightCorner(p, m) = Dense(form.D);
    EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-12 * (1.0 + expected.cwiseAbs().maxCoeff()))
        << "trial " << trial;
  }
}

/// A coupled algebraic loop above the size that is solved densely, against the same in dense form.
TEST(StateSpace, LargeLoopsAreSolvedSparsely) {
  const int n = 3, p = 300, size = n + p;
  Dense E = Dense::Zero(size, size), A = Dense::Zero(size, size);
  for (int i = 0; i < n; ++i) {
    E(i, i) = 1.0;
    A(i, n + 100 * i) = 1.0;
  }
  for (int i = 0; i < p; ++i) {
    A(n + i, n + i) = -4.0;
    A(n + i, n + (i + 1) % p) = 1.0;
    A(n + i, n + (i + p - 1) % p) = 1.0;
  }
  A(n + 7, 0) = 1.0;
  A(n + 150, 2) = 1.0;
  const Linearization l = descriptor(E, A, Dense::Zero(size, 0), n);
  const StateSpaceForm form = state_space(l, 100'000);
  Dense leading(size, size);
  leading << E.leftCols(n), -A.rightCols(p);
  const Dense expected = leading.fullPivLu().solve(A.leftCols(n));
  EXPECT_LE((Dense(form.A) - expected.topRows(n)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((Dense(form.C) - expected.bottomRows(p)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_EQ(id_of(l, 500).substr(0, 9), "too-dense");
}

/// x_i' = x_{i−1} − x_i through an algebraic signal each: three entries a row, however long.
TEST(StateSpace, StaysSparse) {
  const int n = 100'000;
  std::vector<Eigen::Triplet<double>> e, a;
  for (int i = 0; i < n; ++i) {
    e.emplace_back(i, i, 1.0);
    a.emplace_back(i, n + i, 1.0);
    a.emplace_back(n + i, n + i, -1.0);
    a.emplace_back(n + i, i, -1.0);
    if (i > 0) a.emplace_back(n + i, i - 1, 1.0);
  }
  Linearization l = descriptor(Dense::Zero(2, 2), Dense::Zero(2, 2), Dense::Zero(2, 0), 1);
  l.states = n;
  const int size = 2 * n;
  l.E.resize(size, size);
  l.E.setFromTriplets(e.begin(), e.end());
  l.A.resize(size, size);
  l.A.setFromTriplets(a.begin(), a.end());
  l.B.resize(size, 0);
  l.C.resize(0, size);
  l.unknowns.resize(at(size));
  const StateSpaceForm form = state_space(l);
  EXPECT_EQ(form.A.nonZeros(), 2 * n - 1);
  EXPECT_EQ(form.A.coeff(5, 4), 1.0);
  EXPECT_EQ(form.A.coeff(5, 5), -1.0);
}

/// Controls: index 2, and a loop that its numbers make singular.
TEST(StateSpace, RefusesWhatHasNone) {
  Dense E = Dense::Zero(2, 2), A = Dense::Zero(2, 2);
  E(0, 0) = 1.0;
  A(0, 1) = 1.0;  // x' = y
  A(1, 0) = 1.0;  // 0 = x
  const std::string index_2 = id_of(descriptor(E, A, Dense::Zero(2, 0), 1));
  EXPECT_EQ(index_2.substr(0, 14), "no-state-space") << index_2;
  A << 0, 1, 1, 0;
  E << 1, 0, 1, 0;  // x' = y, x' = −x: y follows
  EXPECT_EQ(id_of(descriptor(E, A, Dense::Zero(2, 0), 1)), "");
  Dense loop = Dense::Zero(3, 3), E3 = Dense::Zero(3, 3);
  E3(0, 0) = 1.0;
  loop << 0, 1, 0, 1, 1, 1, 0, 2, 2;
  const std::string singular = id_of(descriptor(E3, loop, Dense::Zero(3, 0), 1));
  EXPECT_EQ(singular.substr(0, 14), "no-state-space") << singular;
  EXPECT_NE(singular.find("y2, y3"), std::string::npos) << singular;
  EXPECT_EQ(id_of(descriptor(Dense::Zero(1, 2), Dense::Zero(1, 2), Dense::Zero(1, 0), 1)).substr(0, 14),
            "no-state-space");
}

/// ẋ = −x + a, a + s b = x, a − s b = u, whatever the unit of b: a = (x + u)/2, b = (x − u)/(2s).
TEST(StateSpace, DoesNotDependOnUnits) {
  for (const double s : {1.0, 1e-13, 1e-30, 1e13}) {
    Dense E = Dense::Zero(3, 3), A(3, 3), B(3, 1);
    E(0, 0) = 1.0;
    A << -1.0, 1.0, 0.0, -1.0, 1.0, s, 0.0, 1.0, -s;
    B << 0.0, 0.0, -1.0;
    const StateSpaceForm form = state_space(descriptor(E, A, B, 1));
    EXPECT_NEAR(form.A.coeff(0, 0), -0.5, 1e-15);
    EXPECT_NEAR(form.B.coeff(0, 0), 0.5, 1e-15);
    EXPECT_NEAR(form.C.coeff(1, 0) * s, 0.5, 1e-15);
    EXPECT_NEAR(form.D.coeff(1, 0) * s, -0.5, 1e-15);
  }
}

}  // namespace state_space_test
}  // namespace mti
