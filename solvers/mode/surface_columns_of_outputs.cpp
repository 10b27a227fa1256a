#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/surface_columns.hpp"

namespace mti {
namespace {

std::vector<int> sliding_binaries(const Mode& mode) {
  std::vector<int> all;
  for (const Slide& slide : mode.slides) all.insert(all.end(), slide.binaries.begin(), slide.binaries.end());
  return all;
}

void remember(const Signature& signature, Mode& mode, int binary) {
  if (const auto row = signature.find_pre(binary))
    mode.pre[at(*row - signature.pre_row(0))] = mode.z[at(binary)];
}

/// Puts the binaries of a slide to one side.
void put_on_side(const Slide& slide, bool above, Mode& mode) {
  for (std::size_t i = 0; i < slide.binaries.size(); ++i)
    mode.z[at(slide.binaries[i])] = above ? slide.above[i] : slide.below[i];
}

/// The surfaces that an output's equation depends on in this mode, by those that its binaries depend on.
std::vector<int> surfaces_of(const Signature& signature, const Outputs& outputs, int output, const Mode& mode,
                             const std::vector<std::vector<int>>& depends) {
  std::vector<int> surfaces;
  const auto binary_of = [&](int row) {
    const int pre = row - signature.pre_row(0);
    return pre >= 0 ? signature.pre()[at(pre)] : row - signature.binary_row(0);
  };
  for (const RowMap::Term& term : outputs.equations().terms(outputs.equation_of(output))) {
    double fixed = 1.0;
    std::vector<int> of_term;
    for (const RowMap::Factor& factor : outputs.equations().factors(term.column)) {
      const int binary = binary_of(factor.signal);
      if (binary == output) continue;
      if (binary >= 0 && !depends[at(binary)].empty())
        of_term.insert(of_term.end(), depends[at(binary)].begin(), depends[at(binary)].end());
      else
        fixed *= 1.0 - std::abs(factor.S) + factor.S * outputs.value_in(mode, factor.signal);
    }
    if (fixed != 0.0) surfaces.insert(surfaces.end(), of_term.begin(), of_term.end());
  }
  std::sort(surfaces.begin(), surfaces.end());
  surfaces.erase(std::unique(surfaces.begin(), surfaces.end()), surfaces.end());
  return surfaces;
}

/// Outputs as they come to be while `deciders` stay where they are: again and again with pre(z) := z.
void come_to_rest(const Signature& signature, const Outputs& outputs, const std::vector<int>& deciders,
                  const std::vector<int>& following, Mode& mode) {
  constexpr int most_rounds = 32;
  for (const int decider : deciders) remember(signature, mode, decider);
  for (int round = 0; round < most_rounds; ++round) {
    outputs.settle(mode, following);
    const std::vector<char> before = mode.pre;
    for (const int output : following) remember(signature, mode, output);
    if (mode.pre == before) return;
  }
}

}  // namespace

void follow_slides(const Signature& signature, const Outputs& outputs, Mode& mode) {
  // Outputs that joined a slide before are taken out of it: the deciders say anew which do.
  mode.blended.clear();
  for (Slide& slide : mode.slides) {
    Slide own{slide.constraint, {}, {}, {}, slide.pinned};
    for (std::size_t i = 0; i < slide.binaries.size(); ++i) {
      if (outputs.is_output(slide.binaries[i])) continue;
      own.binaries.push_back(slide.binaries[i]);
      own.below.push_back(slide.below[i]);
      own.above.push_back(slide.above[i]);
    }
    slide = std::move(own);
  }
  const std::vector<int> deciders = sliding_binaries(mode);
  const std::vector<int> following = outputs.outputs_behind(deciders);
  if (following.empty()) return;

  // What outputs are on the sides: all surfaces below, and each of them alone above.
  Mode below = mode;
  for (const Slide& slide : mode.slides) put_on_side(slide, false, below);
  std::vector<Mode> above(mode.slides.size(), below);
  come_to_rest(signature, outputs, deciders, following, below);
  for (std::size_t s = 0; s < above.size(); ++s) {
    check_budget();
    put_on_side(mode.slides[s], true, above[s]);
    come_to_rest(signature, outputs, deciders, following, above[s]);
  }

  // An output of no surface has one value; of one surface it joins the slide if its sides differ; of several it is
  // blended. Outputs come after those that they need, whose surfaces are known by then.
  std::vector<std::vector<int>> depends(mode.z.size());
  for (std::size_t s = 0; s < mode.slides.size(); ++s)
    for (const int binary : mode.slides[s].binaries) depends[at(binary)] = {static_cast<int>(s)};
  for (const int output : following) {
    std::vector<int>& surfaces = depends[at(output)];
    surfaces = surfaces_of(signature, outputs, output, mode, depends);
    if (surfaces.size() == 1) {
      const char low = below.z[at(output)], high = above[at(surfaces[0])].z[at(output)];
      if (low == high) {
        surfaces.clear();
        mode.z[at(output)] = low;
        continue;
      }
      Slide& slide = mode.slides[at(surfaces[0])];
      const bool from_above = mode.z[at(slide.binaries[0])] == slide.above[0];
      mode.z[at(output)] = from_above ? high : low;
      const auto place = std::lower_bound(slide.binaries.begin(), slide.binaries.end(), output);
      const auto offset = place - slide.binaries.begin();
      slide.binaries.insert(place, output);
      slide.below.insert(slide.below.begin() + offset, low);
      slide.above.insert(slide.above.begin() + offset, high);
    } else if (surfaces.size() > 1) {
      mode.blended.push_back(output);
    } else {
      mode.z[at(output)] = below.z[at(output)];
    }
  }
  std::sort(mode.blended.begin(), mode.blended.end());
}

bool chatters(const Signature& signature, const Outputs& outputs, const Mode& mode) {
  if (signature.r() == 0) return true;
  const std::vector<int> sliding = sliding_binaries(mode);
  for (const Slide& slide : mode.slides)
    for (const bool above : {false, true}) {
      check_budget();
      // The motion comes to this side from the other one, which pre(z) remembers.
      Mode side = mode;
      for (const Slide& each : mode.slides) put_on_side(each, false, side);
      put_on_side(slide, !above, side);
      for (const int binary : sliding) remember(signature, side, binary);
      put_on_side(slide, above, side);
      // Now outputs take what this side makes of them, again and again until pre(z) stands, and must come to be what
      // the slide says they are here.
      const std::vector<int> following = outputs.outputs_behind(sliding);
      const std::vector<char> here = side.z;
      outputs.settle(side, following);
      for (const int output : following) remember(signature, side, output);
      come_to_rest(signature, outputs, sliding, following, side);
      for (const int binary : slide.binaries)
        if (side.z[at(binary)] != here[at(binary)]) return false;
      for (const int output : following)
        if (!std::binary_search(mode.blended.begin(), mode.blended.end(), output) &&
            side.z[at(output)] != here[at(output)])
          return false;
    }
  return true;
}

}  // namespace mti
