#pragma once

#include <set>
#include <string>
#include <vector>

#include "mti/source/source.hpp"
#include "solvers/reduced_index/told_states.hpp"

namespace mti {

/// Writes what happens to states where modes begin: laws of binaries, with the equations and constraints of their restarts.
class ResetWriter {
 public:
  ResetWriter(Replicates& replicates, const LowerRows& lower, const ToldStates& told, Source& out)
      : replicates_(replicates), lower_(lower), told_(told), out_(out) {}

  /// Throws InvalidModel (id `modelica-unwritable`) where a constraint multiplies signals that carry impulses.
  void write(const std::vector<RestartRows>& restarts);

 private:
  struct Begun {
    ModeSet where;
    std::string name;
  };
  void write_restart(const RestartRows& restart);
  void judge_impulses(const RestartRows& restart, const Replacement& in_states);
  [[nodiscard]] WrittenTerm weight_of(int constraint, const RestartRows& restart) const;
  void forbid(const RestartRows& restart, const std::string& weight, const std::string& constraint);
  void assert_continuous(Replicate one, const ModeSet& where);
  void write_reset(const ModeSet& where, std::vector<std::string> equations);
  [[nodiscard]] std::string begun_in(const ModeSet& where);
  [[nodiscard]] double nominal_of(int signal) const;

  Replicates& replicates_;
  const LowerRows& lower_;
  const ToldStates& told_;
  Source& out_;
  std::vector<Begun> begun_ = {};
  std::map<Replicate, ModeSet> set_ = {};  ///< by restarts, where
  std::set<Replicate> followed_ = {};      ///< those that may not leave their states
};

}  // namespace mti
