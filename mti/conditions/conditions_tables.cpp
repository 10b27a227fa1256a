// The part of Conditions that reads table and table2.
#include <string>
#include <utility>

#include "mti/common/number.hpp"
#include "mti/conditions/conditions.hpp"
#include "mti/conditions/table_points.hpp"
#include "mti/conditions/truth.hpp"
#include "mti/text/multiply_out.hpp"

namespace mti::conditions {
namespace {

using text::Expansion;
using text::Node;
using text::Polynomial;

/// a + b·w
Polynomial line(const Dual& a, const Dual& b, const Polynomial& w) {
  Polynomial result = Polynomial::constant(a);
  result.add(w, b);
  result.drop_cancelled();
  return result;
}

Polynomial minus_number(const Polynomial& x, const Dual& number) {
  return difference(x, Polynomial::constant(number));
}

bool is_signal(const Polynomial& x) {
  return x.size() == 1 && x.monomials()[0].powers.size() == 1 && x.monomials()[0].powers[0].exponent == 1 &&
         x.monomials()[0].coefficient.value().rounded() == 1.0;
}

}  // namespace

std::vector<Polynomial> Conditions::pieces(Expansion& place, const Polynomial& x,
                                           const std::vector<Dual>& points, const Node& argument,
                                           const char* word) {
  std::vector<Polynomial> passed = {Polynomial::constant(1.0)};  // [x >= x_k], k = 2 … n − 1
  for (std::size_t k = 1; k + 1 < points.size(); ++k) {
    Polynomial number = Polynomial::constant(points[k]);
    passed.push_back(sign_binary(
        place, difference(x, number),
        {word, word, text::slice(place.text(), argument) + " > " + text::format_number(points[k].value)},
        AtZero::any, argument));
    if (k >= 2) exclude(passed[k], complement(passed[k - 1]));
  }
  std::vector<Polynomial> weights;
  for (std::size_t k = 0; k < passed.size(); ++k)
    weights.push_back(k + 1 < passed.size() ? difference(passed[k], passed[k + 1]) : passed[k]);
  return weights;
}

/// Σ_k w_k·(y_k + s_k·(x − x_k)) with the slopes s_k; the first and the last piece go on outside.
text::Polynomial Conditions::table(Expansion& place, const Node& node) {
  Polynomial x = argument(place, node.operands[0]);
  const auto points = points_of(place, node.operands[1]);
  const auto values = values_of(place, node.operands[2], points);
  if (!points || !values || place.failed()) return x;
  const std::vector<Polynomial> weights = pieces(place, x, *points, node.operands[0], "above");
  Polynomial result = Polynomial::constant(0.0);
  for (std::size_t k = 0; k + 1 < points->size(); ++k) {
    const Dual slope = ((*values)[k + 1] - (*values)[k]) / ((*points)[k + 1] - (*points)[k]);
    place.add(result, place.times(weights[k], line((*values)[k], slope, minus_number(x, (*points)[k])), node),
              1.0, node);
  }
  result.drop_cancelled();
  return result;
}

/// Bilinear in each cell of the grid: Σ_ij w_i(x)·w_j(y)·f_ij(x, y).
text::Polynomial Conditions::grid(Expansion& place, const Node& node) {
  Polynomial x = argument(place, node.operands[0]);
  const Polynomial y = argument(place, node.operands[1]);
  const auto xs = points_of(place, node.operands[2]), ys = points_of(place, node.operands[3]);
  if (!xs || !ys || place.failed()) return x;
  const Node& rows = node.operands[4];
  if (rows.kind != Node::Kind::list || rows.operands.size() != xs->size())
    return place.fail("bad-table", rows,
                      "expected a list of " + std::to_string(xs->size()) +
                          " lists, one for each break point of the first argument");
  std::vector<std::vector<Dual>> f;
  for (const Node& row : rows.operands) {
    auto values = numbers_of(place, row);
    if (!values) return x;
    if (values->size() != ys->size())
      return place.fail("bad-table", row,
                        "found " + std::to_string(values->size()) + " values for " +
                            std::to_string(ys->size()) + " break points of the second argument");
    f.push_back(std::move(*values));
  }
  const std::vector<Polynomial> along_x = pieces(place, x, *xs, node.operands[0], "above"),
                                along_y = pieces(place, y, *ys, node.operands[1], "above");
  Polynomial result = Polynomial::constant(0.0);
  for (std::size_t i = 0; i + 1 < xs->size(); ++i) {
    const Polynomial from_x = minus_number(x, (*xs)[i]);
    for (std::size_t j = 0; j + 1 < ys->size(); ++j) {
      const Dual dx = (*xs)[i + 1] - (*xs)[i], dy = (*ys)[j + 1] - (*ys)[j];
      const Polynomial from_y = minus_number(y, (*ys)[j]);
      const Dual slope = (f[i + 1][j] - f[i][j]) / dx, slope_after = (f[i + 1][j + 1] - f[i][j + 1]) / dx;
      Polynomial cell = line(f[i][j], slope, from_x);
      place.add(
          cell,
          place.times(from_y, line((f[i][j + 1] - f[i][j]) / dy, (slope_after - slope) / dy, from_x), node),
          1.0, node);
      place.add(result, place.times(place.times(along_x[i], along_y[j], node), cell, node), 1.0, node);
    }
  }
  result.drop_cancelled();
  return result;
}

/// The argument of a table as one signal: it is in every piece.
text::Polynomial Conditions::argument(Expansion& place, const Node& node) {
  Polynomial x = place.expand(node);
  if (place.failed() || x.constant_value() || is_signal(x)) return x;
  return Polynomial::variable(auxiliaries_.signal(x, names_.make(place, "argument", "argument")));
}

}  // namespace mti::conditions
