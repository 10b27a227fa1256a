#include "solvers/structure/undecided_binaries.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// The x, y and z that an equation or law holds, x for ẋ and z for pre(z), by rows of S.
struct HeldSignals {
  std::vector<int> signals, binaries;
  std::vector<int> found_by;  ///< the signals that it stands behind
};

class Behind {
 public:
  explicit Behind(const Model& model)
      : signature_(model.signature),
        behind_(at(signature_.size())),
        reached_(at(signature_.size()), 0),
        occurs_(at(signature_.q()), 0),
        decided_(at(signature_.q()), 0) {
    enter(model.S, model.Phi_eq, Kind::equation);
    for (const Transition& law : model.transitions) enter(law.equations.S(), law.equations.Phi(), Kind::law);
    for (const HeldSignals& row : rows_in(model.S, model.Phi_ineq, Kind::constraint)) reach(row);
    for (const BooleanFormula& invariant : model.invariants)
      for (const BooleanFormula::Step& step : invariant.steps)
        if (step.operation == BooleanFormula::Operation::variable) decide(own_row(step.row));
    spread();
  }

  [[nodiscard]] std::vector<int> undecided() const {
    std::vector<int> result;
    for (int i = 0; i < signature_.q(); ++i)
      if (occurs_[at(i)] != 0 && decided_[at(i)] == 0) result.push_back(i);
    return result;
  }

 private:
  enum class Kind { equation, law, constraint };

  /// The row that stands for a signal; left limits of laws come after the rows of v.
  [[nodiscard]] int own_row(int row) const {
    row %= signature_.size();
    if (row < signature_.state_row(0)) return signature_.state_row(row);
    if (row >= signature_.pre_row(0))
      return signature_.binary_row(signature_.pre()[at(row - signature_.pre_row(0))]);
    return row;
  }
  [[nodiscard]] bool is_binary(int row) const { return row >= signature_.binary_row(0); }
  [[nodiscard]] bool is_input(int row) const {
    return row >= signature_.input_row(0) && row < signature_.algebraic_row(0);
  }
  void decide(int row) {
    if (is_binary(row)) decided_[at(row - signature_.binary_row(0))] = 1;
  }

  [[nodiscard]] std::vector<HeldSignals> rows_in(const SparseColumns& S, const SparseColumns& Phi,
                                                 Kind kind) const {
    std::vector<HeldSignals> rows(at(static_cast<int>(Phi.rows())));
    std::vector<std::vector<int>> slopes(rows.size());
    for (int k = 0; k < S.cols(); ++k)
      for (SparseColumns::InnerIterator weight(Phi, k); weight; ++weight) {
        HeldSignals& row = rows[at(static_cast<int>(weight.row()))];
        for (SparseColumns::InnerIterator factor(S, k); factor; ++factor) {
          const int index = static_cast<int>(factor.row()), own = own_row(index);
          if (is_input(own)) continue;
          (is_binary(own) ? row.binaries : row.signals).push_back(own);
          if (index < signature_.state_row(0)) slopes[at(static_cast<int>(weight.row()))].push_back(own);
        }
      }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      HeldSignals& row = rows[i];
      for (const int signal : row.signals)
        if (signal >= signature_.algebraic_row(0)) row.found_by.push_back(signal);
      row.found_by.insert(row.found_by.end(), slopes[i].begin(), slopes[i].end());
      if (row.found_by.empty() || kind == Kind::law) row.found_by = row.signals;
    }
    return rows;
  }

  void enter(const SparseColumns& S, const SparseColumns& Phi, Kind kind) {
    for (HeldSignals& row : rows_in(S, Phi, kind)) {
      for (const int binary : row.binaries) {
        occurs_[at(binary - signature_.binary_row(0))] = 1;
        if (kind == Kind::equation && row.signals.empty()) decide(binary);
      }
      const int index = static_cast<int>(rows_.size());
      for (const int signal : row.found_by) behind_[at(signal)].push_back(index);
      rows_.push_back(std::move(row));
    }
  }

  void reach(const HeldSignals& row) {
    for (const int binary : row.binaries) decide(binary);
    for (const int signal : row.signals)
      if (std::exchange(reached_[at(signal)], 1) == 0) open_.push_back(signal);
  }

  void spread() {
    while (!open_.empty()) {
      const int signal = open_.back();
      open_.pop_back();
      for (const int row : behind_[at(signal)]) reach(rows_[at(row)]);
    }
  }

  const Signature& signature_;
  std::vector<HeldSignals> rows_;
  std::vector<std::vector<int>> behind_;  ///< of each signal: positions in rows_
  std::vector<char> reached_;
  std::vector<int> open_;
  std::vector<char> occurs_, decided_;  ///< of each binary
};

}  // namespace

std::vector<int> undecided_binaries(const Model& model) { return Behind(model).undecided(); }

}  // namespace mti
