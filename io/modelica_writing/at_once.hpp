#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "io/modelica_writing/relations.hpp"

namespace mti::modelica {

/// What changes at once with what: equations bind algebraic signals and derivatives to each other and to the states, inputs and
/// binaries in them. Signals that equations join, be it one by another, are one group.
class AtOnce {
 public:
  using Groups = std::set<int>;

  AtOnce(const std::vector<std::unique_ptr<ParsedRelation>>& equations, const Kinds& kinds);

  /// The groups in whose equations a name stands.
  [[nodiscard]] const Groups& with(const std::string& name) const;
  /// The groups that names belong to, as algebraic signals and derivatives do.
  [[nodiscard]] Groups of(const std::set<std::string>& names) const;
  /// A text with these names changes at once when `name` does: it holds it, or a signal of a group with it.
  [[nodiscard]] bool follows(const std::set<std::string>& names, const std::string& name) const;

 private:
  const Kinds& kinds_;
  std::map<std::string, Groups> groups_ = {};
};

[[nodiscard]] bool meet(const AtOnce::Groups& a, const AtOnce::Groups& b);

}  // namespace mti::modelica
