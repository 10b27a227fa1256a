#include "solvers/mode/separate_parts.hpp"

#include "mti/common/at.hpp"
#include "solvers/structure/disjoint_sets.hpp"

namespace mti {
namespace {

/// The parts of a mode: signals that rows join.
class Connections {
 public:
  Connections(const RowMap& f, const Signature& signature)
      : signature_(signature), signals_(signature.size()), one_of_(at(f.rows()), -1) {
    for (int state = 0; state < signature.n(); ++state)
      signals_.join(signature.derivative_row(state), signature.state_row(state));
    for (int row = 0; row < f.rows(); ++row)
      for (const RowMap::Term& term : f.terms(row))
        for (const RowMap::Factor& factor : f.factors(term.column)) {
          if (is_known(factor.signal)) continue;
          int& one = one_of_[at(row)];
          if (one >= 0) signals_.join(one, factor.signal);
          one = factor.signal;
        }
  }

  [[nodiscard]] int part_of_signal(int signal) { return signals_.of(signal); }
  /// −1: it holds nothing unknown.
  [[nodiscard]] int part_of_row(int row) {
    return one_of_[at(row)] < 0 ? -1 : part_of_signal(one_of_[at(row)]);
  }

 private:
  [[nodiscard]] bool is_known(int signal) const {
    return (signal >= signature_.input_row(0) && signal < signature_.algebraic_row(0)) ||
           signal >= signature_.size();
  }

  const Signature& signature_;
  DisjointSets signals_;
  std::vector<int> one_of_;  ///< the signals of each row; −1: none
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
