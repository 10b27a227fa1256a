#include "solvers/restart/impulse_coefficients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>

#include "mti/common/at.hpp"
#include "solvers/impulses/row_monomials.hpp"
#include "solvers/restart/known_impulses.hpp"
#include "solvers/restart/leading_system.hpp"

namespace mti {
namespace {

/// What a coefficient is before and after the jump, and what both may be off together.
struct Coefficient {
  double before = 0.0, after = 0.0, error = 0.0;
};

/// Row by row of the balance, what multiplies each impulse: a·Y with a(t⁻) ≠ a(t⁺) has no meaning of its own,
/// since the product of a step and an impulse at the same instant depends on how both come about.
class Examination {
 public:
  Examination(const RestartPlace& place, const std::vector<double>& before, Restart& restart)
      : place_(place),
        before_(before),
        restart_(restart),
        impulsive_(place.v.size(), 0),
        grows_(place.v.size(), 0) {
    for (const ImpulsivePart& part : restart.impulsive_parts()) impulsive_[at(part.row)] = 1;
  }

  void examine(int equation) {
    find_common_factors(equation,
                        [&](std::span<const RowMap::Factor> factors) { return holds_weight(factors); });
    // By impulsive signal the sum over the columns that hold it: single columns may jump where their sum does
    // not.
    std::unordered_map<int, Coefficient> coefficients;
    const RowMap& f = place_.system.f;
    for (const RowMap::Term& term : f.terms(equation)) {
      const auto factors = f.factors(term.column);
      int weights = 0;
      for (const RowMap::Factor& factor : factors) weights += impulsive_[at(factor.signal)];
      // φ of an infinite argument has no meaning, as a product of impulses has none.
      if (weights > (f.function_of(term.column) == nullptr ? 1 : 0)) {
        refuse(SolveFailure::Kind::product_of_impulses, equation);
        for (const RowMap::Factor& factor : factors)
          if (impulsive_[at(factor.signal)] != 0) unknowns_.insert(factor.signal);
      }
      if (weights == 1 && f.function_of(term.column) == nullptr) add(term, factors, coefficients);
    }
    for (const auto& [signal, coefficient] : coefficients) {
      // What is not a number after the jump is not known to have kept its value.
      if (std::abs(coefficient.after - coefficient.before) <= coefficient.error) continue;
      refuse(SolveFailure::Kind::jumping_coefficient, equation);
      impulses_.insert(signal);
      name_what_jumps(equation, signal);
    }
  }

  /// The same for a row of which leading terms were balanced: what multiplies products of what grows was the same
  /// number before, after and where the balance took it.
  void examine_leading(int equation, const LeadingBalance& leading) {
    orders_ = leading.orders;
    for (std::size_t row = 0; row < grows_.size(); ++row) grows_[row] = leading.orders[row] > 0.0 ? 1 : 0;
    const Monomials used = leading_monomials(equation, leading.v);
    double largest = 0.0;
    for (const auto& [signals, coefficient] : used) largest = std::max(largest, order_of(signals));
    if (largest <= 0.0) return;
    find_common_factors(equation, [&](std::span<const RowMap::Factor> factors) {
      double order = 0.0;
      for (const RowMap::Factor& factor : factors) order += leading.orders[at(factor.signal)];
      return order > largest - same_order;
    });
    const Monomials taken = leading_monomials(equation, leading.v),
                    before = leading_monomials(equation, before_),
                    after = leading_monomials(equation, place_.v);
    std::set<std::vector<int>> products;
    for (const Monomials* const each : {&taken, &before, &after})
      for (const auto& [signals, coefficient] : *each)
        if (order_of(signals) > largest - same_order) products.insert(signals);
    for (const std::vector<int>& signals : products) {
      const Ball taken_as = coefficient_of(taken, signals), left = coefficient_of(before, signals),
                 right = coefficient_of(after, signals);
      if (are_same(left, right) && are_same(taken_as, right)) continue;
      refuse(SolveFailure::Kind::jumping_coefficient, equation);
      for (const int signal : signals)
        if (signal >= place_.model.signature.n()) impulses_.insert(signal);
      for (const int signal : signals) name_what_jumps(equation, signal);
    }
  }

  void finish() {
    if (restart_.done()) return;
    restart_.failure.signals.assign(unknowns_.begin(), unknowns_.end());
    restart_.failure.impulses.assign(impulses_.begin(), impulses_.end());
  }

 private:
  /// Factors of every column of the row that holds a weight, of one sign on both sides of the jump:
  /// a·Σ_j b_j Y_j = 0 is Σ_j b_j Y_j = 0, wherever in the jump of a the impulses happen.
  template <class Counts>
  void find_common_factors(int equation, Counts counts) {
    common_.clear();
    if (KnownImpulses(place_).at(equation, 1).value != 0.0) return;
    bool first = true;
    for (const RowMap::Term& term : place_.system.f.terms(equation)) {
      const auto factors = place_.system.f.factors(term.column);
      if (!counts(factors)) continue;
      if (first)
        for (const RowMap::Factor& factor : factors)
          if (keeps_sign(factor)) common_.push_back(factor);
      first = false;
      std::erase_if(common_, [&](const RowMap::Factor& one) { return !contains(factors, one); });
    }
  }

