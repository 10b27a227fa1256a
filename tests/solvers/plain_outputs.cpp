#include "tests/solvers/plain_outputs.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"

namespace mti::test {
namespace {

bool is_binary_row(const Signature& signature, int signal) {
  const int binary = signal - signature.binary_row(0);
  return binary >= 0 && binary < signature.q();
}

}  // namespace

PlainOutputs::PlainOutputs(const Model& model) : model_(model), f_(plain_rows(model, model.Phi_eq)) {
  const Signature& signature = model.signature;
  std::set<int> constrained;
  for (const PlainRow& row : plain_rows(model, model.Phi_ineq))
    for (const Monomial& term : row)
      for (const int signal : term.signals)
        if (is_binary_row(signature, signal)) constrained.insert(signal - signature.binary_row(0));
  serving_.resize(at(signature.q()));
  equation_of_.assign(at(signature.q()), -1);
  for (std::size_t equation = 0; equation < f_.size(); ++equation) {
    bool logic = true;
    std::set<int> binaries;
    for (const Monomial& term : f_[equation])
      for (const int signal : term.signals) {
        const int input = signal - signature.input_row(0);
        logic = logic && (signal >= signature.binary_row(0) ||
                          (input >= 0 && input < signature.m() && signature.inputs()[at(input)].binary));
        if (is_binary_row(signature, signal)) binaries.insert(signal - signature.binary_row(0));
      }
    binaries_.push_back(binaries);
    if (!logic) continue;
    for (const int binary : binaries)
      if (!constrained.contains(binary) && determines(static_cast<int>(equation), binary))
        serving_[at(binary)].push_back(static_cast<int>(equation));
  }
  for (int binary = signature.q() - 1; binary >= 0; --binary) {
    std::set<int> seen;
    (void)augment(binary, seen);
  }
  sort_outputs();
}

double PlainOutputs::value(int equation, const Mode& mode) const {
  const Signature& signature = model_.signature;
  double sum = 0.0;
  for (const Monomial& term : f_[at(equation)]) {
    double product = term.weight;
    for (const int signal : term.signals) {
      if (signal >= signature.pre_row(0))
        product *= mode.pre[at(signal - signature.pre_row(0))];
      else if (is_binary_row(signature, signal))
        product *= mode.z[at(signal - signature.binary_row(0))];
      else {
        std::size_t place = 0;
        for (int i = 0; i < signal - signature.input_row(0); ++i)
          place += signature.inputs()[at(i)].binary ? 1U : 0U;
        product *= mode.binary_inputs[place];
      }
    }
    sum += product;
  }
  return sum;
}

/// The two values of the binary never give the equation the same value.
bool PlainOutputs::determines(int equation, int binary) const {
  const Signature& signature = model_.signature;
  std::set<int> others;
  for (const Monomial& term : f_[at(equation)]) others.insert(term.signals.begin(), term.signals.end());
  others.erase(signature.binary_row(binary));
  const std::vector<int> list(others.begin(), others.end());
  Mode mode;
  mode.z.assign(at(signature.q()), 0);
  mode.pre.assign(at(signature.r()), 0);
  mode.binary_inputs.assign(at(signature.m()), 0);
  for (unsigned vertex = 0; vertex < 1U << list.size(); ++vertex) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto bit = static_cast<char>(vertex >> i & 1U);
      if (list[i] >= signature.pre_row(0)) {
        mode.pre[at(list[i] - signature.pre_row(0))] = bit;
      } else if (is_binary_row(signature, list[i])) {
        mode.z[at(list[i] - signature.binary_row(0))] = bit;
      } else {
        std::size_t place = 0;
        for (int k = 0; k < list[i] - signature.input_row(0); ++k)
          place += signature.inputs()[at(k)].binary ? 1U : 0U;
        mode.binary_inputs[place] = bit;
      }
    }
    mode.z[at(binary)] = 0;
    const double at_0 = value(equation, mode);
    mode.z[at(binary)] = 1;
    if (std::abs(value(equation, mode) - at_0) < 1e-9) return false;
  }
  return true;
}

bool PlainOutputs::augment(int binary, std::set<int>& seen) {
  for (const int equation : serving_[at(binary)]) {
    if (!seen.insert(equation).second) continue;
    const auto owner = std::find(equation_of_.begin(), equation_of_.end(), equation);
    if (owner != equation_of_.end() && !augment(static_cast<int>(owner - equation_of_.begin()), seen))
      continue;
    equation_of_[at(binary)] = equation;
    return true;
  }
  return false;
}

/// Outputs behind those that their equations hold.
void PlainOutputs::sort_outputs() {
  std::set<int> left;
  for (int binary = 0; binary < model_.signature.q(); ++binary)
    if (is_output(binary)) left.insert(binary);
  while (!left.empty() && !loop_) {
    const auto ready = std::find_if(left.begin(), left.end(), [&](int output) {
      const std::set<int>& others = binaries_[at(equation_of_[at(output)])];
      return std::none_of(others.begin(), others.end(),
                          [&](int other) { return other != output && left.contains(other); });
    });
    loop_ = ready == left.end();
    if (loop_) break;
    order_.push_back(*ready);
    left.erase(ready);
  }
}

std::set<int> PlainOutputs::deciders_behind(const std::set<int>& binaries) const {
  std::set<int> deciders, met = binaries;
  std::vector<int> open(binaries.begin(), binaries.end());
  while (!open.empty()) {
    const int binary = open.back();
    open.pop_back();
    if (!is_output(binary)) {
      deciders.insert(binary);
      continue;
    }
    for (const int other : binaries_[at(equation_of_[at(binary)])])
      if (met.insert(other).second) open.push_back(other);
  }
  return deciders;
}

void PlainOutputs::put(Mode& mode) const {
  for (const int output : order_) {
    Mode with_0 = mode, with_1 = mode;
    with_0.z[at(output)] = 0;
    with_1.z[at(output)] = 1;
    const bool off = std::abs(value(equation_of_[at(output)], with_0)) < 1e-9;
    const bool on = std::abs(value(equation_of_[at(output)], with_1)) < 1e-9;
    if (off != on) mode.z[at(output)] = on ? 1 : 0;
  }
}

}  // namespace mti::test
