#pragma once

#include <memory>
#include <set>
#include <span>
#include <vector>

#include "mti/multilinear/row_map.hpp"
#include "solvers/laws/transition_laws.hpp"
#include "solvers/restart/restart.hpp"
#include "solvers/structure/dulmage_mendelsohn.hpp"
#include "solvers/structure/incidence.hpp"

namespace mti {

/// Whether the surfaces of a mode that slides, with its weights ζ, take part in a balance.
enum class Surfaces {
  together,  ///< s = 0 at x⁺, by impulses of ζ where need be
  apart,     ///< ζ has no impulse, and s is what becomes of it
};

/// The balance with laws as a square system, as far as the structure of the mode and of the laws goes.
///
/// Rows are those of stage −1 that stay in force, order c_i − 1 of equation i, and behind them the equations
/// of the laws, which hold between values and weights and are not differentiated. Unknowns are those of stage
/// −1: order e_j − 1 of unknown j, which for ẋ_j with e_j = 0 is the jump Δx_j, for y_j the weight of its
/// impulse. With surfaces apart their rows and the ζ are no part of it: no ζ is impulsive.
class LawStructure {
 public:
  /// Of two rows of laws that give a state the same value at this instant one is left out.
  LawStructure(const RestartPlace& place, const DueLaws& laws, Surfaces surfaces);

  /// A structure that the mode has kept, if it was asked for before and says nothing of one instant alone.
  [[nodiscard]] static std::shared_ptr<const LawStructure> of(const RestartPlace& place, const DueLaws& laws,
                                                              Surfaces surfaces);

  static constexpr int none = -1000;
  struct Row {
    int row;    ///< of f, or of the law's equations
    int order;  ///< −1: Dirac part
    int law;    ///< −1: a row of f
  };

  [[nodiscard]] const Row& row(PatternRow row) const { return rows_[at(row.value())]; }
  /// Rows of S, in the order of the columns of the pattern.
  [[nodiscard]] int unknown(PatternColumn column) const { return unknowns_[at(column.value())]; }
  /// By row of S: the order that is sought, `none` of what is no unknown, and the place among the unknowns, or −1.
  [[nodiscard]] int order(int unknown) const { return order_[at(unknown)]; }
  [[nodiscard]] int column(int unknown) const { return column_[at(unknown)]; }
  /// In laws the signal stands for the weight of its impulse.
  [[nodiscard]] bool is_weighted(int signal) const { return weighted_[at(signal)] != 0; }
  [[nodiscard]] const std::vector<char>& weighted() const noexcept { return weighted_; }
  [[nodiscard]] const RowMap& law(int which) const { return laws_[at(which)]; }
  [[nodiscard]] const std::set<int>& replaced() const noexcept { return replaced_; }  ///< rows of f
  /// Rows of ẋ of states that keep their value.
  [[nodiscard]] const std::set<int>& held() const noexcept { return held_; }
  /// Equations whose Dirac part is made to vanish.
  [[nodiscard]] const std::vector<int>& balanced() const noexcept { return balanced_; }
  /// Structure tells that laws do not fit the rows that are left unless `parts` are regular; then the balance is solved
  /// by these blocks, so that Newton's method has few unknowns at a time, mostly one that occurs linearly.
  [[nodiscard]] const DulmageMendelsohn& parts() const noexcept { return parts_; }
  [[nodiscard]] const std::vector<Block>& blocks() const noexcept { return blocks_; }

  /// The unknown that stands for a signal in a row of f at the row's order; −1: known there.
  [[nodiscard]] int unknown_in_equation(int signal, int order) const;
  /// The same for a law: x⁺, a weight, or a value of order 0.
  [[nodiscard]] int unknown_in_law(int signal) const;

 private:
  void enter(const RestartPlace& place);
  void add_rows_of_laws(const RestartPlace& place);
  [[nodiscard]] bool keep_rows_of_other_signals(const RestartPlace& place);
  void add_absent_states(const RestartPlace& place);
  [[nodiscard]] Incidence make_pattern(const RowMap& f) const;
  void add_to(Incidence& pattern, const RowMap& f, const Row& row) const;
  void find_weighted(const RowMap& f);

  DueLaws due_;
  Surfaces surfaces_;
  int n_, first_algebraic_, size_;
  bool depends_on_values_ = false;
  std::vector<int> order_, column_, unknowns_;
  std::vector<char> weighted_;
  std::set<int> replaced_, held_;
  std::vector<int> balanced_;
  std::vector<Row> rows_;
  std::vector<RowMap> laws_;
  Incidence pattern_;
  DulmageMendelsohn parts_;
  std::vector<Block> blocks_;
};

}  // namespace mti
