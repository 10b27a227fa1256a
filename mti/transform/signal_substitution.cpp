#include "mti/transform/signal_substitution.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "mti/build/build_parts.hpp"
#include "mti/common/at.hpp"
#include "mti/model/require_multilinear.hpp"

namespace mti::transform {
namespace {

/// One column may become so many.
constexpr std::size_t most_products = 16;

struct Factor {
  int row;
  double S;
};

std::vector<Factor> factors_of(const SparseColumns& S, int column) {
  std::vector<Factor> factors;
  for (SparseColumns::InnerIterator entry(S, column); entry; ++entry)
    factors.push_back({static_cast<int>(entry.row()), entry.value()});
  return factors;
}

/// Rows of the old S that a column cannot do without, ascending: signals of other factors come again in what
/// they become, or there are too many products.
void find_kept(const std::vector<Factor>& factors, const std::vector<Combination>& becomes,
               std::vector<char>& kept) {
  std::set<int> used;
  std::size_t products = 1;
  for (const bool single : {true, false})
    for (const Factor& factor : factors) {
      const Combination& sum = becomes[at(factor.row)];
      if ((sum.size() == 1) != single || kept[at(factor.row)] != 0) continue;
      const bool clashes =
          std::any_of(sum.begin(), sum.end(), [&](const auto& term) { return used.contains(term.first); });
      const std::size_t more = single ? 1 : sum.size() + (std::abs(factor.S) < 1.0 ? 1 : 0);
      if (clashes || products * more > most_products) {
        kept[at(factor.row)] = 1;
        continue;
      }
      products *= more;
      for (const auto& [row, weight] : sum) used.insert(row);
    }
}

/// Π (1 − |S| + S Σ w v) multiplied out and added to `builder` with its coefficients Φ.
class Products {
 public:
  Products(const std::vector<Combination>& becomes, const std::vector<std::pair<int, double>>& Phi,
           CpBuilder& builder)
      : becomes_(becomes), Phi_(Phi), builder_(builder) {}

  void add(const std::vector<Factor>& factors, std::size_t next, double coefficient) {
    if (next == factors.size()) {
      for (const auto& [row, Phi] : Phi_) builder_.add(row, Phi * coefficient, chosen_);
      return;
    }
    const auto [row, S] = factors[next];
    const double a = 1.0 - std::abs(S);
    const Combination& sum = becomes_[at(row)];
    const auto choose = [&](int signal, double constant, double slope) {
      chosen_.push_back({signal, constant, slope});
      add(factors, next + 1, coefficient);
      chosen_.pop_back();
    };
    if (sum.size() == 1) {
      choose(sum[0].first, a, S * sum[0].second);
      return;
    }
    // The constant stays apart, so that products of one kind from several columns merge.
    if (a != 0.0) add(factors, next + 1, coefficient * a);
    for (const auto& [signal, weight] : sum) choose(signal, 0.0, S * weight);
  }

