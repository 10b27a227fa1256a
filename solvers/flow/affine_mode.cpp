#include "solvers/flow/affine_mode.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/flow/quadruple.hpp"

namespace mti {
namespace {

/// Dense elimination and dense exponentials: above this they cost more than the steps that they save.
constexpr int most_states = 150;
constexpr std::size_t most_slots = 1000;

}  // namespace

std::optional<AffineMode> AffineMode::of(const Model& model, const ModeSystem& system,
                                         const std::shared_ptr<const SeriesProgram>& program) {
  const bool suits = system.plan->plain() && system.sliding.empty() && !system.extended &&
                     !system.recombination && !system.f.has_functions() &&
                     program->states().size() <= at(most_states) && !program->states().empty() &&
                     program->slots().size() <= most_slots;
  if (!suits) return std::nullopt;
  AffineMode mode(program);
  for (const SeriesProgram::Block& block : program->blocks()) {
    std::vector<AffineRow>& equations = mode.blocks_.emplace_back();
    for (const SeriesProgram::Row& row : block.equations) {
      equations.push_back(mode.affine_row(row));
      if (!equations.back().is_affine) return std::nullopt;
    }
  }
  for (const SeriesProgram::Row& row : program->constraints())
    mode.constraints_.push_back(mode.affine_row(row));
  for (const SeriesProgram::VaryingInput& input : program->inputs())
    if (!has_generator(model.inputs[at(input.input)])) return std::nullopt;
  mode.list_affine_constraints();
  mode.list_generators(model);
  return mode;
}

AffineMode::AffineRow AffineMode::affine_row(const SeriesProgram::Row& row) const {
  const int slots = static_cast<int>(program_->slots().size());
  AffineRow made;
  for (const SeriesProgram::Term& term : row) {
    AffineRow::Part part{
        .slot = term.node, .Phi = term.Phi, .a = 0.0, .b = 1.0, .constant_factors = term.constant_factors};
    if (term.node >= slots) {
      const SeriesProgram::Node& node = program_->nodes()[at(term.node - slots)];
      if (node.right >= 0 || node.left >= slots) return {.parts = {}, .is_affine = false};
      part.slot = node.left;
      part.a = node.a;
      part.b = node.b;
    }
    made.parts.push_back(std::move(part));
  }
  return made;
}

void AffineMode::list_affine_constraints() {
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    if (constraints_[i].is_affine && !constraints_[i].parts.empty())
      affine_constraints_.push_back(static_cast<int>(i));
  }
}

/// Held values, straight lines and sines are motions of linear systems of their own; polynomials and pasts are not.
bool AffineMode::has_generator(const Input& input) {
  return !std::holds_alternative<PolynomialInput>(input.form()) &&
         !std::holds_alternative<DelayedInput>(input.form());
}

AffineMode::Generator AffineMode::generator_of(const Input& input) {
  using Kind = Generator::Kind;
  if (const auto* sine = std::get_if<SineInput>(&input.form()); sine != nullptr && sine->frequency != 0.0)
    return {.kind = Kind::sine, .omega = 2.0 * std::numbers::pi * sine->frequency, .offset = sine->offset};
  // A sine without frequency is held like a constant piece.
  const auto* periodic = std::get_if<PeriodicInput>(&input.form());
  const auto* table = periodic != nullptr ? &periodic->table : std::get_if<TableInput>(&input.form());
  const bool bends = table != nullptr && table->interpolation == Interpolation::linear;
  const bool is_clock = std::holds_alternative<ClockInput>(input.form());
  return {.kind = bends || is_clock ? Kind::ramp : Kind::held};
}

void AffineMode::list_generators(const Model& model) {
  size_ = states();
  for (const SeriesProgram::VaryingInput& input : program_->inputs()) {
    Generator generator = generator_of(model.inputs[at(input.input)]);
    generator.first = size_;
    generator.input = input.input;
    generator.slot = input.slot;
    size_ += generator.size();
    generators_.push_back(generator);
  }
  generators_.push_back({.kind = Generator::Kind::one, .first = size_++});
}

template <class Scalar>
Scalar AffineMode::weight(const AffineRow::Part& part, std::span<const double> v) {
  Scalar product = part.Phi;
  for (const RowMap::Factor& factor : part.constant_factors)
    product *= Scalar(1) - Scalar(std::abs(factor.S)) + Scalar(factor.S) * Scalar(v[at(factor.signal)]);
  return product;
}

std::vector<double> AffineMode::constants(std::span<const double> v) const {
  std::vector<double> constants;
  const auto add = [&](const AffineRow& row) {
    for (const AffineRow::Part& part : row.parts)
      for (const RowMap::Factor& factor : part.constant_factors) constants.push_back(v[at(factor.signal)]);
  };
  for (const std::vector<AffineRow>& equations : blocks_) std::ranges::for_each(equations, add);
  for (const int constraint : affine_constraints_) add(constraints_[at(constraint)]);
  return constants;
}

