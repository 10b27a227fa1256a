#include <algorithm>

#include "tests/solvers/motion/random_hybrid_model.hpp"

/// The sub-models that random hybrid models are put together from.
namespace mti::test {

/// (s)(1 − 2z) ≤ 0 with s of states, inputs and an algebraic signal that earlier binaries move.
void RandomHybridModel::add_square() {
  const std::string x = state(), u = input();
  std::vector<std::string> names = signals_;
  names.push_back(u);
  std::string rate = sum(names);
  const int count = integer(2, 4);
  std::vector<std::string> z;
  for (int i = 0; i < count; ++i) {
    const std::string y = algebraic(), current = binary();
    equation(y + " = " + sum(names) + (z.empty() ? "" : " + " + factor(2) + "*" + any(z)));
    names.push_back(y);
    const std::string g = "(" + sum({y, y, u, x}) + ")";
    constraint(chance(40) ? one_of(g, current) : g + "*(1 - 2*" + current + ") <= 0");
    z.push_back(current);
    rate += " + " + factor(2) + "*" + current;
  }
  equation("der(" + x + ") = " + rate);
}

/// w = M i + c, with z = 1: w = 0 (conducts), z = 0: i = 0 (blocks). M need not be a P-matrix.
void RandomHybridModel::add_complementarity() {
  const std::string x = state();
  const std::vector<std::string> known = signals_;
  const int count = integer(1, 4), coupling = integer(0, 3);
  std::vector<std::string> i, w, z = binaries(count);
  for (int k = 0; k < count; ++k) i.push_back(algebraic());
  for (int k = 0; k < count; ++k) w.push_back(algebraic());
  std::string rate = constant(-1, 1);
  for (std::size_t k = 0; k < z.size(); ++k) {
    std::string network = w[k] + " = " + sum(known) + " + " + constant(1, 3) + "*" + i[k];
    for (std::size_t j = 0; j < z.size(); ++j)
      if (j != k) network += " + " + constant(-coupling, coupling) + "*" + i[j];
    equation(network);
    equation(z[k] + "*" + w[k] + " + (1 - " + z[k] + ")*" + i[k] + " = 0");
    constraint("-" + i[k] + " <= 0");
    constraint("-" + w[k] + " <= 0");
    rate += " + " + factor(1) + "*" + i[k];
  }
  equation("der(" + x + ") = " + rate);
}

/// Two thresholds and one to three gates behind them; the last may act on the state.
void RandomHybridModel::add_logic() {
  const std::string x = state(), u = input();
  std::vector<std::string> z = binaries(2);
  for (const std::string& threshold : z) {
    const std::string g = "(" + sum({x, u}) + ")";
    constraint(chance(40) ? one_of(g, threshold) : g + "*(1 - 2*" + threshold + ") <= 0");
  }
  for (int gates = integer(1, 3); gates > 0; --gates) {
    const std::string out = binary(), a = any(z), b = any(z);
    switch (integer(0, 3)) {
      case 0:
        logic_equation(out + " - " + a + "*" + b + " = 0");
        break;
      case 1:
        logic_equation(out + " - " + a + " - " + b + " + " + a + "*" + b + " = 0");
        break;
      case 2:
        logic_equation(out + " - 1 + " + a + " = 0");
        break;
      default:
        logic_equation(out + " - " + a + " - " + b + " + 2*" + a + "*" + b + " = 0");
    }
    z.push_back(out);
  }
  equation("der(" + x + ") = " + sum(signals_) + " + " + factor(2) + "*" + z.back());
  if (chance(40)) constraint("(" + sum({x, u}) + ")*" + z.back() + " <= 0");
}

/// A breaker that stays open, or a counter's bit that only rises.
void RandomHybridModel::add_latch() {
  const std::string u = input(), x = state();
  for (int count = integer(1, 3); count > 0; --count) {
    const std::string i = algebraic(), o = binary();
    equation(i + " = (" + sum({u, x}) + ")*(1 - " + o + ")" + (chance(50) ? " + " + any(z_) : ""));
    const std::string g = "(" + i + " - " + constant(-1, 1) + ")";
    constraint(chance(50) ? one_of(g, o) : g + "*(1 - " + o + ") <= 0");
    constraint("pre(" + o + ") - " + o + " <= 0");
    signals_.push_back(i);
  }
  if (chance(40)) {
    const std::string toggle = binary();
    logic_equation(toggle + " + pre(" + toggle + ") = 1");
  }
  equation("der(" + x + ") = " + sum(signals_));
}

/// Stage j offers two binaries, one of which must be 1 where s > 0; what is taken moves y_j, and later stages
/// limit it.
void RandomHybridModel::add_chain() {
  const std::string x = state(0, 2);
  std::string last = x, rate = constant(-1, 1);
  for (int stage = 0, stages = integer(2, 3); stage < stages; ++stage) {
    const std::string a = binary(), b = binary(), y = algebraic();
    equation(y + " = " + last + " + " + constant(1, 3) + "*" + a + " + " + constant(-2, 1) + "*" + b);
    const std::string s = stage == 0 ? x + " + 1" : last + " - " + constant(0, 2);
    constraint("(" + s + ")*(1 - " + a + ")*(1 - " + b + ") <= 0");
    if (stage > 0) constraint("(" + last + " - " + constant(0, 3) + ")*(1 - " + any({a, b}) + ") <= 0");
    if (stage > 0 && chance(50))
      constraint("(" + last + " - " + constant(1, 4) + ")*" + any({a, b}) + " <= 0");
    if (stage + 1 == stages) constraint(y + " - " + constant(0, 5) + " <= 0");
    rate += " + " + constant(-1, 1) + "*" + y;
    last = y;
  }
  equation("der(" + x + ") = " + rate);
}

/// Two-point controllers with a band, all acting on one signal as the valves of the three tanks do.
void RandomHybridModel::add_shared() {
  const std::string y = algebraic();
  std::string total = constant(1, 2);
  for (int count = integer(2, 3); count > 0; --count) {
    const std::string x = state(-1, 2), open = binary(), closed = binary();
    const std::string low = "(" + constant(-1, 0) + " - " + x + ")";
    constraint(chance(50) ? one_of(low, open) : low + "*(1 - " + open + " + " + closed + ") <= 0");
    constraint("(" + x + " - " + constant(1, 2) + ")*(1 - " + closed + " + " + open + ") <= 0");
    if (chance(30)) constraint("(" + y + " - " + constant(2, 4) + ")*" + open + " <= 0");
    equation("der(" + x + ") = " + constant(-2, 2) + " + " + constant(-1, 1) + "*" + y + " + " +
             constant(0, 3) + "*" + open);
    total += " + " + constant(0, 2) + "*" + open;
  }
  equation(y + " = " + total);
}

/// x₁⁽ⁿ⁾ = a + b z₁ + c z₂ on the boundary x₁ = 0, with as many derivatives zero as the start says.
void RandomHybridModel::add_tangency() {
  const int n = integer(2, 5);
  std::vector<std::string> x;
  for (int k = 0; k < n; ++k) x.push_back(state(0, 0));
  if (chance(40)) starts_.back() = {-1, 1};
  if (n >= 3 && chance(20)) starts_[starts_.size() - 2] = {-1, 1};
  const std::vector<std::string> z = binaries(integer(1, 3));
  for (std::size_t k = 0; k + 1 < x.size(); ++k) equation("der(" + x[k] + ") = " + x[k + 1]);
  std::string force = constant(-1, 1);
  for (const std::string& a : z) force += " + " + constant(-2, 2) + "*" + a;
  equation("der(" + x.back() + ") = " + force + (chance(30) ? " + " + x[0] : ""));
  for (const std::string& a : z) {
    const std::string sign = chance(50) ? "" : "-";
    if (chance(50))
      constraint("(" + sign + x[0] + ")*(1 - 2*" + a + ") <= 0");
    else
      constraint(one_of("(" + sign + x[chance(50) ? 1 : 0] + ")", a));
  }
  if (chance(30)) constraint(x[0] + " - " + constant(0, 1) + "*" + z[0] + " <= 0");
}

/// x₁ ≤ c and others without binaries: what can hold the mass back stands in the equation of the force.
void RandomHybridModel::add_rope() {
  const std::string x = state(-1, 1), v = state(-1, 1), force = algebraic();
  const std::vector<std::string> z = binaries(integer(2, 4));
  std::string pull = constant(-1, 2);
  for (const std::string& a : z) pull += " + " + constant(-3, 1) + "*" + a;
  equation(force + " = " + pull);
  equation("der(" + x + ") = " + v);
  equation("der(" + v + ") = " + force + " + " + constant(-1, 1));
  constraint(x + " <= " + constant(0, 1));
  if (chance(50)) constraint(force + " <= " + constant(-1, 2));
  if (chance(30)) {
    const std::string y = algebraic(), a = binary();
    equation(y + " = " + x + " + " + constant(-2, 2) + "*" + a + " + " + constant(-1, 1) + "*" + force);
    constraint(y + " <= " + constant(0, 2));
  }
}

/// Breaker i carries d_i + Σ c_ij z_j and opens (z_i = 1) above its limit.
void RandomHybridModel::add_cascade() {
  const std::vector<std::string> z = binaries(integer(3, 5));
  const std::string x = state(0, 2);
  const bool stays_open = chance(50);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const std::string load = algebraic();
    std::string text = load + " = " + (i == 0 ? x : constant(0, 1));
    for (std::size_t j = 0; j < z.size(); ++j)
      if (j != i) text += " + " + constant(j + 1 == i ? 1 : -1, j < i ? 2 : 0) + "*" + z[j];
    equation(text);
    const std::string g = "(" + load + " - " + constant(0, 2) + ")";
    constraint(chance(40) ? one_of(g, z[i]) : g + "*(1 - " + z[i] + ") <= 0");
    if (stays_open) constraint("pre(" + z[i] + ") - " + z[i] + " <= 0");
  }
  equation("der(" + x + ") = " + constant(-1, 1) + " + " + constant(-1, 1) + "*" + z[0]);
}