  /// A row in products of what grows, common factors left out.
  [[nodiscard]] Monomials leading_monomials(int equation, const std::vector<double>& v) const {
    return monomials_of(
               place_.system.f, equation, grows_,
               [&](const RowMap::Factor& factor) {
                 if (contains(common_, factor)) return Ball{1.0, 0.0};
                 return Ball{value(factor, v), std::abs(factor.S) * error_of(factor.signal)};
               },
               std::numeric_limits<std::size_t>::max())
        .value_or(Monomials{});
  }

  [[nodiscard]] double order_of(const std::vector<int>& signals) const {
    double sum = 0.0;
    for (const int signal : signals) sum += orders_[at(signal)];
    return sum;
  }

  [[nodiscard]] static Ball coefficient_of(const Monomials& row, const std::vector<int>& signals) {
    const auto found = row.find(signals);
    return found == row.end() ? Ball{} : found->second;
  }

  /// Within what one of them may be off and rounding; what is no number is not known to be the same.
  [[nodiscard]] static bool are_same(const Ball& a, const Ball& b) {
    return std::abs(a.value - b.value) <= b.error + 1e-14 * (std::abs(a.value) + std::abs(b.value));
  }

  [[nodiscard]] bool holds_weight(std::span<const RowMap::Factor> factors) const {
    return std::any_of(factors.begin(), factors.end(),
                       [&](const RowMap::Factor& factor) { return impulsive_[at(factor.signal)] != 0; });
  }

  [[nodiscard]] static bool contains(std::span<const RowMap::Factor> factors, const RowMap::Factor& one) {
    return std::any_of(factors.begin(), factors.end(), [&](const RowMap::Factor& factor) {
      return factor.signal == one.signal && factor.S == one.S;
    });
  }

  [[nodiscard]] bool keeps_sign(const RowMap::Factor& factor) const {
    if (impulsive_[at(factor.signal)] != 0 || grows_[at(factor.signal)] != 0) return false;
    const double error = std::abs(factor.S) * error_of(factor.signal);
    const double before = value(factor, before_), after = value(factor, place_.v);
    return (before > error && after > error) || (before < -error && after < -error);
  }

  /// The value of a factor of a coefficient; of a common one it does not count.
  [[nodiscard]] double counting_value(const RowMap::Factor& factor, const std::vector<double>& v) const {
    return contains(common_, factor) ? 1.0 : value(factor, v);
  }

  void add(const RowMap::Term& term, std::span<const RowMap::Factor> factors,
           std::unordered_map<int, Coefficient>& coefficients) const {
    int signal = -1;
    double before = term.Phi, after = term.Phi;
    for (const RowMap::Factor& factor : factors) {
      if (impulsive_[at(factor.signal)] != 0) {
        signal = factor.signal;
        before *= factor.S;
        after *= factor.S;
      } else {
        before *= counting_value(factor, before_);
        after *= counting_value(factor, place_.v);
      }
    }
    // What the product may be off: rounding, and for each factor the others times the error of its signal.
    double error = 1e-14 * (std::abs(before) + std::abs(after));
    for (const RowMap::Factor& factor : factors) {
      if (impulsive_[at(factor.signal)] != 0 || contains(common_, factor)) continue;
      const double rest = value(factor, place_.v);
      const double others =
          rest != 0.0 ? std::abs(after / rest) : product_without(term, factors, factor.signal);
      error += others * std::abs(factor.S) * error_of(factor.signal);
    }
    Coefficient& sum = coefficients[signal];
    sum.before += before;
    sum.after += after;
    sum.error += error;
  }

  [[nodiscard]] static double value(const RowMap::Factor& factor, const std::vector<double>& v) {
    return 1.0 - std::abs(factor.S) + factor.S * v[at(factor.signal)];
  }

  [[nodiscard]] double product_without(const RowMap::Term& term, std::span<const RowMap::Factor> factors,
                                       int signal) const {
    double product = std::abs(term.Phi);
    for (const RowMap::Factor& factor : factors)
      if (factor.signal != signal)
        product *= std::abs(impulsive_[at(factor.signal)] != 0 ? factor.S : counting_value(factor, place_.v));
    return product;
  }

  /// Both limits are off by ε and by the event's time.
  [[nodiscard]] double error_of(int signal) const {
    constexpr double own_accuracy = 8.0;
    const Signature& signature = place_.model.signature;
    if (signal >= signature.size()) return own_accuracy * place_.series.at(signal, 0).error;
    double error =
        own_accuracy * (place_.accuracy.of(signal, before_[at(signal)]) + place_.series.at(signal, 0).error);
    if (signal >= signature.state_row(0) && signal < signature.input_row(0))
      error += std::abs(place_.instant.v[at(signal - signature.n())]) * place_.instant.time_uncertainty;
    return error;
  }

