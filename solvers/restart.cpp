#include "solvers/restart.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/block_solver.hpp"
#include "solvers/positions.hpp"

namespace mti {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

/// Stage −1 of a plan, block by block.
class Balance {
 public:
  explicit Balance(const RestartPlace& place) : place_(place), signature_(place.model.signature) {
    result_.dirac.resize(at(signature_.size()));
  }

  Restart solve() {
    const BlockSeries series{&place_.series, signature_.n(), &result_.dirac, place_.instant.v};
    for (const SolutionBlock& block : place_.system.plan->balance) {
      if (rests(block, series)) continue;
      const BlockSolution solution =
          solve_and_carry(place_.system.f, block, place_.v, place_.instant.guess, series);
      if (solution.status == BlockStatus::solved) continue;
      result_.status = solution.status == BlockStatus::singular ? Restart::Status::not_unique
                                                                : Restart::Status::no_convergence;
      result_.equations = block.equations;
      for (const int unknown : block.unknowns)
        result_.unknowns.push_back(unknown < signature_.n() ? unknown + signature_.n() : unknown);
      return std::move(result_);
    }
    return std::move(result_);
  }

 private:
  /// Nothing but Dirac parts, and no weight from elsewhere: no jump, no impulse.
  [[nodiscard]] bool rests(const SolutionBlock& block, const BlockSeries& series) const {
    return std::all_of(block.c.begin(), block.c.end(), [](int c) { return c < 0; }) &&
           std::all_of(block.equations.begin(), block.equations.end(), [&](int equation) {
             const Carried part = series.dirac_part(place_.system.f, equation, place_.v);
             return part.value == 0.0 && part.error == 0.0;
           });
  }

  const RestartPlace& place_;
  const Signature& signature_;
  Restart result_;
};

/// What x may be off at an event includes the uncertainty of its time.
void widen_errors(const RestartPlace& place) {
  const Signature& signature = place.model.signature;
  for (int i = 0; i < signature.n(); ++i)
    place.series.at(signature.state_row(i), 0).error +=
        std::abs(place.instant.v[at(signature.derivative_row(i))]) * place.instant.time_uncertainty;
}

void reset_errors(const RestartPlace& place) {
  const Signature& signature = place.model.signature;
  for (int i = 0; i < signature.n(); ++i) {
    Carried& x = place.series.at(signature.state_row(i), 0);
    x.error = place.accuracy.of(signature.state_row(i), x.value);
  }
}

}  // namespace

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
  switch (restart.status) {
    case Restart::Status::done:
      return {};
    case Restart::Status::contradiction:
      return "no restart fulfils " + listed(equations);
    case Restart::Status::not_unique:
      return "the restart leaves " + listed(signals) + " undetermined by " + listed(equations);
    case Restart::Status::no_convergence:
      return "no restart found that fulfils " + listed(equations);
    case Restart::Status::off_position:
      return "constraints on positions are not met: " + listed(equations) +
             (signals.empty() ? "" : "; " + listed(signals) + " would jump by impulses of order 2 or more");
    case Restart::Status::jumping_coefficient:
      return "an impulse in " + listed(equations) + " is multiplied by what jumps itself (" +
             listed(signals) + "), so that the result would depend on how the model is written";
    case Restart::Status::product_of_impulses:
      return "impulses are multiplied with each other in " + listed(equations) + " (" + listed(signals) +
             ") and no scaling of them has one real solution";
  }
  return {};
}

Restart restart(const RestartPlace& place) {
  widen_errors(place);
  Restart result = settle_positions(place);
  const bool slides = !place.system.sliding.empty();
  if (result.done() && !slides) result = Balance(place).solve();
  if (result.done()) reset_errors(place);
  return result;
}

}  // namespace mti
