#include "fmi/variables/dependencies.hpp"

#include <map>
#include <set>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/structure/disjoint_sets.hpp"

namespace mti::fmi {
namespace {

/// Nodes: states (with their derivatives), algebraic signals, binaries (with what is remembered of them), and one for each
/// row of equations. Inputs are none; which row they stand in is kept.
class Connections {
 public:
  explicit Connections(const Model& model)
      : signature_(model.signature), sets_(first_row() + rows_in_all(model)), next_(first_row()) {}

  /// The rows of Φ join what their products hold. Rows of S behind those of v are left limits of these.
  void add(const SparseColumns& S, const SparseColumns& Phi) {
    for (int column = 0; column < S.cols(); ++column)
      for (SparseColumns::InnerIterator entry(Phi, column); entry; ++entry)
        for (SparseColumns::InnerIterator signal(S, column); signal; ++signal)
          join(next_ + static_cast<int>(entry.row()), static_cast<int>(signal.row()) % signature_.size());
    next_ += static_cast<int>(Phi.rows());
  }
  void add(const BooleanFormula& formula) {
    for (const BooleanFormula::Step& step : formula.steps)
      if (step.operation == BooleanFormula::Operation::variable) join(next_, step.row);
    ++next_;
  }

  Parts take() {
    Parts result;
    std::map<int, int> numbers;
    for (int i = 0; i < signature_.n(); ++i) {
      const auto [place, is_new] = numbers.try_emplace(sets_.of(i), static_cast<int>(result.parts.size()));
      if (is_new) result.parts.emplace_back();
      result.parts[at(place->second)].states.push_back(i);
      result.of_state.push_back(place->second);
    }
    std::set<std::pair<int, int>> inputs;
    for (const auto& [row, input] : inputs_)
      if (const auto place = numbers.find(sets_.of(row)); place != numbers.end())
        inputs.emplace(place->second, input);
    for (const auto& [part, input] : inputs) result.parts[at(part)].inputs.push_back(input);
    return result;
  }

 private:
  [[nodiscard]] int first_row() const { return signature_.n() + signature_.p() + signature_.q(); }
  static int rows_in_all(const Model& model) {
    int rows = model.equations() + model.constraints() + static_cast<int>(model.invariants.size());
    for (const Transition& law : model.transitions) rows += static_cast<int>(law.equations.Phi().rows());
    return rows;
  }

  void join(int row_of_equations, int row_of_S) {
    const int n = signature_.n(), p = signature_.p();
    if (row_of_S < 2 * n)
      sets_.join(row_of_equations, row_of_S % n);
    else if (row_of_S < signature_.algebraic_row(0))
      inputs_.emplace_back(row_of_equations, row_of_S - signature_.input_row(0));
    else if (row_of_S < signature_.binary_row(0))
      sets_.join(row_of_equations, n + row_of_S - signature_.algebraic_row(0));
    else if (row_of_S < signature_.pre_row(0))
      sets_.join(row_of_equations, n + p + row_of_S - signature_.binary_row(0));
    else
      sets_.join(row_of_equations, n + p + signature_.pre()[at(row_of_S - signature_.pre_row(0))]);
  }

  const Signature& signature_;
  DisjointSets sets_;
  int next_;
  std::vector<std::pair<int, int>> inputs_;  ///< row of equations, input
};

}  // namespace

Parts parts_of(const Model& model) {
  Connections connections(model);
  connections.add(model.S, model.Phi_eq);
  connections.add(model.S, model.Phi_ineq);
  for (const Transition& law : model.transitions) connections.add(law.equations.S(), law.equations.Phi());
  for (const BooleanFormula& invariant : model.invariants) connections.add(invariant);
  return connections.take();
}

}  // namespace mti::fmi
