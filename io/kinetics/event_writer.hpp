#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/kinetics/event_order.hpp"
#include "io/kinetics/jumping_flags.hpp"
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
/// are counted in `queued` and wait, each for those before it, until the comparisons of the instant have been seen
/// (`events.seen`) and what they trigger (`events.turn`). With Q the other events that come before it,
///
///     queued·turn·(1 − Σ queued of Q) <= 1/2     law: queued = pre(queued) − 1, and what the event does
///
/// An event whose priority changes is in Q by flags of the comparisons of priorities, and of two whose order is open the
/// one that comes first from the event on that is drawn.
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
  void hold_one_value(Law& triggered, const std::string& event, const std::string& assigned,
                      const std::string& value);
  [[nodiscard]] std::string is_higher(std::size_t one, std::size_t other);
  void draw_lots();
  [[nodiscard]] std::string begins_between(std::size_t first, std::size_t last) const;
  /// 0 or 1: `one` comes before `other`, as chance has it.
  [[nodiscard]] std::string before(std::size_t one, std::size_t other) const {
    return one < other ? "(1 - " + begins_between(one, other) + ")" : begins_between(other, one);
  }
  [[nodiscard]] std::string minus_those_before(std::size_t index);
  [[nodiscard]] bool may_jump(const Math& formula) const;
  [[nodiscard]] bool is_writable(const Event& event);

  SourceWriter& writer_;
  Source& source_;
  Triggers triggers_;
  EventOrder order_;
  std::map<std::string, HappeningLaw> happening_;  ///< by event
  std::vector<std::size_t> drawn_;  ///< one of them is drawn to be the first; in the order of the file
};

}  // namespace mti::sbml
