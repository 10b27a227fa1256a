#include "tests/solvers/diode_network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "tests/solvers/random_pencil.hpp"

namespace mti::test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

/// Sizes that count as zero, and sizes that are neither zero nor clearly different; data are of order one.
constexpr double zero = 1e-9, clear_by = 1e-4;
/// Derivatives looked at where a value is zero: max(4, 2 + offset, 1 + degrees of freedom) (docs/theory.md).
constexpr int derivative_orders = 8;

enum class Sign { negative, none, positive };

Sign sign_of(double value, bool& is_clear) {
  const double size = std::abs(value);
  if (size > zero && size < clear_by) is_clear = false;
  if (size <= zero) return Sign::none;
  return value < 0.0 ? Sign::negative : Sign::positive;
}

/// A row g = r x ≤ 0 by its first number that is not zero: it may be negative only.
template <class Number>
bool first_is_negative(int count, const Number& number, bool if_all_vanish, bool& is_clear) {
  for (int k = 0; k < count; ++k)
    if (const Sign sign = sign_of(number(k), is_clear); sign != Sign::none) return sign == Sign::negative;
  return if_all_vanish;
}

struct ModePencil {
  MatrixXd E, A;
  VectorXd b;
};

ModePencil pencil_of(const DiodeNetwork& network, const std::vector<char>& z) {
  const Index n = network.signals(), d = network.diodes();
  ModePencil pencil{MatrixXd::Zero(n, n), MatrixXd::Zero(n, n), VectorXd::Zero(n)};
  pencil.E.topRows(n - d) = network.E;
  pencil.A.topRows(n - d) = network.A;
  pencil.b.head(n - d) = network.b;
  for (Index k = 0; k < d; ++k) pencil.A.row(n - d + k) = z[at(k)] != 0 ? network.U.row(k) : network.I.row(k);
  return pencil;
}

}  // namespace

NetworkVerdict check_admissibility(const DiodeNetwork& network, const std::vector<char>& z) {
  NetworkVerdict verdict;
  const ModePencil pencil = pencil_of(network, z);
  const std::optional<WongForm> form = wong_form(pencil.E, pencil.A);
  if (!form) return verdict;
  verdict.regular = true;
  verdict.clear = form->clearance > 1e-4 && form->doubt < 1e-12;
  verdict.restart = restart(*form, network.x_minus, {pencil.b});
  const std::vector<VectorXd> x = derivatives(*form, verdict.restart.x_plus, {pencil.b}, derivative_orders);
  verdict.values_allowed = verdict.impulses_allowed = true;
  const auto look_at = [&](const RowVectorXd& row) {
    const MatrixXd& impulses = verdict.restart.impulses;
    const auto highest = static_cast<int>(impulses.cols());
    const auto impulse = [&](int k) { return row.dot(impulses.col(highest - 1 - k)); };
    const auto value = [&](int k) {
      const VectorXd& derivative = x[at(k)];
      return row.dot(derivative) / std::max(1.0, derivative.cwiseAbs().maxCoeff());
    };
    if (!first_is_negative(highest, impulse, true, verdict.clear)) verdict.impulses_allowed = false;
    if (!first_is_negative(derivative_orders + 1, value, true, verdict.clear)) verdict.values_allowed = false;
  };
  // The other one of u and i is zero by the diode's equation.
  for (int k = 0; k < network.diodes(); ++k)
    look_at(z[at(k)] != 0 ? RowVectorXd(-network.I.row(k)) : RowVectorXd(network.U.row(k)));
  return verdict;
}

