#include "mti/transform/permute.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/transform/model_change.hpp"

namespace mti {
namespace {

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[at(order[i])] = static_cast<int>(i);
  return position;
}

/// The list, or 0 … size − 1 where it is empty; what is wrong with it goes to `faults`.
std::vector<int> checked(std::vector<int> order, int size, const char* group, std::vector<Fault>& faults) {
  if (order.empty()) {
    order.resize(at(size));
    std::iota(order.begin(), order.end(), 0);
  }
  const std::string pointer = std::string("/") + group;
  if (order.size() != at(size))
    faults.push_back(
        {"matrix-size", pointer,
         "found " + std::to_string(order.size()) + " positions, expected " + std::to_string(size)});
  std::vector<char> seen(at(size), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string place = pointer + "/" + std::to_string(i);
    if (order[i] < 0 || order[i] >= size)
      faults.push_back({"index-out-of-range", place,
                        "found " + std::to_string(order[i]) + ", expected 0 to " + std::to_string(size - 1)});
    else if (std::exchange(seen[at(order[i])], 1) != 0)
      faults.push_back({"duplicate-entry", place, std::to_string(order[i]) + " stands twice"});
  }
  return order;
}

std::vector<Signal> reordered(const std::vector<Signal>& signals, const std::vector<int>& order) {
  std::vector<Signal> result;
  result.reserve(order.size());
  for (const int i : order) result.push_back(signals[at(i)]);
  return result;
}

void reorder_rows(const std::vector<int>& order, std::vector<int>& kept, std::vector<RowOrigin>& origins) {
  kept = order;
  for (std::size_t i = 0; i < order.size(); ++i) origins[at(order[i])] = {static_cast<int>(i), 1.0};
}

}  // namespace

Order inverse(const Order& order) {
  return {inverse(order.states),   inverse(order.inputs),    inverse(order.algebraic),
          inverse(order.binaries), inverse(order.equations), inverse(order.constraints)};
}

Transformed permute(const Model& model, const Order& wanted) {
  const Signature& old = model.signature;
  std::vector<Fault> faults;
  const Order order = {checked(wanted.states, old.n(), "states", faults),
                       checked(wanted.inputs, old.m(), "inputs", faults),
                       checked(wanted.algebraic, old.p(), "algebraic", faults),
                       checked(wanted.binaries, old.q(), "binaries", faults),
                       checked(wanted.equations, model.equations(), "equations", faults),
                       checked(wanted.constraints, model.constraints(), "constraints", faults)};
  if (!faults.empty()) throw InvalidOption(std::move(faults));

  const std::vector<int> new_binary = inverse(order.binaries);
  std::vector<int> pre;
  for (const int binary : old.pre()) pre.push_back(new_binary[at(binary)]);
  std::sort(pre.begin(), pre.end());
  transform::ModelChange change = transform::no_change(model);
  change.signature = Signature(reordered(old.states(), order.states), reordered(old.inputs(), order.inputs),
                               reordered(old.algebraic(), order.algebraic),
                               reordered(old.binaries(), order.binaries), pre, old.first_rows());
  const auto enter = [&](const std::vector<int>& list, int first) {
    for (std::size_t i = 0; i < list.size(); ++i)
      change.rows[at(first + list[i])].row = first + static_cast<int>(i);
  };
  enter(order.states, old.derivative_row(0));
  enter(order.states, old.state_row(0));
  enter(order.inputs, old.input_row(0));
  enter(order.algebraic, old.algebraic_row(0));
  enter(order.binaries, old.binary_row(0));
  for (int i = 0; i < old.r(); ++i)
    change.rows[at(old.pre_row(i))].row = *change.signature.find_pre(new_binary[at(old.pre()[at(i)])]);
  reorder_rows(order.equations, change.kept_equations, change.equations);
  reorder_rows(order.constraints, change.kept_constraints, change.constraints);
  return transform::apply(model, change);
}

}  // namespace mti
