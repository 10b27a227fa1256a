#include "io/modelica_writing/at_once.hpp"

#include <algorithm>
#include <numeric>

#include "mti/common/at.hpp"

namespace mti::modelica {
namespace {

bool is_bound(const std::string& name, const Kinds& kinds) {
  return kinds.is_algebraic(name) || name.starts_with("der(");
}

/// The equation that stands for all that are joined with one.
int representative(std::vector<int>& joined, int equation) {
  while (joined[at(equation)] != equation) equation = joined[at(equation)] = joined[at(joined[at(equation)])];
  return equation;
}

}  // namespace

AtOnce::AtOnce(const std::vector<std::unique_ptr<ParsedRelation>>& equations, const Kinds& kinds)
    : kinds_(kinds) {
  std::vector<int> joined(equations.size());
  std::iota(joined.begin(), joined.end(), 0);
  std::map<std::string, int> first;  // equation with a signal
  std::vector<char> binds(equations.size(), 0);
  for (std::size_t i = 0; i < equations.size(); ++i)
    for (const std::string& name : equations[i]->names) {
      if (!is_bound(name, kinds)) continue;
      binds[i] = 1;
      const int equation = static_cast<int>(i);
      const int known = first.try_emplace(name, equation).first->second;
      joined[at(representative(joined, equation))] = representative(joined, known);
    }
  for (std::size_t i = 0; i < equations.size(); ++i)
    for (const std::string& name : equations[i]->names)
      if (binds[i] != 0) groups_[name].insert(representative(joined, static_cast<int>(i)));
}

const AtOnce::Groups& AtOnce::with(const std::string& name) const {
  static const Groups none;
  const auto found = groups_.find(name);
  return found == groups_.end() ? none : found->second;
}

AtOnce::Groups AtOnce::of(const std::set<std::string>& names) const {
  Groups groups;
  for (const std::string& name : names)
    if (is_bound(name, kinds_)) groups.insert(with(name).begin(), with(name).end());
  return groups;
}

bool AtOnce::follows(const std::set<std::string>& names, const std::string& name) const {
  return names.contains(name) || meet(of(names), with(name));
}

bool meet(const AtOnce::Groups& a, const AtOnce::Groups& b) {
  return std::ranges::any_of(a, [&](int group) { return b.contains(group); });
}

}  // namespace mti::modelica
