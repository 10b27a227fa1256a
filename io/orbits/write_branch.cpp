#include "io/orbits/write_branch.hpp"

#include <algorithm>
#include <complex>
#include <utility>

#include "io/json/writer.hpp"
#include "io/orbits/write_orbit.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/common/wording.hpp"

namespace mti {
namespace {

using Kind = BranchPoint::Kind;

std::string shown(double value) { return text::format_number(value, 10); }

std::string cell(const std::string& name) {
  return name.find(',') == std::string::npos ? name : "\"" + name + "\"";
}

std::vector<std::string> names_of(const Model& model, const BranchPoint& point) {
  std::vector<std::string> names;
  for (const int constraint : point.constraints) names.push_back(model.constraint_names[at(constraint)]);
  return names;
}

}  // namespace

std::string_view stability_word(const BranchPoint& point) {
  return point.stable ? "stable" : point.marginal ? "marginal" : "unstable";
}

std::string special_text(const Model& model, const BranchPoint& point) {
  if (point.kind == Kind::regular) return {};
  std::string text = to_string(point.kind);
  if (!point.constraints.empty()) text += " of " + joined(names_of(model, point));
  return text;
}

std::string branch_csv(const Model& model, const OrbitBranch& branch) {
  std::string text = cell(branch.parameter) + ",period,stability,kind,constraints,events";
  const std::vector<Signal>& states = model.signature.states();
  for (std::size_t k = 1; k <= states.size(); ++k)
    text += ",mu" + std::to_string(k) + "_re,mu" + std::to_string(k) + "_im";
  for (const Signal& state : states)
    for (const char* what : {"start", "min", "max"})
      text += "," + cell(std::string(what) + "(" + state.name + ")");
  text += "\n";
  for (const BranchPoint& point : branch.points) {
    text += text::format_number(point.parameter) + "," + text::format_number(point.period) + ",";
    text += stability_word(point);
    text += "," + to_string(point.kind) + ",";
    const std::vector<std::string> names = names_of(model, point);
    for (std::size_t k = 0; k < names.size(); ++k) text += (k == 0 ? "" : " ") + names[k];
    text += "," + std::to_string(point.events);
    for (const std::complex<double>& mu : point.multipliers)
      text += "," + text::format_number(mu.real()) + "," + text::format_number(mu.imag());
    for (std::size_t i = 0; i < states.size(); ++i)
      for (const double value : {point.x[i], point.lowest[i], point.highest[i]})
        text += "," + text::format_number(value);
    text += "\n";
  }
  return text;
}

std::string branch_text(const Model& model, const OrbitBranch& branch) {
  std::string text = model.name + (model.name.empty() ? "" : ": ") +
                     counted(static_cast<long>(branch.points.size()), "orbit");
  if (branch.points.empty()) return text + "\n";
  const BranchPoint &first = branch.points.front(), &last = branch.points.back();
  text += ", " + branch.parameter + " from " + shown(first.parameter) + " to " + shown(last.parameter) + "\n";
  const BranchPoint* before = nullptr;
  for (const BranchPoint& point : branch.points) {
    const std::string special = special_text(model, point);
    const bool changes = before == nullptr || (special.empty() && before->kind != Kind::regular);
    before = &point;
    if (special.empty() && !changes && &point != &last) continue;
    text +=
        "  " + branch.parameter + " = " + shown(point.parameter) + ": period " + shown(point.period) + ", ";
    // At what happens the stability is that of neither side.
    text += special.empty() ? stability_word(point) : special;
    text += "\n";
  }
  return text;
}

std::string branch_json(const Model& model, const OrbitBranch& branch) {
  json::Writer out;
  out.begin_object()
      .member("model", model.name)
      .member("parameter", branch.parameter)
      .member("complete", branch.complete)
      .member("message", branch.message);
  out.key("points").begin_array();
  for (const BranchPoint& point : branch.points) {
    out.begin_object(json::in_line)
        .member("parameter", point.parameter)
        .member("period", point.period)
        .member("stability", stability_word(point))
        .member("kind", to_string(point.kind))
        .member("events", point.events);
    json::write_names(out, "constraints", names_of(model, point));
    write_multipliers(out, point.multipliers);
    const auto values = [&](const char* name, const std::vector<double>& of_states) {
      out.key(name).begin_object(json::in_line);
      for (std::size_t i = 0; i < of_states.size(); ++i)
        out.member(model.signature.states()[i].name, of_states[i]);
      out.end_object();
    };
    values("x", point.x);
    values("lowest", point.lowest);
    values("highest", point.highest);
    out.end_object();
  }
  out.end_array().end_object();
  return std::move(out).finish();
}

}  // namespace mti
