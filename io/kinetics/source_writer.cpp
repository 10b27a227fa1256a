#include "io/kinetics/source_writer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

#include "io/quantities/fast_balance.hpp"
#include "io/quantities/fast_reactions.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/source/whole_number.hpp"

namespace mti::sbml {

using By = Quantity::By;
using Kind = Quantity::Kind;

namespace {

/// A start value and a number.
Number sum(const Number& start, double number) {
  if (const double* const value = std::get_if<double>(&start)) return *value + number;
  return "(" + std::get<std::string>(start) + ") + (" + text::format_number(number) + ")";
}

}  // namespace

FormulaPlace SourceWriter::place(const std::string& element) {
  return {.element = element,
          .name = [this](const std::string& id) { return name(id); },
          .rate = [this](const std::string& id) { return rate_of(id); },
          .past = [this](const std::string& id, const std::string& T) { return past_of(id, T); },
          .is_constant = [this](const std::string& id) { return quantities_.is_constant(id); },
          .number = [this](const Math& math) { return quantities_.start_value(math); },
          .denominator = [this](const Math& math) { return quantities_.denominator(math); },
          .rely_on_whole = [this](const Math& math) { rely_on_whole(math); },
          .is_fixed = [this](const Math& math) { return quantities_.is_fixed(math); },
          .at_start = [this, element](const Math& math) { return initial_.text(math, element); },
          .floor_of =
              [this, element](const std::string& text, const Math& math) {
                const int q = quantities_.denominator(math);
                if (q != 0) rely_on_whole(math);
                return counters_.floor_of(text, quantities_.start_value(math), q, element);
              },
          .rely_on_start = [this] { initial_.rely_on_time(); }};
}

std::string SourceWriter::value(const Math& math, const std::string& element) {
  const FormulaPlace here = place(element);
  return FormulaWriter(here, refusals_).value(math);
}

std::string SourceWriter::value_by_flags(const Math& math, const std::string& element,
                                         const std::function<std::string(const Math&)>& flag) {
  FormulaPlace here = place(element);
  here.flag = flag;
  return FormulaWriter(here, refusals_).value(math);
}

std::string SourceWriter::operand(const Math& math, const std::string& element) {
  const FormulaPlace here = place(element);
  return FormulaWriter(here, refusals_).operand(math);
}

bool SourceWriter::is_constant(const Math& math) {
  const FormulaPlace here = place("");
  return FormulaWriter(here, refusals_).is_constant(math);
}

/// The text of a value on the way; a constant is declared where it is first asked for.
std::string SourceWriter::name(const std::string& id) {
  const Quantity* const quantity = quantities_.find(id);
  if (quantity == nullptr || quantity->by == By::constant) return initial_.text(id);
  return quantity->name;
}

std::string SourceWriter::rate_of(const std::string& id) {
  const Quantity* const quantity = quantities_.find(id);
  if (quantity == nullptr) return {};
  if (!open_rates_.insert(id).second) return "der(" + quantity->name + ")";  // it follows from itself
  std::string rate = right_side(*quantity);
  open_rates_.erase(id);
  return rate;
}

std::string SourceWriter::right_side(const Quantity& quantity) {
  const bool reacts = quantity.by == By::reactions;
  if (quantity.by_amount) {
    // S = amount/C
    const Quantity& compartment = quantities_.compartment_of(quantity);
    const std::string size = name(compartment.id), amount = reacts ? "(" + changes(quantity) + ")" : "0";
    if (compartment.by == By::events) return amount + "/" + size;
    const std::string growth = compartment.by == By::rate ? rate_of(compartment.id) : "";
    return growth.empty() ? growth : "((" + amount + " - " + quantity.name + "*" + growth + ")/" + size + ")";
  }
  if (quantity.by == By::constant || quantity.by == By::events) return "0";
  if (quantity.by == By::rate && quantity.rule != nullptr)
    return "(" + value(*quantity.rule, quantity.id) + ")";
  if (!reacts) return {};
  const std::string sum = "(" + changes(quantity) + ")";
  return quantities_.is_concentration(quantity)
             ? "(" + sum + "/" + name(quantities_.compartment_of(quantity).id) + ")"
             : sum;
}

/// Of a state; before the start it is what the state begins with.
std::string SourceWriter::past_of(const std::string& id, const std::string& T) {
  const Quantity* const quantity = quantities_.find(id);
  if (quantity == nullptr || quantity->by == By::algebra || quantity->by == By::rule) return {};
  if (!quantity->by_amount) return "delay(" + quantity->name + ", " + T + ")";
  const std::string size = past_of(quantities_.compartment_of(*quantity).id, T);
  return size.empty() ? size : "delay(" + quantity->name + ".amount, " + T + ")/" + size;
}

/// A size that counts as one: never above 1, so that small amounts have tolerances of their own.
double SourceWriter::nominal(std::optional<double> value) const {
  const double size = value ? std::abs(*value) : 0.0;
  return std::isfinite(size) && size > 0.0 ? std::clamp(size, 1e-30, 1.0) : smallest_;
}

/// What begins with 0 is taken to be of the size of the largest species.
void SourceWriter::find_sizes() {
  double largest = 0.0;
  for (const Quantity& quantity : quantities_.all()) {
    if (quantity.kind != Kind::species) continue;
    const double size = std::abs(quantities_.start_value(quantity.id).value_or(0.0));
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  if (largest > 0.0) smallest_ = std::clamp(largest, 1e-30, 1.0);
}

void SourceWriter::state(const std::string& name, Number start, std::optional<double> size) {
  source_.states.push_back({.name = name, .start = std::move(start), .nominal = nominal(size)});
}

void SourceWriter::algebraic(const std::string& name, std::optional<double> guess) {
  const double start = guess && std::isfinite(*guess) ? *guess : 0.0;
  source_.algebraic.push_back({.name = name, .start = start, .nominal = nominal(guess)});
}

void SourceWriter::write_equations() {
  find_sizes();
  for (const Quantity& quantity : quantities_.all()) write(quantity);
  write_algebraic_rules();
  write_constraints();
}

void SourceWriter::write(const Quantity& quantity) {
  if (quantity.kind == Kind::local) return initial_.declare_constant(quantity.id);
  if (quantity.kind == Kind::species) return write_species(quantity);
  const std::optional<double> start = quantities_.start_value(quantity.id);
  switch (quantity.by) {
    case By::constant:
      // One that has no value and is in no formula is of no use, and no fault.
      if (start || quantity.initial != nullptr) initial_.declare_constant(quantity.id);
      return;
    case By::rule:
      if (quantity.rule == nullptr) return;
      if (quantity.kind == Kind::reaction) return write_reaction(quantity);
      algebraic(quantity.name, start);
      return equation(quantity.name + ".rule", quantity.name + " = " + value(*quantity.rule, quantity.id));
    case By::algebra:
      return algebraic(quantity.name, start);
    default:
      state(quantity.name, initial_.start(quantity.id), start);
      return equation(quantity.name + ".rate",
                      "der(" + quantity.name +
                          ") = " + (quantity.by == By::rate ? value(*quantity.rule, quantity.id) : "0"));
  }
}

void SourceWriter::write_reaction(const Quantity& reaction) {
  const Document& document = quantities_.document();
  const bool in_balance = is_in_balance(document, document.reactions[at(reaction.index)]);
  algebraic(reaction.name, in_balance ? 0.0 : quantities_.start_value(reaction.id));
  equation(reaction.name + ".law",
           (in_balance ? "0" : reaction.name) + " = " + value(*reaction.rule, reaction.id));
}

void SourceWriter::write_species(const Quantity& species) {
  if (species.by_amount) return write_amount(species);
  const std::optional<double> start = quantities_.start_value(species.id);
  const std::string& own = species.name;
  switch (species.by) {
    case By::constant:
      initial_.declare_constant(species.id);
      break;
    case By::rule:
      algebraic(own, start);
      equation(own + ".rule", own + " = " + value(*species.rule, species.id));
      break;
    case By::algebra:
      algebraic(own, start);
      break;
    case By::rate:
    case By::events:
      state(own, initial_.start(species.id), start);
      equation(own + ".rate",
               "der(" + own + ") = " + (species.by == By::rate ? value(*species.rule, species.id) : "0"));
      break;
    case By::reactions: {
      state(own, initial_.start(species.id), start);
      const std::string slope = "der(" + own + ")";
      equation(own + ".rate", (quantities_.is_concentration(species)
                                   ? name(quantities_.compartment_of(species).id) + "*" + slope
                                   : slope) +
                                  " = " + changes(species));
    }
  }
  write_other_measure(species);
}

/// A concentration in a compartment that changes by itself.
void SourceWriter::write_amount(const Quantity& species) {
  const Quantity& compartment = quantities_.compartment_of(species);
  const std::string &own = species.name, size = name(compartment.id);
  const std::optional<double> start = quantities_.start_value(species.id);
  const std::optional<double> size_at_start = quantities_.start_value(compartment.id);
  state(own + ".amount", initial_.amount(species),
        start && size_at_start ? std::optional(*start * *size_at_start) : std::nullopt);
  equation(own + ".rate",
           "der(" + own + ".amount) = " + (species.by == By::reactions ? changes(species) : "0"));
  algebraic(own, start);
  equation(own + ".definition", own + "*" + size + " = " + own + ".amount");
}

/// The amount of what is measured by its concentration, and the other way round.
void SourceWriter::write_other_measure(const Quantity& species) {
  const Quantity& compartment = quantities_.compartment_of(species);
  const bool has_size = quantities_.document().compartments[at(compartment.index)].dimensions != 0.0;
  const std::string own = name(species.id);
  const std::optional<double> start = quantities_.start_value(species.id);
  const std::optional<double> size_at_start = quantities_.start_value(compartment.id);
  if (quantities_.is_concentration(species)) {
    const std::string other = species.name + ".amount";
    algebraic(other, start && size_at_start ? std::optional(*start * *size_at_start) : std::nullopt);
    equation(other, other + " = " + own + "*" + name(compartment.id));
  } else if (has_size && (size_at_start || compartment.by != By::constant)) {
    const std::string other = species.name + ".concentration";
    algebraic(other, start && size_at_start ? std::optional(*start / *size_at_start) : std::nullopt);
    equation(other, other + "*" + name(compartment.id) + " = " + own);
  } else if (!quantities_.document().species[at(species.index)].only_substance) {
    algebraic(species.name + ".amount", start);
    equation(species.name + ".amount", species.name + ".amount = " + own);
  }
}

std::string SourceWriter::stoichiometry(const Participant& part) {
  if (part.formula) return operand(*part.formula, part.species);
  if (!part.id.empty()) {
    const Quantity* const quantity = quantities_.find(part.id);
    if (quantity != nullptr &&
        (quantity->by != By::constant || quantity->initial != nullptr || quantity->given))
      return name(part.id);
  }
  if (part.stoichiometry && std::isfinite(*part.stoichiometry)) {
    const std::string number = text::format_number(*part.stoichiometry);
    return std::signbit(*part.stoichiometry) ? "(" + number + ")" : number;
  }
  refusals_.add("sbml-no-value", part.species, "a stoichiometry of it has no value");
  return "0";
}

/// factor·Σ ± n·R
std::string SourceWriter::changes(const Quantity& species) {
  std::string sum;
  for (const Quantities::Share& share : quantities_.shares_of(species)) {
    const std::string factor = stoichiometry(*share.part);
    const std::string rate = name(quantities_.document().reactions[at(share.reaction)].id);
    sum += share.is_product ? (sum.empty() ? "" : " + ") : (sum.empty() ? "-" : " - ");
    sum += factor == "1" ? rate : factor + "*" + rate;
  }
  const std::string& factor = quantities_.document().species[at(species.index)].conversion_factor;
  if (sum.empty()) return "0";
  return factor.empty() ? sum : name(factor) + "*(" + sum + ")";
}

void SourceWriter::write_algebraic_rules() {
  int count = 0;
  for (const Rule& rule : quantities_.document().rules) {
    if (rule.kind != Rule::Kind::algebraic || !rule.math) continue;
    const std::string name = "algebraicRule" + std::to_string(++count);
    equation(name, value(*rule.math, name) + " = 0");
  }
}

/// What a constraint says of a run is a result.
void SourceWriter::write_constraints() {
  int count = 0;
  for (const std::optional<Math>& constraint : quantities_.document().constraints) {
    const std::string name = "constraint" + std::to_string(++count) + ".holds";
    if (!constraint) continue;
    algebraic(name, 1.0);
    const FormulaPlace here = place(name);
    equation(name,
             name + " = (if " + FormulaWriter(here, refusals_).condition(*constraint) + " then 1 else 0)");
  }
}

/// The column of a constant; to set it is to set the parameter.
void SourceWriter::write_constant(const Quantity& quantity) {
  if (quantity.by != By::constant || !initial_.is_declared(quantity.id)) return;
  const std::string parameter = quantity.kind == Kind::local ? quantity.id : quantity.name + ".value";
  if (quantity.is_baked) {
    // Functions of steps hold its value as a number: with another one this divides by 0.
    const std::string number = quantities_.text(quantity.id);
    source_.parameters.push_back(
        {parameter + ".is_fixed",
         "1/(if " + parameter + " <= " + number + " and " + parameter + " >= " + number + " then 1 else 0)"});
  }
  if (quantity.kind == Kind::local) return;
  source_.algebraic.push_back({.name = quantity.name, .start = parameter});
  equation(quantity.name + ".is", quantity.name + " = " + parameter);
}

/// Comparisons at halves are right of whole numbers alone.
void SourceWriter::write_whole(const Quantity& quantity) {
  if (!whole_.contains(quantity.id) || (quantity.by != By::constant && quantity.by != By::events)) return;
  const std::string parameter = initial_.text(quantity.id);
  if (quantity.is_baked && quantity.by == By::constant) return;
  const int q = quantities_.denominator({.op = "name", .name = quantity.id});
  source_.parameters.push_back(q <= 1 ? whole_number_premise(parameter)
                                      : whole_multiple_premise(parameter, q));
}

/// Variables that others begin with begin with the same parameter, so that all follow where one is set.
void SourceWriter::begin_with_parameters() {
  std::map<std::string, Number> starts;
  for (const Quantity& quantity : quantities_.all())
    if (quantity.by_amount && initial_.is_declared(quantity.id))
      starts[quantity.name + ".amount"] = initial_.amount(quantity);  // names that of the compartment
  for (const Quantity& quantity : quantities_.all())
    if (quantity.by != By::constant && initial_.is_declared(quantity.id))
      starts[quantity.name] = quantity.name + ".initial";
  for (StateSource& state : source_.states)
    if (const auto found = starts.find(state.name); found != starts.end()) state.start = found->second;
}

/// Fast reactions come to balance before anything else happens: species begin there.
void SourceWriter::begin_in_balance() {
  const auto moved = moved_to_balance(quantities_);
  if (!moved)
    return refusals_.add("sbml-fast-reaction", *balanced_species(quantities_.document()).begin(),
                         "fast reactions that change it come to no balance from its start");
  for (const auto& [id, amount] : *moved) {
    const Quantity& species = *quantities_.find(id);
    const double size = quantities_.start_value(quantities_.compartment_of(species).id).value_or(1.0);
    const bool by_concentration = !species.by_amount && quantities_.is_concentration(species);
    const auto state = std::ranges::find(
        source_.states, species.by_amount ? species.name + ".amount" : species.name, &StateSource::name);
    if (state != source_.states.end() && amount != 0.0)
      state->start = sum(state->start, by_concentration ? amount / size : amount);
  }
}

Source SourceWriter::take() {
  for (const Quantity& quantity : quantities_.all()) write_constant(quantity);
  for (const Quantity& quantity : quantities_.all()) write_whole(quantity);
  begin_with_parameters();
  begin_in_balance();
  // Start values that are functions of time are those at 0.
  source_.experiment.fixed_start = initial_.use_time();
  const Document& document = quantities_.document();
  source_.name = document.id.empty() ? document.name : document.id;
  if (!document.name.empty() && document.name != source_.name) source_.description = document.name;
  return std::move(source_);
}

}  // namespace mti::sbml
