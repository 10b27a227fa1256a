#include "tests/solvers/random_multimode_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <utility>

#include "mti/common/at.hpp"

namespace mti::test {
namespace {

constexpr int most_variables = 7;
constexpr int most_equations = 10;

std::vector<Signal> named(const char* name, int count) {
  std::vector<Signal> signals;
  for (int i = 1; i <= count; ++i) signals.push_back({.name = name + std::to_string(i)});
  return signals;
}

/// The rows first … first + count − 1 of Φ.
SparseColumns rows_of(const SparseColumns& Phi, int first, int count) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < Phi.cols(); ++k)
    for (SparseColumns::InnerIterator weight(Phi, k); weight; ++weight)
      if (weight.row() >= first && weight.row() < first + count)
        entries.emplace_back(static_cast<int>(weight.row()) - first, k, weight.value());
  SparseColumns result(count, Phi.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace

RandomMultimodeModel::RandomMultimodeModel(unsigned seed) : random_(seed) {
  draw_signature();
  const Signature& signature = model.signature;
  const int signals = signature.n() + signature.p(), rules = chance(25) ? integer(1, 2) : 0;
  const int equations = std::clamp(chance(88) ? signals : signals + (chance(50) ? 1 : -1), 3, most_equations);
  const int constraints = chance(30) ? integer(1, 2) : 0;
  std::vector<int> own(at(signals));
  std::iota(own.begin(), own.end(), 0);
  for (std::size_t i = own.size(); i > 1; --i) std::swap(own[i - 1], own[random_() % i]);

  CpBuilder rows(signature.size(), equations + rules + constraints);
  if (chance(50))  // states first, so that chains are longer
    std::stable_partition(own.begin(), own.begin() + std::min<std::ptrdiff_t>(signals, 5),
                          [&](int signal) { return signal < signature.n(); });
  const int of_chain = chance(60) && equations >= signals ? draw_chain(rows, own) : 0;
  for (int row = of_chain; row < equations; ++row)
    draw_equation(rows, row, row < signals && chance(97) ? own[at(row)] : -1);
  for (int row = equations; row < equations + rules; ++row) draw_rule(rows, row);
  for (int row = equations + rules; row < equations + rules + constraints; ++row) {
    if (chance(60))
      draw_rule(rows, row);
    else
      draw_equation(rows, row, -1);
  }
  const CpMap map = rows.build();
  model.S = map.S();
  model.Phi_eq = rows_of(map.Phi(), 0, equations + rules);
  model.Phi_ineq = rows_of(map.Phi(), equations + rules, constraints);
  for (int i = 1; i <= equations + rules; ++i) model.equation_names.push_back("f" + std::to_string(i));
  for (int i = 1; i <= constraints; ++i) model.constraint_names.push_back("g" + std::to_string(i));
  if (chance(25)) draw_invariant();
}

void RandomMultimodeModel::draw_signature() {
  const int variables = integer(1, most_variables), binary_inputs = chance(30) ? integer(0, variables) : 0;
  const int q = variables - binary_inputs, signals = integer(3, 9), n = integer(0, std::min(signals, 5));
  std::vector<Signal> inputs = named("u", 1);
  for (int i = 1; i <= binary_inputs; ++i) {
    inputs.push_back({.name = "b" + std::to_string(i), .binary = true});
    if (chance(20)) inputs.push_back({.name = "u" + std::to_string(i + 1)});
  }
  std::vector<int> pre;
  for (int i = 0; i < q; ++i)
    if (chance(15)) pre.push_back(i);
  model.signature = Signature(named("x", n), inputs, named("y", signals - n), named("z", q), pre);
  const Signature& signature = model.signature;
  for (int i = 0; i < signature.m(); ++i)
    if (inputs[at(i)].binary) binary_rows_.push_back(signature.input_row(i));
  for (int i = 0; i < q; ++i) binary_rows_.push_back(signature.binary_row(i));
  for (int i = 0; i < signature.r(); ++i) binary_rows_.push_back(signature.pre_row(i));
}

int RandomMultimodeModel::draw_chain(CpBuilder& rows, const std::vector<int>& signals) {
  const auto signal = [&](int i) { return signals[at(i)]; };
  int states = 0;
  while (states < static_cast<int>(signals.size()) && signal(states) < model.signature.n()) ++states;
  if (states == 0 || states == static_cast<int>(signals.size())) return 0;
  for (int i = 0; i < states; ++i) {
    add(rows, i, {{number()}}, {{row_of_signal(signal(i), true)}});
    const Gate gate = chance(70) ? Gate{{number()}} : draw_plain_gate();
    add(rows, i, gate, {{row_of_signal(signal(i + 1), false)}});
    if (chance(30)) add(rows, i, draw_gate(), {{row_of_signal(signal(i), false)}});
  }
  const AffineFactor on{any_binary(), 0.0, 1.0}, off{on.signal, 1.0, -1.0};
  add(rows, states, {{number(), {on}}}, {{row_of_signal(signal(0), false)}});
  add(rows, states, {{number(), {off}}}, {{row_of_signal(signal(states), false)}});
  if (chance(30)) {
    const Gate gate = draw_gate();
    add(rows, states, gate, draw_signals());
  }
  return states + 1;
}

// What is drawn has a name each: the order in which arguments are evaluated differs from compiler to
// compiler.
void RandomMultimodeModel::draw_equation(CpBuilder& rows, int row, int own_signal) {
  if (own_signal >= 0) {
    const Factors own{{row_of_signal(own_signal, chance(60))}};
    const int kind = integer(1, 100);
    if (kind <= 50) {
      add(rows, row, {{number()}}, own);
    } else if (kind <= 80) {  // z·a + (1 − z)·b, where b may be a number: "number = 0" with it
      const AffineFactor on{any_binary(), 0.0, 1.0}, off{on.signal, 1.0, -1.0};
      add(rows, row, {{number(), {on}}}, own);
      const int other = integer(1, 100);
      const Factors with = other <= 45   ? Factors{{row_of_signal(own_signal, false)}}
                           : other <= 95 ? Factors{{any_signal()}}
                                         : Factors{};
      add(rows, row, {{number(), {off}}}, with);
    } else {
      add(rows, row, draw_gate(), own);
    }
  }
  for (int terms = integer(own_signal >= 0 ? 0 : 1, 2); terms > 0; --terms) {
    const Gate gate = chance(45) ? Gate{{number()}} : draw_gate();
    add(rows, row, gate, draw_signals());
  }
  if (chance(15)) add(rows, row, chance(50) ? Gate{{number()}} : draw_gate(), {});
}

void RandomMultimodeModel::draw_rule(CpBuilder& rows, int row) {
  add(rows, row, chance(50) ? draw_plain_gate() : draw_cancelling_gate(), {});
  if (chance(30)) add(rows, row, draw_gate(), {});
}

void RandomMultimodeModel::draw_invariant() {
  using Operation = BooleanFormula::Operation;
  BooleanFormula& formula = model.invariants.emplace_back();
  const auto variable = [&] {
    formula.steps.push_back({Operation::variable, any_binary(), false});
    if (chance(40)) formula.steps.push_back({Operation::negation, -1, false});
  };
  variable();
  for (int more = integer(1, 3); more > 0; --more) {
    variable();
    formula.steps.push_back({chance(30) ? Operation::conjunction : Operation::disjunction, -1, false});
    if (chance(20)) formula.steps.push_back({Operation::negation, -1, false});
  }
}

RandomMultimodeModel::Gate RandomMultimodeModel::draw_gate() {
  return chance(65) ? draw_plain_gate() : draw_cancelling_gate();
}

/// One product: z, 1 − z, affine factors that are or are not 0 for one value, or several of these.
RandomMultimodeModel::Gate RandomMultimodeModel::draw_plain_gate() {
  Gate gate{{number()}};
  for (const int z : some_binaries(chance(70) ? 1 : integer(2, 3))) {
    const std::vector<std::pair<double, double>> forms{{0.0, 1.0}, {0.0, 1.0},  {1.0, -1.0}, {1.0, -1.0},
                                                       {2.0, 1.0}, {-1.0, 2.0}, {1.0, -0.3}};
    const auto& [a, b] = forms[at(integer(0, static_cast<int>(forms.size()) - 1))];
    gate.front().factors.push_back({z, a, b});
  }
  return gate;
}

RandomMultimodeModel::Gate RandomMultimodeModel::draw_cancelling_gate() {
  const std::vector<int> z = some_binaries(3);
  const auto of = [&](std::size_t i) { return AffineFactor{z[std::min(i, z.size() - 1)], 0.0, 1.0}; };
  const AffineFactor not_first{z.front(), 1.0, -1.0};
  switch (integer(0, 6)) {
    case 0:
      return {{1.0, {of(0)}}, {1.0, {of(1)}}, {-1.0}};
    case 1:
      return {{2.0, {of(0)}}, {-2.0, {of(1)}}};
    case 2:
      return {{1.0, {of(0)}}, {1.0, {of(1)}}, {1.0, {of(2)}}, {-2.0}};
    case 3:  // 0.1 + 0.2 is not 0.3 in binary numbers
      return {{0.1, {of(0)}}, {0.2, {of(1)}}, {-0.3, {of(2)}}};
    case 4:  // 1 − z1 z2, where they differ
      return z.size() > 1 ? Gate{{3.0}, {-3.0, {of(0), of(1)}}} : Gate{{3.0}, {-3.0, {of(0)}}};
    case 5:  // (2 z1 − 1) + (1 − z1)(1 + z2/3): affine factors that cancel with z1 = 0, z2 = 0
      if (z.size() < 2) return {{1.0, {{z.front(), -1.0, 2.0}}}, {1.0, {not_first}}};
      return {{1.0, {{z[0], -1.0, 2.0}}}, {1.0, {not_first, {z[1], 1.0, 1.0 / 3.0}}}};
    default:  // (1 + z) − (1 − z) − 2 z: nothing in every mode, though no two products are equal
      return {{1.0, {{z.front(), 1.0, 1.0}}}, {-1.0, {not_first}}, {-2.0, {of(0)}}};
  }
}

RandomMultimodeModel::Factors RandomMultimodeModel::draw_signals() {
  Factors factors{{any_signal()}};
  if (chance(10)) factors.back() = {factors.back().signal, 1.0, 0.5};
  if (chance(20)) {
    const int other = chance(40) ? model.signature.input_row(0) : any_signal();
    if (other != factors.front().signal) factors.push_back({other});
  }
  return factors;
}

void RandomMultimodeModel::add(CpBuilder& rows, int row, const Gate& gate, const Factors& signals) {
  for (const Product& product : gate) {
    Factors factors = product.factors;
    factors.insert(factors.end(), signals.begin(), signals.end());
    rows.add(row, product.coefficient, factors);
  }
}

int RandomMultimodeModel::any_binary() { return binary_rows_[random_() % binary_rows_.size()]; }

std::vector<int> RandomMultimodeModel::some_binaries(int count) {
  std::vector<int> rows;
  for (int i = 0; i < count; ++i)
    if (const int row = any_binary(); std::find(rows.begin(), rows.end(), row) == rows.end())
      rows.push_back(row);
  return rows;
}

int RandomMultimodeModel::row_of_signal(int signal, bool slope) const {
  const Signature& signature = model.signature;
  if (signal >= signature.n()) return signature.algebraic_row(signal - signature.n());
  return slope ? signature.derivative_row(signal) : signature.state_row(signal);
}

int RandomMultimodeModel::any_signal() {
  const bool slope = chance(25);
  return row_of_signal(integer(0, model.signature.n() + model.signature.p() - 1), slope);
}

std::vector<Mode> RandomMultimodeModel::modes() const {
  const Signature& signature = model.signature;
  const auto binary_inputs = at(std::count_if(signature.inputs().begin(), signature.inputs().end(),
                                              [](const Signal& input) { return input.binary; }));
  const auto q = at(signature.q());
  std::vector<Mode> modes;
  for (unsigned bits = 0; bits < 1U << (q + binary_inputs); ++bits) {
    Mode& mode = modes.emplace_back();
    for (std::size_t i = 0; i < q + binary_inputs; ++i)
      (i < q ? mode.z : mode.binary_inputs).push_back((bits >> i & 1U) != 0 ? 1 : 0);
    for (const int z : signature.pre()) mode.pre.push_back(mode.z[at(z)]);
  }
  return modes;
}

std::string text_of(const Model& model) {
  std::ostringstream text;
  const auto write = [&](const SparseColumns& Phi, const char* relation) {
    for (int row = 0; row < Phi.rows(); ++row) {
      for (int k = 0; k < Phi.cols(); ++k) {
        const double weight = Phi.coeff(row, k);
        if (weight == 0.0) continue;
        text << (weight < 0.0 ? " - " : " + ") << std::abs(weight);
        for (SparseColumns::InnerIterator factor(model.S, k); factor; ++factor)
          text << "*(" << 1.0 - std::abs(factor.value()) << " + " << factor.value() << " "
               << model.signature.row_name(static_cast<int>(factor.row())) << ")";
      }
      text << relation << "\n";
    }
  };
  write(model.Phi_eq, " = 0");
  write(model.Phi_ineq, " <= 0");
  return text.str();
}

}  // namespace mti::test