NetworkAnswer enumerate_modes(const DiodeNetwork& network) {
  NetworkAnswer answer;
  const auto d = at(network.diodes());
  std::vector<std::size_t> best;
  for (unsigned bits = 0; bits < 1U << d; ++bits) {
    std::vector<char> z(d);
    std::vector<std::size_t> flipped;
    for (std::size_t k = 0; k < d; ++k) {
      z[k] = static_cast<char>(bits >> k & 1U);
      if (z[k] != network.z_minus[k]) flipped.push_back(k);
    }
    const NetworkVerdict verdict = check_admissibility(network, z);
    answer.clear = answer.clear && verdict.clear;
    answer.allowed_by_values += verdict.regular && verdict.values_allowed ? 1 : 0;
    if (!verdict.admissible()) continue;
    answer.admissible.push_back(z);
    const bool nearer = flipped.size() < best.size() || (flipped.size() == best.size() && flipped < best);
    if (answer.nearest && !nearer) continue;
    answer.nearest = z;
    best = flipped;
  }
  return answer;
}

std::optional<VectorXd> implicit_step(const DiodeNetwork& network, double h) {
  const auto d = at(network.diodes());
  for (unsigned bits = 0; bits < 1U << d; ++bits) {
    std::vector<char> z(d);
    for (std::size_t k = 0; k < d; ++k) z[k] = static_cast<char>(bits >> k & 1U);
    const ModePencil pencil = pencil_of(network, z);
    Eigen::FullPivLU<MatrixXd> factor(pencil.E + h * pencil.A);
    factor.setThreshold(1e-3 * h * h);  // voltages reach the currents of coils by way of two factors h
    if (!factor.isInvertible()) continue;
    const VectorXd x = factor.solve(VectorXd(pencil.E * network.x_minus + h * pencil.b));
    const double rounding = 1e-9 * std::max(1.0, x.cwiseAbs().maxCoeff());
    if ((network.U * x).maxCoeff() <= rounding && (network.I * x).minCoeff() >= -rounding) return x;
  }
  return std::nullopt;
}

Source DiodeNetwork::source() const {
  Source source;
  for (Index j = 0; j < signals(); ++j) {
    const std::string name = "x" + std::to_string(j + 1);
    if (E.col(j).isZero(0.0))
      source.algebraic.push_back({name, 0.0});
    else
      source.states.push_back({name, x_minus[j]});
  }
  for (Index i = 0; i < E.rows(); ++i)
    source.equations.emplace_back(linear_text(E.row(i), A.row(i)) + " = " + text::format_number(b[i]));
  const RowVectorXd none = RowVectorXd::Zero(signals());
  for (int k = 0; k < diodes(); ++k) {
    const std::string z = "z" + std::to_string(k + 1), u = linear_text(none, U.row(k)),
                      i = linear_text(none, I.row(k));
    source.binaries.push_back({z, static_cast<double>(z_minus[at(k)])});
    source.equations.emplace_back(z + "*(" + u + ") + (1 - " + z + ")*(" + i + ") = 0");
    source.constraints.emplace_back(u + " <= 0");
    source.constraints.emplace_back("-(" + i + ") <= 0");
  }
  return source;
}

namespace {

/// Nodes with or without a capacitor, branches between them; node −1 is the ground.
class NetworkDraw {
 public:
  explicit NetworkDraw(unsigned seed) : random_(seed) {}

