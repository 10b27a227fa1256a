#include "solvers/mode/surface_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "mti/model/freeze.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

double factor_at(double S, double value) { return 1.0 - std::abs(S) + S * value; }

void join(std::vector<int>& into, const std::vector<int>& surfaces) {
  into.insert(into.end(), surfaces.begin(), surfaces.end());
  std::sort(into.begin(), into.end());
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

}  // namespace

SurfaceColumns::SurfaceColumns(const Signature& signature, const Outputs& outputs, const Mode& mode)
    : signature_(signature),
      outputs_(outputs),
      mode_(mode),
      fixed_(at(signature.size()), std::numeric_limits<double>::quiet_NaN()),
      depends_(at(signature.q())),
      vertex_(at(signature.q()), 0.0) {
  for (std::size_t s = 0; s < mode.slides.size(); ++s)
    for (const int binary : mode.slides[s].binaries) depends_[at(binary)] = {static_cast<int>(s)};
  std::vector<int> blended = outputs.order();
  std::erase_if(blended, [&](int output) { return !is_blended(output); });
  blended_ = after_what_they_need(outputs, blended);
  // What is remembered of a binary goes along with it.
  for (const int output : blended_)
    for (const int binary : outputs.binaries_needed_by(output))
      if (binary != output) join(depends_[at(output)], depends_[at(binary)]);
  for (const FixedSignal& signal : fixed_signals(signature, mode)) {
    const int pre = signal.row - signature.pre_row(0);
    if (pre < 0 || depends_[at(signature.pre()[at(pre)])].empty()) fixed_[at(signal.row)] = signal.value;
  }
  for (int i = 0; i < signature.q(); ++i)
    if (const double value = fixed_[at(signature.binary_row(i))]; !std::isnan(value)) vertex_[at(i)] = value;
}

bool SurfaceColumns::is_blended(int binary) const {
  return std::binary_search(mode_.blended.begin(), mode_.blended.end(), binary);
}

int SurfaceColumns::binary_of(int row) const {
  if (row < signature_.binary_row(0)) return -1;
  const int pre = row - signature_.pre_row(0);
  const int binary = pre >= 0 ? signature_.pre()[at(pre)] : row - signature_.binary_row(0);
  return depends_[at(binary)].empty() ? -1 : binary;
}

double SurfaceColumns::on_vertex(int row) const {
  const int binary = binary_of(row);
  return binary >= 0 ? vertex_[at(binary)] : fixed_[at(row)];
}

/// Values of all binaries that depend on no other surfaces than these; bit i of the vertex is the side of
/// surfaces[i].
void SurfaceColumns::put_on_vertex(const Surfaces& surfaces, unsigned vertex) {
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    const Slide& slide = mode_.slides[at(surfaces[i])];
    for (std::size_t k = 0; k < slide.binaries.size(); ++k)
      vertex_[at(slide.binaries[k])] = (vertex >> i & 1U) != 0 ? slide.above[k] : slide.below[k];
  }
  for (const int output : blended_) {
    const Surfaces& needed = depends_[at(output)];
    if (!std::includes(surfaces.begin(), surfaces.end(), needed.begin(), needed.end())) continue;
    const Outputs::Line e = outputs_.line(output, [&](int row) { return on_vertex(row); });
    vertex_[at(output)] = -e.at_0 / (e.at_1 - e.at_0);
  }
}

AffineFactor SurfaceColumns::indicator(int slide, bool above) const {
  const Slide& surface = mode_.slides[at(slide)];
  const bool at_1 = (above ? surface.above[0] : surface.below[0]) != 0;
  const int row = signature_.binary_row(surface.binaries[0]);
  return at_1 ? AffineFactor{row, 0.0, 1.0} : AffineFactor{row, 1.0, -1.0};
}

