#include "solvers/flow/slow_manifold.hpp"

#include <Eigen/LU>

#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

template <class Scalar>
using Matrix = AffineMode::Matrix<Scalar>;

/// Of the size of `value`: scaling by it rounds nothing.
template <class Scalar>
Scalar power_of_two(Scalar value) {
  using std::frexp;
  using std::ldexp;
  int exponent = 0;
  (void)frexp(value, &exponent);
  return ldexp(Scalar(1), exponent);
}

template <class Scalar>
struct Found {
  Matrix<Scalar> M, C, Q;
  Matrix<Scalar> left, left_of_Q;  ///< of C and Q: what another iteration would change
};

/// One search for the manifold, in the arithmetic of `Scalar`.
template <class Scalar>
class Search {
 public:
  Search(const AffineMode& mode, std::span<const double> v, const std::vector<int>& e)
      : mode_(mode),
        v_(v),
        e_(e),
        size_(mode.size()),
        fast_(static_cast<Eigen::Index>(e.size())),
        constraints_(mode.constraint_rows<Scalar>(v)) {}

  std::optional<Found<Scalar>> find() {
    auto plain = mode_.matrices<Scalar>(v_);
    if (!plain || !solve(plain->C)) return std::nullopt;
    const std::optional<Matrix<Scalar>> last = iterate(plain->M);
    if (!last) return std::nullopt;
    return assemble(*plain, *last);
  }

 private:
  [[nodiscard]] SeriesProgram::State fast_state(Eigen::Index j) const {
    return mode_.program().states()[at(e_[at(j)])];
  }

  /// The equations for all unknowns but ẋ_e, and x_e: solved_ times (w_s, ẋ_e), by place_ of the slot; those of the
  /// constraints follow the slots.
  bool solve(const Matrix<Scalar>& C) {
    const SeriesProgram& program = mode_.program();
    const auto slots = static_cast<Eigen::Index>(program.slots().size());
    place_.assign(at(slots + constraints_.rows()), -1);
    Eigen::Index count = 0;
    for (const SeriesProgram::Block& block : program.blocks())
      for (const SeriesProgram::Unknown& unknown : block.unknowns) place_[at(unknown.slot)] = count++;
    for (Eigen::Index j = 0; j < fast_; ++j) {
      const SeriesProgram::State state = fast_state(j);
      if (place_[at(state.slope)] < 0 || place_[at(state.value)] >= 0) return false;
      place_[at(state.value)] = place_[at(state.slope)];
      place_[at(state.slope)] = -1;
    }
    std::vector<Eigen::Index> given(at(slots), -1);  // ẋ_e by slot
    for (Eigen::Index j = 0; j < fast_; ++j) given[at(fast_state(j).slope)] = size_ + j;

    const Eigen::Index blocks = count;
    for (Eigen::Index k = 0; k < constraints_.rows(); ++k) place_[at(slots + k)] = count++;
    Matrix<Scalar> equations = mode_.equations<Scalar>(v_);
    if (equations.rows() != blocks) return false;
    equations.conservativeResize(count, Eigen::NoChange);
    equations.bottomRows(count - blocks) = constraints_;
    Matrix<Scalar> J = Matrix<Scalar>::Zero(count, count), known = Matrix<Scalar>::Zero(count, size_ + fast_);
    known.col(size_ - 1) = equations.col(slots);
    for (Eigen::Index place = blocks; place < count; ++place) J(place, place) = -1;
    for (Eigen::Index slot = 0; slot < slots; ++slot) {
      if (const Eigen::Index place = place_[at(slot)]; place >= 0)
        J.col(place) = equations.col(slot);
      else if (given[at(slot)] >= 0)
        known.col(given[at(slot)]) = equations.col(slot);
      else
        known.leftCols(size_).noalias() += equations.col(slot) * C.row(slot);
    }
    // Unknowns of different sizes have digits of their own only where pivots are chosen by what they contribute.
    constexpr int passes = 2;
    Matrix<Scalar> size = Matrix<Scalar>::Ones(count, 1);
    for (int pass = 0; pass < passes; ++pass) {
      if (!solve_scaled(J, known, size)) return false;
      size = solved_.cwiseAbs().rowwise().maxCoeff();
      for (Scalar& of_unknown : size.reshaped()) of_unknown = of_unknown == 0 ? 1 : power_of_two(of_unknown);
    }
    return true;
  }

