#pragma once

#include <set>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/mode.hpp"
#include "tests/solvers/plain_rows.hpp"

/// Outputs of logic by the letter: vertices are enumerated. Shares nothing with the solver but the model.
namespace mti::test {

class PlainOutputs {
 public:
  explicit PlainOutputs(const Model& model);

  /// Some binaries would determine each other: which one stays a decider is not looked into here.
  [[nodiscard]] bool has_loop() const { return loop_; }
  [[nodiscard]] bool is_output(int binary) const { return equation_of_[at(binary)] >= 0; }
  /// The deciders that these binaries are, or hang on.
  [[nodiscard]] std::set<int> deciders_behind(const std::set<int>& binaries) const;
  /// Puts every output where its equation wants it; one without a value keeps its own.
  void put(Mode& mode) const;

 private:
  [[nodiscard]] double value(int equation, const Mode& mode) const;
  [[nodiscard]] bool determines(int equation, int binary) const;
  [[nodiscard]] bool augment(int binary, std::set<int>& seen);
  void sort_outputs();

  const Model& model_;
  std::vector<PlainRow> f_;
  std::vector<std::set<int>> binaries_;    ///< by equation
  std::vector<std::vector<int>> serving_;  ///< by binary
  std::vector<int> equation_of_;
  std::vector<int> order_;
  bool loop_ = false;
};

}  // namespace mti::test
