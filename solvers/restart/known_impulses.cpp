#include "solvers/restart/known_impulses.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"

namespace mti {
namespace {

bool stands_out(const Ball& part) {
  constexpr double own_accuracy = 8.0;  // x⁻ is the sum of several ε
  return std::abs(part.value) > own_accuracy * part.error;
}

}  // namespace

bool has_dirac_parts(const ModeSystem& system) {
  return system.recombination &&
         std::any_of(system.recombination->dirac_parts.begin(), system.recombination->dirac_parts.end(),
                     [](const Recombination::DiracParts& parts) { return !parts.empty(); });
}

KnownImpulses::KnownImpulses(const RestartPlace& place) {
  if (!place.system.recombination) return;
  const Signature& signature = place.model.signature;
  const auto value = [&](Jet jet) -> Ball {
    const int input = jet.signal - signature.input_row(0);
    if (input < 0) return {place.instant.v[mti::at(jet.signal)], place.series.at(jet.signal, 0).error};
    const double u = place.instant.pieces[mti::at(input)].derivative(place.instant.t, jet.order);
    return {u, jet.order == 0 ? place.accuracy.of(jet.signal, u) : place.accuracy.rtol * std::abs(u)};
  };
  for (const Recombination::DiracParts& polynomials : place.system.recombination->dirac_parts) {
    std::vector<Ball>& parts = parts_.emplace_back();
    for (const JetPolynomial& polynomial : polynomials) parts.push_back(polynomial.evaluate(value));
    highest_ = std::max(highest_, static_cast<int>(parts.size()));
  }
}

Ball KnownImpulses::at(int equation, int order) const {
  if (mti::at(equation) >= parts_.size() || mti::at(order - 1) >= parts_[mti::at(equation)].size()) return {};
  return parts_[mti::at(equation)][mti::at(order - 1)];
}

std::vector<Ball> KnownImpulses::first_order() const {
  std::vector<Ball> parts;
  for (const std::vector<Ball>& of_row : parts_) {
    parts.push_back(of_row.empty() ? Ball{} : of_row.front());
    if (!stands_out(parts.back())) parts.back().value = 0.0;
  }
  return parts;
}

std::vector<int> KnownImpulses::beyond_balance(const ModeSystem& system) const {
  if (parts_.empty()) return {};
  std::vector<char> has_row(parts_.size(), 0);
  for (const SolutionBlock& block : system.plan->balance)
    for (std::size_t i = 0; i < block.equations.size(); ++i)
      if (block.c[i] < 0) has_row[mti::at(block.equations[i])] = 1;
  std::vector<int> equations;
  for (std::size_t row = 0; row < parts_.size(); ++row)
    for (std::size_t m = has_row[row] != 0 ? 1 : 0; m < parts_[row].size(); ++m)
      if (stands_out(parts_[row][m])) {
        equations.push_back(static_cast<int>(row));
        break;
      }
  return equations;
}

std::optional<int> KnownImpulses::contradicted(const ModeSystem& system) const {
  if (!system.recombination) return std::nullopt;
  for (const int row : values(system.recombination->redundant))
    if (std::any_of(parts_[mti::at(row)].begin(), parts_[mti::at(row)].end(), stands_out)) return row;
  return std::nullopt;
}

}  // namespace mti