CpMap SurfaceColumns::interpolate(const CpMap& map, int pinned) {
  CpBuilder builder(map.signals(), map.rows());
  builder.reserve(at(map.columns()), at(map.S().nonZeros()), at(map.Phi().nonZeros()));
  Factors factors;
  for (int k = 0; k < map.columns(); ++k) {
    check_budget();
    factors.clear();
    if (const ElementaryFunction* const phi = map.function_of(k)) {  // of a signal that is no binary
      const auto signal = static_cast<int>(SparseColumns::InnerIterator(map.S(), k).row());
      for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
        builder.add_function(static_cast<int>(weight.row()), weight.value(), signal, *phi);
      continue;
    }
    double scale = 1.0;
    for (SparseColumns::InnerIterator factor(map.S(), k); factor && scale != 0.0; ++factor) {
      const auto row = at(factor.row());
      if (std::isnan(fixed_[row]))
        factors.emplace_back(static_cast<int>(factor.row()), factor.value());
      else
        scale *= factor_at(factor.value(), fixed_[row]);
    }
    if (scale == 0.0) continue;
    for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
      expand(static_cast<int>(weight.row()), scale * weight.value(), factors, pinned, builder);
  }
  return builder.build();
}

/// One column in one row: factors that depend on common surfaces are taken together, in clusters. Different clusters
/// share no surface, so that their values multiply.
void SurfaceColumns::expand(int row, double coefficient, const Factors& factors, int pinned,
                            CpBuilder& builder) {
  std::vector<AffineFactor> others;
  Clusters clusters;
  for (const auto& [signal, S] : factors) {
    const int binary = binary_of(signal);
    if (binary < 0) {
      others.push_back({signal, 1.0 - std::abs(S), S});
      continue;
    }
    Surfaces surfaces = depends_[at(binary)];
    Factors together{{signal, S}};
    for (auto cluster = clusters.begin(); cluster != clusters.end();) {
      const bool meets = std::any_of(surfaces.begin(), surfaces.end(), [&](int s) {
        return std::binary_search(cluster->first.begin(), cluster->first.end(), s);
      });
      if (!meets) {
        ++cluster;
        continue;
      }
      join(surfaces, cluster->first);
      together.insert(together.end(), cluster->second.begin(), cluster->second.end());
      cluster = clusters.erase(cluster);
    }
    clusters.emplace_back(std::move(surfaces), std::move(together));
  }

  // A cluster of one surface is affine in its t: a number where the surface is pinned to a side, otherwise the factor
  // a (1 − t) + b t with its values a, b on both sides. Only clusters of several surfaces remain.
  std::erase_if(clusters, [&](const auto& cluster) {
    const auto& [surfaces, together] = cluster;
    if (surfaces.size() == 1 && surfaces[0] == pinned) {
      put_on_vertex(surfaces, 0);
      for (const auto& [signal, S] : together) coefficient *= factor_at(S, on_vertex(signal));
      return true;
    }
    if (surfaces.size() == 1) {
      double below = 1.0, above = 1.0;
      put_on_vertex(surfaces, 0);
      for (const auto& [signal, S] : together) below *= factor_at(S, on_vertex(signal));
      put_on_vertex(surfaces, 1);
      for (const auto& [signal, S] : together) above *= factor_at(S, on_vertex(signal));
      const AffineFactor to_above = indicator(surfaces[0], true);
      const bool rises = to_above.b > 0.0;  // t = 1 above
      const double at_0 = rises ? below : above, at_1 = rises ? above : below;
      others.push_back({to_above.signal, at_0, at_1 - at_0});
      if (at_0 == 0.0 && at_1 == 0.0) coefficient = 0.0;
      return true;
    }
    // A blended output alone is a signal, with a row of its own (blends).
    if (together.size() == 1) {
      const auto& [signal, S] = together[0];
      others.push_back({signature_.binary_row(binary_of(signal)), 1.0 - std::abs(S), S});
      return true;
    }
    return false;
  });
  if (coefficient != 0.0) expand_clusters(row, coefficient, others, clusters, 0, builder);
}

