#include "io/report/report_matrices.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace mti {
namespace {

using Json = nlohmann::ordered_json;

/// Triplets of matrices one above the other.
Json triplets_of(const std::vector<const SparseColumns*>& matrices) {
  Json i = Json::array(), k = Json::array(), v = Json::array();
  int first = 0;
  for (const SparseColumns* matrix : matrices) {
    for (int column = 0; column < matrix->outerSize(); ++column)
      for (SparseColumns::InnerIterator entry(*matrix, column); entry; ++entry) {
        i.push_back(first + static_cast<int>(entry.row()));
        k.push_back(column);
        v.push_back(entry.value());
      }
    first += static_cast<int>(matrix->rows());
  }
  return {{"i", std::move(i)}, {"k", std::move(k)}, {"v", std::move(v)}};
}

}  // namespace

std::string report_matrices(const Model& model) {
  constexpr Eigen::Index most_entries = 300'000;
  const Eigen::Index entries = model.S.nonZeros() + model.Phi_eq.nonZeros() + model.Phi_ineq.nonZeros();
  Json json;
  if (entries > most_entries) {
    json = {{"left_out", entries}};
  } else {
    Json signals = Json::array(), rows = Json::array();
    for (int row = 0; row < model.signature.size(); ++row) signals.push_back(model.signature.row_name(row));
    for (const std::string& name : model.equation_names) rows.push_back(name);
    for (const std::string& name : model.constraint_names) rows.push_back(name);
    json = {{"signals", std::move(signals)},  {"rows", std::move(rows)},
            {"equations", model.equations()}, {"columns", model.columns()},
            {"S", triplets_of({&model.S})},   {"Phi", triplets_of({&model.Phi_eq, &model.Phi_ineq})}};
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mti
