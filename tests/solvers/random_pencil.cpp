#include "tests/solvers/random_pencil.hpp"

#include <algorithm>
#include <bit>

#include "mti/common/number.hpp"
#include "tests/solvers/dense_algebra.hpp"

namespace mti::test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Draws that are discarded: rank decisions that are not clear, data that lose digits, fast modes.
constexpr double least_gap_of_pencil = 1e-3, most_doubt_of_pencil = 1e-12, worst_condition = 1e3,
                 fastest = 10.0;
constexpr int draws = 400;

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return integer(1, 100) <= percent; }
  /// ± 1/2, 3/4, … 2.
  double coefficient() { return 0.25 * integer(2, 8) * (chance(50) ? 1.0 : -1.0); }
  MatrixXd sparse(Index rows, Index columns, int percent) {
    MatrixXd M = MatrixXd::Zero(rows, columns);
    for (double& entry : M.reshaped())
      if (chance(percent)) entry = coefficient();
    return M;
  }
  VectorXd full(Index rows) { return sparse(rows, 1, 100); }
  Eigen::PermutationMatrix<Eigen::Dynamic> permutation(Index n) {
    Eigen::PermutationMatrix<Eigen::Dynamic> P(n);
    P.setIdentity();
    std::shuffle(P.indices().begin(), P.indices().end(), random_);
    return P;
  }
  int other(Index n, int than) { return (than + integer(1, static_cast<int>(n) - 1)) % static_cast<int>(n); }

 private:
  std::mt19937 random_;
};

/// Strictly upper triangular with a chain of the wanted length, the others no longer.
MatrixXd nilpotent(Draw& draw, Index n, int index) {
  MatrixXd N = MatrixXd::Zero(n, n);
  int length = 1;
  for (Index i = 0; i + 1 < n; ++i) {
    const bool goes_on = i + 1 < index || (length < index && draw.chance(50));
    if (goes_on && length < index) {
      N(i, i + 1) = draw.coefficient();
      ++length;
    } else {
      length = 1;
    }
  }
  return N;
}

void block_triangular(Draw& draw, Index n, int index, RandomPencil& pencil) {
  const Index n2 = draw.integer(index, static_cast<int>(n)), n1 = n - n2;
  pencil.E = MatrixXd::Zero(n, n);
  pencil.A = MatrixXd::Zero(n, n);
  for (Index i = 0; i < n1; ++i) pencil.E(i, i) = draw.coefficient();
  pencil.A.topLeftCorner(n1, n1) = draw.sparse(n1, n1, 40);
  pencil.E.topRightCorner(n1, n2) = draw.sparse(n1, n2, 15);
  pencil.A.topRightCorner(n1, n2) = draw.sparse(n1, n2, 25);
  pencil.E.bottomRightCorner(n2, n2) = nilpotent(draw, n2, index);
  pencil.A.bottomRightCorner(n2, n2) = draw.sparse(n2, n2, 25).triangularView<Eigen::StrictlyUpper>();
  for (Index i = n1; i < n; ++i) pencil.A(i, i) = draw.coefficient();
}

/// M v̇ + K v + Gᵀ λ, G v (index 2); ẋ − v, M v̇ + K v + L x + Gᵀ λ, G x (index 3).
void mechanism(Draw& draw, Index n, int index, RandomPencil& pencil) {
  const bool positions = index == 3;
  const Index most_constraints = positions ? (n - 2) / 3 + 1 : n / 3 + (n > 2 ? 0 : 1);
  Index constraints = draw.integer(1, static_cast<int>(std::max<Index>(1, most_constraints)));
  Index bodies = positions ? (n - constraints) / 2 : n - constraints;
  constraints = positions ? n - 2 * bodies : constraints;
  const Index forces = positions ? 2 * bodies : bodies, first_v = positions ? bodies : 0;
  pencil.E = MatrixXd::Zero(n, n);
  pencil.A = MatrixXd::Zero(n, n);
  const MatrixXd G = draw.sparse(constraints, bodies, 60);
  pencil.E.block(first_v, first_v, bodies, bodies) = draw.sparse(bodies, bodies, 15);
  for (Index i = 0; i < bodies; ++i) {
    pencil.E(first_v + i, first_v + i) = 0.25 * draw.integer(4, 12);
    if (!positions) continue;
    pencil.E(i, i) = 1.0;
    pencil.A(i, first_v + i) = -1.0;
  }
  pencil.A.block(first_v, 0, bodies, forces) = draw.sparse(bodies, forces, 25);
  pencil.A.block(first_v, forces, bodies, constraints) = G.transpose();
  pencil.A.block(forces, 0, constraints, bodies) = G;
}

/// Permutes rows and signals; adds some rows to others, some signals to others.
void mix(Draw& draw, RandomPencil& pencil) {
  const Index n = pencil.size();
  for (int k = draw.integer(0, static_cast<int>(n) / 2); k > 0; --k) {
    const int to = draw.integer(0, static_cast<int>(n) - 1), from = draw.other(n, to);
    const double factor = draw.coefficient();
    if (draw.chance(50)) {
      pencil.E.row(to) += factor * pencil.E.row(from);
      pencil.A.row(to) += factor * pencil.A.row(from);
    } else {
      pencil.E.col(to) += factor * pencil.E.col(from);
      pencil.A.col(to) += factor * pencil.A.col(from);
    }
  }
  const auto P = draw.permutation(n), Q = draw.permutation(n);
  pencil.E = MatrixXd(P * MatrixXd(pencil.E * Q));
  pencil.A = MatrixXd(P * MatrixXd(pencil.A * Q));
}

