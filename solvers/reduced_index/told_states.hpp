#pragma once

#include <map>
#include <string>
#include <vector>

#include "solvers/reduced_index/lower_rows.hpp"
#include "solvers/reduced_index/restart_rows.hpp"

namespace mti {

/// The states of a model whose index is reduced, by the replicates that they tell: a state that is one in all modes stays what
/// it is, x; others are s_x beside the signal x. And where a run begins.
class ToldStates {
 public:
  ToldStates(Replicates& replicates, const LowerRows& lower, const std::vector<RestartRows>& restarts);

  [[nodiscard]] const std::map<Replicate, std::string>& states() const noexcept { return states_; }
  /// Null where no state tells it in any mode.
  [[nodiscard]] const std::string* state_of(Replicate replicate) const;
  /// A state of the model that stays one.
  [[nodiscard]] bool is_kept(int signal) const;
  /// Whether der_x is written der(x).
  [[nodiscard]] bool is_slope(const std::string& name) const { return slopes_.contains(name); }

  /// Names of signals replaced by those of states that follow them in all modes, as they were before a mode begins.
  [[nodiscard]] Replacement in_states() const;

  /// Expressions and equations in replicates, as they are written.
  [[nodiscard]] WrittenTerm written(const std::string& expression) const;
  [[nodiscard]] std::string written_equation(const std::string& text) const;
  /// A relation of the model with der(x) of what is no state any more.
  [[nodiscard]] std::string written_relation(const std::string& relation) const;

  /// v where a run of the model begins; empty if that cannot be told.
  [[nodiscard]] const std::vector<double>& start() const noexcept { return start_; }
  /// The declared value, with its parameters, if the run begins there.
  [[nodiscard]] Number start_of(Replicate one, const Number& declared) const;
  /// Whether the run begins in these modes.
  [[nodiscard]] bool begins_in(const ModeSet& where) const;

 private:
  [[nodiscard]] bool is_set_anew(int signal, const std::vector<RestartRows>& restarts) const;
  void name_states(const std::vector<RestartRows>& restarts);
  void find_start();

  Replicates& replicates_;
  const LowerRows& lower_;
  std::map<Replicate, std::string> states_;
  std::map<std::string, std::string, std::less<>> slopes_;
  std::vector<double> start_;
};

}  // namespace mti
