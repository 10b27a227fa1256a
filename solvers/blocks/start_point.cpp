#include "solvers/blocks/start_point.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "mti/clocks/clock_binaries.hpp"
#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/model/freeze.hpp"
#include "solvers/mode/mode_outputs.hpp"

namespace mti {

InputsFrom inputs_from(const Model& model, double t) {
  // What roundings alone hold apart is one instant: the seventh tick of 0.3 and the third of 0.7.
  InputsFrom inputs;
  inputs.end_of_instant = t;
  for (const Input& input : model.inputs)
    inputs.end_of_instant = std::max(inputs.end_of_instant, end_of_instant(input, t, std::abs(t)));
  const double end = inputs.end_of_instant;
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    inputs.pieces.push_back(model.inputs[i].piece(end));
    inputs.next_breakpoint = std::min(inputs.next_breakpoint, model.inputs[i].next_breakpoint(end));
    if (model.signature.inputs()[i].binary)
      inputs.binary.push_back(inputs.pieces.back().value(t) != 0.0 ? 1 : 0);
  }
  const double next = inputs.next_breakpoint;
  if (!std::isfinite(next)) return inputs;
  for (const Input& input : model.inputs)
    inputs.next_breakpoint = std::max(inputs.next_breakpoint, end_of_instant(input, next, std::abs(next)));
  return inputs;
}

void remember(const Signature& signature, Mode& mode) {
  mode.pre.clear();
  for (const int binary : signature.pre()) mode.pre.push_back(mode.z[at(binary)]);
}

namespace {

/// Not where the model was changed to one with other rows or signals.
std::vector<SignBinary> known_signs(const Model& model) {
  std::vector<SignBinary> known;
  const auto is_of = [&](int row, const std::string& name) {
    return at(row) < model.constraint_names.size() && model.constraint_names[at(row)].starts_with(name);
  };
  for (const SignBinary& one : model.sign_binaries)
    if (one.binary < model.signature.q()) {
      const std::string& name = model.signature.binaries()[at(one.binary)].name;
      if (is_of(one.while_off, name + ".off") && is_of(one.while_on, name + ".on")) known.push_back(one);
    }
  return known;
}

/// Rows of conditions by their constraint, each with its own z as the row has it.
class SignRows {
 public:
  SignRows(const Model& model, const std::vector<SignBinary>& signs) : model_(model) {
    for (const SignBinary& one : signs) {
      own_[one.while_off] = {model.signature.binary_row(one.binary), 0.0};
      own_[one.while_on] = {model.signature.binary_row(one.binary), 1.0};
    }
  }

  struct Value {
    double value = 0.0, magnitude = 0.0;
    [[nodiscard]] bool is_zero() const {
      constexpr double roundings = 64.0 * machine_epsilon;
      return std::abs(value) <= roundings * magnitude;
    }
  };
  [[nodiscard]] std::map<int, Value> at(std::span<const double> v) const {
    std::map<int, Value> values;
    for (int column = 0; column < model_.Phi_ineq.cols(); ++column)
      for (SparseColumns::InnerIterator entry(model_.Phi_ineq, column); entry; ++entry) {
        const auto found = own_.find(static_cast<int>(entry.row()));
        if (found == own_.end()) continue;
        double product = entry.value();
        for (SparseColumns::InnerIterator factor(model_.S, column); factor; ++factor) {
          const int row = static_cast<int>(factor.row());
          const double value = row == found->second.first ? found->second.second : v[mti::at(row)];
          product *= 1.0 - std::abs(factor.value()) + factor.value() * value;
        }
        Value& sum = values[static_cast<int>(entry.row())];
        sum.value += product;
        sum.magnitude += std::abs(product);
      }
    return values;
  }

 private:
  const Model& model_;
  std::map<int, std::pair<int, double>> own_;
};

/// Values of the binaries of conditions by p as it is guessed: start values may be others than those that the model was built with, and so
/// may the time and the inputs.
void guess_by_sign(const Model& model, double t, std::vector<char>& z) {
  const std::vector<SignBinary> signs = known_signs(model);
  if (signs.empty()) return;
  const Signature& signature = model.signature;
  Mode mode{.z = z, .pre = {}, .binary_inputs = inputs_from(model, t).binary};
  remember(signature, mode);
  std::vector<double> v = start_instant(model, t, mode).v;
  const SignRows rows(model, signs);
  constexpr int most_rounds = 8;  // conditions within conditions
  for (int round = 0; round < most_rounds; ++round) {
    std::map<int, SignRows::Value> values = rows.at(v);
    bool changed = false;
    for (const SignBinary& one : signs) {
      const bool on =
          values[one.while_off].value > 0.0 || (!(values[one.while_on].value > 0.0) && one.starts_on);
      changed = changed || (z[at(one.binary)] != 0) != on;
      z[at(one.binary)] = on ? 1 : 0;
      v[at(signature.binary_row(one.binary))] = on ? 1.0 : 0.0;
    }
    if (!changed) return;
  }
}

}  // namespace

Mode start_mode(const Model& model, double t) {
  const InputsFrom inputs = inputs_from(model, t);
  Mode mode{.z = model.z_start, .pre = {}, .binary_inputs = inputs.binary};
  guess_by_sign(model, t, mode.z);
  // A clock that is on where a run begins has not ticked there.
  for (int binary = 0; binary < model.signature.q(); ++binary)
    if (const int clock = clock_of(model, binary); clock >= 0)
      mode.z[at(binary)] = inputs.pieces[at(clock)].value(t) != 0.0 ? 1 : 0;
  remember(model.signature, mode);
  return mode;
}

std::vector<char> with_conditions_at_zero(const Model& model, const Mode& mode, std::span<const double> v) {
  const std::vector<SignBinary> signs = known_signs(model);
  std::vector<char> z = mode.z;
  if (signs.empty()) return z;
  std::map<int, SignRows::Value> values = SignRows(model, signs).at(v);
  for (const SignBinary& one : signs)
    if (slide_of(mode, one.binary) == nullptr && values[one.while_off].is_zero() &&
        values[one.while_on].is_zero())
      z[at(one.binary)] = one.starts_on ? 1 : 0;
  return z;
}

Instant start_instant(const Model& model, double t, const Mode& mode) {
  const Signature& signature = model.signature;
  Instant instant;
  instant.t = t;
  instant.pieces = inputs_from(model, t).pieces;
  instant.v.assign(at(signature.size()), 0.0);
  std::copy(model.x_start.begin(), model.x_start.end(), instant.v.begin() + signature.state_row(0));
  std::copy(model.y_start.begin(), model.y_start.end(), instant.v.begin() + signature.algebraic_row(0));
  instant.guess = instant.v;
  for (int i = 0; i < signature.m(); ++i)
    instant.v[at(signature.input_row(i))] = instant.pieces[at(i)].value(t);
  write_mode(signature, mode, instant.v);
  return instant;
}

}  // namespace mti
