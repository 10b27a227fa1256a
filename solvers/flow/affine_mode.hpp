#pragma once

#include <Eigen/Core>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mti/model/input.hpp"
#include "solvers/series/series_program.hpp"

namespace mti {

/// A mode whose equations are affine in everything that varies, as one linear system without inputs:
///
///     w' = M w,    s = C w,    w = (x, generators of the inputs, 1)
///
/// s are the slots of the mode's program: x, varying inputs, ẋ and y. A piece c0 + c1 (t − t0) of an input has the
/// generators (u, c1) with u' = c1, a sine (p, q) with p' = ω q, q' = −ω p and u = p + offset. M and C follow by
/// solving the blocks of the plan one after the other.
class AffineMode {
 public:
  /// Nothing if a product of varying signals occurs in an equation, or the mode is too large for dense matrices.
  [[nodiscard]] static std::optional<AffineMode> of(const Model& model, const ModeSystem& system,
                                                    const std::shared_ptr<const SeriesProgram>& program);

  template <class Scalar>
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  template <class Scalar>
  struct Matrices {
    Matrix<Scalar> M, C;
  };
  /// weight + Σ weight · slot: an equation or a constraint.
  struct AffineRow {
    struct Part {
      int slot = -1;  ///< −1: the constant part
      double Phi = 0.0;
      double a = 0.0, b = 1.0;                           ///< weight·(a + b·slot)
      std::span<const RowMap::Factor> constant_factors;  ///< of the program
    };
    std::vector<Part> parts;
    bool is_affine = true;  ///< otherwise `parts` say nothing; only constraints may be so
  };

  /// Size of w.
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] int states() const noexcept { return static_cast<int>(program_->states().size()); }
  [[nodiscard]] const SeriesProgram& program() const noexcept { return *program_; }
  [[nodiscard]] const std::vector<AffineRow>& constraints() const noexcept { return constraints_; }
  /// Affine constraints: their value may be small beside what it is made of, or beside the tolerance of their signal.
  [[nodiscard]] const std::vector<int>& affine_constraints() const noexcept { return affine_constraints_; }
  /// The numbers that M and C depend on, of v by rows of S: the constant factors of all equations and affine constraints.
  [[nodiscard]] std::vector<double> constants(std::span<const double> v) const;
  /// M and C in the arithmetic of `Scalar` (double, long double or Quadruple); nothing if a block is singular.
  template <class Scalar>
  [[nodiscard]] std::optional<Matrices<Scalar>> matrices(std::span<const double> v) const;
  /// A with A (s, 1) = 0: all equations, block by block, as numbers by slot with their constant parts behind them.
  template <class Scalar>
  [[nodiscard]] Matrix<Scalar> equations(std::span<const double> v) const;
  /// G with g = G (s, 1), a row for each of affine_constraints().
  template <class Scalar>
  [[nodiscard]] Matrix<Scalar> constraint_rows(std::span<const double> v) const;
  /// Weight of a part at v, by rows of S.
  template <class Scalar>
  [[nodiscard]] static Scalar weight(const AffineRow::Part& part, std::span<const double> v);
  /// Puts the generators of the inputs at t, and the 1, into w.
  void enter_inputs(double t, const std::vector<InputPiece>& pieces, std::span<double> w) const;

 private:
  /// Entries of w that belong together: (u) of a constant, (u, c1), (p, q), (1).
  struct Generator {
    enum class Kind { held, ramp, sine, one };
    Kind kind = Kind::one;
    int first = 0;              ///< in w
    int input = -1, slot = -1;  ///< of the model, of the program
    double omega = 0.0, offset = 0.0;
    [[nodiscard]] int size() const noexcept { return kind == Kind::ramp || kind == Kind::sine ? 2 : 1; }
  };
  [[nodiscard]] static bool has_generator(const Input& input);
  [[nodiscard]] static Generator generator_of(const Input& input);
  explicit AffineMode(std::shared_ptr<const SeriesProgram> program) : program_(std::move(program)) {}
  void list_generators(const Model& model);
  [[nodiscard]] AffineRow affine_row(const SeriesProgram::Row& row) const;
  void list_affine_constraints();
  template <class Scalar>
  [[nodiscard]] Matrix<Scalar> numbers(const std::vector<const AffineRow*>& rows,
                                       std::span<const double> v) const;

  std::shared_ptr<const SeriesProgram> program_;
  int size_ = 0;
  std::vector<Generator> generators_;
  std::vector<std::vector<AffineRow>> blocks_;  ///< their equations
  std::vector<AffineRow> constraints_;
  std::vector<int> affine_constraints_;
};

}  // namespace mti
