#include "solvers/restart/impulse_balance.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/impulses/following_impulses.hpp"
#include "solvers/impulses/impulse_components.hpp"
#include "solvers/restart/known_impulses.hpp"
#include "solvers/restart/scaled_impulses.hpp"

namespace mti {
namespace {

/// Block by block; again, with some blocks together, where that does not do.
///
/// Weights are sought as if they occurred linearly,
///
///     Σ_j ∂f_i/∂ẋ_j Δx_j + Σ_j ∂f_i/∂y_j Y_j = 0
///
/// which is right as long as no two impulses are multiplied. Whether they are shows only when weights are
/// known.
class Balance {
 public:
  Balance(const RestartPlace& place, const std::vector<char>& done, Restart found)
      : place_(place),
        signature_(place.model.signature),
        left_(place.v),
        known_(KnownImpulses(place).first_order()),
        found_(std::move(found)) {
    for (const SolutionBlock& block : place.system.plan->balance)
      is_done_.push_back(!done.empty() && done[at(block.equations.front())] != 0 ? 1 : 0);
  }

  Restart solve() {
    std::vector<char> together(blocks().size(), 0);
    for (;;) {
      // A solution with products of impulses is none: their blocks are balanced by orders of magnitude
      // instead. A block without solution that multiplies its own unknowns may have one there. The later
      // blocks that hold weights of these go with them, for the weights will be other ones.
      Restart result = solve(together);
      std::vector<char> larger = together;
      if (result.done())
        add_products(result, larger);
      else if (failed_ < blocks().size() && !together[failed_])
        add_nonlinear(failed_, larger);
      if (larger == together) {
        refuse_sources(together, result);
        return result;
      }
      add_users(larger);
      together = std::move(larger);
      put_back(place_, left_);
    }
  }

 private:
  [[nodiscard]] const std::vector<SolutionBlock>& blocks() const { return place_.system.plan->balance; }

  Restart solve(const std::vector<char>& together) {
    Restart result = found_;
    result.dirac.resize(place_.v.size());
    failed_ = blocks().size();
    const BlockSeries series{&place_.series,   signature_.n(), &result.dirac,
                             place_.instant.v, known_,         &place_.system.constant_factors()};
    const ImpulseComponents apart = impulse_components(place_.system.f, blocks(), together, signature_.n());
    auto next = apart.components.begin();
    for (std::size_t b = 0; b < blocks().size(); ++b) {
      const SolutionBlock& block = blocks()[b];
      if (is_done_[b] != 0) continue;
      if (together[b] != 0) {
        if (apart.follows[b] != 0) {
          follow(block, result);
        } else if (next != apart.components.end() &&
                   next->front() == b) {  // all of it in the place of the first
          balance_by_orders(place_, group(*next), result);
          ++next;
        }
        if (!result.done()) return result;
        continue;
      }
      for (std::size_t i = 0; i < block.equations.size(); ++i)
        if (block.c[i] < 0) result.balanced.push_back(block.equations[i]);
      // Zero solves the block, even where its matrix is singular.
      if (rests(block, series)) continue;
      const BlockSolution solution =
          solve_and_carry(place_.system.f, block, place_.v, place_.instant.guess, series);
      if (solution.solved()) continue;
      failed_ = b;
      return {failure_of_restart(place_, block, solution.failure, series)};
    }
    return result;
  }

  /// Nothing but Dirac parts, and no weight from elsewhere: no jump, no impulse.
  [[nodiscard]] bool rests(const SolutionBlock& block, const BlockSeries& series) const {
    return std::all_of(block.c.begin(), block.c.end(), [](int c) { return c < 0; }) &&
           std::all_of(block.equations.begin(), block.equations.end(), [&](int equation) {
             const Ball part = series.dirac_part(place_.system.f, equation, place_.v);
             return part.value == 0.0 && part.error == 0.0;
           });
  }

  [[nodiscard]] std::vector<const SolutionBlock*> group(const std::vector<std::size_t>& component) const {
    std::vector<const SolutionBlock*> members;
    for (const std::size_t b : component) members.push_back(&blocks()[b]);
    return members;
  }

  /// Sums of what has been balanced.
  void follow(const SolutionBlock& block, Restart& result) const {
    std::vector<ImpulsivePart> known = result.impulsive_parts();
    for (const LeadingBalance& leading : result.leading)
      known.insert(known.end(), leading.slopes.begin(), leading.slopes.end());
    std::ranges::stable_sort(known, {}, &ImpulsivePart::row);
    const bool has_others = std::ranges::any_of(
        block.equations, [&](int equation) { return !known_.empty() && known_[at(equation)].value != 0.0; });
    const auto parts =
        has_others ? std::nullopt : following_impulses(place_.system.f, block, place_.v, known);
    const bool possible = parts && std::ranges::none_of(*parts, [&](const ImpulsivePart& part) {
                            return part.row < signature_.n() && part.order > 1.0;
                          });
    if (possible) {
      enter_followers(place_, block, known, *parts, result);
      return;
    }
    result.refuse(SolveFailure::Kind::product_of_impulses);
    result.failure.equations = block.equations;
    for (const int row : block.unknowns) result.failure.signals.push_back(named_row(signature_, row));
  }