/// y is above its limit with the switch closed and below with it open, and the row asks for the opposite.
void RandomHybridModel::add_contradiction() {
  const std::string x = state(1, 2), y = algebraic(), o = binary();
  equation(y + " = " + x + "*(1 - " + o + ")");
  equation("der(" + x + ") = " + sum(signals_) + " - " + y);
  constraint("(" + y + " - " + constant(0, 2) + ")*(1 - 2*" + o + ") <= 0");
  if (chance(40)) constraint("(" + sum({x, y}) + ")*" + any(z_) + " - " + constant(0, 1) + " <= 0");
}

/// z_k = 1 puts source k on the node y, z_k = 0 cuts its current; a sensor is read through a switch.
void RandomHybridModel::add_sources() {
  const std::string x = state(), node = algebraic();
  const std::vector<std::string> z = binaries(2);
  std::string currents;
  for (const std::string& a : z) {
    const std::string i = algebraic();
    equation(a + "*(" + node + " - " + sum({x}) + ") + (1 - " + a + ")*" + i + " = 0");
    currents += i + " + ";
    if (chance(25)) constraint(i + " <= " + constant(0, 2));
  }
  equation(currents + factor(2) + "*" + node + " = " + sum({x}));
  equation("der(" + x + ") = " + sum({x, node}));
  const std::string sensor = algebraic(), read = binary();
  equation("(1 - " + read + ")*(" + sensor + " - " + node + ") = 0");
  constraint("(" + sum({x, node}) + ")*(1 - 2*" + any(z) + ") <= 0");
  constraint("(" + sensor + " - " + constant(-1, 1) + ")*(1 - " + read + ") <= 0");
  if (chance(30)) constraint(node + " - " + constant(0, 2) + "*" + any(z) + " <= 0");
}

