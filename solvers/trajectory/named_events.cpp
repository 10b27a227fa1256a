#include "solvers/trajectory/named_events.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "mti/source/declarations.hpp"

namespace mti {
namespace {

constexpr std::array<std::pair<std::string_view, EventWord>, 4> words = {{{"reach(", EventWord::reach},
                                                                          {"rise(", EventWord::rise},
                                                                          {"fall(", EventWord::fall},
                                                                          {"emit(", EventWord::emit}}};

std::vector<std::string> names_of_emissions(const Model& model) {
  std::vector<std::string> names;
  for (const Transition& law : model.transitions)
    if (!law.emit.empty()) names.push_back(law.emit);
  return names;
}

std::vector<std::string> names_of_binaries(const Model& model) {
  std::vector<std::string> names;
  for (const Signal& binary : model.signature.binaries()) names.push_back(binary.name);
  for (const Signal& input : model.signature.inputs())
    if (input.binary) names.push_back(input.name);
  return names;
}

std::vector<std::size_t> positions_of_changes(int row, double to, std::span<const Event> events) {
  std::vector<std::size_t> found;
  double is = -1.0;  // not known before its first change
  for (std::size_t k = 0; k < events.size(); ++k) {
    double was = is;
    const auto follow = [&](const std::vector<Change>& step) {
      for (const Change& change : step) {
        if (change.row != row) continue;
        if (is < 0.0) was = is = change.before;
        if (change.after == 0.0 || change.after == 1.0) is = change.after;
      }
    };
    if (events[k].steps.empty()) follow(events[k].changed);
    for (const std::vector<Change>& step : events[k].steps) follow(step);
    if (is == to && was == 1.0 - to) found.push_back(k);
  }
  return found;
}

}  // namespace

std::optional<EventName> parse_event_name(std::string_view text) {
  for (const auto& [word, kind] : words)
    if (text.starts_with(word) && text.ends_with(')'))
      return EventName{kind, text.substr(word.size(), text.size() - word.size() - 1)};
  return std::nullopt;
}

std::optional<NamedEvent> find_event(const Model& model, const EventName& name) {
  const std::string about(name.about);
  if (name.word == EventWord::emit) {
    const std::vector<std::string> emissions = names_of_emissions(model);
    if (std::ranges::find(emissions, about) == emissions.end()) return std::nullopt;
    return NamedEvent{name.word, -1, about};
  }
  if (name.word == EventWord::reach) {
    const auto& constraints = model.constraint_names;
    const auto found = std::ranges::find(constraints, about);
    if (found == constraints.end()) return std::nullopt;
    return NamedEvent{name.word, static_cast<int>(found - constraints.begin()), {}};
  }
  const std::vector<std::string> binaries = names_of_binaries(model);
  const auto row = model.signature.find(about);
  if (!row || std::ranges::find(binaries, about) == binaries.end()) return std::nullopt;
  return NamedEvent{name.word, *row, {}};
}

std::variant<NamedEvent, std::string> find_event(const Model& model, std::string_view text) {
  const auto name = parse_event_name(text);
  if (!name)
    return "found \"" + std::string(text) +
           "\", expected reach(constraint), rise(binary), fall(binary) or emit(name)";
  if (const auto event = find_event(model, *name)) return *event;
  const std::string about(name->about);
  if (name->word == EventWord::emit)
    return "nothing emits " + about + did_you_mean(about, names_of_emissions(model));
  if (name->word == EventWord::reach)
    return "there is no constraint " + about + did_you_mean(about, model.constraint_names);
  return "there is no binary or binary input " + about + did_you_mean(about, names_of_binaries(model));
}

std::vector<std::size_t> positions_of(const NamedEvent& event, std::span<const Event> events) {
  if (event.word == EventWord::rise || event.word == EventWord::fall)
    return positions_of_changes(event.index, event.word == EventWord::rise ? 1.0 : 0.0, events);
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < events.size(); ++k)
    if (event.word == EventWord::emit ? std::ranges::count(events[k].emitted, event.emitted) > 0
                                      : std::ranges::count(events[k].constraints, event.index) > 0)
      found.push_back(k);
  return found;
}

}  // namespace mti