/// Decides on a draw: well conditioned, of the wanted index, not too fast.
bool usable(RandomPencil& pencil, int index) {
  const std::optional<WongForm> form = wong_form(pencil.E, pencil.A);
  if (!form || form->index != index) return false;
  if (form->clearance < least_gap_of_pencil || form->doubt > most_doubt_of_pencil ||
      form->condition > worst_condition)
    return false;
  if (spectral_radius(form->J) > fastest) return false;
  pencil.form = *form;
  return true;
}

}  // namespace

int structural_degrees_of_freedom(const MatrixXd& E, const MatrixXd& A) {
  constexpr int none = -1000;
  const auto n = static_cast<int>(E.rows());
  std::vector<int> best(std::size_t{1} << n, none);  // by set of columns taken by the first rows
  best[0] = 0;
  for (std::size_t taken = 0; taken < best.size(); ++taken) {
    if (best[taken] == none) continue;
    const int row = std::popcount(taken);
    for (int j = 0; j < n; ++j) {
      const std::size_t next = taken | std::size_t{1} << j;
      if (next == taken || (E(row, j) == 0.0 && A(row, j) == 0.0)) continue;
      best[next] = std::max(best[next], best[taken] + (E(row, j) != 0.0 ? 1 : 0));
    }
  }
  return best.back();
}

bool structure_is_faithful(const RandomPencil& pencil) {
  return structural_degrees_of_freedom(pencil.E, pencil.A) == pencil.form.V.cols();
}

std::optional<RandomPencil> draw_sparse_pencil(int index, unsigned seed) {
  Draw draw(seed * 4 + static_cast<unsigned>(index));
  for (int attempt = 0; attempt < draws; ++attempt) {
    RandomPencil pencil;
    const Index n = draw.integer(index + (index == 1 ? 1 : 0), 8);
    if (index > 1 && n > index && draw.chance(40))
      mechanism(draw, n, index, pencil);
    else
      block_triangular(draw, n, index, pencil);
    mix(draw, pencil);
    pencil.b = {draw.full(n), draw.full(n), draw.full(n)};
    pencil.x_minus = draw.full(n);
    if (usable(pencil, index) && structure_is_faithful(pencil)) return pencil;
  }
  return std::nullopt;
}

std::optional<RandomPencil> draw_dense_pencil(int index, unsigned seed) {
  Draw draw(seed * 4 + static_cast<unsigned>(index));
  for (int attempt = 0; attempt < draws; ++attempt) {
    RandomPencil pencil;
    const Index n = draw.integer(std::max(2, index), 6);
    const Index n2 = draw.integer(index, static_cast<int>(n)), n1 = n - n2;
    MatrixXd E = MatrixXd::Identity(n, n), A = MatrixXd::Identity(n, n);
    E.bottomRightCorner(n2, n2) = nilpotent(draw, n2, index);
    A.topLeftCorner(n1, n1) = draw.sparse(n1, n1, 50);
    const MatrixXd P = draw.sparse(n, n, 100), Q = draw.sparse(n, n, 100);
    pencil.E = P * E * Q;
    pencil.A = P * A * Q;
    pencil.b = {draw.full(n), draw.full(n), draw.full(n)};
    pencil.x_minus = draw.full(n);
    if (usable(pencil, index)) return pencil;
  }
  return std::nullopt;
}

std::string linear_text(const Eigen::RowVectorXd& E_row, const Eigen::RowVectorXd& A_row) {
  std::string text;
  const auto add = [&](double coefficient, const std::string& factor) {
    if (coefficient == 0.0) return;
    text += text.empty() ? (coefficient < 0.0 ? "-" : "") : (coefficient < 0.0 ? " - " : " + ");
    text += text::format_number(std::abs(coefficient)) + "*" + factor;
  };
  for (Index j = 0; j < A_row.size(); ++j) {
    const std::string name = "x" + std::to_string(j + 1);
    add(E_row[j], "der(" + name + ")");
    add(A_row[j], name);
  }
  return text.empty() ? "0" : text;
}

std::string row_text(const RandomPencil& pencil, Index i) {
  return linear_text(pencil.E.row(i), pencil.A.row(i));
}

void declare_signals(const std::vector<const RandomPencil*>& pencils, Source& source) {
  for (Index j = 0; j < pencils.front()->size(); ++j) {
    const std::string name = "x" + std::to_string(j + 1);
    const double start = pencils.front()->x_minus[j];
    const bool differentiated = std::any_of(pencils.begin(), pencils.end(), [j](const RandomPencil* pencil) {
      return !pencil->E.col(j).isZero(0.0);
    });
    if (differentiated)
      source.states.push_back({name, start});
    else
      source.algebraic.push_back({name, start});
  }
}

Source source_of(const RandomPencil& pencil) {
  Source source;
  declare_signals({&pencil}, source);
  for (Index i = 0; i < pencil.size(); ++i)
    source.equations.emplace_back(row_text(pencil, i) + " = " + text::format_number(pencil.b.front()[i]));
  return source;
}

}  // namespace mti::test
