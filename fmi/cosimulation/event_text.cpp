#include "fmi/cosimulation/event_text.hpp"

#include "mti/common/number.hpp"

namespace mti::fmi {

std::string text_of(const Event& event, const Model& model) {
  std::string text = "t = " + text::format_number(event.time) + ": " + to_string(event.kind);
  for (const auto* changes : {&event.changed, &event.jumps})
    for (const Change& change : *changes)
      text += "; " + model.signature.row_name(change.row) + ": " + text::format_number(change.before) +
              " -> " + text::format_number(change.after);
  return text;
}

std::string text_of(const Outcome& outcome) {
  return to_string(outcome.kind) + (outcome.message.empty() ? "" : ": " + outcome.message);
}

}  // namespace mti::fmi
