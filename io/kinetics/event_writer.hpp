#pragma once

#include <string>
#include <vector>

#include "io/kinetics/event_order.hpp"
#include "io/kinetics/source_writer.hpp"
#include "io/kinetics/triggers.hpp"

namespace mti::sbml {

/// Writes events as states with laws of transitions (docs/restarts.md, "Transition laws"). With T the trigger as a number
/// 0 or 1 and states of value 0 or 1, `armed`, `pending` and `queued`,
///
///     T·armed <= 1/2                 law: armed = 0, and what the event does
///     (1 − T)·(1 − armed) <= 1/2     law: armed = 1; of an event that is not persistent, nothing is pending any more
///
/// An event with a delay d counts it down in a state, left = d at the trigger, and happens where it is used up:
///
///     der(left) = −pending,    −left·pending <= 0,    pending <= 3/2
///
/// the last for a second trigger in the meantime, which ends the run. Where the order of events matters (EventOrder), they
/// wait in `queued`, each for those before it, until the comparisons of the instant have been seen (`events.seen`) and
/// what they trigger (`events.turn`).
/// Events whose comparisons begin on a side that only the run finds wait for `events.started`, which the first laws set.
/// Refusals: `sbml-event`, `sbml-no-math` and those of formulas.
class EventWriter {
 public:
  explicit EventWriter(SourceWriter& writer);
  void write();

 private:
  struct Law {
    std::vector<std::string> replaces, equations;
  };
  void write(std::size_t index);
  void write_turns();
  /// Sets a state that has no other rate than 0, or `rate`, and is made where it is first named.
  void make(const std::string& state, Number start, const std::string& rate = "0");
  static void set(Law& law, const std::string& state, const std::string& value);
  void on(const std::string& constraint, const std::string& text, Law law);
  [[nodiscard]] std::string value_signal(const std::string& name, const Math& math, const Event& event);
  void assign(Law& law, const std::string& variable, const std::string& value, const Event& event);
  [[nodiscard]] std::string wait_for_start(const Math& trigger);
  [[nodiscard]] bool is_writable(const Event& event);

  SourceWriter& writer_;
  Source& source_;
  Triggers triggers_;
  EventOrder order_;
  bool waits_ = false;  ///< `events.started` is there
};

}  // namespace mti::sbml
