#include "io/orbits/write_orbit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/json/writer.hpp"
#include "io/runs/write_events.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"

namespace mti {
namespace {

std::string text_of(double value) { return text::format_number(value, 12); }

std::string text_of(const std::complex<double>& value) {
  if (value.imag() == 0.0) return text_of(value.real());
  return text_of(value.real()) + (value.imag() < 0.0 ? " - " : " + ") + text_of(std::abs(value.imag())) + "i";
}

double start_of(const Orbit& orbit) { return orbit.run.size() > 0 ? orbit.run.time(0) : 0.0; }

}  // namespace

std::string orbit_text(const Model& model, const Orbit& orbit) {
  std::string out = model.name + (model.name.empty() ? "" : ": ") + "period " + text_of(orbit.period) + ", " +
                    (orbit.stable     ? "stable"
                     : orbit.marginal ? "marginal"
                                      : "not stable") +
                    "\n";
  std::size_t width = 0;
  for (const Signal& state : model.signature.states()) width = std::max(width, state.name.size());
  out += "\nstart of the orbit" + (orbit.autonomous ? "" : ", at t = " + text_of(start_of(orbit))) + "\n";
  for (std::size_t i = 0; i < orbit.x.size(); ++i) {
    const std::string& name = model.signature.states()[i].name;
    out += "  " + name + std::string(width - name.size(), ' ') + "  " + text_of(orbit.x[i]) + "\n";
  }
  out += "\nFloquet multipliers\n";
  for (const std::complex<double>& multiplier : orbit.multipliers)
    out += "  " + text_of(multiplier) +
           (multiplier.imag() == 0.0 ? "" : "   of magnitude " + text_of(std::abs(multiplier))) + "\n";
  out += "\nevents of one period\n";
  const double start = start_of(orbit);
  for (const Event& event : orbit.run.events) {
    out += "  " + text_of(event.time - start) + "  " + to_string(event.kind);
    for (std::size_t c = 0; c < event.constraints.size(); ++c)
      out += (c == 0 ? "  " : ", ") + model.constraint_names[at(event.constraints[c])];
    out += "\n";
  }
  return out;
}

std::string orbit_json(const Model& model, const Orbit& orbit) {
  json::Writer out;
  out.begin_object()
      .member("model", model.name)
      .member("found", orbit.found)
      .member("message", orbit.message);
  out.member("period", orbit.period)
      .member("stable", orbit.stable)
      .member("marginal", orbit.marginal)
      .member("autonomous", orbit.autonomous);
  out.member("residual", orbit.residual).member("iterations", orbit.iterations);
  out.member("time", start_of(orbit));
  out.key("x").begin_object(json::in_line);
  for (std::size_t i = 0; i < orbit.x.size(); ++i) out.member(model.signature.states()[i].name, orbit.x[i]);
  out.end_object();
  out.key("z").begin_object(json::in_line);
  for (std::size_t i = 0; i < orbit.z.size(); ++i)
    out.member(model.signature.binaries()[i].name, static_cast<int>(orbit.z[i]));
  out.end_object();
  write_multipliers(out, orbit.multipliers);
  out.key("monodromy").begin_array();
  for (Eigen::Index i = 0; i < orbit.monodromy.rows(); ++i) {
    out.begin_array(json::in_line);
    for (Eigen::Index j = 0; j < orbit.monodromy.cols(); ++j) out.value(orbit.monodromy(i, j));
    out.end_array();
  }
  out.end_array();
  write_events(out.key("events"), model, orbit.run, WithExplanation::no);
  out.end_object();
  return std::move(out).finish();
}

void write_multipliers(json::Writer& out, const std::vector<std::complex<double>>& multipliers) {
  out.key("multipliers").begin_array(json::in_line);
  for (const std::complex<double>& multiplier : multipliers)
    out.begin_array(json::in_line).value(multiplier.real()).value(multiplier.imag()).end_array();
  out.end_array();
}

}  // namespace mti
