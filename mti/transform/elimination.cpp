#include "mti/transform/elimination.hpp"

#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/model/require_multilinear.hpp"

namespace mti::transform {
namespace {

/// Calls enter(row of S) for every factor of a map.
template <class Enter>
void visit_factors(const CpMap& map, const Enter& enter) {
  for (int k = 0; k < map.columns(); ++k)
    for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor)
      enter(static_cast<int>(factor.row()));
}

}  // namespace

Limits limits_of(const Model& model, const EliminationOptions& options) {
  require_multilinear(model, "elimination of signals");
  const Signature& signature = model.signature;
  const auto rows = at(signature.size());
  Limits limits{.stays = std::vector<char>(rows, 1),
                .in_law = std::vector<char>(rows, 0),
                .in_scenario = std::vector<char>(rows, 0),
                .in_constraint = std::vector<char>(rows, 0),
                .replaced = std::vector<char>(at(model.equations()), 0)};
  for (int i = 0; i < signature.p(); ++i) limits.stays[at(signature.algebraic_row(i))] = 0;
  std::vector<Fault> faults;
  for (const std::string& name : options.keep) {
    if (const auto row = signature.find(name)) {
      limits.stays[at(*row)] = 1;
      continue;
    }
    const std::string near = signature.suggestion(name);
    faults.push_back({"unknown-name", "",
                      "there is no signal " + name + (near.empty() ? "" : ", did you mean " + near + "?")});
  }
  if (!faults.empty()) throw InvalidModel(std::move(faults));
  for (int k = 0; k < model.S.cols(); ++k) {
    if (model.Phi_ineq.col(k).nonZeros() == 0) continue;
    for (SparseColumns::InnerIterator factor(model.S, k); factor; ++factor)
      limits.in_constraint[at(factor.row())] = 1;
  }
  for (const Transition& law : model.transitions) {
    for (const int equation : law.replaces) limits.replaced[at(equation)] = 1;
    visit_factors(law.equations, [&](int row) { limits.in_law[at(row % signature.size())] = 1; });
  }
  for (const Scenario& scenario : model.scenarios)
    visit_factors(scenario.equations, [&](int row) { limits.in_scenario[at(scenario.original(row))] = 1; });
  return limits;
}

bool is_binary(const Signature& signature, int row) {
  return row >= signature.binary_row(0) && row < signature.binary_row(signature.q());
}

}  // namespace mti::transform