  /// J·solved = −known, with unknowns in units of `size`.
  bool solve_scaled(const Matrix<Scalar>& J, const Matrix<Scalar>& known, const Matrix<Scalar>& size) {
    Matrix<Scalar> scaled = J * size.col(0).asDiagonal(), right = -known;
    for (Eigen::Index i = 0; i < scaled.rows(); ++i) {
      const Scalar largest = scaled.row(i).cwiseAbs().maxCoeff();
      using std::isfinite;
      if (!(largest > 0) || !isfinite(largest)) return false;
      scaled.row(i) /= power_of_two(largest);
      right.row(i) /= power_of_two(largest);
    }
    solved_ = size.col(0).asDiagonal() * scaled.partialPivLu().solve(right);
    return solved_.allFinite();
  }

  [[nodiscard]] auto row(int slot) const { return solved_.row(place_[at(slot)]); }

  /// A(Z), with the generators' part of M.
  [[nodiscard]] Matrix<Scalar> slow(const Matrix<Scalar>& M) const {
    Matrix<Scalar> A = Matrix<Scalar>::Zero(size_, size_);
    A.bottomRows(size_ - mode_.states()) = M.bottomRows(size_ - mode_.states());
    for (int i = 0; i < mode_.states(); ++i) {
      const int slope = mode_.program().states()[at(i)].slope;
      if (place_[at(slope)] >= 0) A.row(i) = on_manifold(slope);
    }
    return A;
  }

  [[nodiscard]] Matrix<Scalar> on_manifold(int slot) const {
    return row(slot).head(size_) + row(slot).tail(fast_) * Z_;
  }

  /// Z, and by how much one iteration more would change it.
  std::optional<Matrix<Scalar>> iterate(const Matrix<Scalar>& M) {
    constexpr int most_iterations = 40;
    Z_ = Matrix<Scalar>::Zero(fast_, size_);
    Matrix<Scalar> B(fast_, size_), K(fast_, fast_), D = Matrix<Scalar>::Zero(size_, fast_);
    for (Eigen::Index j = 0; j < fast_; ++j) {
      B.row(j) = row(fast_state(j).value).head(size_);
      K.row(j) = row(fast_state(j).value).tail(fast_);
    }
    for (int i = 0; i < mode_.states(); ++i)
      if (const int slope = mode_.program().states()[at(i)].slope; place_[at(slope)] >= 0)
        D.row(i) = row(slope).tail(fast_);
    const Matrix<Scalar> BA = B * slow(M);
    const Eigen::PartialPivLU<Matrix<Scalar>> factor(Matrix<Scalar>::Identity(fast_, fast_) - B * D);
    Matrix<Scalar> change;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      check_budget();
      const Matrix<Scalar> next = factor.solve(BA + K * Z_ * slow(M));
      if (!next.allFinite()) return std::nullopt;
      change = (next - Z_).cwiseAbs();
      Z_ = next;
      const Scalar unit = 2 * std::numeric_limits<Scalar>::epsilon();
      if ((change.array() <= unit * Z_.array().abs()).all()) break;
    }
    const Scalar converged = 1e4 * std::numeric_limits<Scalar>::epsilon();
    for (Eigen::Index j = 0; j < fast_; ++j)
      if (!(change.row(j).maxCoeff() <= converged * Z_.row(j).cwiseAbs().maxCoeff())) return std::nullopt;
    Q_ = B + K * Z_;
    left_of_Q_ = K.cwiseAbs() * change;
    return change;
  }

  [[nodiscard]] Found<Scalar> assemble(const AffineMode::Matrices<Scalar>& plain,
                                       const Matrix<Scalar>& change) const {
    const auto slots = plain.C.rows();
    const Eigen::Index beyond = slots + fast_, rows = beyond + constraints_.rows();
    Found<Scalar> found{Matrix<Scalar>::Zero(size_, size_), Matrix<Scalar>::Zero(rows, size_), Q_,
                        Matrix<Scalar>::Zero(rows, size_), left_of_Q_};
    found.C.topRows(slots) = plain.C;
    for (Eigen::Index slot = 0; slot < slots + constraints_.rows(); ++slot) {
      if (place_[at(slot)] < 0) continue;
      const Eigen::Index at_row = slot < slots ? slot : slot + fast_;
      found.C.row(at_row) = on_manifold(static_cast<int>(slot));
      found.left.row(at_row) = row(static_cast<int>(slot)).tail(fast_).cwiseAbs() * change;
    }
    for (Eigen::Index j = 0; j < fast_; ++j) {
      found.C.row(fast_state(j).slope) = Z_.row(j);
      found.left.row(fast_state(j).slope) = change.row(j);
    }
    found.M = slow(plain.M);
    // What d adds: columns of the plain matrices, since x_e = d + Q w_s.
    for (Eigen::Index j = 0; j < fast_; ++j) {
      const int column = e_[at(j)];
      found.C.col(column).head(slots) = plain.C.col(column);
      found.C.col(column).segment(slots, fast_).setZero();
      found.C.col(column).tail(rows - beyond) = constraints_.leftCols(slots) * plain.C.col(column);
      found.C(slots + j, column) = 1;
      found.left.col(column).setZero();
      found.M.col(column) = plain.M.col(column);
    }
    for (Eigen::Index j = 0; j < fast_; ++j) found.M.row(e_[at(j)]).setZero();
    for (Eigen::Index j = 0; j < fast_; ++j)
      for (Eigen::Index k = 0; k < fast_; ++k) {
        Scalar rate = plain.M(e_[at(j)], e_[at(k)]);
        for (int i = 0; i < mode_.states(); ++i)
          if (place_[at(mode_.program().states()[at(i)].slope)] >= 0)
            rate -= Q_(j, i) * plain.M(i, e_[at(k)]);
        found.M(e_[at(j)], e_[at(k)]) = rate;
      }
    return found;
  }

  const AffineMode& mode_;
  std::span<const double> v_;
  const std::vector<int>& e_;
  Eigen::Index size_, fast_;
  Matrix<Scalar> constraints_;       ///< by slot, with their constant parts behind them
  std::vector<Eigen::Index> place_;  ///< of a slot among the unknowns; −1: not one of them
  Matrix<Scalar> solved_, Z_, Q_, left_of_Q_;
};

