#include "solvers/restart/restart.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/plan/merged_block.hpp"
#include "solvers/restart/impulse_balance.hpp"
#include "solvers/restart/known_impulses.hpp"
#include "solvers/restart/linear_projection.hpp"
#include "solvers/restart/position_projection.hpp"

namespace mti {
void widen_errors(const RestartPlace& place) {
  const Signature& signature = place.model.signature;
  for (int i = 0; i < signature.n(); ++i)
    place.series.at(signature.state_row(i), 0).error +=
        std::abs(place.instant.v[at(signature.derivative_row(i))]) * place.instant.time_uncertainty;
}

void reset_errors(const RestartPlace& place) {
  const Signature& signature = place.model.signature;
  for (int i = 0; i < signature.n(); ++i) {
    Ball& x = place.series.at(signature.state_row(i), 0);
    x.error = place.accuracy.of(signature.state_row(i), x.value);
  }
}

SolveFailure failure_of_restart(const RestartPlace& place, const SolutionBlock& block, SolveFailure failure,
                                const BlockSeries& series) {
  if (failure.kind == SolveFailure::Kind::singular) {
    constexpr std::size_t most_rows = 200;
    const SolutionBlock whole = merged(place.system.plan->balance);
    const bool shows = series.dirac != nullptr && whole.equations.size() <= most_rows;
    failure = examined(SolveFailure::Stage::restart, block,
                       explain_block(place.system.f, shows ? whole : block, place.v, series));
  }
  failure.stage = SolveFailure::Stage::restart;
  for (int& row : failure.signals) row = named_row(place.model.signature, row);
  return failure;
}

std::vector<ImpulsivePart> Restart::impulsive_parts() const {
  std::vector<ImpulsivePart> parts = others;
  for (std::size_t row = 0; row < dirac.size(); ++row)
    if (std::abs(dirac[row].value) > dirac[row].error)
      parts.push_back({static_cast<int>(row), dirac[row], 1.0});
  std::stable_sort(parts.begin(), parts.end(),
                   [](const ImpulsivePart& a, const ImpulsivePart& b) { return a.row < b.row; });
  return parts;
}

namespace {

/// What is less than the error of a signal for the last digit of the run's time is no impulse, but rounding: of signals that a
/// matrix solves for together with what does jump.
void drop_rounding(const RestartPlace& place, Restart& result) {
  const double last_digit = machine_epsilon * place.accuracy.resolution / place.accuracy.rtol;
  const auto drops = [&](int row, const Ball& weight, double order) {
    return std::abs(weight.value) <= place.accuracy.of(row, place.v[at(row)]) * std::pow(last_digit, order);
  };
  // Behind the signals stand derivatives of inputs, of which no weight is sought.
  const int first = place.model.signature.algebraic_row(0),
            end = std::min(static_cast<int>(result.dirac.size()), place.model.signature.size());
  for (int row = first; row < end; ++row)
    if (Ball& weight = result.dirac[at(row)]; drops(row, weight, 1.0))
      weight = {0.0, std::max(weight.error, std::abs(weight.value))};
  std::erase_if(result.others, [&](const ImpulsivePart& part) {
    return part.row >= first && part.row < end && drops(part.row, part.weight, part.order);
  });
}

bool on_surfaces(const RestartPlace& place, const Restart& result) {
  const std::vector<ImpulsivePart> parts = result.impulsive_parts();
  return std::none_of(parts.begin(), parts.end(), [&](const ImpulsivePart& part) {
    return part.row >= place.model.signature.binary_row(0);
  });
}

[[nodiscard]] std::vector<char> either(std::vector<char> a, const std::vector<char>& b) {
  for (std::size_t row = 0; row < b.size(); ++row) a[row] = a[row] != 0 || b[row] != 0 ? 1 : 0;
  return a;
}

/// The linear part first, which needs nothing of the rest; then the rest, for which it is given.
Restart restart_with_linear_part(const RestartPlace& place, const LinearPart& part,
                                 const std::vector<int>& beyond_balance, const std::vector<char>& left_out) {
  Restart result = restart_linear_mode(place, part);
  if (!result.done() || part.whole) return result;
  const std::vector<char> done = either(part.equations, left_out);
  std::vector<int> beyond = beyond_linear_part(place, part, result);
  std::ranges::copy_if(beyond_balance, std::back_inserter(beyond),
                       [&](int row) { return done[at(row)] == 0; });
  if (!beyond.empty()) {
    result.refuse(SolveFailure::Kind::off_position);
    result.failure.equations = std::move(beyond);
    for (const ImpulsivePart& part_of_signal : result.others)
      if (part_of_signal.order > 1.0) result.failure.signals.push_back(part_of_signal.row);
    sort_distinct(result.failure.signals);
    return result;
  }
  Restart settled = settle_positions(place, -2, Metric::of_reactions, done);
  return settled.done() ? balance(place, done, std::move(result)) : settled;
}

/// Of rows that are not `left_out`, as which no surface is connected with them.
Restart restart_freely(const RestartPlace& place, const KnownImpulses& known,
                       const std::vector<char>& left_out) {
  // A linear mode, or part of one, with conditions on positions: the consistency projector, with impulses of any
  // order. The rest knows impulses of order 1 only; a known one of higher order is too much for it.
  std::vector<int> beyond = known.beyond_balance(place.system);
  if (!left_out.empty()) std::erase_if(beyond, [&](int row) { return left_out[at(row)] != 0; });
  const bool positions_count = place.system.plan->early.size() > 1;
  const LinearPart part =
      positions_count || has_dirac_parts(place.system) ? LinearPart(place, left_out) : LinearPart();
  if (part.has_own_stages) return restart_with_linear_part(place, part, beyond, left_out);
  if (!beyond.empty()) {
    Restart result;
    result.refuse(SolveFailure::Kind::off_position);
    result.failure.equations = std::move(beyond);
    return result;
  }
  // Stages below −1, which x⁻ must fulfil, then the Dirac balance of stage −1.
  Restart result = settle_positions(place, -2, Metric::of_reactions, left_out);
  return result.done() ? balance(place, left_out) : result;
}

/// Of rows that surfaces are connected with; all others are `done`, with the result `apart`.
Restart restart_on_surfaces(const RestartPlace& place, const KnownImpulses& known,
                            const std::vector<char>& done, Restart apart) {
  std::vector<int> beyond = known.beyond_balance(place.system);
  std::erase_if(beyond, [&](int row) { return done[at(row)] != 0; });
  if (!beyond.empty()) {
    apart.refuse(SolveFailure::Kind::off_position);
    apart.failure.equations = std::move(beyond);
    return apart;
  }
  // On surfaces nothing may jump, so that stage −1 too is a condition on positions there.
  const std::vector<double> left = place.v;
  Restart settled = settle_positions(place, -1, Metric::of_accuracy, done);
  if (settled.done()) return apart;
  if (settled.failure.kind != SolveFailure::Kind::off_position) return settled;
  // Other states may jump, but onto a surface no impulse of a weight ζ leads.
  put_back(place, left);
  Restart balanced = settle_positions(place, -2, Metric::of_accuracy, done);
  if (balanced.done()) balanced = balance(place, done, std::move(apart));
  return balanced.done() && on_surfaces(place, balanced) ? balanced : settled;
}

}  // namespace

Restart restart(const RestartPlace& place) {
  // 1. What x⁻ may be off: every judgement below, of what is fulfilled and of what jumps, rests on it.
  widen_errors(place);
  // 2. A row that recombination dropped follows from others, but its Dirac parts, which x⁻ and inputs make,
  // do not: where they stand out, nothing can balance them.
  Restart result;
  const KnownImpulses known(place);
  if (const auto row = known.contradicted(place.system)) {
    result.refuse(SolveFailure::Kind::contradiction);
    result.failure.equations = values(place.system.recombination->origins[EquationRow(*row)]);
    return result;
  }
  // 3. What no surface is connected with, then what is.
  const std::vector<char>& sliding = place.system.parts->with_surfaces;
  const bool all_slide =
      !sliding.empty() && std::ranges::all_of(sliding, [](char is_connected) { return is_connected != 0; });
  if (!all_slide) result = restart_freely(place, known, sliding);
  if (result.done() && !sliding.empty())
    result = restart_on_surfaces(place, known, place.system.parts->without_surfaces(), std::move(result));
  // 4. From here on x⁺ is a state like any other, known to its own accuracy.
  if (result.done()) {
    drop_rounding(place, result);
    reset_errors(place);
  }
  return result;
}

}  // namespace mti