  /// Blocks with a column of two factors that carry a weight.
  void add_products(const Restart& result, std::vector<char>& together) const {
    const std::vector<ImpulsivePart> parts = result.impulsive_parts();
    if (parts.empty()) return;
    std::vector<char> impulsive(place_.v.size(), 0);
    for (const ImpulsivePart& part : parts) impulsive[at(part.row)] = 1;
    add_if_column(together, [&](int signal) { return impulsive[at(signal)] != 0; });
  }

  /// The block that has no solution, if it is not linear in what may be impulsive.
  void add_nonlinear(std::size_t failed, std::vector<char>& together) const {
    std::vector<char> own(place_.v.size(), 0), found(together.size(), 0);
    for (const int unknown : blocks()[failed].unknowns) own[at(unknown)] = 1;
    add_if_column(found, [&](int signal) { return own[at(signal)] != 0; });
    together[failed] = together[failed] != 0 || found[failed] != 0 ? 1 : 0;
  }

  template <class Counts>
  void add_if_column(std::vector<char>& together, Counts counts) const {
    const RowMap& f = place_.system.f;
    for (std::size_t b = 0; b < blocks().size(); ++b)
      for (std::size_t i = 0; i < blocks()[b].equations.size() && is_done_[b] == 0; ++i) {
        if (blocks()[b].c[i] >= 0) continue;
        for (const RowMap::Term& term : f.terms(blocks()[b].equations[i])) {
          const auto factors = f.factors(term.column);
          const int most = f.function_of(term.column) == nullptr ? 1 : 0;
          if (std::count_if(factors.begin(), factors.end(),
                            [&](const RowMap::Factor& factor) { return counts(factor.signal); }) > most)
            together[b] = 1;
        }
      }
  }

  /// Later blocks whose rows hold a weight of these.
  void add_users(std::vector<char>& together) const {
    const RowMap& f = place_.system.f;
    std::vector<char> weight(place_.v.size(), 0);
    for (std::size_t b = 0; b < blocks().size(); ++b) {
      const SolutionBlock& block = blocks()[b];
      for (std::size_t i = 0; i < block.equations.size() && together[b] == 0 && is_done_[b] == 0; ++i) {
        if (block.c[i] >= 0) continue;
        for (const RowMap::Term& term : f.terms(block.equations[i]))
          for (const RowMap::Factor& factor : f.factors(term.column))
            if (weight[at(factor.signal)] != 0) together[b] = 1;
      }
      if (together[b] == 0) continue;
      for (std::size_t j = 0; j < block.unknowns.size(); ++j)
        if (block.e[j] < 0 && block.unknowns[j] >= signature_.n()) weight[at(block.unknowns[j])] = 1;
    }
  }

  /// Outside counts as finite where orders are balanced, and an impulse from there would be one more term of order 1,
  /// which find_orders has no place for.
  void refuse_sources(const std::vector<char>& together, Restart& result) const {
    if (!result.done()) return;
    const RowMap& f = place_.system.f;
    const std::vector<ImpulsivePart> parts = result.impulsive_parts();
    for (const auto& component : impulse_components(f, blocks(), together, signature_.n()).components) {
      std::vector<char> outside(place_.v.size(), 0);
      for (const ImpulsivePart& part : parts) outside[at(part.row)] = 1;
      for (const SolutionBlock* const block : group(component))
        for (const int unknown : block->unknowns) outside[at(unknown)] = 0;
      for (const SolutionBlock* const block : group(component))
        for (std::size_t i = 0; i < block->equations.size(); ++i)
          if (block->c[i] < 0)
            for (const RowMap::Term& term : f.terms(block->equations[i]))
              for (const RowMap::Factor& factor : f.factors(term.column)) {
                if (outside[at(factor.signal)] == 0) continue;
                result.refuse(SolveFailure::Kind::product_of_impulses);
                result.failure.equations.push_back(block->equations[i]);
                result.failure.signals.push_back(named_row(signature_, factor.signal));
              }
    }
    sort_distinct(result.failure.equations);
    sort_distinct(result.failure.signals);
  }

  const RestartPlace& place_;
  const Signature& signature_;
  std::vector<double> left_;
  std::vector<Ball> known_;    ///< by equation: Dirac parts that no unknown has to make
  Restart found_;              ///< of the blocks that are done
  std::vector<char> is_done_;  ///< by block
  std::size_t failed_ = 0;
};

}  // namespace

void put_back(const RestartPlace& place, const std::vector<double>& v) {
  place.v = v;
  const Signature& signature = place.model.signature;
  for (int i = 0; i < signature.n(); ++i)
    place.series.at(signature.state_row(i), 0).value = v[at(signature.state_row(i))];
}

Restart balance(const RestartPlace& place, const std::vector<char>& done, Restart found) {
  return Balance(place, done, std::move(found)).solve();
}

}  // namespace mti
