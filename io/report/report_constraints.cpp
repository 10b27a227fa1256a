#include "io/report/report_constraints.hpp"

#include <nlohmann/json.hpp>

#include "mti/common/at.hpp"

namespace mti {
namespace {

using Json = nlohmann::ordered_json;

/// The first signal of a row that a trajectory does not tell; −1 if there is none.
int first_unknown(const RowMap& g, int constraint, const ReportRows& rows) {
  for (const RowMap::Term& term : g.terms(constraint))
    for (const RowMap::Factor& factor : g.factors(term.column))
      if (!rows.knows(factor.signal)) return factor.signal;
  return -1;
}

}  // namespace

ReportConstraints report_constraints(const Model& model, const RowMap& g, const ReportRows& rows) {
  constexpr std::size_t most_unknown = 50;
  ReportConstraints constraints;
  for (int l = 0; l < model.constraints(); ++l) {
    const int signal = first_unknown(g, l, rows);
    if (signal < 0)
      constraints.shown.push_back(l);
    else if (constraints.unknown.size() < most_unknown)
      constraints.unknown.emplace_back(l, signal);
    else
      ++constraints.left_out;
  }
  return constraints;
}

std::string constraints_head(const Model& model, const ReportConstraints& constraints) {
  Json unknown = Json::array(), names = Json::array();
  for (const int l : constraints.shown) names.push_back(model.constraint_names[at(l)]);
  for (const auto& [l, signal] : constraints.unknown)
    unknown.push_back(Json::array({model.constraint_names[at(l)], model.signature.row_name(signal)}));
  const Json document = {
      {"names", std::move(names)}, {"unknown", std::move(unknown)}, {"left_out", constraints.left_out}};
  std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.back() = ',';
  return text + "\"values\":[";
}

}  // namespace mti
