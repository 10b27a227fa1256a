#include "solvers/mode/separate_parts.hpp"

#include <numeric>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Sets of signals that grow together.
class Connections {
 public:
  Connections(const RowMap& f, const Signature& signature)
      : signature_(signature), parent_(at(signature.size())), one_of_(at(f.rows()), -1) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (int state = 0; state < signature.n(); ++state)
      join(signature.derivative_row(state), signature.state_row(state));
    for (int row = 0; row < f.rows(); ++row)
      for (const RowMap::Term& term : f.terms(row))
        for (const RowMap::Factor& factor : f.factors(term.column)) {
          if (is_known(factor.signal)) continue;
          int& one = one_of_[at(row)];
          if (one >= 0) join(one, factor.signal);
          one = factor.signal;
        }
  }

  [[nodiscard]] int part_of_signal(int signal) {
    while (parent_[at(signal)] != signal) signal = parent_[at(signal)] = parent_[at(parent_[at(signal)])];
    return signal;
  }
  /// −1: it holds nothing unknown.
  [[nodiscard]] int part_of_row(int row) {
    return one_of_[at(row)] < 0 ? -1 : part_of_signal(one_of_[at(row)]);
  }

 private:
  void join(int a, int b) { parent_[at(part_of_signal(a))] = part_of_signal(b); }
  [[nodiscard]] bool is_known(int signal) const {
    return (signal >= signature_.input_row(0) && signal < signature_.algebraic_row(0)) ||
           signal >= signature_.size();
  }

  const Signature& signature_;
  std::vector<int> parent_, one_of_;
};

}  // namespace

SeparateParts::SeparateParts(const RowMap& f, const SolutionPlan& plan, std::span<const int> sliding,
                             const Signature& signature) {
  if (plan.plain() && sliding.empty()) return;
  Connections connections(f, signature);
  std::vector<char> slides(at(signature.size()), 0);  // by part, under one of its signals
  for (const int weight : sliding) slides[at(connections.part_of_signal(weight))] = 1;
  if (!sliding.empty()) {
    with_surfaces.assign(at(f.rows()), 0);
    for (int row = 0; row < f.rows(); ++row)
      if (const int part = connections.part_of_row(row); part >= 0) with_surfaces[at(row)] = slides[at(part)];
  }
  std::vector<char> is_special = slides;
  const auto mark = [&](int row) {
    if (const int part = connections.part_of_row(row); part >= 0) is_special[at(part)] = 1;
  };
  for (const SolutionBlock& block : plan.blocks)
    if (!block.of_order_0())
      for (const int equation : block.equations) mark(equation);
  for (const SolutionPlan::Stage& stage : plan.early)
    for (const SolutionPlan::Condition& condition : stage.conditions) mark(condition.equation);
  for (const int state : plan.algebraic_states) is_special[at(connections.part_of_signal(state))] = 1;
  plain_signals.resize(at(signature.size()));
  for (int signal = 0; signal < signature.size(); ++signal)
    plain_signals[at(signal)] = is_special[at(connections.part_of_signal(signal))] == 0 ? 1 : 0;
}

std::vector<char> SeparateParts::without_surfaces() const {
  std::vector<char> rows = with_surfaces;
  for (char& row : rows) row = row == 0 ? 1 : 0;
  return rows;
}

}  // namespace mti