template <class Scalar>
std::optional<AffineMode::Matrices<Scalar>> AffineMode::matrices(std::span<const double> v) const {
  using Kind = Generator::Kind;
  const auto slots = static_cast<Eigen::Index>(program_->slots().size());
  const Eigen::Index one = size_ - 1;
  Matrices<Scalar> made{Matrix<Scalar>::Zero(size_, size_), Matrix<Scalar>::Zero(slots, size_)};
  auto& [M, C] = made;
  for (int i = 0; i < states(); ++i) C(program_->states()[at(i)].value, i) = 1;
  for (const Generator& generator : generators_) {
    if (generator.slot >= 0) C(generator.slot, generator.first) = 1;
    if (generator.kind == Kind::ramp) M(generator.first, generator.first + 1) = 1;
    if (generator.kind != Kind::sine) continue;
    C(generator.slot, one) = Scalar(generator.offset);
    M(generator.first, generator.first + 1) = Scalar(generator.omega);
    M(generator.first + 1, generator.first) = -Scalar(generator.omega);
  }

  std::vector<Eigen::Index> place(at(slots), -1);  // of an unknown in the block at work
  for (std::size_t index = 0; index < blocks_.size(); ++index) {
    check_budget();
    const std::span<const SeriesProgram::Unknown> unknowns = program_->blocks()[index].unknowns;
    const auto count = static_cast<Eigen::Index>(unknowns.size());
    for (Eigen::Index j = 0; j < count; ++j) place[at(unknowns[at(j)].slot)] = j;
    Matrix<Scalar> J = Matrix<Scalar>::Zero(count, count), known = Matrix<Scalar>::Zero(count, size_);
    for (Eigen::Index i = 0; i < count; ++i)
      for (const AffineRow::Part& part : blocks_[index][at(i)].parts) {
        const auto factor = weight<Scalar>(part, v);
        known(i, one) += part.slot < 0 ? factor : factor * Scalar(part.a);
        if (part.slot < 0) continue;
        if (const Eigen::Index j = place[at(part.slot)]; j >= 0)
          J(i, j) += factor * Scalar(part.b);
        else
          known.row(i) += factor * Scalar(part.b) * C.row(part.slot);
      }
    using std::isfinite;
    for (Eigen::Index i = 0; i < count; ++i) {
      const Scalar largest = J.row(i).cwiseAbs().maxCoeff();
      if (!(largest > 0) || !isfinite(largest)) return std::nullopt;
      J.row(i) /= largest;
      known.row(i) /= largest;
    }
    const Matrix<Scalar> solved =
        count == 1 ? Matrix<Scalar>(known / -J(0, 0)) : Matrix<Scalar>(J.partialPivLu().solve(-known));
    if (!solved.allFinite()) return std::nullopt;
    for (Eigen::Index j = 0; j < count; ++j) {
      C.row(unknowns[at(j)].slot) = solved.row(j);
      place[at(unknowns[at(j)].slot)] = -1;
    }
  }
  for (int i = 0; i < states(); ++i) M.row(i) = C.row(program_->states()[at(i)].slope);
  return made;
}

template <class Scalar>
AffineMode::Matrix<Scalar> AffineMode::equations(std::span<const double> v) const {
  std::vector<const AffineRow*> rows;
  for (const std::vector<AffineRow>& block : blocks_)
    for (const AffineRow& equation : block) rows.push_back(&equation);
  return numbers<Scalar>(rows, v);
}

template <class Scalar>
AffineMode::Matrix<Scalar> AffineMode::constraint_rows(std::span<const double> v) const {
  std::vector<const AffineRow*> rows;
  for (const int constraint : affine_constraints_) rows.push_back(&constraints_[at(constraint)]);
  return numbers<Scalar>(rows, v);
}

/// The rows as numbers by slot, with their constant parts behind them.
template <class Scalar>
AffineMode::Matrix<Scalar> AffineMode::numbers(const std::vector<const AffineRow*>& rows,
                                               std::span<const double> v) const {
  const auto slots = static_cast<Eigen::Index>(program_->slots().size());
  Matrix<Scalar> A = Matrix<Scalar>::Zero(static_cast<Eigen::Index>(rows.size()), slots + 1);
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (const AffineRow::Part& part : rows[at(i)]->parts) {
      const auto factor = weight<Scalar>(part, v);
      A(i, slots) += part.slot < 0 ? factor : factor * Scalar(part.a);
      if (part.slot >= 0) A(i, part.slot) += factor * Scalar(part.b);
    }
  return A;
}

void AffineMode::enter_inputs(double t, const std::vector<InputPiece>& pieces, std::span<double> w) const {
  using Kind = Generator::Kind;
  for (const Generator& generator : generators_) {
    double* const entry = w.data() + generator.first;
    if (generator.kind == Kind::one) {
      *entry = 1.0;
      continue;
    }
    const InputPiece& piece = pieces[at(generator.input)];
    if (generator.kind == Kind::sine) {
      entry[0] = -piece.derivative(t, 2) / (generator.omega * generator.omega);
      entry[1] = piece.derivative(t, 1) / generator.omega;
    } else {
      entry[0] = piece.value(t);
      if (generator.kind == Kind::ramp) entry[1] = piece.derivative(t, 1);
    }
  }
}

template double AffineMode::weight<double>(const AffineRow::Part&, std::span<const double>);
template AffineMode::Matrix<double> AffineMode::equations<double>(std::span<const double>) const;
template AffineMode::Matrix<double> AffineMode::constraint_rows<double>(std::span<const double>) const;
template std::optional<AffineMode::Matrices<double>> AffineMode::matrices<double>(
    std::span<const double>) const;
template AffineMode::Matrix<long double> AffineMode::equations<long double>(std::span<const double>) const;
template AffineMode::Matrix<long double> AffineMode::constraint_rows<long double>(
    std::span<const double>) const;
template std::optional<AffineMode::Matrices<long double>> AffineMode::matrices<long double>(
    std::span<const double>) const;
template AffineMode::Matrix<Quadruple> AffineMode::equations<Quadruple>(std::span<const double>) const;
template AffineMode::Matrix<Quadruple> AffineMode::constraint_rows<Quadruple>(std::span<const double>) const;
template std::optional<AffineMode::Matrices<Quadruple>> AffineMode::matrices<Quadruple>(
    std::span<const double>) const;

}  // namespace mti
