#include "mti/transform/discretise.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/model/delays.hpp"
#include "mti/model/require_multilinear.hpp"
#include "mti/transform/signal_substitution.hpp"

namespace mti {
namespace {

using transform::Combination;
using transform::SignalSubstitution;

void check_start(const Model& model, std::span<const double> start) {
  if (static_cast<int>(start.size()) != model.signature.size())
    throw InvalidOption("matrix-size", "",
                        "the start point has " + std::to_string(start.size()) + " entries; the model has " +
                            std::to_string(model.signature.size()) + " rows of S");
}

/// 0 and 1 as they are at the point; what is neither keeps its start value.
std::vector<char> binaries_at(const Model& model, std::span<const double> v) {
  std::vector<char> z = model.z_start;
  for (int i = 0; i < model.signature.q(); ++i)
    if (const double value = v[at(model.signature.binary_row(i))]; value == 0.0 || value == 1.0)
      z[at(i)] = value == 1.0 ? 1 : 0;
  return z;
}

/// Every signal as it is, at its place among `algebraic` algebraic signals of which it comes after `shift`.
SignalSubstitution unchanged(const Model& model, std::span<const double> v, int algebraic, int shift) {
  const Signature& old = model.signature;
  SignalSubstitution as;
  as.becomes.resize(at(old.size()));
  as.own_names.resize(at(old.size()));
  as.values.assign(v.begin(), v.end());
  as.dropped.assign(at(model.equations()), 0);
  as.z_start = binaries_at(model, v);
  for (int row = 0; row < old.size(); ++row) {
    const int moved = row < old.algebraic_row(0) ? 0 : row < old.binary_row(0) ? shift : algebraic - old.p();
    as.becomes[at(row)] = {{row + moved, 1.0}};
  }
  return as;
}

}  // namespace

double weight_of_next(DifferenceMethod method) {
  switch (method) {
    case DifferenceMethod::forward_euler:
      return 0.0;
    case DifferenceMethod::trapezoidal:
      return 0.5;
    case DifferenceMethod::backward_euler:
      break;
  }
  return 1.0;
}

Model discretise(const Model& model, double sample_time, DifferenceMethod method,
                 std::span<const double> start) {
  require_multilinear(model, "a change between discrete and continuous time");
  require_no_delays(model, "models of discrete time");
  require_fixed_start(model, "a model of discrete time");
  const Signature& old = model.signature;
  if (model.is_discrete())
    throw InvalidModel("already-discrete", "/sample_time", "the model is one of discrete time already");
  if (!(sample_time > 0.0) || !std::isfinite(sample_time))
    throw InvalidOption("bad-sample-time", "", "expected a number above 0 as sample time");
  if (!model.transitions.empty())
    throw InvalidModel(
        "transition-in-discrete-model", "/transitions",
        "a model with transitions cannot be made discrete: their laws hold at instants between samples");
  check_start(model, start);
  const double theta = weight_of_next(method);
  const bool held = theta > 0.0;
  const int n = old.n(), shift = held ? n : 0;
  SignalSubstitution as = unchanged(model, start, old.p() + shift, shift);
  as.sample_time = sample_time;
  transform::UnusedNames unused(old);
  for (int i = 0; i < n; ++i) {
    const Signal& state = old.states()[at(i)];
    const double x = start[at(old.state_row(i))], rate = start[at(old.derivative_row(i))];
    const int next = old.derivative_row(i), now = old.state_row(i);
    as.becomes[at(next)] = {{next, 1.0 / sample_time}, {now, -1.0 / sample_time}};
    as.own_names[at(next)] = unused(state.name + ".rate");
    as.own_names[at(now)] = unused(state.name + ".copy");
    as.x_start.push_back(x - theta * sample_time * rate);
    as.states.push_back(state);
    if (!held) continue;
    as.states.back().name = unused(state.name + ".held");
    as.algebraic.push_back(state);
    as.y_start.push_back(x);
    const int x_row = old.algebraic_row(i);
    as.becomes[at(now)] = {{x_row, 1.0}};
    Combination sum{{x_row, 1.0}, {next, -theta}};
    if (theta < 1.0) sum.emplace_back(now, theta - 1.0);
    as.definitions.push_back({state.name + ".at_sample", std::move(sum)});
  }
  as.algebraic.insert(as.algebraic.end(), old.algebraic().begin(), old.algebraic().end());
  for (int i = 0; i < old.p(); ++i) as.y_start.push_back(start[at(old.algebraic_row(i))]);
  return recast(model, std::move(as));
}

}  // namespace mti
