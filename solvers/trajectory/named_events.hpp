#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// What an event can be named by, as in laws of transitions.
enum class EventWord { reach, rise, fall, emit };

/// Events by what they are about: reach(c), a constraint arrives; rise(z), a binary or binary input becomes 1 after it was 0;
/// fall(z), 0 after it was 1; emit(name), a law is applied that says so (Transition::emit).
struct NamedEvent {
  EventWord word = EventWord::reach;
  int index = -1;            ///< of the constraint, or row of S of the binary
  std::string emitted = {};  ///< of `emit`
};

/// "reach(floor)" as {reach, "floor"}; nothing of another form.
struct EventName {
  EventWord word = EventWord::reach;
  std::string_view about = {};
};
[[nodiscard]] std::optional<EventName> parse_event_name(std::string_view text);

/// The same with its place in a model; nothing where the model does not have what it is about.
[[nodiscard]] std::optional<NamedEvent> find_event(const Model& model, const EventName& name);

/// `text` in a model, or what is wrong with it, for messages (id `unknown-event`).
[[nodiscard]] std::variant<NamedEvent, std::string> find_event(const Model& model, std::string_view text);

/// The positions of such events among those of a run.
///
/// While a binary slides it is what it was before, with whatever weight: sliding from 0 to 1 is one rise, at the end of the
/// slide; from 0 back to 0 is none. A weight of exactly 0 or 1 is that of the motion with this value.
[[nodiscard]] std::vector<std::size_t> positions_of(const NamedEvent& event, std::span<const Event> events);

}  // namespace mti
