#include "io/runs/write_explanation.hpp"

namespace mti {
namespace {

using json::in_line;
using json::Writer;

void write_row(Writer& out, const ExplainedRow& row) {
  out.begin_object(in_line).member("constraint", row.constraint);
  out.key("numbers").begin_array();
  for (const Ball& number : row.numbers) {
    out.begin_array();
    out.value(number.value).value(number.error).end_array();
  }
  out.end_array();
  if (row.deciding >= 0) out.member("deciding", static_cast<long>(row.deciding));
  out.end_object();
}

void write_values(Writer& out, const char* key, const std::vector<std::pair<std::string, int>>& values) {
  out.key(key).begin_object(in_line);
  for (const auto& [name, value] : values) out.member(name, static_cast<long>(value));
  out.end_object();
}

}  // namespace

void write_explanation(Writer& out, const std::vector<ExplainedCandidate>& candidates) {
  out.begin_array();
  for (const ExplainedCandidate& candidate : candidates) {
    out.begin_object().member("step", static_cast<long>(candidate.step));
    out.key("changed").begin_object(in_line);
    for (const auto& [name, value] : candidate.changed) out.member(name, value);
    out.end_object();
    if (!candidate.surfaces.empty()) {
      out.key("surfaces").begin_array();
      for (const ExplainedSurface& surface : candidate.surfaces) {
        out.begin_object(in_line).member("constraint", surface.constraint);
        write_values(out, "below", surface.below);
        write_values(out, "above", surface.above);
        out.end_object();
      }
      out.end_array();
    }
    out.member("accepted", candidate.accepted).member("why", candidate.why);
    out.key("rows").begin_array();
    for (const ExplainedRow& row : candidate.rows) write_row(out, row);
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

}  // namespace mti