  /// The first kind stands; further rows are named if they are refused for the same reason.
  void refuse(SolveFailure::Kind kind, int equation) {
    if (!restart_.done() && restart_.failure.kind != kind) return;
    restart_.refuse(kind);
    std::vector<int>& equations = restart_.failure.equations;
    if (std::find(equations.begin(), equations.end(), equation) == equations.end())
      equations.push_back(equation);
  }

  /// Of the columns that hold the weight, those of their signals that differ before and after.
  void name_what_jumps(int equation, int weight) {
    const RowMap& f = place_.system.f;
    for (const RowMap::Term& term : f.terms(equation)) {
      const auto factors = f.factors(term.column);
      if (std::none_of(factors.begin(), factors.end(),
                       [&](const RowMap::Factor& factor) { return factor.signal == weight; }))
        continue;
      for (const RowMap::Factor& factor : factors)
        if (factor.signal != weight && grows_[at(factor.signal)] == 0 && !contains(common_, factor) &&
            !(std::abs(place_.v[at(factor.signal)] - before_[at(factor.signal)]) <= error_of(factor.signal)))
          unknowns_.insert(factor.signal);
    }
  }

  const RestartPlace& place_;
  const std::vector<double>& before_;
  Restart& restart_;
  std::vector<char> impulsive_;
  std::vector<char> grows_;         ///< by row of S: as 1/h does to a power, where leading terms are examined
  std::span<const double> orders_;  ///< to which one
  std::vector<RowMap::Factor> common_;  ///< of all coefficients of the row that is examined
  std::set<int> unknowns_, impulses_;
};

/// Solves y from what is known already, if that is enough; its rows stand as they are, undifferentiated.
class KnownValues {
 public:
  explicit KnownValues(const RestartPlace& place) : place_(place), v_(place.v), known_(place.v.size(), 0) {
    const Signature& signature = place.model.signature;
    for (int row = signature.state_row(0); row < signature.algebraic_row(0); ++row) known_[at(row)] = 1;
    for (std::size_t row = at(signature.size()); row < known_.size(); ++row) known_[row] = 1;
  }

  void solve(const SolutionBlock& block) {
    // All signals of its rows are known or are its own unknowns: neither ẋ nor anything impulsive is among
    // them.
    SolutionBlock plain{block.equations, block.unknowns};
    plain.linear = block.linear;
    for (const int unknown : block.unknowns) known_[at(unknown)] = 1;
    bool enough = true;
    for (const int equation : block.equations)
      for (const RowMap::Term& term : place_.system.f.terms(equation))
        for (const RowMap::Factor& factor : place_.system.f.factors(term.column))
          enough = enough && known_[at(factor.signal)] != 0;
    enough = enough && solve_block(place_.system.f, plain, v_, place_.instant.guess, {}).solved();
    if (!enough)
      for (const int unknown : block.unknowns) known_[at(unknown)] = 0;
  }

  [[nodiscard]] bool are_values(const std::vector<int>& orders, const std::vector<int>& unknowns) const {
    return std::all_of(orders.begin(), orders.end(), [](int order) { return order == 0; }) &&
           std::all_of(unknowns.begin(), unknowns.end(),
                       [&](int unknown) { return unknown >= place_.model.signature.algebraic_row(0); });
  }

  [[nodiscard]] std::vector<double> take() { return std::move(v_); }

 private:
  const RestartPlace& place_;
  std::vector<double> v_;
  std::vector<char> known_;
};

}  // namespace

std::vector<double> values_before(const RestartPlace& place) {
  if (place.instant.has_past) {
    std::vector<double> v = place.instant.v;
    // Of derivatives of inputs only those to the right are known.
    v.insert(v.end(), place.v.begin() + static_cast<std::ptrdiff_t>(v.size()), place.v.end());
    return v;
  }
  KnownValues values(place);
  for (const SolutionPlan::Stage& stage : place.system.plan->early)
    for (const SolutionBlock& block : stage.blocks)
      if (values.are_values(block.e, block.unknowns) && values.are_values(block.c, {})) values.solve(block);
  for (const SolutionBlock& block : place.system.plan->blocks)
    if (values.are_values(block.e, block.unknowns) && values.are_values(block.c, {})) values.solve(block);
  return values.take();
}

void examine_coefficients(const RestartPlace& place, const std::vector<double>& before, Restart& restart) {
  if (restart.impulsive_parts().empty() && restart.leading.empty()) return;
  Examination examination(place, before, restart);
  for (const int equation : restart.balanced) examination.examine(equation);
  for (const LeadingBalance& leading : restart.leading)
    for (const int equation : leading.equations) examination.examine_leading(equation, leading);
  examination.finish();
}

}  // namespace mti
