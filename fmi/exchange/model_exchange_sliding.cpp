#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fmi/exchange/model_exchange.hpp"
#include "mti/common/at.hpp"
#include "mti/model/signal_rows.hpp"
#include "solvers/mode/sliding_mode.hpp"

// Motions along surfaces.

namespace mti::fmi {

double ModelExchange::indicator(int constraint, std::span<const double> v) {
  if (mode_.z.size() != at(fmu_->model.signature.q())) return CoSimulation::indicator(constraint, v);
  Equations& known = equations();
  const auto system = known.cache.get(mode_);
  const bool is_live = std::ranges::binary_search(system->live_constraints, constraint);
  const auto is_of = [&](const Slide& slide) { return slide.constraint == constraint; };
  if (std::ranges::none_of(mode_.slides, is_of))
    return is_live ? indicators().in_mode(system->g, constraint, v) : indicators().held();
  double least = std::numeric_limits<double>::infinity();
  for (const int row : system->live_constraints)
    if (row >= known.model.constraints() && constraint_index(known.model, mode_, row) == constraint)
      least = std::min(least, indicators().in_mode(system->g, row, v));
  return std::isfinite(least) ? least : indicators().held();
}

/// An equation of a copy and one other signal makes it one.
std::vector<int> ModelExchange::originals_of(const Model& model) {
  const Signature& signature = model.signature;
  std::vector<int> original(at(signature.size()));
  std::iota(original.begin(), original.end(), 0);
  const auto is_copy = [&](int signal) {
    const int i = signal - signature.algebraic_row(0);
    return i >= 0 && i < signature.p() && signature.algebraic()[at(i)].auxiliary;
  };
  const SignalRows rows(model);
  for (int row = 0; row < model.equations(); ++row) {
    const auto signals = rows.f.signals(row);
    if (signals.size() != 2 || !rows.f.binaries(row).empty()) continue;
    for (const int k : {0, 1})
      if (is_copy(signals[at(k)])) original[at(signals[at(k)])] = signals[at(1 - k)];
  }
  for (int& signal : original)
    for (int step = 0; step < signature.p() && original[at(signal)] != signal; ++step)
      signal = original[at(signal)];
  return original;
}

double ModelExchange::move_onto(const RowMap& map, std::span<const int> rows, std::vector<double>& v) {
  Equations& known = equations();
  const Signature& signature = known.model.signature;
  const int first = signature.state_row(0), states = signature.n();
  double distance = 0.0;
  const auto size = static_cast<Eigen::Index>(rows.size());
  constexpr int most_steps = 10;
  for (int step = 0; step < most_steps && size > 0; ++step) {
    for (std::size_t signal = 0; signal < known.original.size(); ++signal)
      v[signal] = v[at(known.original[signal])];
    Eigen::VectorXd s(size);
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(size, states);  // times the units
    for (Eigen::Index i = 0; i < size; ++i) {
      const int row = rows[at(static_cast<int>(i))];
      s[i] = map.value(row, v);
      map.gradient(row, v, [&](int signal, double slope) {
        const int origin = known.original[at(signal)];
        if (origin >= first && origin < first + states)
          G(i, origin - first) += slope * known.accuracy.of(origin, v[at(origin)]);
      });
      if (step == 0 && G.row(i).lpNorm<1>() > 0.0)
        distance = std::max(distance, std::abs(s[i]) / G.row(i).lpNorm<1>());
    }
    const Eigen::VectorXd move = G.transpose() * (G * G.transpose()).ldlt().solve(s);
    if (!move.allFinite()) break;
    for (int i = 0; i < states; ++i)
      v[at(first + i)] -= move[i] * known.accuracy.of(first + i, v[at(first + i)]);
    constexpr double nothing = 1e-9;
    if (move.lpNorm<Eigen::Infinity>() < nothing) break;
  }
  return distance;
}

bool ModelExchange::is_of_states(const RowMap& map, int row, std::span<const double> v) {
  Equations& known = equations();
  bool found = true;
  map.gradient(row, v, [&](int signal, double slope) {
    if (slope != 0.0 && is_unknown(known.model.signature, known.original[at(signal)])) found = false;
  });
  return found;
}

/// Surfaces that hold rates or algebraic signals are met by these.
double ModelExchange::project(std::vector<double>& v) {
  Equations& known = equations();
  const auto system = known.cache.get(mode_);
  std::vector<int> rows;
  for (int k = 0; k < static_cast<int>(mode_.slides.size()); ++k)
    if (const int row = known.model.equations() + k; is_of_states(system->f, row, v)) rows.push_back(row);
  return move_onto(system->f, rows, v);
}

/// An importer finds the time of an event as well as it does, and no law may let a motion go on from behind a constraint. With the
/// rates of the mode the constraint has been passed since the last step that was completed, or it was not the motion that passed it.
bool ModelExchange::return_to_passed_constraints() {
  Equations& known = equations();
  const auto system = known.cache.get(mode_);
  const Signature& signature = known.model.signature;
  const auto before = std::ranges::find_if(now_.passed.rbegin(), now_.passed.rend(),
                                           [&](const PassedPoint& point) { return point.time < now_.time; });
  if (before == now_.passed.rend()) return false;
  const double step = now_.time - before->time;
  std::vector<int> rows;
  for (const int row : system->live_constraints) {
    if (row >= known.model.constraints() || !(indicator(row, v_) < 0.0) || !is_of_states(system->g, row, v_))
      continue;
    double rate = 0.0;
    system->g.gradient(row, v_, [&](int signal, double slope) {
      const int state = known.original[at(signal)] - signature.state_row(0);
      if (state >= 0 && state < signature.n()) rate += slope * v_[at(signature.derivative_row(state))];
    });
    if (rate > 0.0 && system->g.value(row, v_) <= rate * step) rows.push_back(row);
  }
  if (rows.empty()) return false;
  static_cast<void>(move_onto(system->g, rows, v_));
  is_stale_ = true;
  return true;
}

}  // namespace mti::fmi
