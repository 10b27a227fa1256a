#pragma once

#include <Eigen/Dense>

#include <set>
#include <vector>

#include "mti/model/mode.hpp"
#include "solvers/motion/motion.hpp"
#include "tests/solvers/plain_rows.hpp"

/// One mode of a model at an instant, judged by the plainest means: rows as lists of monomials, one dense
/// matrix for all equations, power series multiplied out. Serves as an oracle for the successor search, with
/// which it shares nothing but the model.
///
/// Equations must be linear in (ẋ, y). Data should be small integers: what is not zero is then not small.
namespace mti::test {

/// What becomes of a mode.
struct PlainVerdict {
  enum class Fate {
    admissible,
    rejected,
    outside,  ///< of higher index or redundant: equations have to be differentiated to say more; or several
              ///< contradictions at once, and docs/theory.md does not say which rows count then
    near,     ///< a number is neither clearly zero nor clearly not
  };
  Fate fate = Fate::admissible;
  std::set<int> equations, constraints, invariants;  ///< that it breaks
  std::set<int> undetermined;                        ///< rows of S that should be unique and are not
  [[nodiscard]] bool admissible() const { return fate == Fate::admissible; }
};

class PlainMode {
 public:
  /// Numbers of constraints beyond D^most_orders g are taken for zero; −1: the order for index 1,
  /// max(4, 1 + n).
  PlainMode(const PlainModel& rows, const Mode& mode, const Instant& instant, int most_orders = -1);

  [[nodiscard]] PlainVerdict check_admissibility();
  /// What these rows alone say, by their values: derivatives may need unknowns of other rows.
  [[nodiscard]] PlainVerdict check_values(const std::set<int>& equations, const std::set<int>& constraints);

 private:
  [[nodiscard]] double coefficient(const PlainRow& row, int k) const;
  [[nodiscard]] double classified(double number);
  [[nodiscard]] bool needed(int unknown) const;
  void write_known(const Instant& instant);
  void set_unknowns(int k, const Eigen::VectorXd& w);
  [[nodiscard]] Eigen::VectorXd residual(int k) const;
  [[nodiscard]] Eigen::MatrixXd matrix();
  void check_invariants();
  void check_constants();
  void check_structure();
  void check_solution();
  [[nodiscard]] bool fixes_states(const Eigen::VectorXd& left);
  void check_constraint(int row);
  void extend(int k);

  const Model& model_;
  const Mode& mode_;
  const Instant& instant_;
  int orders_;
  std::vector<PlainRow> f_, g_;
  std::vector<int> unknowns_, live_;  ///< live_: equations in which a signal is left
  std::vector<std::vector<double>> series_;
  int known_orders_ = 1;
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
  PlainVerdict verdict_;
  bool solved_ = false, in_part_ = false;
};

}  // namespace mti::test
