#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "solvers/reduced_index/replicates.hpp"

namespace mti {

/// Derivative `order` of an equation, in the modes in which it is differentiated further: it binds signals that are lower than
/// what leads, so that not all of them are states.
struct LowerRow {
  int equation = 0, order = 0;
  ModeSet where;
  std::string text;    ///< 0 = text
  std::string solved;  ///< the same with what other rows give put in
  /// The one that it gives, by a constant coefficient (dummy derivatives: Mattsson and Söderlind, SIAM J. Sci. Comput. 14
  /// (1993) 677-692) …
  std::optional<Replicate> gives = {};
  std::string value = {};  ///< of that one, in those that remain
  /// … or else the signal µ that puts what the states say back on it along its gradient:
  ///
  ///     x = s + Σ_r (∂r/∂x)ᵀ µ_r,    0 = r(x)
  std::string multiplier = {};
  std::map<Replicate, std::string> gradient = {};
};

/// What is lower in some mode, and how it is told there: by a row that gives it, else by a state s, else 0.
class LowerRows {
 public:
  /// Throws InvalidModel: `no-state-selection` where a row binds nothing that could be a state, `modes-too-large`.
  explicit LowerRows(Replicates& replicates);

  [[nodiscard]] const std::vector<LowerRow>& rows() const noexcept { return rows_; }
  /// The rows that give a replicate.
  [[nodiscard]] std::vector<const LowerRow*> given_by(Replicate replicate) const;
  /// The rows that put a replicate back along their gradients.
  [[nodiscard]] std::vector<const LowerRow*> moved_by(Replicate replicate) const;
  /// Where a state tells it.
  [[nodiscard]] ModeSet is_state(Replicate replicate) const;

 private:
  struct Choice {
    Replicate replicate;
    std::string coefficient;
  };
  void collect();
  void collect(int equation, int order, const ModeSet& where);
  [[nodiscard]] bool give_one();
  [[nodiscard]] std::optional<Choice> choice_of(const LowerRow& row) const;
  [[nodiscard]] bool may_be_given(const LowerRow& row, Replicate replicate) const;
  [[nodiscard]] bool is_given_within(const ModeSet& where, Replicate replicate) const;
  [[nodiscard]] std::set<std::string> follow_from(const LowerRow& row) const;
  [[nodiscard]] std::string with_given(std::string expression, const ModeSet& where) const;
  void put_in();
  [[nodiscard]] bool split_one();
  void require_room(int equation) const;
  void project(LowerRow& row);
  /// Whether order − d_j is order − c_i wherever the row binds: the row determines this derivative.
  [[nodiscard]] bool is_of_stage(const LowerRow& row, Replicate replicate) const;

  Replicates& replicates_;
  std::vector<LowerRow> rows_;
};

}  // namespace mti
