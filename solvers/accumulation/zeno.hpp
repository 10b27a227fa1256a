#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace mti {

/// Recognises switching times that accumulate: t_k → t_∞ with intervals that shrink geometrically.
///
/// With d the time that m periods of the switching pattern take and R = d_k/d_(k−1) < 1 the ratio of it to
/// the m periods before,
///
///     t_∞ = t_k + d_k R/(1 − R),    ratio of one period r = R^(1/m)
///
/// (Aitken's Δ²). m is taken so large that R is about one half: an error δ of the times then moves t_∞ by a
/// few δ, however close to 1 the ratio is. With R_(k+1) = R_k (1 + η) neighbouring estimates differ by
///
///     d_k (R_(k+1) − R_k)/((1 − R_(k+1))(1 − R_k)) ,
///
/// a part η/(1 − R_(k+1)) of what the older one adds to t_k, which is to be small. Of the estimates from all events those are taken that differ least
/// from their neighbours: the first intervals are not geometric yet, the last ones are the errors of their
/// times.
class ZenoDetector {
 public:
  static constexpr std::size_t longest_period = 8;  ///< events in one period of the pattern

  struct Limit {
    double time = 0.0;         ///< t_∞
    double ratio = 0.0;        ///< r
    double uncertainty = 0.0;  ///< by how much estimates of t_∞ differ where they are steadiest
    std::size_t period = 1;    ///< events in one period of the pattern
  };
  /// Adds an event; `resolution` is the uncertainty of its time, `known` what is asked of it where it is met by itself. A
  /// limit is reported when the motion is lost
  /// in the errors: what happens in one period, or in all the time that is left, is about the resolution, or
  /// the intervals near it no longer follow the law.
  [[nodiscard]] std::optional<Limit> add(double time, double resolution, double known);
  /// The limit that the events so far tend to, if their intervals shrink.
  [[nodiscard]] std::optional<Limit> tendency(double time) const;
  /// tendency() as it was found last: looked for again when the events are 1/64 more than then.
  [[nodiscard]] std::optional<Limit> recent_tendency(double time);
  /// tendency() if `time` is close to it: what is
  /// left is below a thousandth of what the intervals have covered. For a run that finds no successor there.
  [[nodiscard]] std::optional<Limit> near(double time) const;

  /// When the last event was; −∞ before the first.
  [[nodiscard]] double last() const {
    return times_.empty() ? -std::numeric_limits<double>::infinity() : times_.back();
  }

  /// The last turns of `period` events take ever less time: weaker than a tendency, which asks for a law.
  [[nodiscard]] bool shrinks(std::size_t period) const;

  /// visit(name, member) for each member of `self`, for what writes a run down and takes it up again.
  template <class Self, class Visit>
  static void members(Self& self, Visit&& visit) {
    visit("times", self.times_);
    visit("resolutions", self.resolutions_);
    visit("limit", self.limit_);
    visit("added", self.added_);
    visit("tendency", self.tendency_);
    visit("since_tendency", self.since_tendency_);
  }

 private:
  [[nodiscard]] double back(std::size_t events) const { return times_[times_.size() - 1 - events]; }
  template <class Look>
  void every_block(Look look) const;
  [[nodiscard]] bool shrinks(std::size_t period, std::size_t m, double ratio_of_few) const;
  [[nodiscard]] bool turns_alike(std::size_t at, std::size_t period) const;
  [[nodiscard]] bool agrees_with_last_ratio(const Limit& limit, double resolution) const;
  [[nodiscard]] bool goes_on_by(const Limit& limit, std::size_t at) const;
  [[nodiscard]] std::optional<Limit> steadiest(std::size_t period) const;
  [[nodiscard]] std::optional<Limit> steadiest(double resolution) const;
  [[nodiscard]] double resolution_of(std::size_t events) const {
    return resolutions_[resolutions_.size() - 1 - events];
  }
  std::vector<double> times_, resolutions_;  ///< of events, the last most_events of them at least
  std::optional<Limit> limit_;               ///< as found `added_` events ago
  std::size_t added_ = 0;
  std::optional<Limit> tendency_;  ///< as looked for `since_tendency_` events ago
  std::size_t since_tendency_ = 0;
};

}  // namespace mti
