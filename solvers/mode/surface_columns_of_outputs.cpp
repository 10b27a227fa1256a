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

/// A motion that chatters over k surfaces visits their 2^k sides; more surfaces than this are not gone through.
constexpr std::size_t most_visited = 8;

/// Goes round the sides of the surfaces that outputs with memory depend on, again and again, in Gray's order, so that one
/// surface is crossed at a time: pre(z) holds the values of the side before. Outputs with memory that two whole rounds
/// have left alone have one value on all sides: a latch is set by the first side that sets it, and stays. `mode` gets
/// their values, as z and as pre(z). Result: which they are; a toggle, which each round moves, is none of them.
std::vector<char> come_to_rest_on_all_sides(const Signature& signature, const Outputs& outputs,
                                            const std::vector<int>& following, Mode& mode) {
  std::vector<char> rests(mode.z.size(), 0);
  std::vector<int> remembering;
  for (const int output : following)
    if (signature.find_pre(output)) remembering.push_back(output);
  if (remembering.empty()) return rests;
  std::vector<std::size_t> visited;
  for (std::size_t s = 0; s < mode.slides.size(); ++s) {
    const std::vector<int> behind = outputs.outputs_behind_in_time(mode.slides[s].binaries);
    if (std::ranges::any_of(behind, [&](int output) { return signature.find_pre(output).has_value(); }))
      visited.push_back(s);
  }
  if (visited.size() > most_visited) return rests;

  const std::vector<int> deciders = sliding_binaries(mode);
  Mode here = mode;
  for (const Slide& slide : mode.slides) put_on_side(slide, false, here);
  come_to_rest(signature, outputs, deciders, following, here);
  // Each round but the last two has set or reset something for good.
  constexpr int rounds_at_rest = 2;
  int at_rest = 0;
  for (std::size_t round = 0; at_rest < rounds_at_rest && round < 2 * remembering.size() + 4; ++round) {
    const std::vector<char> before = here.z;
    std::vector<char> moved(remembering.size(), 0);
    for (unsigned n = 1; n <= 1U << visited.size(); ++n) {
      check_budget();
      // From n − 1 to n the code changes in the lowest bit of n, and back to zero in the highest bit of all.
      const unsigned side = n ^ n >> 1U;
      std::size_t crossed = 0;
      while (crossed + 1 < visited.size() && (n >> crossed & 1U) == 0) ++crossed;
      const bool closes = n == 1U << visited.size();
      put_on_side(mode.slides[visited[crossed]], !closes && (side >> crossed & 1U) != 0, here);
      outputs.settle(here, following);
      for (const int output : following) remember(signature, here, output);
      come_to_rest(signature, outputs, deciders, following, here);
      for (std::size_t i = 0; i < remembering.size(); ++i)
        if (here.z[at(remembering[i])] != before[at(remembering[i])]) moved[i] = 1;
    }
    for (std::size_t i = 0; i < remembering.size(); ++i) rests[at(remembering[i])] = moved[i] == 0 ? 1 : 0;
    at_rest = std::ranges::none_of(moved, [](char each) { return each != 0; }) ? at_rest + 1 : 0;
  }
  for (const int output : remembering)
    if (rests[at(output)] != 0) {
      mode.z[at(output)] = here.z[at(output)];
      remember(signature, mode, output);
    }
  return rests;
}

}  // namespace

std::vector<int> after_what_they_need(const Outputs& outputs, const std::vector<int>& following) {
  const auto q = at(outputs.signature().q());
  std::vector<std::vector<int>> needing(q);
  std::vector<int> open_needs(q, 0);
  std::vector<char> waits(q, 0);
  for (const int output : following) waits[at(output)] = 1;
  for (const int output : following)
    for (const int binary : outputs.binaries_needed_by(output)) {
      if (waits[at(binary)] == 0) continue;
      needing[at(binary)].push_back(output);
      ++open_needs[at(output)];
    }
  std::vector<int> ordered;
  const auto take = [&](int output) {
    waits[at(output)] = 0;
    ordered.push_back(output);
  };
  std::size_t next = 0;
  for (const bool in_loops : {false, true})
    for (const int first : following) {
      if (waits[at(first)] == 0 || (!in_loops && open_needs[at(first)] > 0)) continue;
      take(first);
      for (; next < ordered.size(); ++next)
        for (const int output : needing[at(ordered[next])])
          if (--open_needs[at(output)] == 0 && waits[at(output)] != 0) take(output);
    }
  return ordered;
}

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
  const std::vector<int> following = outputs.outputs_behind_in_time(deciders);
  if (following.empty()) return;
  const std::vector<char> rests = come_to_rest_on_all_sides(signature, outputs, following, mode);

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
  // blended. Outputs come after those that they need, at once or by pre(z), whose surfaces are known by then.
  std::vector<std::vector<int>> depends(mode.z.size());
  for (std::size_t s = 0; s < mode.slides.size(); ++s)
    for (const int binary : mode.slides[s].binaries) depends[at(binary)] = {static_cast<int>(s)};
  for (const int output : after_what_they_need(outputs, following)) {
    if (rests[at(output)] != 0) continue;
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
      const std::vector<int> following = outputs.outputs_behind_in_time(sliding);
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
