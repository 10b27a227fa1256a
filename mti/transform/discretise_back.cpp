#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/model/require_multilinear.hpp"
#include "mti/transform/discretise.hpp"
#include "mti/transform/signal_substitution.hpp"

namespace mti {
namespace {

using transform::SignalSubstitution;

/// The algebraic signal that an equation makes equal to a state between its samples.
struct Alias {
  int equation = -1, state = -1, algebraic = -1;
};

/// Reads a row as c·(y − (1 − θ) ξ − θ ξ⁺); nothing if it is something else.
std::optional<Alias> alias_in(const Eigen::SparseMatrix<double, Eigen::RowMajor, int>& Phi,
                              const Model& model, int equation, double theta) {
  const Signature& signature = model.signature;
  double of_now = 0.0, of_next = 0.0, of_y = 0.0;
  int state = -1, algebraic = -1;
  for (Eigen::SparseMatrix<double, Eigen::RowMajor, int>::InnerIterator term(Phi, equation); term; ++term) {
    SparseColumns::InnerIterator factor(model.S, static_cast<int>(term.col()));
    if (!factor || std::abs(factor.value()) != 1.0) return std::nullopt;
    const int row = static_cast<int>(factor.row());
    const double coefficient = factor.value() * term.value();
    if (++factor) return std::nullopt;
    if (row < signature.input_row(0)) {
      const int i = row % signature.n();
      if (state >= 0 && state != i) return std::nullopt;
      state = i;
      (row < signature.state_row(0) ? of_next : of_now) += coefficient;
    } else if (row >= signature.algebraic_row(0) && row < signature.binary_row(0) && algebraic < 0) {
      algebraic = row - signature.algebraic_row(0);
      of_y = coefficient;
    } else {
      return std::nullopt;
    }
  }
  if (state < 0 || algebraic < 0 || signature.algebraic()[at(algebraic)].auxiliary) return std::nullopt;
  constexpr double rounding = 1e-14;
  if (std::abs(of_now + (1.0 - theta) * of_y) > rounding * std::abs(of_y) ||
      std::abs(of_next + theta * of_y) > rounding * std::abs(of_y))
    return std::nullopt;
  return Alias{equation, state, algebraic};
}

/// At most one for each state and each algebraic signal.
std::vector<Alias> aliases(const Model& model, double theta) {
  std::vector<Alias> result;
  if (theta == 0.0) return result;  // there it would be a mere copy of the state
  const Eigen::SparseMatrix<double, Eigen::RowMajor, int> Phi = model.Phi_eq;
  std::vector<char> state_used(at(model.signature.n()), 0), algebraic_used(at(model.signature.p()), 0);
  for (int equation = 0; equation < model.equations(); ++equation) {
    const auto alias = alias_in(Phi, model, equation, theta);
    if (!alias || state_used[at(alias->state)] != 0 || algebraic_used[at(alias->algebraic)] != 0) continue;
    state_used[at(alias->state)] = algebraic_used[at(alias->algebraic)] = 1;
    result.push_back(*alias);
  }
  return result;
}

}  // namespace

Model make_continuous(const Model& model, DifferenceMethod method, std::span<const double> start) {
  require_multilinear(model, "a change between discrete and continuous time");
  const Signature& old = model.signature;
  if (!model.is_discrete())
    throw InvalidModel("not-discrete", "", "the model is one of continuous time already");
  if (static_cast<int>(start.size()) != old.size())
    throw InvalidOption("matrix-size", "",
                        "the first sample has " + std::to_string(start.size()) + " entries; the model has " +
                            std::to_string(old.size()) + " rows of S");
  const double theta = weight_of_next(method), Ts = model.sample_time;
  const std::vector<Alias> dropped = aliases(model, theta);
  SignalSubstitution as;
  as.becomes.resize(at(old.size()));
  as.own_names.resize(at(old.size()));
  as.values.assign(start.begin(), start.end());
  as.dropped.assign(at(model.equations()), 0);
  as.z_start = model.z_start;
  as.states = old.states();
  transform::UnusedNames unused(old);
  for (int i = 0; i < old.n(); ++i) {
    const int rate = old.derivative_row(i), x = old.state_row(i);
    const double now = start[at(x)], next = start[at(rate)];
    as.becomes[at(x)] = {{x, 1.0}};
    if (theta > 0.0) as.becomes[at(x)].emplace_back(rate, -theta * Ts);
    as.becomes[at(rate)] = {{x, 1.0}};
    if (theta < 1.0) as.becomes[at(rate)].emplace_back(rate, (1.0 - theta) * Ts);
    as.own_names[at(x)] = unused(old.states()[at(i)].name + ".now");
    as.own_names[at(rate)] = unused(old.states()[at(i)].name + ".next");
    as.x_start.push_back((1.0 - theta) * now + theta * next);
  }
  std::vector<int> state_of(at(old.p()), -1);
  for (const Alias& alias : dropped) {
    as.dropped[at(alias.equation)] = 1;
    state_of[at(alias.algebraic)] = alias.state;
    as.states[at(alias.state)] = old.algebraic()[at(alias.algebraic)];
  }
  int y = old.algebraic_row(0);
  for (int i = 0; i < old.p(); ++i) {
    const int row = old.algebraic_row(i);
    if (state_of[at(i)] >= 0) {
      as.becomes[at(row)] = {{old.state_row(state_of[at(i)]), 1.0}};
      as.own_names[at(row)] = unused(old.algebraic()[at(i)].name + ".copy");
      continue;
    }
    as.becomes[at(row)] = {{y++, 1.0}};
    as.algebraic.push_back(old.algebraic()[at(i)]);
    as.y_start.push_back(start[at(row)]);
  }
  for (int row = old.input_row(0); row < old.algebraic_row(0); ++row) as.becomes[at(row)] = {{row, 1.0}};
  for (int row = old.binary_row(0); row < old.size(); ++row)
    as.becomes[at(row)] = {{y + row - old.binary_row(0), 1.0}};
  return recast(model, std::move(as));
}

}  // namespace mti
