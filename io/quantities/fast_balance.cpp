#include "io/quantities/fast_balance.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <vector>

#include "io/quantities/fast_reactions.hpp"
#include "io/sbml/evaluate_math.hpp"
#include "mti/common/at.hpp"

namespace mti::sbml {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

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
    for (const std::string& id : balanced_species(document)) names_.push_back(id);
    begin_.resize(std::ssize(names_));
    N_ = MatrixXd::Zero(std::ssize(names_), std::ssize(laws_));
    for (std::size_t s = 0; s < names_.size(); ++s) {
      const Quantity& species = *quantities.find(names_[s]);
      const std::optional<double> start = quantities.start_value(names_[s]),
                                  size = quantities.start_value(quantities.compartment_of(species).id);
      const double per_amount = quantities.is_concentration(species) ? 1.0 / size.value_or(NAN) : 1.0;
      begin_[at_index(s)] = start.value_or(NAN);
      for (const Quantities::Share& share : quantities.shares_of(species))
        if (const auto own = column.find(static_cast<int>(share.reaction)); own != column.end())
          N_(at_index(s), own->second) +=
              (share.is_product ? 1.0 : -1.0) * per_amount * stoichiometry(*share.part);
    }
  }

  [[nodiscard]] bool is_known() const {
    return begin_.allFinite() && N_.allFinite() && laws_at(VectorXd::Zero(N_.cols())).allFinite();
  }

  /// law(ξ + η) + law(0) = law(ξ) + law(η), tried at one ξ and η that nothing singles out.
  [[nodiscard]] bool is_affine() const {
    constexpr double rounding = 1e-10;
    VectorXd xi(N_.cols()), eta(N_.cols());
    for (Index r = 0; r < N_.cols(); ++r) {
      xi[r] = 0.137 * scale() * std::cos(1.0 + static_cast<double>(r));
      eta[r] = 0.211 * scale() * std::sin(2.0 + 3.0 * static_cast<double>(r));
    }
    const VectorXd both = laws_at(xi + eta), none = laws_at(VectorXd::Zero(N_.cols())), one = laws_at(xi),
                   other = laws_at(eta);
    const VectorXd size = both.cwiseAbs() + none.cwiseAbs() + one.cwiseAbs() + other.cwiseAbs();
    return ((both + none - one - other).cwiseAbs() - rounding * size).maxCoeff() <= 0.0;
  }

  /// Linearly implicit Euler steps, as long as no species moves by more than a tenth of what there is: they grow without a
  /// bound where the flow comes to rest, and become Newton's there.
  [[nodiscard]] std::optional<std::map<std::string, double>> end() const {
    constexpr int most_steps = 10'000;
    constexpr double most_moved = 0.1, at_rest = 1e-14, grows = 1.5, shrinks = 0.25;
    VectorXd xi = VectorXd::Zero(N_.cols()), law = laws_at(xi);
    if (law.isZero(0.0)) return std::map<std::string, double>();
    double step = 1e-3 * scale() / (N_.cwiseAbs() * law.cwiseAbs()).maxCoeff();
    int steps_at_rest = 0;
    for (int k = 0; k < most_steps; ++k) {
      const MatrixXd A = MatrixXd::Identity(xi.size(), xi.size()) - step * slopes_at(xi);
      const VectorXd change = A.partialPivLu().solve(step * law);
      const double moved = (N_ * change).cwiseAbs().maxCoeff();
      const VectorXd next = laws_at(xi + change);
      if (!change.allFinite() || !next.allFinite() || moved > most_moved * scale()) {
        step *= shrinks;
        continue;
      }
      xi += change;
      law = next;
      steps_at_rest = moved <= at_rest * scale() ? steps_at_rest + 1 : 0;
      constexpr int several = 40;  // while they grow: what rests then rests for good
      if (steps_at_rest >= several || law.isZero(0.0)) return species_at(xi);
      step *= grows;
    }
    return std::nullopt;
  }

 private:
  static Index at_index(std::size_t i) { return static_cast<Index>(i); }
  [[nodiscard]] double scale() const { return std::max(begin_.cwiseAbs().maxCoeff(), 1e-300); }

  [[nodiscard]] double stoichiometry(const Participant& part) const {
    if (part.formula) return quantities_.start_value(*part.formula).value_or(NAN);
    if (!part.id.empty())
      if (const auto value = quantities_.start_value(part.id)) return *value;
    return part.stoichiometry.value_or(NAN);
  }

  [[nodiscard]] VectorXd laws_at(const VectorXd& xi) const {
    const VectorXd species = begin_ + N_ * xi;
    Lookup lookup;
    lookup = [&](const std::string& name) -> std::optional<double> {
      const auto found = std::ranges::find(names_, name);
      if (found != names_.end()) return species[found - names_.begin()];
      const Quantity* const quantity = quantities_.find(name);
      const bool follows =
          quantity != nullptr && quantity->by == Quantity::By::rule && quantity->rule != nullptr;
      return follows ? evaluate(*quantity->rule, lookup) : quantities_.start_value(name);
    };
    VectorXd values(std::ssize(laws_));
    for (Index r = 0; r < values.size(); ++r)
      values[r] = laws_[at(r)] == nullptr ? NAN : evaluate(*laws_[at(r)], lookup).value_or(NAN);
    return values;
  }

  [[nodiscard]] MatrixXd slopes_at(const VectorXd& xi) const {
    constexpr double part = 1e-7;
    MatrixXd slopes(xi.size(), xi.size());
    for (Index r = 0; r < xi.size(); ++r) {
      const double little = part * scale();
      VectorXd less = xi, more = xi;
      less[r] -= little;
      more[r] += little;
      slopes.col(r) = (laws_at(more) - laws_at(less)) / (2.0 * little);
    }
    return slopes;
  }

  [[nodiscard]] std::map<std::string, double> species_at(const VectorXd& xi) const {
    constexpr double rounding = 1e-13;
    const VectorXd values = begin_ + N_ * xi;
    std::map<std::string, double> found;
    for (std::size_t s = 0; s < names_.size(); ++s) {
      const double value = values[at_index(s)];
      found[names_[s]] = std::abs(value) <= rounding * scale() ? 0.0 : value;
    }
    return found;
  }

  const Quantities& quantities_;
  std::vector<const Math*> laws_;
  std::vector<std::string> names_;
  VectorXd begin_;
  MatrixXd N_;  ///< what an extent of each reaction adds to each species, in its measure
};

}  // namespace

FastBalance balance_at_start(const Quantities& quantities) {
  if (balanced_species(quantities.document()).empty()) return {};
  const FastFlow flow(quantities);
  // What has no value at the start is refused elsewhere, by its name.
  if (!flow.is_known() || flow.is_affine()) return {};
  return {flow.end()};
}

}  // namespace mti::sbml
