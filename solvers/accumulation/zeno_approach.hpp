#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/polynomials/extrapolation.hpp"
#include "solvers/blocks/instant.hpp"

namespace mti {

/// The states at the most recent events of a run, for the point that accumulating switches lead to.
///
/// States take part that the surfaces of the limit hold, unless the events do nothing to them, or that its events of the
/// last turns change again and again, in value or in rate. At t_∞ they have the value of the polynomial in t through x at the last
/// turns of one phase, for at these bodies that fall and velocities that impacts make smaller are polynomials, or of the geometric sum
/// of its changes, as of what impacts multiply by a factor; of these it is what one turn more changes least, and by that it is
/// wrong. Where less than three turns are known, they are taken from the mean rates over whole turns of the
/// pattern that last about as long as what is left,
///
///     x_∞ = x_k + (t_∞ − t_k) (x_k − x_(k−j)) / (t_k − t_(k−j)) ,      t_k − t_(k−j) ≥ t_∞ − t_k ,
///
/// for the rate at the last event alone is that of a motion that turns back before t_∞; or, where the changes of turns decrease by a
/// factor q that is not that of the times, from their sum x_k + (x_k − x_(k−j)) q/(1 − q). States that move by the jumps of events
/// come to the sum of these, J q/(1 − q) with the ratio q of the jumps J of turns, |q| < 1; where the jumps do not become smaller, as
/// those of counters, they have no limit. What they do on the way is no more than how far they are off at the events of the last
/// turn and between them. What events outside the pattern jump by is left out of all this. Other states go on as they do, and are not told
/// here.
class Approach {
 public:
  struct Event {
    double time = 0.0;
    std::vector<int> constraints = {};
    std::vector<double> x = {}, rate = {};  ///< at the right
    std::vector<double> jump = {};          ///< of x; 0 for what the tolerances allow
    std::vector<char> changes = {};         ///< by state: its value, or its rate
    std::vector<int> switched =
        {};  ///< rows of binaries, ascending: i + 1 where one becomes 1, −i − 1 where 0
  };

  Approach(const Accuracy& accuracy, const Signature& signature);

  /// An event that met `constraints`, with v at its left and at its right.
  void note(double time, std::span<const int> constraints, std::span<const double> left,
            std::span<const double> right);

  struct Point {
    std::vector<double> x, uncertainty;  ///< what they do on the way to t_∞
    std::vector<double> error;           ///< of x
    std::vector<char> takes_part;        ///< by state; the others have the values of the last event
  };
  /// At t_∞, which is uncertain by `of_time`. Events of these constraints belong to the pattern, the times of `period` of them shrink together; `held` are the states
  /// (0 … n − 1) that its surfaces hold.
  [[nodiscard]] Point at_limit(double time, double of_time, std::size_t period,
                               std::span<const int> constraints, std::span<const int> held) const;
  /// States that events move on and on, by jumps that do not become smaller: counters. There is no x_∞ of them, and they go on from what
  /// the last event has left.
  [[nodiscard]] std::vector<int> without_limit(std::size_t period, std::span<const int> constraints) const;
  /// The events of the last turn did nothing to a state: from x at the last event its course x(τ) leads back through x at the
  /// others. So a floor that moves by itself has no part in the impacts on it.
  [[nodiscard]] bool goes_on(int state, std::size_t period, std::span<const int> constraints,
                             const std::function<double(double tau)>& course) const;

  /// Events of these constraints tell nothing of those to come. Of one that has met others, too, these are left, with what they
  /// do: without the states of those alone, if it is known what `states_with` each of them is.
  void forget(std::span<const int> constraints,
              const std::function<std::vector<int>(int constraint)>& states_with);
  /// No event that met the one or the other alone has changed what those of the other have.
  [[nodiscard]] bool are_independent(int constraint, int other) const;

  /// All that is remembered, for a run that is taken up elsewhere.
  [[nodiscard]] const std::deque<Event>& events() const noexcept { return events_; }
  void take_up(std::deque<Event> events) { events_ = std::move(events); }

 private:
  [[nodiscard]] std::vector<const Event*> pattern(std::span<const int> constraints) const;
  [[nodiscard]] static std::size_t turn_of(const std::vector<const Event*>& events, std::size_t period,
                                           std::span<const int> constraints);
  [[nodiscard]] bool belongs_to(std::size_t i, const std::vector<const Event*>& events, std::size_t turn,
                                std::span<const int> constraints) const;
  struct Node {
    double time, x;
  };
  [[nodiscard]] std::vector<Node> nodes_of(std::size_t i, const std::vector<const Event*>& events) const;
  /// What moves by the jumps of events.
  struct Jumping {
    bool has_limit = true;
    double still_to_come = 0.0;        ///< of jumps
    double rate = 0.0;                 ///< without jumps, in the last turn
    std::optional<double> error = {};  ///< of what is still to come, where the ratio tells
  };
  [[nodiscard]] static std::optional<Jumping> jumping(std::size_t i, std::span<const Node> nodes,
                                                      const std::vector<const Event*>& events,
                                                      std::size_t turn, std::span<const int> constraints);
  [[nodiscard]] static std::optional<Jumping> jumping_alone(std::size_t i, std::span<const Node> nodes,
                                                            const std::vector<const Event*>& events);
  [[nodiscard]] static std::optional<Extrapolated> extrapolated(std::span<const Node> nodes,
                                                                const std::vector<const Event*>& events,
                                                                std::size_t turn, double time,
                                                                std::span<const int> constraints);
  [[nodiscard]] static std::optional<double> own_factor(const Node& now, const Node& before,
                                                        const Node* earlier);
  [[nodiscard]] static double still_to_come(const Node& now, const Node& before, const Node* earlier,
                                            double left);

  int n_, state_row_, q_, binary_row_;
  double continuous_;
  std::vector<double> smallest_;  ///< jump of a state
  std::size_t most_;
  std::deque<Event> events_;
};

}  // namespace mti
