#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "solvers/accumulation/zeno.hpp"

namespace mti {

/// The accumulations of a run's switches, each with the constraints that take part in it.
///
/// The times of all events are watched, and those of each constraint by themselves: motions that do not depend on each
/// other accumulate at times of their own, t_∞ and t'_∞, and their events come in any order. Constraints whose own events
/// tend to another limit than that which was found take no part in it. Limits that are no further apart than
/// the time of the event is uncertain are one.
class Accumulations {
 public:
  struct Found {
    ZenoDetector::Limit limit;
    std::vector<int> constraints;  ///< that were met again and again, ascending
    struct Near {
      int constraint;
      double time;
    };
    std::vector<Near> near;  ///< of these, what tends to other limits that are not told apart
  };

  /// Adds an event that met `constraints`; `resolution` is the uncertainty of its time, `known` what is asked of it.
  [[nodiscard]] std::optional<Found> add(double time, double resolution, double known,
                                         std::span<const int> constraints);
  /// The limit that the events so far tend to, as ZenoDetector::tendency() and near().
  [[nodiscard]] std::optional<Found> tendency(double time, double resolution);
  [[nodiscard]] std::optional<Found> near(double time, double resolution);
  /// The last turns meet the same several surfaces, one after the other, in ever less time.
  [[nodiscard]] bool closes_in() const;
  /// Of the turns that are kept, as long as those of surfaces may be, or of three if there have been fewer events.
  [[nodiscard]] bool is_met_in_each_turn(int constraint) const;
  /// Constraints that tend to limits of their own, behind `time`.
  [[nodiscard]] std::vector<int> tending_beyond(double time);
  /// When a constraint was met last; −∞: it has not been, as far as is known.
  [[nodiscard]] double last_met(int constraint) const;
  /// After the run has gone on at a limit, or where what they tend to has changed.
  void forget(std::span<const int> constraints);

  /// visit(name, member) for each member of `self`, for what writes a run down and takes it up again.
  template <class Self, class Visit>
  static void members(Self& self, Visit&& visit) {
    visit("all", self.all_);
    visit("own", self.own_);
    visit("recent", self.recent_);
  }

 private:
  [[nodiscard]] std::optional<Found> found(const ZenoDetector::Limit& all, double time, double resolution,
                                           bool of_all);
  [[nodiscard]] bool repeats(std::size_t period) const;
  [[nodiscard]] std::size_t turn_of_surfaces() const;
  [[nodiscard]] std::vector<int> recent(std::size_t events) const;

  ZenoDetector all_;
  std::map<int, ZenoDetector> own_;      ///< by constraint
  std::deque<std::vector<int>> recent_;  ///< constraints of events, the last one first
};

}  // namespace mti