  DiodeNetwork draw() {
    nodes_ = integer(2, 4);
    coils_ = integer(0, 2);
    std::vector<std::pair<int, int>> diodes = draw_diodes();
    const int d = static_cast<int>(diodes.size()), n = nodes_ + coils_ + d;
    DiodeNetwork network;
    network.E = network.A = MatrixXd::Zero(n - d, n);
    network.b = VectorXd::Zero(n - d);
    network.U = network.I = MatrixXd::Zero(d, n);
    std::vector<bool> has_coil(at(nodes_) + 1);
    for (int coil = 0; coil < coils_; ++coil) {
      const int row = nodes_ + coil, from = integer(0, nodes_ - 1), to = other_end(from);
      network.E(row, row) = 0.25 * integer(2, 8);
      network.A(row, row) = 0.25 * integer(1, 8);
      connect(network.A, row, from, to);
      has_coil[at(from + 1)] = has_coil[at(to + 1)] = true;
    }
    for (int node = 0; node < nodes_; ++node) {
      const bool capacitor = chance(75);
      if (capacitor) network.E(node, node) = 0.25 * integer(2, 8);
      // A node with neither passes on the currents of coils and diodes.
      if (!capacitor && has_coil[at(node + 1)] && chance(70)) continue;
      const double conductance = 0.25 * integer(1, 8);
      network.A(node, node) = conductance;
      network.b[node] = conductance * 0.25 * integer(-8, 8);
    }
    for (int k = 0; k < d; ++k) {
      const int column = nodes_ + coils_ + k;
      const auto [from, to] = diodes[at(k)];
      network.I(k, column) = 1.0;
      if (from >= 0) network.U(k, from) = network.A(from, column) = 1.0;
      if (to >= 0) network.U(k, to) = network.A(to, column) = -1.0;
      network.z_minus.push_back(chance(50) ? 1 : 0);
    }
    network.x_minus = VectorXd::Zero(n);
    for (int j = 0; j < nodes_ + coils_; ++j) network.x_minus[j] = 0.25 * integer(-8, 8);
    return network;
  }

 private:
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return integer(1, 100) <= percent; }
  int other_end(int node) { return (node + 1 + integer(1, nodes_)) % (nodes_ + 1) - 1; }

  /// L j̇ + R j − (v_from − v_to) = 0, and j leaves `from` and enters `to`.
  static void connect(MatrixXd& A, int row, int from, int to) {
    if (from >= 0) A(row, from) = -1.0, A(from, row) = 1.0;
    if (to >= 0) A(row, to) = 1.0, A(to, row) = -1.0;
  }

  /// A forest on the nodes and the ground: each diode joins two trees.
  std::vector<std::pair<int, int>> draw_diodes() {
    std::vector<int> tree(at(nodes_) + 1);
    std::iota(tree.begin(), tree.end(), 0);
    std::vector<std::pair<int, int>> diodes;
    const auto wanted = at(integer(1, nodes_));
    while (diodes.size() < wanted) {
      const int from = integer(-1, nodes_ - 1), to = other_end(from);
      const int a = tree[at(from + 1)], b = tree[at(to + 1)];
      if (a == b) continue;
      std::replace(tree.begin(), tree.end(), a, b);
      diodes.emplace_back(from, to);
    }
    return diodes;
  }

  std::mt19937 random_;
  int nodes_ = 0, coils_ = 0;
};

}  // namespace

DiodeNetwork draw_network(unsigned seed) { return NetworkDraw(seed).draw(); }

DiodeNetwork rldc2(const Eigen::Vector2d& j, const Eigen::Vector2d& v) {
  const double R[] = {10.0, 15.0}, L[] = {1.0, 1.5}, C[] = {0.1, 0.15};
  enum { j1, j2, v1, v2, i1, i2, u1, u2, count };
  DiodeNetwork network;
  network.E = network.A = MatrixXd::Zero(6, count);
  network.b = VectorXd::Zero(6);
  network.U = network.I = MatrixXd::Zero(2, count);
  network.A.row(0) << 1, 1, 0, 0, 1, 1, 0, 0;  // the currents meet
  for (int k = 0; k < 2; ++k) {
    network.E(1 + k, j1 + k) = L[k];  // L j̇ + R j = u1 + v1
    network.A(1 + k, j1 + k) = R[k];
    network.A(1 + k, u1) = network.A(1 + k, v1) = -1.0;
    network.E(3 + k, v1 + k) = C[k];  // C v̇ = i
    network.A(3 + k, i1 + k) = -1.0;
    network.U(k, u1 + k) = 1.0;
    network.I(k, i1 + k) = 1.0;
  }
  network.A.row(5) << 0, 0, 1, -1, 0, 0, 1, -1;  // u1 + v1 = u2 + v2
  network.x_minus = VectorXd::Zero(count);
  network.x_minus.head(4) << j, v;
  network.z_minus = {0, 0};
  return network;
}

}  // namespace mti::test
