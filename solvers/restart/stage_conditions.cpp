#include "solvers/restart/stage_conditions.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/plan/merged_block.hpp"
#include "solvers/plan/system_jacobian.hpp"

namespace mti {
namespace {

constexpr std::size_t most_unknowns = 60;

/// Its gradient may vanish at some points. A function gives its result, be it flat where it stands.
bool has_products(const RowMap& f, int equation) {
  return std::ranges::any_of(f.terms(equation), [&](const RowMap::Term& term) {
    return !f.is_affine(term.column) && f.function_of(term.column) == nullptr;
  });
}

bool has_function(const RowMap& f, int equation) {
  return std::ranges::any_of(f.terms(equation),
                             [&](const RowMap::Term& term) { return f.function_of(term.column) != nullptr; });
}

/// Gradients of all equations, the conditions last, by the unknowns of `all`, in units of what the equations are off and of the
/// largest of each column.
Eigen::MatrixXd weighted_gradients(const RestartPlace& place, const SolutionBlock& all) {
  const RowMap& f = place.system.f;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(all.equations.size()),
                                            static_cast<Eigen::Index>(all.unknowns.size()));
  for (const auto& entry : SystemJacobian(all, place.model.signature.n()).entries(f, place.v))
    J(entry.row(), entry.col()) += entry.value();
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    const int equation = all.equations[at(i)];
    double off = 8.0 * machine_epsilon * f.magnitude(equation, place.v) + std::numeric_limits<double>::min();
    f.gradient(equation, place.v,
               [&](int signal, double slope) { off += std::abs(slope) * place.series.at(signal, 0).error; });
    J.row(i) /= off;
  }
  for (Eigen::Index j = 0; j < J.cols(); ++j)
    if (const double largest = J.col(j).cwiseAbs().maxCoeff(); largest > 0.0) J.col(j) /= largest;
  return J;
}

/// |J⁻¹|·1 of some of the rows; nothing if they are singular.
std::optional<Eigen::VectorXd> openness(const Eigen::MatrixXd& J, const std::vector<Eigen::Index>& rows) {
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(J(rows, Eigen::all));
  if (!lu.isInvertible()) return std::nullopt;
  return Eigen::VectorXd(lu.inverse().cwiseAbs().rowwise().sum());
}

/// Beside those that are `kept`, the rows that determine the rest of the unknowns best among `others`, by QR with pivots of what
/// the former leave of them; fewer than unknowns if none do.
std::vector<Eigen::Index> best_rows(const Eigen::MatrixXd& J, const std::vector<Eigen::Index>& kept,
                                    const std::vector<Eigen::Index>& others) {
  Eigen::MatrixXd rest = J(others, Eigen::all).transpose();
  if (!kept.empty()) {
    const Eigen::MatrixXd span =
        Eigen::HouseholderQR<Eigen::MatrixXd>(J(kept, Eigen::all).transpose()).householderQ() *
        Eigen::MatrixXd::Identity(J.cols(), static_cast<Eigen::Index>(kept.size()));
    rest -= span * (span.transpose() * rest);
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rest);
  const Eigen::Index wanted = J.cols() - static_cast<Eigen::Index>(kept.size());
  std::vector<Eigen::Index> rows = kept;
  for (Eigen::Index i = 0; i < std::min(wanted, qr.rank()); ++i)
    rows.push_back(others[at(qr.colsPermutation().indices()[i])]);
  std::ranges::sort(rows);
  return rows;
}

/// Nothing if the stage stays as it is.
std::optional<SolutionPlan::Stage> exchanged(const RestartPlace& place, const SolutionPlan::Stage& stage,
                                             const std::vector<char>& done) {
  constexpr double much = 10.0;
  const auto is_done = [&](int equation) { return !done.empty() && done[at(equation)] != 0; };
  SolutionPlan::Stage made;
  std::vector<SolutionBlock> open;
  for (const SolutionBlock& block : stage.blocks)
    (is_done(block.equations.front()) ? made.blocks : open).push_back(block);
  if (open.empty()) return std::nullopt;
  SolutionBlock all = merged(open);
  const std::size_t size = all.unknowns.size();
  for (const SolutionPlan::Condition& condition : stage.conditions) {
    if (is_done(condition.equation)) {
      made.conditions.push_back(condition);
      continue;
    }
    all.equations.push_back(condition.equation);
    all.c.push_back(condition.order);
  }
  const auto own_end = all.equations.begin() + static_cast<std::ptrdiff_t>(size);
  if (size > most_unknowns || own_end == all.equations.end() ||
      std::none_of(all.equations.begin(), own_end,
                   [&](int row) { return has_products(place.system.f, row); }))
    return std::nullopt;

  const Eigen::MatrixXd J = weighted_gradients(place, all);
  if (!J.allFinite()) return std::nullopt;
  std::vector<Eigen::Index> kept, others;
  for (std::size_t i = 0; i < all.equations.size(); ++i) {
    const bool stays = i < size && !has_products(place.system.f, all.equations[i]);
    if (stays)
      kept.push_back(static_cast<Eigen::Index>(i));
    else if (i < size || !has_function(place.system.f, all.equations[i]))
      others.push_back(static_cast<Eigen::Index>(i));
  }
  const std::vector<Eigen::Index> best = best_rows(J, kept, others);
  if (best.size() < size || at(best.back()) < size) return std::nullopt;
  std::vector<Eigen::Index> own(size);
  for (std::size_t i = 0; i < size; ++i) own[i] = static_cast<Eigen::Index>(i);
  const auto of_best = openness(J, best), of_own = openness(J, own);
  if (!of_best || (of_own && (*of_own - much * *of_best).maxCoeff() <= 0.0)) return std::nullopt;

  SolutionBlock block{{}, all.unknowns, {}, all.e, false};
  for (std::size_t i = 0; i < all.equations.size(); ++i) {
    if (std::ranges::binary_search(best, static_cast<Eigen::Index>(i))) {
      block.equations.push_back(all.equations[i]);
      block.c.push_back(all.c[i]);
    } else {
      made.conditions.push_back({all.equations[i], all.c[i]});
    }
  }
  made.blocks.push_back(std::move(block));
  return made;
}

}  // namespace

std::vector<SolutionPlan::Stage> stages_with_other_conditions(const RestartPlace& place,
                                                              const std::vector<char>& done) {
  std::vector<SolutionPlan::Stage> stages;
  const std::vector<SolutionPlan::Stage>& early = place.system.plan->early;
  for (std::size_t s = 0; s < early.size(); ++s)
    if (auto made = exchanged(place, early[s], done)) {
      if (stages.empty()) stages = early;
      stages[s] = *std::move(made);
    }
  return stages;
}

}  // namespace mti