/// The error of a matrix: what it changes by against coarser arithmetic tells that in its own.
template <class Fine, class Coarse>
Eigen::MatrixXd error_of(const Matrix<Fine>& fine, const Matrix<Coarse>& coarse, const Matrix<Fine>& left) {
  const auto finer = static_cast<double>(std::numeric_limits<Fine>::epsilon() /
                                         Fine(std::numeric_limits<Coarse>::epsilon()));
  constexpr double margin = 8.0;
  const Eigen::MatrixXd difference = (fine - coarse.template cast<Fine>()).cwiseAbs().template cast<double>();
  return margin * (finer * difference + left.template cast<double>());
}

/// All entries are known to about the rounding of a double.
bool is_enough(const Eigen::MatrixXd& C, const Eigen::MatrixXd& error) {
  constexpr double several = 4.0;
  return (error.array() <= several * machine_epsilon * C.array().abs()).all();
}

template <class Fine, class Coarse>
SlowManifold manifold_of(const Found<Fine>& fine, const Found<Coarse>& coarse,
                         const Eigen::MatrixXd& coarse_M) {
  const Eigen::MatrixXd C = fine.C.template cast<double>();
  const auto unit = static_cast<double>(std::numeric_limits<Fine>::epsilon());
  return {fine.M.template cast<long double>(),
          fine.C.template cast<long double>(),
          fine.Q.template cast<Quadruple>(),
          coarse_M,
          error_of(fine.C, coarse.C, fine.left) + machine_epsilon * C.cwiseAbs(),
          error_of(fine.Q, coarse.Q, fine.left_of_Q) + unit * fine.Q.template cast<double>().cwiseAbs()};
}

}  // namespace

std::optional<SlowManifold> SlowManifold::of(const AffineMode& mode, std::span<const double> v,
                                             const std::vector<int>& e) {
  const auto fine = Search<long double>(mode, v, e).find();
  const auto coarse = Search<double>(mode, v, e).find();
  if (!fine || !coarse) return std::nullopt;
  SlowManifold made = manifold_of(*fine, *coarse, coarse->M);
  constexpr std::size_t most_slots_of_quadruple = 40;  // 113 bits take some hundred times as long
  if (!is_enough(fine->C.cast<double>(), error_of(fine->C, coarse->C, fine->left)) &&
      mode.program().slots().size() <= most_slots_of_quadruple)
    if (const auto finest = Search<Quadruple>(mode, v, e).find())
      // All digits of M are right: rounded they are those of a double.
      made = manifold_of(*finest, *fine, finest->M.cast<double>());
  if (!made.C_error.allFinite() || !made.M.allFinite() || !made.coarse_M.allFinite()) return std::nullopt;
  return made;
}

}  // namespace mti
