#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "mti/model/model.hpp"
#include "mti/model/signal_history.hpp"
#include "solvers/blocks/instant.hpp"

namespace mti {

/// The past of the signals that inputs of a model are delayed from, while a run goes on.
///
/// A delayed signal u(t) = a(t − T) is as smooth at t as a is at t − T. So times s at which the run is not smooth are
/// breakpoints of its inputs at s + T, and where they have made no jump, one derivative higher (Bellen and Zennaro,
/// Numerical Methods for Delay Differential Equations, 2003, ch. 2). The past is known up to where the run stands, so
/// that a segment is no longer than the shortest T.
class DelayHistories {
 public:
  /// Both outlive it.
  DelayHistories(const Model& model, const Accuracy& accuracy);

  [[nodiscard]] bool any() const noexcept { return !delays_.empty(); }
  /// On to `end` by values at the n + 1 nodes of [begin, end] (mti/common/barycentric.hpp).
  void add(double begin, double end, int n, const std::function<std::span<const double>(double t)>& v);
  /// A segment begins at t with the right limits v, after an event or not; the first one begins the run, if that is not one
  /// that was taken up.
  void begin_segment(double t, std::span<const double> v, bool with_event);

 private:
  struct Delay {
    int row = 0;
    std::shared_ptr<SignalHistory> history;
    std::vector<double> values = {};
  };
  [[nodiscard]] bool is_own_breakpoint(double t) const;
  [[nodiscard]] int smoothness_at(double t) const;

  const Model& model_;
  const Accuracy& accuracy_;
  std::vector<Delay> delays_;
};

}  // namespace mti