/// Rows of any form, solvable in every mode.
void RandomHybridModel::add_generic() {
  const std::string u = input(), x1 = state(), x2 = state(), y1 = algebraic(), y2 = algebraic();
  const std::vector<std::string> z = binaries(integer(2, 5)), known{x1, x2, u};
  const auto switched = [&](const std::vector<std::string>& names) {
    return sum(names) + " + " + factor(2) + "*" + any(names) + "*" + any(z);
  };
  equation("(2 + " + any(z) + ")*" + y1 + " = " + switched(known) + " + " + any(z) + "*" + y2);
  equation("3*" + y2 + " = " + switched(known) + " + " + y1);
  equation("der(" + x1 + ") = " + switched({x2, u, y1}) + " + " + x1 + "*" + y1 + "*" + any(z));
  equation("der(" + x2 + ") = " + switched({x1, y1, y2}));
  if (chance(25)) logic_equation(any(z) + " - " + any(z) + "*" + any(z) + " = 0");
  for (int i = integer(2, static_cast<int>(z.size())); i > 0; --i) {
    const std::string s = "(" + switched({x1, x2, u, y1, y2, "der(" + x1 + ")"}) + ")", a = any(z),
                      b = any(z);
    switch (integer(0, 3)) {
      case 0:
        constraint(s + "*(1 - 2*" + a + ") <= 0");
        break;
      case 1:
        constraint(a == b ? s + "*" + a + " <= 0" : s + "*(1 - " + a + " + " + b + ") <= 0");
        break;
      case 2:
        constraint(s + "*" + a + " - 1 + " + b + " <= 0");
        break;
      default:
        constraint(s + " - 3*" + a + "*" + b + " <= 0");
    }
  }
}

void RandomHybridModel::add_invariant() {
  const std::string a = any(z_), b = any(z_);
  const std::vector<std::string> formulas{"not (" + a + " and " + b + ")", a + " or " + b,
                                          "not " + a + " or " + b};
  source_.invariants.push_back(any(formulas));
}

}  // namespace mti::test
