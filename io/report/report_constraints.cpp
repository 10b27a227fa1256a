#include "io/report/report_constraints.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "io/report/report_rows.hpp"
#include "io/report/report_text.hpp"
#include "mti/common/at.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {
namespace {

using Json = nlohmann::ordered_json;

/// The first signal of a row that the trajectory does not tell; −1 if there is none.
int first_unknown(const RowMap& g, int constraint, const ReportRows& rows) {
  for (const RowMap::Term& term : g.terms(constraint))
    for (const RowMap::Factor& factor : g.factors(term.column))
      if (!rows.knows(factor.signal)) return factor.signal;
  return -1;
}

}  // namespace

std::string report_constraints(const Model& model, const Trajectory& trajectory) {
  constexpr std::size_t most_values = 1'000'000, most_unknown = 50;
  const RowMap g(model.g());
  const ReportRows rows(model, trajectory);
  const std::size_t room = most_values / std::max<std::size_t>(1, trajectory.size());
  std::vector<int> shown;
  std::size_t left_out = 0;
  Json unknown = Json::array(), names = Json::array();
  for (int l = 0; l < model.constraints(); ++l) {
    if (const int signal = first_unknown(g, l, rows); signal >= 0) {
      if (unknown.size() < most_unknown)
        unknown.push_back(Json::array({model.constraint_names[at(l)], model.signature.row_name(signal)}));
      else
        ++left_out;
    } else if (shown.size() < room) {
      shown.push_back(l);
      names.push_back(model.constraint_names[at(l)]);
    } else {
      ++left_out;
    }
  }
  std::vector<double> v(at(model.signature.size())), values(shown.size() * trajectory.size());
  for (std::size_t row = 0; row < trajectory.size() && !shown.empty(); ++row) {
    rows.fill(row, v);
    for (std::size_t k = 0; k < shown.size(); ++k) values[k * trajectory.size() + row] = g.value(shown[k], v);
  }
  const Json document = {{"names", std::move(names)},
                         {"unknown", std::move(unknown)},
                         {"left_out", left_out},
                         {"most_values", most_values}};
  std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.back() = ',';
  text += "\"values\":[";
  for (std::size_t k = 0; k < shown.size(); ++k) {
    if (k > 0) text += ',';
    append_numbers(text, trajectory.size(),
                   [&](std::size_t row) { return values[k * trajectory.size() + row]; });
  }
  text += "]}";
  return text;
}

}  // namespace mti
