#include "io/runs/write_events.hpp"

#include <string>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"

namespace mti {
namespace {

using json::in_line;
using json::Writer;

/// {"z1": [0, 1], …}
void write_changes(Writer& out, const Signature& signature, const std::vector<Change>& changes) {
  out.begin_object(in_line);
  for (const Change& change : changes) {
    out.key(signature.row_name(change.row)).begin_array();
    out.value(change.before).value(change.after).end_array();
  }
  out.end_object();
}

/// What has become of the conditions that generated binaries stand for: ["T < 19 became true", …].
void write_conditions(Writer& out, const Signature& signature, const std::vector<Change>& changes) {
  std::vector<std::string> texts;
  for (const Change& change : changes) {
    const int binary = change.row - signature.binary_row(0);
    if (binary < 0 || binary >= signature.q()) continue;
    const std::string& text = signature.binaries()[at(binary)].generated;
    if (text.empty()) continue;
    const bool decided = change.after == 0.0 || change.after == 1.0;
    texts.push_back(text + (!decided              ? " is at its boundary"
                            : change.after == 1.0 ? " became true"
                                                  : " became false"));
  }
  if (texts.empty()) return;
  out.key("conditions").begin_array(in_line);
  for (const std::string& text : texts) out.value(text);
  out.end_array();
}

void write_alternatives(Writer& out, const Signature& signature,
                        const std::vector<std::vector<Change>>& alternatives) {
  out.begin_array(in_line);
  for (const std::vector<Change>& changes : alternatives) write_changes(out, signature, changes);
  out.end_array();
}

/// {"tau": {"weight": w, "order": 1}, …}; of several orders of one signal the highest, the others in "lower".
void write_impulses(Writer& out, const Signature& signature, const std::vector<Impulse>& impulses) {
  out.begin_object(in_line);
  for (std::size_t i = 0; i < impulses.size();) {
    const int row = impulses[i].row;
    out.key(signature.row_name(row)).begin_object();
    out.member("weight", impulses[i].weight).member("order", impulses[i].order);
    std::size_t next = i + 1;
    if (next < impulses.size() && impulses[next].row == row) {
      out.key("lower").begin_array(in_line);
      for (; next < impulses.size() && impulses[next].row == row; ++next) {
        out.begin_object(in_line).member("weight", impulses[next].weight);
        out.member("order", impulses[next].order).end_object();
      }
      out.end_array();
    }
    out.end_object();
    i = next;
  }
  out.end_object();
}

/// {"e": 0.5, "g": null}, and why what is undefined from here on is so.
void write_sensitivity(Writer& out, const Event& event, std::span<const std::string> parameters) {
  if (event.sensitivity.empty() || event.sensitivity.size() != parameters.size()) return;
  out.key("sensitivity").begin_object(in_line);
  for (std::size_t p = 0; p < parameters.size(); ++p) out.member(parameters[p], event.sensitivity[p]);
  out.end_object();
  if (event.undefined.empty()) return;
  out.key("undefined").begin_array();
  for (const UndefinedSensitivity& one : event.undefined) {
    out.begin_object(in_line).key("parameters").begin_array(in_line);
    for (const int p : one.parameters) out.value(parameters[at(p)]);
    out.end_array().member("reason", one.reason).end_object();
  }
  out.end_array();
}

}  // namespace

void write_event(Writer& out, const Model& model, const Event& event, WithExplanation explained,
                 std::span<const std::string> parameters) {
  const Signature& signature = model.signature;
  out.begin_object().member("time", event.time).member("kind", to_string(event.kind));
  out.key("constraints").begin_array(in_line);
  for (const int constraint : event.constraints) out.value(model.constraint_names[at(constraint)]);
  out.end_array();
  write_changes(out.key("changed"), signature, event.changed);
  write_conditions(out, signature, event.changed);
  write_changes(out.key("jumps"), signature, event.jumps);
  write_impulses(out.key("impulses"), signature, event.impulses);
  for (const auto& [key, rows] : {std::pair("left", &event.left), std::pair("returned", &event.returned)}) {
    if (rows->empty()) continue;
    out.key(key).begin_array(in_line);
    for (const int row : *rows) out.value(signature.row_name(row));
    out.end_array();
  }
  if (!event.emitted.empty()) {
    out.key("emitted").begin_array(in_line);
    for (const std::string& name : event.emitted) out.value(name);
    out.end_array();
  }
  write_sensitivity(out, event, parameters);
  out.member("candidates_tried", event.candidates_tried);
  write_alternatives(out.key("ties"), signature, event.ties);
  if (!event.steps.empty()) write_alternatives(out.key("steps"), signature, event.steps);
  if (explained == WithExplanation::yes && !event.explanation.empty())
    write_explanation(out.key("explanation"), event.explanation);
  out.end_object();
}

void write_events(Writer& out, const Model& model, const Trajectory& trajectory, WithExplanation explained) {
  out.begin_array();
  for (const Event& event : trajectory.events)
    write_event(out, model, event, explained, trajectory.sensitivities.parameters());
  out.end_array();
}

}  // namespace mti