/// Clusters of several surfaces side by side, each a sum over its vertices.
void SurfaceColumns::expand_clusters(int row, double coefficient, std::vector<AffineFactor>& done,
                                     const Clusters& clusters, std::size_t next, CpBuilder& builder) {
  check_budget();
  if (next == clusters.size()) {
    builder.add(row, coefficient, done);
    return;
  }
  const auto& [surfaces, factors] = clusters[next];
  if (surfaces.size() > most_joined) {
    entangled_ = true;
    return;
  }
  for (unsigned vertex = 0; vertex < 1U << surfaces.size(); ++vertex) {
    put_on_vertex(surfaces, vertex);
    double product = coefficient;
    for (const auto& [signal, S] : factors) product *= factor_at(S, on_vertex(signal));
    if (product == 0.0) continue;
    const std::size_t size = done.size();
    for (std::size_t i = 0; i < surfaces.size(); ++i)
      done.push_back(indicator(surfaces[i], (vertex >> i & 1U) != 0));
    expand_clusters(row, product, done, clusters, next + 1, builder);
    done.resize(size);
  }
}

/// −ζ + Σ over the vertices of the surfaces it depends on, its value there · Π (1 − t_s or t_s).
void SurfaceColumns::expand_solution(int row, int output, CpBuilder& builder) {
  const Surfaces& surfaces = depends_[at(output)];
  if (surfaces.size() > most_joined) {
    entangled_ = true;
    return;
  }
  const AffineFactor own{signature_.binary_row(output), 0.0, 1.0};
  builder.add(row, -1.0, std::span(&own, 1));
  std::vector<AffineFactor> factors;
  for (unsigned vertex = 0; vertex < 1U << surfaces.size(); ++vertex) {
    put_on_vertex(surfaces, vertex);
    const double value = vertex_[at(output)];
    factors.clear();
    for (std::size_t i = 0; i < surfaces.size(); ++i)
      factors.push_back(indicator(surfaces[i], (vertex >> i & 1U) != 0));
    builder.add(row, value, factors);
  }
}

CpMap SurfaceColumns::blends() {
  CpBuilder builder(signature_.size(), static_cast<int>(blended_.size()));
  const RowMap& rows = outputs_.equations();
  for (std::size_t i = 0; i < blended_.size(); ++i) {
    const int output = blended_[i], own = signature_.binary_row(output);
    // Where the output's coefficient holds no sliding binary, its equation may be interpolated as it stands. Where it
    // does, interpolation would divide by it in between: there the output's values on the sides are interpolated.
    bool alone = true;
    for (const RowMap::Term& term : rows.terms(outputs_.equation_of(output))) {
      bool holds = false, others = false;
      for (const RowMap::Factor& factor : rows.factors(term.column)) {
        holds = holds || factor.signal == own;
        others = others || (factor.signal != own && binary_of(factor.signal) >= 0);
        // A latch that would go along with several surfaces has no value on their sides.
        entangled_ = entangled_ || (factor.signal != own && binary_of(factor.signal) == output);
      }
      alone = alone && !(holds && others);
    }
    const int row = static_cast<int>(i);
    if (!alone) {
      expand_solution(row, output, builder);
      continue;
    }
    for (const RowMap::Term& term : rows.terms(outputs_.equation_of(output))) {
      Factors factors;
      double scale = term.Phi;
      for (const RowMap::Factor& factor : rows.factors(term.column))
        if (const double value = fixed_[at(factor.signal)]; std::isnan(value))
          factors.emplace_back(factor.signal, factor.S);
        else
          scale *= factor_at(factor.S, value);
      if (scale != 0.0) expand(row, scale, factors, -1, builder);
    }
  }
  return builder.build();
}

bool SurfaceColumns::determines_output(int equation) const {
  return std::ranges::any_of(outputs_.outputs_of(equation),
                             [&](int output) { return !depends_[at(output)].empty(); });
}

}  // namespace mti
