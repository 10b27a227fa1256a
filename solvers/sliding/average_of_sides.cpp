#include "solvers/sliding/average_of_sides.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/admissibility/admissibility.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/mode/run_text.hpp"

namespace mti {
namespace {

/// θ of each surface, from the column of its first binary.
std::vector<double> weights_of(const Mode& mode, const Signature& signature, std::span<const double> v) {
  std::vector<double> weights;
  for (const Slide& slide : mode.slides) {
    const double below = slide.below.front(), above = slide.above.front();
    weights.push_back((v[at(signature.binary_row(slide.binaries.front()))] - below) / (above - below));
  }
  return weights;
}

/// The mode above the surfaces of the bits of `side`, and below the others; on a side pre(z) = z.
std::optional<Mode> mode_on_side(const Mode& mode, unsigned side, const Outputs& outputs) {
  Mode result = mode;
  result.slides.clear();
  const std::vector<int>& remembered = outputs.signature().pre();
  for (std::size_t s = 0; s < mode.slides.size(); ++s) {
    const Slide& slide = mode.slides[s];
    const std::vector<char>& values = (side >> s) & 1U ? slide.above : slide.below;
    for (std::size_t i = 0; i < slide.binaries.size(); ++i) {
      result.z[at(slide.binaries[i])] = values[i];
      const auto memory = std::ranges::find(remembered, slide.binaries[i]);
      if (memory != remembered.end()) result.pre[at(memory - remembered.begin())] = values[i];
    }
  }
  if (!settle_outputs(outputs, result)) return std::nullopt;
  return result;
}

/// The rows that the motion breaks at once; those of the surfaces are zero.
std::vector<int> broken_rows(Motion& motion) {
  std::vector<int> broken = motion.system().broken_constraints;
  for (const int row : motion.system().live_constraints) {
    const Ball g = motion.constraint(row, 0);
    if (g.value > g.error) broken.push_back(row);
  }
  return broken;
}

/// Motions that all sides of a slide may be asked for: each is a restart.
constexpr int most_motions = 500;

/// Binaries that compare what differs from side to side, as those of |w − 3z|, have values of their own there: found
/// from broken row to broken row, the fewest changes first. Of the deciders of a row that is broken any may have to
/// change, or all of them.
class SideSearch {
 public:
  SideSearch(const Model& model, ModeCache& cache, const Accuracy& accuracy, const Instant& instant,
             const Mode& sliding)
      : model_(model), cache_(cache), accuracy_(accuracy), instant_(instant), sliding_(sliding) {}

  /// The motion on a side; none where no such mode is found, or too late.
  std::shared_ptr<Motion> motion(const Mode& side) {
    std::deque<Mode> modes{side};
    std::set<std::vector<char>> seen{side.z};
    for (; !modes.empty(); modes.pop_front()) {
      check_budget();
      if (++motions_ > most_motions) return {};
      std::shared_ptr<Motion> motion = motion_in(model_, cache_.get(modes.front()), accuracy_, instant_);
      if (!motion || !motion->solved()) continue;
      const std::vector<int> broken = broken_rows(*motion);
      if (broken.empty()) return motion;
      const std::vector<int> deciders = deciders_of(broken);
      const auto add = [&](std::span<const int> flipped) {
        Mode next = modes.front();
        for (const int binary : flipped) next.z[at(binary)] ^= 1;
        if (settle_outputs(cache_.outputs(), next) && seen.insert(next.z).second) modes.push_back(next);
      };
      for (const int& binary : deciders) add({&binary, 1});
      add(deciders);
    }
    return {};
  }

 private:
  [[nodiscard]] std::vector<int> deciders_of(const std::vector<int>& rows) const {
    std::set<int> deciders;
    for (const int row : rows)
      for (const int binary : cache_.outputs().deciders_behind(cache_.rows().g.binaries(row)))
        if (slide_of(sliding_, binary) == nullptr) deciders.insert(binary);
    return {deciders.begin(), deciders.end()};
  }

  const Model& model_;
  ModeCache& cache_;
  const Accuracy& accuracy_;
  const Instant& instant_;
  const Mode& sliding_;
  int motions_ = 0;
};

}  // namespace

std::optional<RateOffAverage> rate_off_average(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                               const Instant& instant, const Mode& mode) {
  // Of the largest of the rates: what is solved for twice differs by less.
  constexpr double differs = 1e-6;
  if (mode.slides.empty() || mode.slides.size() > most_averaged) return std::nullopt;
  const Signature& signature = model.signature;
  const std::vector<double> theta = weights_of(mode, signature, instant.v);
  // `open`: not known of the rate on some side. Of a fast state that has relaxed there, which is to move it within its ε,
  // nothing is.
  std::vector<double> average(at(signature.n()), 0.0), largest(at(signature.n()), 0.0),
      open(at(signature.n()), 0.0);
  SideSearch search(model, cache, accuracy, instant, mode);
  for (unsigned side = 0; side < 1U << mode.slides.size(); ++side) {
    double weight = 1.0;
    for (std::size_t s = 0; s < theta.size(); ++s) weight *= (side >> s) & 1U ? theta[s] : 1.0 - theta[s];
    const std::optional<Mode> on_side = mode_on_side(mode, side, cache.outputs());
    if (!on_side) return std::nullopt;
    const std::shared_ptr<Motion> motion = search.motion(*on_side);
    if (!motion || !motion->restart().impulsive_parts().empty()) return std::nullopt;
    for (int i = 0; i < signature.n(); ++i) {
      const double x = instant.v[at(signature.state_row(i))],
                   rate = motion->v()[at(signature.derivative_row(i))];
      const double moved = std::abs(motion->v()[at(signature.state_row(i))] - x);
      if (!(moved <= accuracy.of(signature.state_row(i), x))) return std::nullopt;
      const bool relaxed = motion->relaxation() > 0.0 && moved > 0.0;
      average[at(i)] += weight * rate;
      open[at(i)] = relaxed ? std::numeric_limits<double>::infinity()
                            : std::max(open[at(i)], motion->signal(signature.derivative_row(i), 0).error);
      largest[at(i)] = std::max(largest[at(i)], std::abs(rate));
    }
  }
  RateOffAverage farthest;
  double off = differs;
  for (int i = 0; i < signature.n(); ++i) {
    const double rate = instant.v[at(signature.derivative_row(i))];
    const double difference = std::abs(rate - average[at(i)]), part = difference / largest[at(i)];
    if (part > off && difference > open[at(i)]) {
      off = part;
      farthest = {i, rate, average[at(i)]};
    }
  }
  return farthest.state >= 0 ? std::optional(farthest) : std::nullopt;
}

std::string describe(const RateOffAverage& off, const Mode& mode, const Signature& signature, double time) {
  std::string names;
  for (const Slide& slide : mode.slides)
    for (const int binary : slide.binaries)
      names += (names.empty() ? "" : ", ") + signature.binaries()[at(binary)].name;
  // + 0.0: no −0
  return "while " + names + " slides, from t = " + number(time) + " on, der(" +
         signature.states()[at(off.state)].name + ") is " + number(off.sliding + 0.0) +
         " there, and would be " + number(off.average + 0.0) +
         " as the average of both sides: an equation multiplies what slides with an unknown, or a condition "
         "compares it (see docs/events.md, \"Sliding\")";
}

}  // namespace mti
