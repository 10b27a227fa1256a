#include "solvers/restart/restart.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"
#include "solvers/plan/merged_block.hpp"
#include "solvers/restart/impulse_balance.hpp"
#include "solvers/restart/known_impulses.hpp"
#include "solvers/restart/linear_projection.hpp"
#include "solvers/restart/position_projection.hpp"

namespace mti {
namespace {

/// The largest number of names of each kind in a message.
constexpr std::size_t most_names = 8;

/// The error bound of x at an event includes the uncertainty of the event time.
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

}  // namespace

Restart refusal(const RestartPlace& place, const SolutionBlock& block, BlockStatus status,
                const BlockSeries& series) {
  Restart result;
  result.equations = block.equations;
  result.unknowns = block.unknowns;
  result.status = Restart::Status::no_convergence;
  if (status == BlockStatus::singular) {
    constexpr std::size_t most_rows = 200;
    const SolutionBlock whole = merged(place.system.plan->balance);
    const bool shows = series.dirac != nullptr && whole.equations.size() <= most_rows;
    RankDeficiency why = explain_block(place.system.f, shows ? whole : block, place.v, series);
    result.status = why.contradiction && why.size > 0 && block.linear ? Restart::Status::contradiction
                                                                      : Restart::Status::not_unique;
    result.equations = std::move(why.equations);
    result.unknowns = std::move(why.unknowns);
    result.rank = why.rank;
    result.size = why.size;
  }
  const int n = place.model.signature.n();
  for (int& unknown : result.unknowns)
    if (unknown < n) unknown += n;
  return result;
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

std::string describe(const Restart& restart, const Model& model, const Mode& mode) {
  std::vector<std::string> equations, signals;
  for (const int row : restart.equations) equations.push_back(equation_name(model, mode, row));
  for (const int row : restart.unknowns) signals.push_back(model.signature.row_name(row));
  const std::string rank = restart.size == 0 ? ""
                                             : " (rank " + std::to_string(restart.rank) + " of " +
                                                   std::to_string(restart.size) + ")";
  switch (restart.status) {
    case Restart::Status::done:
      return {};
    case Restart::Status::contradiction:
      return "no restart fulfils " + name_list(equations, most_names) + rank +
             (signals.empty() ? "" : " for ") + name_list(signals, most_names);
    case Restart::Status::not_unique:
      return "the restart leaves " + name_list(signals, most_names) + " undetermined by " +
             name_list(equations, most_names) + rank;
    case Restart::Status::no_convergence:
      return "no restart found that fulfils " + name_list(equations, most_names);
    case Restart::Status::off_position:
      return "constraints on positions are not met: " + name_list(equations, most_names) +
             (signals.empty()
                  ? ""
                  : "; " + name_list(signals, most_names) + " would jump by impulses of order 2 or more");
    case Restart::Status::jumping_coefficient:
      return "an impulse in " + name_list(equations, most_names) + " is multiplied by what jumps itself (" +
             name_list(signals, most_names) +
             "), so that the result would depend on how the model is written";
    case Restart::Status::product_of_impulses:
      return "impulses are multiplied with each other in " + name_list(equations, most_names) + " (" +
             name_list(signals, most_names) + ") and no scaling of them has one real solution";
  }
  return {};
}

namespace {

bool on_surfaces(const RestartPlace& place, const Restart& result) {
  const std::vector<ImpulsivePart> parts = result.impulsive_parts();
  return std::none_of(parts.begin(), parts.end(), [&](const ImpulsivePart& part) {
    return part.row >= place.model.signature.binary_row(0);
  });
}

}  // namespace

Restart restart(const RestartPlace& place) {
  widen_errors(place);
  const bool slides = !place.system.sliding.empty();
  const std::vector<double> left = place.v;
  const bool positions_count = place.system.plan->early.size() > 1;
  Restart result;
  const KnownImpulses known(place);
  if (const auto row = known.contradicted(place.system)) {
    result.status = Restart::Status::contradiction;
    result.equations = values(place.system.recombination->origins[EquationRow(*row)]);
    return result;
  }
  if (!slides && (positions_count || has_dirac_parts(place.system)) && is_linear_mode(place)) {
    result = restart_linear_mode(place);
  } else if (std::vector<int> beyond = known.beyond_balance(place.system); !beyond.empty()) {
    result.status = Restart::Status::off_position;
    result.equations = std::move(beyond);
    return result;
  } else {
    result = settle_positions(place, slides ? -1 : -2);
    if (result.done() && !slides) result = balance(place);
  }
  if (result.status == Restart::Status::off_position && slides) {
    // Other states may jump, but onto a surface no impulse of a weight ζ leads.
    put_back(place, left);
    Restart balanced = settle_positions(place, -2);
    if (balanced.done()) balanced = balance(place);
    if (balanced.done() && on_surfaces(place, balanced)) result = std::move(balanced);
  }
  if (result.done()) reset_errors(place);
  return result;
}

}  // namespace mti
