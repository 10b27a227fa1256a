#include "tests/program/exact_affine.hpp"

#include <unsupported/Eigen/MatrixFunctions>

#include <algorithm>
#include <map>

namespace mti::test {
namespace {

/// The flow of one mode; the step's matrix exponential is made once.
struct Flow {
  Flow(ExactMode mode_, double step) : mode(std::move(mode_)), step_map((mode.M * step).exp()) {}

  [[nodiscard]] Eigen::VectorXd after(double h, const Eigen::VectorXd& w) const {
    return (mode.M * h).exp() * w;
  }

  /// The first zero of s·w in (0, h], s·w ≤ 0 at 0 and > 0 at h.
  [[nodiscard]] double crossing(const Eigen::RowVectorXd& s, double h, const Eigen::VectorXd& w) const {
    double low = 0.0, high = h;
    while (low < 0.5 * (low + high) && 0.5 * (low + high) < high) {
      const double middle = 0.5 * (low + high);
      (s.dot(after(middle, w)) > 0.0 ? high : low) = middle;
    }
    return high;
  }

  ExactMode mode;
  Eigen::MatrixXd step_map;
};

}  // namespace

std::vector<ExactSwitch> follow(const std::function<ExactMode(int)>& system, double t, double stop,
                                double step, Eigen::VectorXd& w, int& mode) {
  std::map<int, Flow> flows;
  const auto flow_of = [&](int m) -> const Flow& {
    return flows.try_emplace(m, system(m), step).first->second;
  };
  std::vector<ExactSwitch> switches;
  const auto take = [&](double time, const ExactMode::Exit& exit, double slope) {
    switches.push_back({time, mode, exit.next, slope});
    mode = exit.next;
  };
  for (bool again = true; again;) {
    again = false;
    for (const ExactMode::Exit& exit : flow_of(mode).mode.exits)
      if (!again && exit.s.dot(w) > 0.0) {
        take(t, exit, 0.0);
        again = true;
      }
  }
  while (t < stop) {
    const Flow& flow = flow_of(mode);
    const double h = std::min(step, stop - t);
    const Eigen::VectorXd end = h == step ? Eigen::VectorXd(flow.step_map * w) : flow.after(h, w);
    const ExactMode::Exit* first = nullptr;
    double first_h = h;
    for (const ExactMode::Exit& exit : flow.mode.exits) {
      if (exit.s.dot(end) <= 0.0) continue;
      const double crossing = flow.crossing(exit.s, h, w);
      if (first == nullptr || crossing < first_h) {
        first = &exit;
        first_h = crossing;
      }
    }
    w = first == nullptr ? end : flow.after(first_h, w);
    t += first_h;
    if (stop - t < 1e-13 * std::max(1.0, std::abs(stop))) t = stop;
    if (first != nullptr) take(t, *first, first->s.dot(flow.mode.M * w));
  }
  return switches;
}

}  // namespace mti::test
