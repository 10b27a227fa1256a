#include "solvers/motion/system_jacobian_rank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/blocks/block_solver.hpp"
#include "solvers/blocks/rank_deficiency.hpp"
#include "solvers/blocks/start_point.hpp"
#include "solvers/motion/motion.hpp"
#include "solvers/plan/merged_block.hpp"
#include "solvers/plan/system_jacobian.hpp"

namespace mti {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

constexpr std::size_t largest_examined = 200;

/// One entry for each place; what cancels to rounding is gone. Rows, then columns scaled to a largest entry
/// of 1, so that units do not matter.
Entries equilibrated(const Entries& contributions, std::size_t size) {
  struct Sum {
    double value = 0.0, magnitude = 0.0;
    int count = 0;
  };
  std::map<std::pair<int, int>, Sum> sums;
  for (const auto& part : contributions) {
    Sum& sum = sums[{part.row(), part.col()}];
    sum.value += part.value();
    sum.magnitude += std::abs(part.value());
    ++sum.count;
  }
  std::erase_if(sums, [](const auto& entry) {
    const Sum& sum = entry.second;
    return std::abs(sum.value) <= (sum.count > 1 ? 2.0 * sum.count * machine_epsilon * sum.magnitude : 0.0);
  });
  std::vector<double> row_size(size, 0.0), column_size(size, 0.0);
  const auto larger = [](double& size_so_far, double value) {
    size_so_far = std::max(size_so_far, std::abs(value));
  };
  for (const auto& [place, sum] : sums) larger(row_size[at(place.first)], sum.value);
  for (auto& [place, sum] : sums) {
    sum.value /= row_size[at(place.first)];
    larger(column_size[at(place.second)], sum.value);
  }
  Entries entries;
  for (const auto& [place, sum] : sums)
    entries.emplace_back(place.first, place.second, sum.value / column_size[at(place.second)]);
  return entries;
}

/// The matrix of a block, or of all of them as one.
Entries matrix_of(const SolutionBlock& block, const RowMap& f, int states, std::span<const double> v) {
  return equilibrated(SystemJacobian(block, states).entries(f, v), block.equations.size());
}

bool is_singular(const SolutionBlock& block, const Entries& entries) {
  if (block.equations.size() == 1) return entries.empty() || !std::isfinite(entries[0].value());
  return LuFactor(static_cast<int>(block.equations.size()), entries).singular();
}

/// Takes what is wrong with a singular block into the result.
void add_singular(const SolutionBlock& block, const Entries& entries, const Signature& signature,
                  SystemJacobianRank& result) {
  const auto size = static_cast<int>(block.equations.size());
  // No right-hand side: all null vectors count.
  const RankDeficiency singularity =
      explain_singularity(block, entries, Eigen::VectorXd::Zero(size), Eigen::VectorXd::Ones(size));
  result.rank_is_bound = result.rank_is_bound || singularity.size == 0;
  result.rank += singularity.size == 0 ? size - 1 : singularity.rank;
  ModePart& part = result.null_vectors;
  part.equations.insert(part.equations.end(), singularity.equations.begin(), singularity.equations.end());
  for (const int row : singularity.unknowns)
    part.signals.push_back(row < signature.state_row(0) ? row + signature.n() : row);
}

/// Signals whose values at the point of a rank are no guesses: states and inputs, and what blocks determine from them.
class KnownSignals {
 public:
  KnownSignals(const Model& model, bool all) : known_(at(model.signature.size()), all ? 1 : 0) {
    const Signature& signature = model.signature;
    for (int i = 0; i < signature.n(); ++i)
      if (!model.has_free_start(i)) known_[at(signature.state_row(i))] = 1;
    for (int i = 0; i < signature.m(); ++i) known_[at(signature.input_row(i))] = 1;
  }

  /// A block that has been solved.
  void add(const SolutionBlock& block, const RowMap& f) {
    const auto is_own = [&](int signal) {
      return std::ranges::find(block.unknowns, signal) != block.unknowns.end();
    };
    for (const int row : block.equations)
      if (!of_row(f, row, is_own)) return;
    for (const int row : block.unknowns) known_[at(row)] = 1;
  }

  /// Some constraint is positive, by more than rounding.
  [[nodiscard]] bool violate(const FrozenMode& mode, std::span<const double> v) const {
    const double rounding = std::sqrt(machine_epsilon);
    return std::ranges::any_of(mode.live_constraints, [&](int row) {
      return of_row(mode.g, row, [](int) { return false; }) &&
             mode.g.value(row, v) > rounding * mode.g.magnitude(row, v);
    });
  }

 private:
  /// All signals of a row are known, or are excepted.
  template <class Excepted>
  [[nodiscard]] bool of_row(const RowMap& map, int row, Excepted excepted) const {
    for (const RowMap::Term& term : map.terms(row))
      for (const RowMap::Factor& factor : map.factors(term.column))
        if (known_[at(factor.signal)] == 0 && !excepted(factor.signal)) return false;
    return true;
  }

  std::vector<char> known_;  ///< by row of S
};

}  // namespace

std::optional<SystemJacobianRank> examine_rank(const Model& model, const Mode& mode) {
  if (!mode.slides.empty()) return std::nullopt;
  const auto system = std::make_shared<const ModeSystem>(SignalRows(model), mode);
  const SolutionPlan& plan = *system->plan;
  // An under-determined part without equations holds nothing but absent signals.
  if (!system->broken_equations.empty() || !plan.over_determined.empty() ||
      plan.under_determined.size() != plan.absent.algebraic.size())
    return std::nullopt;

  const Signature& signature = model.signature;
  const Instant start = start_instant(model, model.experiment.start, mode);
  const Accuracy accuracy(model, model.experiment.rtol, model.experiment.atol);
  const Motion motion(model, system, accuracy, start);
  SystemJacobianRank result;
  result.consistent = motion.solved();
  std::vector<double> v = result.consistent ? motion.v() : start.v;

  const auto place_of = [&](const SolutionBlock& block) {
    return std::pair(block, matrix_of(block, system->f, signature.n(), v));
  };
  std::vector<std::pair<SolutionBlock, Entries>> singular;
  KnownSignals known(model, result.consistent);
  for (const SolutionBlock& block : plan.blocks) {
    result.size += static_cast<int>(block.equations.size());
    // Blocks that come later see the solution of this one, where there is one.
    if (!result.consistent && plan.plain()) {
      std::vector<double> solved = v;
      if (solve_block(system->f, block, solved, start.guess, {}).solved()) {
        v = std::move(solved);
        known.add(block, system->f);
      }
    }
    auto place = place_of(block);
    if (is_singular(block, place.second)) singular.push_back(std::move(place));
  }
  result.excluded = !system->broken_constraints.empty() || known.violate(*system, v);
  if (!singular.empty() && at(result.size) <= largest_examined) {
    const auto [whole, entries] = place_of(merged(plan.blocks));
    add_singular(whole, entries, signature, result);
  } else {
    result.rank = result.size;
    for (const auto& [block, entries] : singular) {
      result.rank -= static_cast<int>(block.equations.size());
      add_singular(block, entries, signature, result);
    }
  }
  std::sort(result.null_vectors.equations.begin(), result.null_vectors.equations.end());
  std::sort(result.null_vectors.signals.begin(), result.null_vectors.signals.end());
  return result;
}

}  // namespace mti