 private:
  const std::vector<Combination>& becomes_;
  const std::vector<std::pair<int, double>>& Phi_;
  CpBuilder& builder_;
  std::vector<AffineFactor> chosen_;
};

/// Φ_eq without the dropped rows, then Φ_ineq after `equations` rows.
std::vector<std::vector<std::pair<int, double>>> coefficients(const Model& model,
                                                              const std::vector<char>& dropped,
                                                              int equations) {
  std::vector<int> place(at(model.equations()), -1);
  int next = 0;
  for (std::size_t i = 0; i < place.size(); ++i)
    if (dropped[i] == 0) place[i] = next++;
  std::vector<std::vector<std::pair<int, double>>> Phi(at(model.columns()));
  for (int k = 0; k < model.columns(); ++k) {
    for (SparseColumns::InnerIterator entry(model.Phi_eq, k); entry; ++entry)
      if (const int row = place[at(entry.row())]; row >= 0) Phi[at(k)].emplace_back(row, entry.value());
    for (SparseColumns::InnerIterator entry(model.Phi_ineq, k); entry; ++entry)
      Phi[at(k)].emplace_back(equations + static_cast<int>(entry.row()), entry.value());
  }
  return Phi;
}

/// Signals that stay get rows after the algebraic ones, which moves what follows.
void keep_signals(const std::vector<char>& kept, const Signature& signature, int binary_row,
                  SignalSubstitution& as) {
  const int extra = static_cast<int>(std::count(kept.begin(), kept.end(), char{1}));
  const auto moved = [&](Combination sum) {
    for (auto& [row, weight] : sum)
      if (row >= binary_row) row += extra;
    return sum;
  };
  for (SignalSubstitution::Definition& definition : as.definitions)
    definition.sum = moved(std::move(definition.sum));
  for (Combination& sum : as.becomes) sum = moved(std::move(sum));
  int next = binary_row;
  for (std::size_t row = 0; row < kept.size(); ++row) {
    if (kept[row] == 0) continue;
    Combination definition{{next, 1.0}};
    for (const auto& [signal, weight] : as.becomes[row]) definition.emplace_back(signal, -weight);
    as.definitions.push_back({as.own_names[row] + ".definition", std::move(definition)});
    as.becomes[row] = {{next++, 1.0}};
    const int old = static_cast<int>(row);
    const auto& states = signature.states();
    const double nominal = old < signature.input_row(0)
                               ? states[at(old % signature.n())].nominal
                               : signature.algebraic()[at(old - signature.algebraic_row(0))].nominal;
    as.algebraic.push_back({.name = as.own_names[row], .nominal = nominal, .auxiliary = true});
    as.y_start.push_back(as.values[row]);
  }
}

void drop_misfit(std::optional<double>& interval, double sample_time) {
  if (!interval) return;
  const double samples = *interval / sample_time, nearest = std::round(samples);
  if (nearest < 1.0 || std::abs(samples - nearest) > 1e-9 * nearest) interval.reset();
}

}  // namespace

std::string UnusedNames::operator()(std::string wanted) {
  while (!taken_.insert(wanted).second) wanted += '_';
  return wanted;
}

UnusedNames::UnusedNames(const Signature& signature) {
  for (const auto* group :
       {&signature.states(), &signature.inputs(), &signature.algebraic(), &signature.binaries()})
    for (const Signal& signal : *group) taken_.insert(signal.name);
}

Model recast(const Model& model, SignalSubstitution as) {
  require_multilinear(model, "a change of signals");
  const Signature& old = model.signature;
  std::vector<char> kept(at(old.size()), 0);
  std::vector<char> alive(at(model.columns()), 0);
  const auto without_columns = coefficients(model, as.dropped, 0);
  for (int k = 0; k < model.columns(); ++k) {
    alive[at(k)] = without_columns[at(k)].empty() ? 0 : 1;
    if (alive[at(k)] != 0) find_kept(factors_of(model.S, k), as.becomes, kept);
  }
  const int n = static_cast<int>(as.states.size());
  keep_signals(kept, old, 2 * n + old.m() + static_cast<int>(as.algebraic.size()), as);

  Model result;
  result.name = model.name;
  result.description = model.description;
  result.sample_time = as.sample_time;
  result.signature =
      Signature(std::move(as.states), old.inputs(), std::move(as.algebraic), old.binaries(), old.pre(),
                as.sample_time > 0.0 ? Signature::StateRow::next : Signature::StateRow::derivative);
  building::Faults none;
  building::RelationNames names(none);
  std::vector<std::string> pointers(at(model.equations() + model.constraints()));
  for (int i = 0; i < model.equations(); ++i)
    if (as.dropped[at(i)] == 0) result.equation_names.push_back(model.equation_names[at(i)]);
  std::vector<std::string> given = result.equation_names;
  given.insert(given.end(), model.constraint_names.begin(), model.constraint_names.end());
  names.claim(given, pointers);
  for (const SignalSubstitution::Definition& definition : as.definitions)
    result.equation_names.push_back(names.unique(definition.name));
  result.constraint_names = model.constraint_names;

  const int equations = static_cast<int>(result.equation_names.size());
  const int first_definition = equations - static_cast<int>(as.definitions.size());
  CpBuilder builder(result.signature.size(), equations + model.constraints());
  const auto Phi = coefficients(model, as.dropped, equations);
  for (int k = 0; k < model.columns(); ++k)
    if (alive[at(k)] != 0) Products(as.becomes, Phi[at(k)], builder).add(factors_of(model.S, k), 0, 1.0);
  for (std::size_t i = 0; i < as.definitions.size(); ++i)
    for (const auto& [row, weight] : as.definitions[i].sum) {
      const AffineFactor factor{row, 0.0, 1.0};
      builder.add(first_definition + static_cast<int>(i), weight, std::span(&factor, 1));
    }
  const CpMap map = builder.build();
  result.S = map.S();
  building::split_rows(map.Phi(), equations, result.Phi_eq, result.Phi_ineq);
  result.inputs = model.inputs;
  result.x_start = std::move(as.x_start);
  result.y_start = std::move(as.y_start);
  result.z_start = std::move(as.z_start);
  result.invariants = model.invariants;
  for (BooleanFormula& formula : result.invariants)
    for (BooleanFormula::Step& step : formula.steps)
      if (step.operation == BooleanFormula::Operation::variable)
        step.row = as.becomes[at(step.row)].front().first;
  result.experiment = model.experiment;
  if (as.sample_time > 0.0) drop_misfit(result.experiment.output_interval, as.sample_time);
  return result;
}

}  // namespace mti::transform
