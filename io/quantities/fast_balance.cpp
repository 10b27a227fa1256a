#include "io/quantities/fast_balance.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "io/quantities/fast_reactions.hpp"
#include "io/sbml/evaluate_math.hpp"
#include "mti/common/at.hpp"

namespace mti::sbml {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
/// Of what there was of a species, and has come and gone: what is less is used up.
constexpr double used_up = 1e-13;

class FastFlow {
 public:
  explicit FastFlow(const Quantities& quantities) : quantities_(quantities) {
    const Document& document = quantities.document();
    std::map<int, Index> column;
    for (std::size_t r = 0; r < document.reactions.size(); ++r)
      if (is_in_balance(document, document.reactions[r])) {
        column.emplace(static_cast<int>(r), std::ssize(laws_));
        laws_.push_back(quantities.find(document.reactions[r].id)->rule);
      }
    const std::set<std::string> balanced = balanced_species(document);
    names_.assign(balanced.begin(), balanced.end());
    const Index species = std::ssize(names_);
    begin_.resize(species);
    per_amount_.resize(species);
    N_ = MatrixXd::Zero(species, std::ssize(laws_));
    for (Index s = 0; s < species; ++s) {
      const Quantity& own = *quantities.find(names_[at(s)]);
      per_amount_[s] =
          quantities.is_concentration(own) ? 1.0 / value_of(quantities.compartment_of(own).id) : 1.0;
      begin_[s] = value_of(own.id) / per_amount_[s];
      const std::string& factor = document.species[at(own.index)].conversion_factor;
      for (const Quantities::Share& share : quantities.shares_of(own))
        if (const auto of = column.find(share.reaction); of != column.end())
          N_(s, of->second) += (share.is_product ? 1.0 : -1.0) * (factor.empty() ? 1.0 : value_of(factor)) *
                               stoichiometry(*share.part);
    }
  }

  [[nodiscard]] bool is_known() const {
    return begin_.allFinite() && per_amount_.allFinite() && N_.allFinite() &&
           laws_at(VectorXd::Zero(N_.cols())).allFinite();
  }

