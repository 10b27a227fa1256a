#include "io/analysis/write_equilibria.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "io/analysis/linearization_writer.hpp"
#include "io/json/writer.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/common/wording.hpp"

namespace mti {
namespace {

constexpr std::size_t most_eigenvalues_listed = 50;

const char* word(Equilibrium::Stability stability) {
  switch (stability) {
    case Equilibrium::Stability::stable:
      return "stable";
    case Equilibrium::Stability::unstable:
      return "unstable";
    case Equilibrium::Stability::marginal:
      return "marginal";
    case Equilibrium::Stability::unknown:
      break;
  }
  return "unknown";
}

/// Names and values of what a model declares: states, algebraic signals, binaries.
std::vector<std::pair<std::string, double>> values_of(const Model& model, const std::vector<double>& v) {
  const Signature& signature = model.signature;
  std::vector<std::pair<std::string, double>> values;
  const auto add = [&](const std::vector<Signal>& signals, int first) {
    for (std::size_t i = 0; i < signals.size(); ++i)
      if (!signals[i].auxiliary) values.emplace_back(signals[i].name, v[at(first) + i]);
  };
  add(signature.states(), signature.state_row(0));
  add(signature.algebraic(), signature.algebraic_row(0));
  add(signature.binaries(), signature.binary_row(0));
  return values;
}

void write(json::Writer& out, const Model& model, const Equilibrium& equilibrium) {
  const Linearization& l = equilibrium.linearization;
  out.begin_object().member("stability", word(equilibrium.stability));
  if (!equilibrium.undecided.empty()) out.member("undecided", equilibrium.undecided);
  out.key("open");
  if (equilibrium.open) {
    out.begin_array(json::in_line);
    for (const std::string& name : *equilibrium.open) out.value(name);
    out.end_array();
  } else {
    out.null();
  }
  out.member("rests", equilibrium.rests);
  if (!equilibrium.rests) out.member("leaves", equilibrium.leaves);
  out.key("values").begin_object(json::in_line);
  for (const auto& [name, value] : values_of(model, l.v)) out.member(name, value);
  out.end_object().key("slides").begin_object();
  for (const Slide& slide : l.mode.slides) {
    out.key(model.constraint_names[at(slide.constraint)]).begin_object(json::in_line);
    for (const int binary : slide.binaries)
      out.member(model.signature.binaries()[at(binary)].name, l.v[at(model.signature.binary_row(binary))]);
    out.end_object();
  }
  out.end_object().key("linearization");
  write(out, model, l);
  out.end_object();
}

std::string rounded(double value) { return text::format_number(value + 0.0, 10); }

std::string text_of(const Model& model, const Equilibrium& equilibrium) {
  const Linearization& l = equilibrium.linearization;
  std::string text = (model.name.empty() ? "model" : model.name) + " rests at t = " + rounded(l.time) + ", " +
                     (equilibrium.undecided.empty() ? word(equilibrium.stability)
                                                    : "stability unknown: " + equilibrium.undecided) +
                     "\n";
  for (const Slide& slide : l.mode.slides)
    text += "slides on the surface of " + model.constraint_names[at(slide.constraint)] + "\n";
  if (!l.on_boundary.empty()) text += "on the boundary of " + joined(l.on_boundary) + "\n";
  if (equilibrium.open && !equilibrium.open->empty())
    text += "not isolated: the equations leave open " + name_list(*equilibrium.open, 20) + "\n";
  if (!equilibrium.rests) text += "it is not kept: " + equilibrium.leaves + "\n";
  for (const auto& [name, value] : values_of(model, l.v)) text += "  " + name + " = " + rounded(value) + "\n";
  if (!l.eigenvalues.empty()) text += "finite eigenvalues:\n";
  const std::size_t count = l.eigenvalues.size();
  for (std::size_t i = count > most_eigenvalues_listed ? count - most_eigenvalues_listed : 0; i < count;
       ++i) {
    const std::complex<double> value = l.eigenvalues[i];
    text += "  " + rounded(value.real());
    if (value.imag() != 0.0)
      text += (value.imag() > 0.0 ? " + " : " - ") + rounded(std::abs(value.imag())) + "i";
    text += "\n";
  }
  return text;
}

}  // namespace

std::string equilibria_json(const Model& model, const EquilibriumSearch& search) {
  json::Writer out;
  out.begin_object().member("outcome", search.equilibria.empty() ? "none" : "found");
  if (!search.message.empty()) out.member("message", search.message);
  out.member("modes_tried", search.modes).key("equilibria").begin_array();
  for (const Equilibrium& equilibrium : search.equilibria) write(out, model, equilibrium);
  out.end_array().end_object();
  return std::move(out).finish();
}

std::string equilibria_text(const Model& model, const EquilibriumSearch& search) {
  std::string text;
  for (const Equilibrium& equilibrium : search.equilibria)
    text += (text.empty() ? "" : "\n") + text_of(model, equilibrium);
  return text;
}

}  // namespace mti
