#include "solvers/reduced_index/replicates.hpp"

#include <algorithm>
#include <numbers>
#include <variant>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "solvers/mode_sets/formula.hpp"

namespace mti {
namespace {

/// d/dt of an input as an input; nothing where it is 0.
std::optional<InputSource> rate_source(const InputSource& input) {
  InputSource rate{.name = name_of_derivative(input.name, 1)};
  const auto as_text = [](const Number& number) {
    const auto* value = std::get_if<double>(&number);
    return value == nullptr ? "(" + std::get<std::string>(number) + ")" : text::format_number(*value);
  };
  if (std::holds_alternative<Number>(input.form)) return std::nullopt;
  if (const auto* sine = std::get_if<SineSource>(&input.form)) {
    rate.form = SineSource{.amplitude = "2*pi*" + as_text(sine->frequency) + "*" + as_text(sine->amplitude),
                           .frequency = sine->frequency,
                           .phase = as_text(sine->phase) + " + pi/2"};
    return rate;
  }
  const auto* table = std::get_if<TableSource>(&input.form);
  if (table == nullptr || table->repeat)
    throw InvalidModel(
        "not-differentiable", "",
        "the rate of the input " + input.name +
            " is needed, and only constants, sines and tables that do not repeat have one here");
  const bool is_linear =
      table->interpolation.value_or(input.binary ? Interpolation::previous : Interpolation::linear) ==
      Interpolation::linear;
  for (std::size_t i = 0; i + 1 < table->time.size(); ++i)
    if (table->value[i] != table->value[i + 1] && (!is_linear || table->time[i] == table->time[i + 1]))
      throw InvalidModel(
          "not-differentiable", "",
          "the input " + input.name +
              " jumps, and equations that hold it are differentiated: states would jump with it");
  if (!is_linear) return std::nullopt;
  TableSource slopes{.time = {}, .value = {}, .interpolation = Interpolation::previous};
  for (std::size_t i = 0; i < table->time.size(); ++i) {
    slopes.time.push_back(table->time[i]);
    if (i + 1 == table->time.size()) {
      slopes.value.emplace_back(0.0);
    } else if (table->time[i] == table->time[i + 1]) {
      slopes.time.pop_back();  // a step
    } else {
      slopes.value.emplace_back("(" + as_text(table->value[i + 1]) + " - (" + as_text(table->value[i]) +
                                "))/(" + as_text(table->time[i + 1]) + " - (" + as_text(table->time[i]) +
                                "))");
    }
  }
  rate.form = slopes;
  return rate;
}

}  // namespace

std::string name_of_derivative(const std::string& name, int order) {
  if (order == 0) return name;
  const std::size_t dot = name.rfind('.');
  const std::size_t own = dot == std::string::npos ? 0 : dot + 1;
  return name.substr(0, own) + (order == 1 ? "der_" : "der" + std::to_string(order) + "_") + name.substr(own);
}

Replicates::Replicates(const Source& source)
    : source_(source), model_(build(source)), all_(model_), modes_(ModeSet::all()) {
  for (const ModeSet& factor : all_.space.factors()) modes_ &= factor;
  for (int v = 0; v < all_.space.variables(); ++v) variables_.emplace(all_.space.name(v), v);
  const ModeSet singular = modes_ & all_.parts.singular;
  if ((modes_ - singular).empty())
    throw InvalidModel("singular-modes", "",
                       "there is no mode in which equations and signals match; see mti check");
  singular_text_ = singular.empty() ? "" : condition(singular);
  modes_ -= singular;
  for (auto& [name, value] : parameter_values(source_)) parameters_[name] = value;
  read_signals();
  read_rows();
}

void Replicates::read_signals() {
  for (const ParameterSource& one : source_.parameters) taken_.insert(one.name);
  for (const InputSource& one : source_.inputs) taken_.insert(one.name);
  for (const BinarySource& one : source_.binaries) taken_.insert(one.name);
  const auto add = [this](const std::string& name, bool is_state, int place, int j) {
    Signal& signal = signals_.emplace_back();
    signal.is_state = is_state;
    signal.place = place;
    signal.absent = all_.parts.absent[at(j)] & modes_;
    taken_.insert(name);
    for (const ModeSet& level : all_.offsets.d[at(j)].levels)
      if (const ModeSet above = level & modes_; !above.empty()) signal.above.push_back(above);
    signal.names.push_back(name);
  };
  const auto place_in = [](const std::vector<mti::Signal>& list, const std::string& name) {
    return static_cast<int>(std::ranges::find(list, name, &mti::Signal::name) - list.begin());
  };
  const Signature& signature = model_.signature;
  for (const StateSource& state : source_.states) {
    const int place = place_in(signature.states(), state.name);
    add(state.name, true, place, place);
  }
  for (const AlgebraicSource& one : source_.algebraic) {
    const int place = place_in(signature.algebraic(), one.name);
    add(one.name, false, place, signature.n() + place);
  }
  for (int s = 0; s < signals(); ++s) {
    Signal& signal = signals_[at(s)];
    for (int order = 1; order <= std::max(most(s), signal.is_state ? 1 : 0); ++order)
      signal.names.push_back(fresh(name_of_derivative(signal.names.front(), order)));
    for (int order = 0; order <= most(s); ++order)
      replicates_[signal.names[at(order)]] = {.signal = s, .order = order};
  }
}

void Replicates::read_rows() {
  for (std::size_t e = 0; e < source_.equations.size(); ++e) {
    const RelationSource& equation = source_.equations[e];
    Row row{.name = equation.name.empty() ? "eq" + std::to_string(e + 1) : equation.name,
            .text = equation.text,
            .above = {},
            .vanishes = {}};
    const auto found = std::ranges::find(model_.equation_names, row.name);
    const auto i = at(static_cast<int>(found - model_.equation_names.begin()));
    row.is_rule = found == model_.equation_names.end() || all_.space.is_rule(static_cast<int>(i));
    if (!row.is_rule) {
      row.vanishes = modes_ - all_.incidence.active[i];
      for (const ModeSet& level : all_.offsets.c[i].levels)
        if (const ModeSet above = level & modes_; !above.empty()) row.above.push_back(above);
    }
    rows_.push_back(std::move(row));
  }
}

std::optional<Replicate> Replicates::find(const std::string& name) const {
  const auto found = replicates_.find(name);
  return found == replicates_.end() ? std::nullopt : std::optional(found->second);
}

std::string Replicates::fresh(std::string wanted) {
  while (taken_.contains(wanted)) wanted += '_';
  taken_.insert(wanted);
  return wanted;
}

ModeSet Replicates::lower(Replicate replicate) const {
  const Signal& signal = signals_[at(replicate.signal)];
  return replicate.order < most(replicate.signal) ? signal.above[at(replicate.order)] : ModeSet::none();
}

ModeSet Replicates::leads(Replicate replicate) const {
  const ModeSet reached =
      replicate.order == 0 ? modes_ : lower({.signal = replicate.signal, .order = replicate.order - 1});
  return reached - lower(replicate);
}

ModeSet Replicates::binds(int equation, int order) const {
  return order < most_differentiated(equation) ? rows_[at(equation)].above[at(order)] : ModeSet::none();
}

ModeSet Replicates::holds(int equation, int order) const {
  const ModeSet reached = order == 0 ? modes_ - vanishes(equation) : binds(equation, order - 1);
  return reached - binds(equation, order);
}

Replacement Replicates::in_replicates(const ModeSet& where) const {
  return [this, where](const std::string& name) -> std::optional<WrittenTerm> {
    const std::string target = name_within(name);
    if (name.starts_with("der(")) {
      const auto found = find(target);
      if (!found) return std::nullopt;
      if (most(found->signal) == 0) return number_term(0.0);  // occurs in no mode
      return name_term(this->name({.signal = found->signal, .order = 1}));
    }
    const auto variable = variables_.find(target);
    if (variable == variables_.end()) return std::nullopt;
    const ModeSet is_true = ModeSet::where(variable->second);
    if ((where - is_true).empty()) return number_term(1.0);
    if ((where & is_true).empty()) return number_term(0.0);
    return std::nullopt;
  };
}

std::string Replicates::residual(int equation, int order, const ModeSet& where) {
  const Row& row = rows_[at(equation)];
  std::string text = rewritten_residual(row.text, in_replicates(where)).text;
  for (int k = 0; k < order; ++k) {
    try {
      text = derivative(text, [this](const std::string& name) { return rate(name); }).text;
    } catch (const InvalidModel& refused) {
      throw InvalidModel(refused.faults().front().id, "/equations/" + std::to_string(equation),
                         row.name + ": " + refused.faults().front().message);
    }
  }
  return text;
}

std::optional<WrittenTerm> Replicates::rate(const std::string& name) {
  if (name == "time") return number_term(1.0);
  if (const std::optional<Replicate> replicate = find(name)) {
    if (replicate->order >= most(replicate->signal)) return std::nullopt;
    return name_term(this->name({.signal = replicate->signal, .order = replicate->order + 1}));
  }
  for (const std::vector<InputSource>* inputs : {&source_.inputs, &input_rates_}) {
    const auto input = std::ranges::find(*inputs, name, &InputSource::name);
    if (input != inputs->end() && !input->binary) return rate_of_input(InputSource(*input));
  }
  return std::nullopt;
}

std::optional<WrittenTerm> Replicates::rate_of_input(const InputSource& input) {
  std::optional<InputSource> rate = rate_source(input);
  if (!rate) return std::nullopt;
  if (std::ranges::find(input_rates_, rate->name, &InputSource::name) == input_rates_.end()) {
    if (taken_.contains(rate->name))
      throw InvalidModel(
          "duplicate-name", "",
          "the rate of the input " + input.name + " needs the name " + rate->name + ", which the model uses");
    taken_.insert(rate->name);
    input_rates_.push_back(*rate);
  }
  return name_term(rate->name);
}

bool Replicates::is_in(const ModeSet& set, std::span<const double> v) const {
  return set.contains([&](int variable) { return v[at(all_.space.row_of(variable))] > 0.5; });
}

bool Replicates::holds_binaries(const std::string& expression) const {
  return !variables_in(expression).empty() || expression.find("if ") != std::string::npos;
}

std::vector<int> Replicates::variables_in(const std::string& expression) const {
  std::vector<int> variables;
  for (const std::string& name : names_in(expression)) {
    const auto found = variables_.find(name_within(name));
    if (found != variables_.end()) variables.push_back(found->second);
  }
  return variables;
}

std::string Replicates::condition(const ModeSet& set) const {
  std::string text = formula(set, modes_, [this](int variable) {
    const std::string& name = all_.space.name(variable);
    for (const mti::Signal& binary : model_.signature.binaries())
      if (binary.name == name && !binary.generated.empty()) return "(" + binary.generated + ")";
    return name;
  });
  if (text.starts_with('<'))
    throw InvalidModel("modes-too-large", "",
                       "a condition for modes is a " + text + ", too long to be written");
  return text;
}

std::string Replicates::in_modes(const ModeSet& set) const {
  const std::string text = condition(set);
  return text == "true" ? "in all modes" : "where " + text;
}

}  // namespace mti