  /// law(ξ + η) + law(0) = law(ξ) + law(η), tried at ξ and η that nothing singles out.
  [[nodiscard]] bool is_affine() const {
    constexpr double rounding = 1e-10;
    const VectorXd none = VectorXd::Zero(N_.cols());
    VectorXd xi = none, eta = none;
    const double far = std::max(begin_.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    for (Index r = 0; r < N_.cols(); ++r) {
      xi[r] = 0.137 * far * std::cos(1.0 + static_cast<double>(r));
      eta[r] = 0.211 * far * std::sin(2.0 + 3.0 * static_cast<double>(r));
    }
    const VectorXd both = laws_at(xi + eta), begin = laws_at(none), one = laws_at(xi), other = laws_at(eta);
    const VectorXd size = both.cwiseAbs() + begin.cwiseAbs() + one.cwiseAbs() + other.cwiseAbs();
    return ((both + begin - one - other).cwiseAbs() - rounding * size).maxCoeff() <= 0.0;
  }

  /// Linearly implicit Euler steps in which no species moves by more than a tenth of what there is of it, and which go where the
  /// laws lead: they grow without a bound where the flow comes to rest.
  [[nodiscard]] std::optional<std::map<std::string, double>> end() const {
    constexpr int most_steps = 20'000, steps_at_rest = 60;
    constexpr double most_moved = 0.1, at_rest = 1e-14, grows = 1.5, shrinks = 0.25;
    VectorXd xi = VectorXd::Zero(N_.cols()), law = laws_at(xi);
    double step = 1.0;
    int resting = 0;
    for (int k = 0; k < most_steps; ++k) {
      if ((N_ * law).isZero(0.0)) return moved_by(xi);
      const MatrixXd A = MatrixXd::Identity(xi.size(), xi.size()) - step * slopes_at(xi);
      const VectorXd change = A.partialPivLu().solve(step * law);
      const VectorXd next = laws_at(xi + change);
      const VectorXd there = begin_ + N_ * xi, moved = (N_ * change).cwiseAbs(), scale = scale_at(xi);
      bool goes_too_far = !change.allFinite() || !next.allFinite() || change.dot(law) < 0.0;
      for (Index s = 0; s < there.size() && !goes_too_far; ++s)
        goes_too_far = std::abs(there[s]) > used_up * scale[s] && moved[s] > most_moved * std::abs(there[s]);
      if (goes_too_far) {
        step *= shrinks;
        resting = 0;
        continue;
      }
      xi += change;
      law = next;
      resting = (moved - at_rest * scale).maxCoeff() <= 0.0 ? resting + 1 : 0;
      if (resting >= steps_at_rest) return moved_by(xi);  // while steps grew all the time
      step *= grows;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] double value_of(const std::string& id) const {
    return quantities_.start_value(id).value_or(not_known);
  }

  [[nodiscard]] double stoichiometry(const Participant& part) const {
    if (part.formula) return quantities_.start_value(*part.formula).value_or(not_known);
    if (!part.id.empty())
      if (const auto value = quantities_.start_value(part.id)) return *value;
    return part.stoichiometry.value_or(not_known);
  }

  /// Of each species: what there was of it, and has come and gone.
  [[nodiscard]] VectorXd scale_at(const VectorXd& xi) const {
    return begin_.cwiseAbs() + N_.cwiseAbs() * xi.cwiseAbs();
  }

  /// How far a reaction can go with what there is of its species.
  [[nodiscard]] double extent(Index r, const VectorXd& there) const {
    double least = std::numeric_limits<double>::infinity();
    for (Index s = 0; s < there.size(); ++s)
      if (N_(s, r) != 0.0 && there[s] != 0.0) least = std::min(least, std::abs(there[s] / N_(s, r)));
    return std::isfinite(least) ? least : 1.0;
  }

  [[nodiscard]] VectorXd laws_at(const VectorXd& xi) const {
    const VectorXd species = (begin_ + N_ * xi).cwiseProduct(per_amount_);
    Lookup lookup;
    lookup = [&](const std::string& name) -> std::optional<double> {
      const auto found = std::ranges::lower_bound(names_, name);
      if (found != names_.end() && *found == name) return species[found - names_.begin()];
      const Quantity* const quantity = quantities_.find(name);
      const bool follows =
          quantity != nullptr && quantity->by == Quantity::By::rule && quantity->rule != nullptr;
      return follows ? evaluate(*quantity->rule, lookup) : quantities_.start_value(name);
    };
    VectorXd values(std::ssize(laws_));
    for (Index r = 0; r < values.size(); ++r)
      values[r] = laws_[at(r)] == nullptr ? not_known : evaluate(*laws_[at(r)], lookup).value_or(not_known);
    return values;
  }

  [[nodiscard]] MatrixXd slopes_at(const VectorXd& xi) const {
    // Of what is used up no part shows beside what has come and gone of it.
    constexpr double part = 1e-6, part_of_scale = 1e-9;
    const VectorXd there = begin_ + N_ * xi, scale = scale_at(xi);
    MatrixXd slopes(xi.size(), xi.size());
    for (Index r = 0; r < xi.size(); ++r) {
      const double little = std::max(part * extent(r, there), part_of_scale * extent(r, scale));
      VectorXd less = xi, more = xi;
      less[r] -= little;
      more[r] += little;
      slopes.col(r) = (laws_at(more) - laws_at(less)) / (2.0 * little);
    }
    return slopes;
  }

  [[nodiscard]] std::map<std::string, double> moved_by(const VectorXd& xi) const {
    const VectorXd moved = N_ * xi, scale = scale_at(xi);
    std::map<std::string, double> found;
    for (Index s = 0; s < moved.size(); ++s) {
      const bool is_used_up = std::abs(begin_[s] + moved[s]) <= 10.0 * used_up * scale[s];
      found[names_[at(s)]] = is_used_up ? -begin_[s] : moved[s];
    }
    return found;
  }

  const Quantities& quantities_;
  std::vector<const Math*> laws_;
  std::vector<std::string> names_;  ///< ascending
  VectorXd begin_;                  ///< amounts
  VectorXd per_amount_;             ///< what an amount of 1 is in the measure of the species
  MatrixXd N_;                      ///< what an extent of each reaction adds to each amount
};

}  // namespace

std::optional<std::map<std::string, double>> moved_to_balance(const Quantities& quantities) {
  using Moved = std::map<std::string, double>;
  if (balanced_species(quantities.document()).empty()) return Moved();
  const FastFlow flow(quantities);
  // What has no value at the start is refused elsewhere, by its name.
  if (!flow.is_known() || flow.is_affine()) return Moved();
  return flow.end();
}

}  // namespace mti::sbml
