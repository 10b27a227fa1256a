#include "bench/clutch_chain.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"

namespace mti::bench {
namespace {

using text::format_number;

std::string numbered(const char* name, int i) { return name + std::to_string(i); }

/// Fractional parts of the multiples of the golden ratio: evenly spread and never twice the same.
double spread(int i) { return std::numbers::phi * i - std::floor(std::numbers::phi * i); }

}  // namespace

double ClutchChain::inertia(int body) const { return 1.0 + spread(body); }

double ClutchChain::start_speed(int body) const {
  // The bodies that are coupled from the start are one; wagons stand, and the first one runs into them.
  if (body <= closed + 1) return 10.0;
  return closing == Closing::by_constraint ? 0.0 : 10.0 * spread(7 * body);
}

Source ClutchChain::source() const {
  Source source;
  const bool contacts = closing == Closing::by_constraint;
  source.name = std::string(contacts ? "wagons_" : "clutch_chain_") + std::to_string(bodies);
  source.parameters = {{"gamma", rate()}};
  double place = 0.0, momentum = 0.0, mass = 0.0;
  for (int i = 1; i <= bodies; ++i) {
    const std::string w = numbered("w", i), J = format_number(inertia(i));
    mass += inertia(i);
    momentum += inertia(i) * start_speed(i);
    source.states.push_back({w, start_speed(i), {}, 10.0});
    std::string torques;
    if (i > 1) torques += " + " + numbered("tau", i - 1);
    if (i < bodies) torques += " - " + numbered("tau", i);
    source.equations.emplace_back(numbered("body", i),
                                  J + "*der(" + w + ") = -gamma*" + J + "*" + w + torques);
    if (contacts) {
      source.states.push_back({numbered("x", i), place});
      source.equations.emplace_back(numbered("way", i), "der(" + numbered("x", i) + ") = " + w);
      // What rolls in front of this gap has the momentum of all and covers it in one interval.
      if (i > closed) place += interval * momentum / mass;
    }
    if (i == bodies) break;
    const std::string tau = numbered("tau", i), p = numbered(contacts ? "z" : "p", i),
                      next = numbered("w", i + 1);
    const bool shut = i <= closed;
    source.algebraic.push_back({tau, 0.0});
    source.equations.emplace_back(numbered("clutch", i),
                                  p + "*(" + w + " - " + next + ") + (1 - " + p + ")*" + tau + " = 0");
    if (contacts) {
      source.binaries.push_back({p, shut ? 1.0 : 0.0});
      const std::string gap = numbered("x", i) + " - " + numbered("x", i + 1);
      source.constraints.emplace_back(numbered("contact", i), "(" + gap + ")*(1 - " + p + ") <= 0");
      source.constraints.emplace_back(numbered("held", i), "pre(" + p + ") - " + p + " <= 0");
    } else if (shut) {
      source.inputs.push_back({p, Number(1.0), {}, 1.0, true});
    } else {
      source.inputs.push_back({p, TableSource{{0.0, closing_time(i)}, {0.0, 1.0}, {}}, {}, 1.0, true});
    }
  }
  source.experiment = {.stop = closing_time(bodies), .rtol = 1e-8, .atol = 1e-8};
  source.experiment.output_interval = source.experiment.stop;
  return source;
}

ClutchChainByHand::ClutchChainByHand(const ClutchChain& chain) : chain_(chain), closed_(chain.closed) {
  for (int i = 1; i <= chain.bodies; ++i) state_.speeds.push_back(chain.start_speed(i));
  state_.impulses.assign(at(chain.bodies - 1), 0.0);
}

const ChainState& ClutchChainByHand::close_next() {
  const int clutch = ++closed_;
  const double later = chain_.closing_time(clutch);
  if (const double decay = std::exp(-chain_.rate() * (later - state_.time)); decay != 1.0)
    for (double& speed : state_.speeds) speed *= decay;
  state_.time = later;
  const auto k = at(clutch);  // bodies that are one before
  double mass = 0.0;
  for (int i = 1; i <= clutch; ++i) mass += chain_.inertia(i);
  const double J = chain_.inertia(clutch + 1), before = state_.speeds[0];
  const double after = (mass * before + J * state_.speeds[k]) / (mass + J);
  double sum = 0.0;
  for (std::size_t i = 0; i < k; ++i) {
    sum += chain_.inertia(static_cast<int>(i) + 1);
    state_.impulses[i] = -sum * (after - before);
    state_.speeds[i] = after;
  }
  state_.speeds[k] = after;
  return state_;
}

double ClutchChainByHand::momentum() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < state_.speeds.size(); ++i)
    sum += chain_.inertia(static_cast<int>(i) + 1) * state_.speeds[i];
  return sum;
}

}  // namespace mti::bench
