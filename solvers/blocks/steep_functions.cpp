#include "solvers/blocks/steep_functions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/functions/elementary_function.hpp"
#include "solvers/blocks/newton.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

using Kind = ElementaryFunction::Kind;

bool is_steep(const ElementaryFunction& phi) {
  return phi.kind == Kind::exp || phi.kind == Kind::sinh || phi.kind == Kind::cosh ||
         (phi.kind == Kind::power && phi.exponent > 1.0);
}

/// The argument on the branch of a that has the result.
std::optional<double> argument_of(const ElementaryFunction& phi, double result, double a) {
  if (!std::isfinite(result)) return std::nullopt;
  switch (phi.kind) {
    case Kind::exp:
      return result > 0.0 ? std::optional(std::log(result)) : std::nullopt;
    case Kind::sinh:
      return std::asinh(result);
    case Kind::cosh:
      return result >= 1.0 ? std::optional(std::copysign(std::acosh(result), a)) : std::nullopt;
    default:
      return result > 0.0 && a > 0.0 ? std::optional(std::pow(result, 1.0 / phi.exponent)) : std::nullopt;
  }
}

/// Phi·φ(v_a) + (other terms) = 0.
struct SteepRow {
  int equation, argument;  ///< a row of S
  double Phi;
  const ElementaryFunction* phi;
};

std::vector<SteepRow> steep_rows(const RowMap& f, const SolutionBlock& block) {
  std::vector<SteepRow> rows;
  for (const int equation : block.equations) {
    std::optional<SteepRow> found;
    int functions = 0;
    for (const RowMap::Term& term : f.terms(equation)) {
      const ElementaryFunction* const phi = f.function_of(term.column);
      if (phi == nullptr) continue;
      ++functions;
      const int signal = f.factors(term.column)[0].signal;
      if (is_steep(*phi) && std::ranges::find(block.unknowns, signal) != block.unknowns.end())
        found = SteepRow{equation, signal, term.Phi, phi};
    }
    if (found && functions == 1) rows.push_back(*found);
  }
  return rows;
}

}  // namespace

bool approach_by_inverses(BlockSystem& system, const RowMap& f, const SolutionBlock& block,
                          std::span<double> v) {
  constexpr int most_iterations = 300;
  constexpr double small = 1e-6;
  const std::vector<SteepRow> rows = steep_rows(f, block);
  if (rows.empty()) return false;
  // Far below zero an exponential has no slope that would tell anything, and far above its rounding covers all else.
  constexpr double largest_argument = 30.0;
  for (const SteepRow& row : rows)
    if (double& a = v[at(row.argument)]; row.phi->kind == Kind::exp) a = std::clamp(a, 0.0, largest_argument);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    check_budget();
    const Eigen::VectorXd before = system.unknowns(), residual = system.residual();
    const LuFactor factor(system.size(), system.jacobian_of_all());
    if (factor.singular() || !residual.allFinite()) return false;
    const Eigen::VectorXd after = before - factor.solve(residual);
    if (!after.allFinite()) return false;
    std::vector<double> arguments;
    for (const SteepRow& row : rows) arguments.push_back(v[at(row.argument)]);
    system.set(after);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const SteepRow& row = rows[k];
      double& a = v[at(row.argument)];
      // With the old argument the function is a number of modest size, and what is left are the other terms.
      const double stepped = std::exchange(a, arguments[k]);
      const double others = f.value(row.equation, v) - row.Phi * row.phi->value(arguments[k]);
      a = argument_of(*row.phi, -others / row.Phi, arguments[k]).value_or(stepped);
    }
    const Eigen::VectorXd moved = system.unknowns() - before;
    if (moved.lpNorm<Eigen::Infinity>() == 0.0 ||
        relative_size(moved, system.unknowns(), before.cwiseAbs()) < small)
      return true;
  }
  return false;
}

}  // namespace mti
