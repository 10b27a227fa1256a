#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mti/model/model.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// A model as text, whose function rows are replaced one after the other: signals are added, and algebraic ones become states.
class LiftedSource {
 public:
  explicit LiftedSource(const Model& model);
  /// Every state begins at a consistent point `start`, and nothing is left to be solved for there.
  LiftedSource(const Model& model, std::span<const double> start);

  /// The name `wanted`, or one with underscores behind it that is not taken yet.
  [[nodiscard]] std::string fresh(std::string wanted);
  /// A new state or auxiliary algebraic signal, under such a name; returns it.
  std::string add_state(const std::string& wanted, double start);
  std::string add_algebraic(const std::string& wanted, double start);
  /// An algebraic signal becomes a state that begins with `start`.
  void make_state(const std::string& name, double start);
  /// What stands in the place of a row of f from now on: "left = right".
  void replace(int equation, std::string text) { replaced_[equation] = std::move(text); }
  void add_equation(const std::string& wanted, std::string text);
  /// Nothing is added where the same text is there.
  void add_constraint(const std::string& wanted, std::string text);
  /// The start values count time up to the start.
  void fix_start_time() { source_.experiment.fixed_start = true; }

  /// The source with all of that.
  [[nodiscard]] Source finish() &&;

 private:
  Source source_;
  std::set<std::string> names_, relations_;
  std::map<int, std::string> replaced_;
  std::vector<RelationSource> equations_, constraints_;
};

}  // namespace mti
