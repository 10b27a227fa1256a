#include "io/kinetics/event_writer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <utility>

#include "io/kinetics/counters.hpp"
#include "io/kinetics/jumping_flags.hpp"
#include "io/kinetics/shared_comparison.hpp"
#include "io/kinetics/split_comparison.hpp"
#include "io/sbml/choices.hpp"
#include "io/sbml/evaluate_math.hpp"

namespace mti::sbml {

EventWriter::EventWriter(SourceWriter& writer)
    : writer_(writer), source_(writer.source()), triggers_(writer), order_(writer.quantities()) {}

void EventWriter::make(const std::string& state, Number start, const std::string& rate) {
  source_.states.push_back({.name = state, .start = std::move(start)});
  source_.equations.emplace_back(state + ".rate", "der(" + state + ") = " + rate);
}

void EventWriter::set(Law& law, const std::string& state, const std::string& value) {
  law.replaces.push_back(state + ".rate");
  law.equations.push_back(state + " = " + value);
}

void EventWriter::on(const std::string& constraint, const std::string& text, Law law) {
  source_.constraints.emplace_back(constraint, text);
  source_.transitions.push_back(
      {"reach(" + constraint + ")", std::move(law.replaces), std::move(law.equations)});
}

/// A formula as a signal whose left limit a law can take; of constants the formula itself.
std::string EventWriter::value_signal(const std::string& name, const Math& math, const Event& event) {
  if (writer_.is_constant(math)) {
    std::string text = "(" + writer_.value(math, event.id) + ")";
    if (!holds_condition(math)) return text;
    source_.parameters.push_back({name, text});  // laws have no conditions
    return name;
  }
  const Math formula = with_choices(writer_.quantities(), math);
  const bool by_flags = may_jump(formula);
  if (const auto both = by_flags ? std::nullopt : shared_comparison(writer_, math, *event.trigger))
    writer_.refusals().add(
        "sbml-event", event.id,
        "takes a formula that compares " + *both +
            ", as its trigger does: which side the formula is on when it happens cannot be told");
  // An event at the very start takes it before anything has been solved.
  Number start = 0.0;
  if (event.initial_value)
    start = writer_.quantities().start_value(math).value_or(0.0);
  else
    start = writer_.initial().text(math, event.id);
  source_.algebraic.push_back({.name = name, .start = std::move(start)});
  const auto flag = [&](const Math& condition) { return triggers_.text(condition, event.id); };
  source_.equations.emplace_back(
      name, name + " = " +
                (by_flags ? writer_.value_by_flags(formula, event.id, flag) : writer_.value(math, event.id)));
  return "pre(" + name + ")";
}

/// A value of sums of products that chooses by what events set. Laws take it behind the change of its conditions, which have to be states
/// then: of binaries the mode changes behind the laws.
bool EventWriter::may_jump(const Math& formula) const {
  const Quantities& quantities = writer_.quantities();
  if (!holds_choice(quantities, formula) || !is_sum_of_choices(formula)) return false;
  const std::set<std::string> sources = quantities.sources_of(formula);
  return std::ranges::any_of(quantities.document().events, [&](const Event& event) {
    return std::ranges::any_of(event.assignments, [&](const Assignment& assignment) {
      return sources.contains(assignment.variable);
    });
  });
}

void EventWriter::assign(Law& law, const std::string& variable, const std::string& value,
                         const Event& event) {
  const Quantities& quantities = writer_.quantities();
  const Quantity* const quantity = quantities.find(variable);
  using By = Quantity::By;
  if (quantity == nullptr || quantity->by == By::rule || quantity->by == By::algebra) {
    writer_.refusals().add("sbml-event", event.id,
                           "assigns " + variable + ", which a rule determines all the time");
    return;
  }
  law.replaces.push_back(quantity->name + ".rate");
  if (quantity->by_amount)
    // The size is that before the event, whatever else it assigns (case 01780 of the semantic test suite).
    law.equations.push_back(quantity->name + ".amount = " + value + "*pre(" +
                            writer_.name(quantities.compartment_of(*quantity).id) + ")");
  else
    law.equations.push_back(quantity->name + " = " + value);
}

/// An event that is triggered again while it waits for its turn holds one value of the trigger time: another one ends the
/// run. The factor, which is no ratio of whole numbers, keeps differences from cancelling.
void EventWriter::hold_one_value(Law& triggered, const std::string& event, const std::string& assigned,
                                 const std::string& value) {
  const std::string differing = assigned + ".differing";
  make(differing, 0.0);
  set(triggered, differing,
      "1.618033988749895*pre(" + differing + ") + pre(" + event + ".queued)*(" + value + " - pre(" +
          assigned + ".held))");
  source_.constraints.emplace_back(assigned + ".one_at_a_time", "1e30*" + differing + "^2 <= 1.5");
}

bool EventWriter::is_writable(const Event& event) {
  const auto refuse = [&](const char* id, const std::string& why) {
    writer_.refusals().add(id, event.id, why);
    return false;
  };
  if (!event.trigger) return refuse("sbml-no-math", "an event without a trigger");
  const auto follows_jumps = [&](const std::optional<Math>& math) {
    return math && follows_counter_of_jumps(writer_.quantities(), *math);
  };
  if (follows_jumps(event.trigger) || follows_jumps(event.delay) || follows_jumps(event.priority) ||
      std::ranges::any_of(event.assignments, follows_jumps, &Assignment::math))
    return refuse(
        "sbml-event",
        "follows a function of steps of what jumps: at that instant its value is not known at once");
  if (event.has_delay && !event.delay)
    return refuse("sbml-no-math", "an event with a delay that has no formula");
  if (event.has_priority && !event.priority)
    return refuse("sbml-no-math", "an event with a priority that has no formula");
  if (order_.matters() && event.priority)
    if (const auto both = shared_comparison(writer_, *event.priority, *event.trigger))
      return refuse("sbml-event", "a priority that compares " + *both +
                                      ", as its trigger does: which side it is on then cannot be told");
  for (const Assignment& assignment : event.assignments)
    if (!assignment.math)
      return refuse("sbml-no-math", "an assignment of " + assignment.variable + " without a formula");
  return true;
}

void EventWriter::write() {
  const std::vector<Event>& events = writer_.quantities().document().events;
  draw_lots();
  for (std::size_t i = 0; i < events.size(); ++i)
    if (is_writable(events[i])) write(i);
  write_turns();
  if (!drawn_.empty())
    for (const auto& [event, law] : happening_) {
      TransitionSource& happens = source_.transitions[law.transition];
      happens.replaces.emplace_back("events.chance.rate");
      happens.equations.emplace_back("events.chance = pre(events.chance.next)");
    }
  set_jumping_flags(writer_, triggers_.comparisons(), happening_, order_.matters());
}

/// 0 or 1: of two events whose priorities change, the one has the higher priority now.
std::string EventWriter::is_higher(std::size_t one, std::size_t other) {
  const std::vector<Event>& events = writer_.quantities().document().events;
  return triggers_.compared(*events[one].priority, *events[other].priority, true, events[one].id);
}

/// Of m events whose order is left to chance one is drawn anew behind each event: from it on they come in the order of the
/// file, those before it last. The map r⁺ = 4 r (1 − r) takes the angle θ of r = sin²(πθ/2) as a random one in [0, 1] (Ulam
/// and von Neumann, Bull. AMS 53 (1947) 1120), doubled and folded, and state j says whether ⌊mθ⌋ ≥ j. Where only some of the m
/// wait, the next of them in the file has the share of one that does not.
void EventWriter::draw_lots() {
  if (!order_.leaves_to_chance()) return;
  const std::size_t events = writer_.quantities().document().events.size();
  for (std::size_t i = 0; i < events; ++i) {
    bool is_drawn = false;
    for (std::size_t k = 0; k < events; ++k)
      is_drawn = is_drawn || (k != i && order_.is_left_to_chance(i, k));
    if (is_drawn) drawn_.push_back(i);
  }
  const std::string state = "events.chance";
  constexpr double start = 0.2718281828459045;
  source_.states.push_back({.name = state, .start = start});
  source_.equations.emplace_back(state + ".rate", "der(" + state + ") = 0");
  // One application tells much of the next lot by this one, several of them little.
  constexpr int applications = 8;
  for (int k = 1; k <= applications; ++k) {
    const std::string before = k == 1 ? state : state + ".mixed" + std::to_string(k - 1);
    const std::string next = k == applications ? state + ".next" : state + ".mixed" + std::to_string(k);
    source_.algebraic.push_back({.name = next, .start = 0.5});
    source_.equations.emplace_back(next, next + " = 4*" + before + "*(1 - " + before + ")");
  }
  for (std::size_t j = 1; j < drawn_.size(); ++j) {
    const double sine =
        std::sin(0.5 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(drawn_.size()));
    const double border = sine * sine;
    const std::string name = "events.drawn" + std::to_string(j), at_border = text::format_number(border);
    make(name, start >= border ? 1.0 : 0.0);
    Law beyond, below;
    set(beyond, name, "1");
    set(below, name, "0");
    on(name + ".on", "(" + state + " - " + at_border + ")*(1 - " + name + ") <= 0", std::move(beyond));
    on(name + ".off", "(" + at_border + " - " + state + ")*" + name + " <= 0", std::move(below));
  }
}

/// 0 or 1: the event that was drawn stands behind the first of these, and not behind the last.
std::string EventWriter::begins_between(std::size_t first, std::size_t last) const {
  const auto number_up_to = [this](std::size_t event) {
    return std::ranges::upper_bound(drawn_, event) - drawn_.begin();
  };
  const auto reaches = [this](std::ptrdiff_t j) -> std::string {
    return j == 0 ? "1" : j == std::ssize(drawn_) ? "0" : "events.drawn" + std::to_string(j);
  };
  const auto low = number_up_to(first), high = number_up_to(last);
  return low == high ? "0" : "(" + reaches(low) + " - " + reaches(high) + ")";
}

/// How many of the events that wait come before this one.
std::string EventWriter::minus_those_before(std::size_t index) {
  const std::vector<Event>& events = writer_.quantities().document().events;
  std::string text;
  for (std::size_t k = 0; k < events.size(); ++k) {
    if (k == index) continue;
    const std::string queued = " - " + events[k].id + ".queued";
    const bool by_chance = order_.leaves_to_chance();
    if (order_.by_changing_priorities(k, index)) {
      const std::string above = is_higher(k, index), below = is_higher(index, k);
      text += queued + "*" +
              (by_chance   ? "(" + above + " + (1 - " + above + " - " + below + ")*" + before(k, index) + ")"
               : k < index ? "(1 - " + below + ")"
                           : above);
    } else if (by_chance && order_.are_tied(k, index)) {
      text += queued + "*" + before(k, index);
    } else if (order_.precedes(k, index)) {
      text += queued;
    }
  }
  return text;
}

void EventWriter::write(std::size_t index) {
  const Event& event = writer_.quantities().document().events[index];
  const std::string& name = event.id;
  const std::string trigger = triggers_.text(*event.trigger, name);
  const std::optional<double> fixed_delay = event.delay && writer_.is_constant(*event.delay)
                                                ? writer_.quantities().start_value(*event.delay)
                                                : std::nullopt;
  if (fixed_delay && *fixed_delay < 0.0) writer_.refusals().add("sbml-event", name, "a delay below 0");
  const bool delayed = event.delay && !(event.delay->op == "number" && event.delay->value == 0.0);
  const bool at_once = !delayed && !order_.matters();

  make(name + ".armed", event.initial_value ? 0.0 : 1.0);
  Law triggered, again;
  set(triggered, name + ".armed", "0");
  set(again, name + ".armed", "1");

  // What it assigns, with values of the trigger or of the moment when it happens.
  Law happens;
  for (const Assignment& assignment : event.assignments) {
    const std::string own = name + "." + assignment.variable;
    std::string value = value_signal(own + ".value", *assignment.math, event);
    if (!at_once && event.values_of_trigger_time && value.starts_with("pre(")) {
      make(own + ".held", 0.0);
      set(triggered, own + ".held", value);
      if (order_.matters() && event.persistent) hold_one_value(triggered, name, own, value);
      value = "pre(" + own + ".held)";
    }
    assign(happens, assignment.variable, value, event);
    happening_[name].values[assignment.variable] = value;
  }

  if (at_once) {
    triggered.replaces.insert(triggered.replaces.end(), happens.replaces.begin(), happens.replaces.end());
    triggered.equations.insert(triggered.equations.end(), happens.equations.begin(), happens.equations.end());
  }
  if (delayed) {
    make(name + ".pending", 0.0);
    make(name + ".left", 0.0, "-" + name + ".pending");
    set(triggered, name + ".pending", "pre(" + name + ".pending) + 1");
    set(triggered, name + ".left", value_signal(name + ".delay", *event.delay, event));
    source_.constraints.emplace_back(name + ".one_at_a_time", name + ".pending <= 1.5");
    if (!event.persistent) {
      set(again, name + ".pending", "0");
      // Another number than where it happens: both at one instant contradict each other, and no order is right.
      set(again, name + ".left", "1");
    }
    Law due = order_.matters() ? Law{} : happens;
    set(due, name + ".pending", "0");
    set(due, name + ".left", "0");
    if (order_.matters()) set(due, name + ".queued", "pre(" + name + ".queued) + 1");
    // Of two at one instant none is due: a delay counts down once at a time.
    if (!order_.matters()) happening_[name].transition = source_.transitions.size();
    on(name + ".due", "-" + name + ".left*" + name + ".pending*(2 - " + name + ".pending) <= 0",
       std::move(due));
  }
  if (order_.matters()) {
    make(name + ".queued", 0.0);
    if (!delayed) set(triggered, name + ".queued", "pre(" + name + ".queued) + 1");
    if (!event.persistent) set(again, name + ".queued", "0");
    set(happens, name + ".queued", "pre(" + name + ".queued) - 1");
    set(happens, "events.seen", "0");
    set(happens, "events.turn", "0");
    const std::string those = minus_those_before(index);
    happening_[name].transition = source_.transitions.size();
    on(name + ".happens", name + ".queued*events.turn*(1" + those + ") <= 0.5", std::move(happens));
  }
  const std::string started = triggers_.waits_for_start(*event.trigger) ? "*" + triggers_.started() : "";
  if (at_once) happening_[name].transition = source_.transitions.size();
  on(name + ".triggered", trigger + "*" + name + ".armed" + started + " <= 0.5", std::move(triggered));
  on(name + ".again", "(1 - " + trigger + ")*(1 - " + name + ".armed)" + started + " <= 0.5",
     std::move(again));
}

/// After each event that happened, comparisons are looked at, then triggers, before the next event has its turn.
void EventWriter::write_turns() {
  const std::vector<Event>& events = writer_.quantities().document().events;
  if (!order_.matters()) return;
  std::string queued;
  for (const Event& event : events) queued += (queued.empty() ? "" : " + ") + event.id + ".queued";
  make("events.seen", 0.0);
  make("events.turn", 0.0);
  Law seen, turn;
  set(seen, "events.seen", "1");
  set(turn, "events.turn", "1");
  on("events.seen.next", "(" + queued + ")*(1 - events.seen) <= 0.5", std::move(seen));
  on("events.turn.next", "(" + queued + ")*events.seen*(1 - events.turn) <= 0.5", std::move(turn));
}

}  // namespace mti::sbml
