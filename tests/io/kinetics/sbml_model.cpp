#include "tests/io/kinetics/sbml_model.hpp"

#include <cctype>
#include <map>
#include <sstream>
#include <stdexcept>

#include "io/kinetics/read_sbml.hpp"
#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"

namespace mti::test {
namespace {

/// Recursive descent: sum, product, sign, power, operand.
class MathText {
 public:
  explicit MathText(const std::string& text) : text_(text) {}

  std::string all() {
    const std::string result = sum();
    if (peek() != '\0') throw std::logic_error("formula of a test: " + text_);
    return result;
  }

 private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  static std::string apply(const std::string& op, const std::string& operands) {
    return "<apply><" + op + "/>" + operands + "</apply>";
  }
  std::string sum() {
    std::string result = product();
    for (char c = peek(); c == '+' || c == '-'; c = peek()) {
      ++at_;
      const std::string right = product();
      result = apply(c == '+' ? "plus" : "minus", result + right);
    }
    return result;
  }
  std::string product() {
    std::string result = negated();
    for (char c = peek(); c == '*' || c == '/'; c = peek()) {
      ++at_;
      const std::string right = negated();
      result = apply(c == '*' ? "times" : "divide", result + right);
    }
    return result;
  }
  std::string negated() {
    if (peek() != '-') return power();
    ++at_;
    return apply("minus", negated());
  }
  std::string power() {
    std::string base = operand();
    if (peek() != '^') return base;
    ++at_;
    const std::string exponent = negated();
    return apply("power", base + exponent);
  }
  std::string operand() {
    const char c = peek();
    if (c == '(') {
      ++at_;
      std::string inner = sum();
      peek();
      ++at_;
      return inner;
    }
    std::string word;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '_' || text_[at_] == '.'))
      word += text_[at_++];
    if (word.empty()) throw std::logic_error("formula of a test: " + text_);
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) return "<cn>" + word + "</cn>";
    return peek() == '(' ? call(word) : name(word);
  }
  static std::string symbol(const std::string& which) {
    return "<csymbol encoding='text' definitionURL='http://www.sbml.org/sbml/symbols/" + which + "'>" +
           which + "</csymbol>";
  }
  static std::string name(const std::string& word) {
    if (word == "time" || word == "avogadro") return symbol(word);
    if (word == "pi" || word == "exponentiale" || word == "true" || word == "false" || word == "infinity" ||
        word == "notanumber")
      return "<" + word + "/>";
    return "<ci>" + word + "</ci>";
  }
  std::string call(const std::string& function) {
    std::vector<std::string> arguments;
    ++at_;
    while (peek() != ')') {
      if (peek() == ',') ++at_;
      arguments.push_back(sum());
    }
    ++at_;
    std::string joined;
    for (const std::string& argument : arguments) joined += argument;
    static const std::string known =
        " plus times minus divide power abs exp ln floor ceiling factorial sin cos tan sec csc cot sinh cosh "
        "tanh sech csch "
        "coth arcsin arccos arctan arcsec arccsc arccot arcsinh arccosh arctanh arcsech arccsch arccoth and "
        "or xor not "
        "implies eq neq lt leq gt geq max min quotient rem ";
    if (known.find(" " + function + " ") != std::string::npos) return apply(function, joined);
    if (function == "delay" || function == "rateOf")
      return "<apply>" + symbol(function) + joined + "</apply>";
    if (function == "root" || function == "log") {
      const std::string qualifier = function == "root" ? "degree" : "logbase";
      if (arguments.size() == 1) return apply(function, joined);
      return apply(function, "<" + qualifier + ">" + arguments[0] + "</" + qualifier + ">" + arguments[1]);
    }
    if (function == "piecewise") {
      std::string pieces;
      std::size_t i = 0;
      for (; i + 1 < arguments.size(); i += 2)
        pieces += "<piece>" + arguments[i] + arguments[i + 1] + "</piece>";
      if (i < arguments.size()) pieces += "<otherwise>" + arguments[i] + "</otherwise>";
      return "<piecewise>" + pieces + "</piecewise>";
    }
    return "<apply><ci>" + function + "</ci>" + joined + "</apply>";
  }

  std::string text_;
  std::size_t at_ = 0;
};

std::string yes(bool value) { return value ? "'true'" : "'false'"; }

std::string list(const std::string& name, const std::string& elements) {
  return elements.empty() ? "" : "<listOf" + name + ">" + elements + "</listOf" + name + ">\n";
}

}  // namespace

std::string math(const std::string& formula) {
  if (formula.find_first_not_of(' ') == std::string::npos) return "";
  return "<math xmlns='http://www.w3.org/1998/Math/MathML'>" + MathText(formula).all() + "</math>";
}

SbmlModel& SbmlModel::compartment(const std::string& id, const std::string& attributes, bool constant) {
  const bool has_dimensions = attributes.find("spatialDimensions") != std::string::npos;
  compartments_ += "<compartment id='" + id + "' " + attributes +
                   (has_dimensions ? "" : " spatialDimensions='3'") + " constant=" + yes(constant) + "/>";
  return *this;
}

SbmlModel& SbmlModel::species(const std::string& id, const std::string& attributes, bool only_substance,
                              const std::string& compartment) {
  const auto without = [&](const char* name) { return attributes.find(name) == std::string::npos; };
  species_ += "<species id='" + id + "' compartment='" + compartment + "' " + attributes +
              " hasOnlySubstanceUnits=" + yes(only_substance) +
              (without("boundaryCondition") ? " boundaryCondition='false'" : "") +
              (without("constant") ? " constant='false'" : "") + "/>";
  return *this;
}

SbmlModel& SbmlModel::parameter(const std::string& id, const std::string& value, bool constant) {
  parameters_ += "<parameter id='" + id + "'" + (value.empty() ? "" : " value='" + value + "'") +
                 " constant=" + yes(constant) + "/>";
  return *this;
}

SbmlModel& SbmlModel::function(const std::string& id, const std::vector<std::string>& arguments,
                               const std::string& body) {
  std::string bound;
  for (const std::string& argument : arguments) bound += "<bvar><ci>" + argument + "</ci></bvar>";
  functions_ += "<functionDefinition id='" + id +
                "'><math xmlns='http://www.w3.org/1998/Math/MathML'><lambda>" + bound + MathText(body).all() +
                "</lambda></math></functionDefinition>";
  return *this;
}

SbmlModel& SbmlModel::initial(const std::string& id, const std::string& formula) {
  initial_ += "<initialAssignment symbol='" + id + "'>" + math(formula) + "</initialAssignment>";
  return *this;
}

SbmlModel& SbmlModel::assignment(const std::string& id, const std::string& formula) {
  rules_ += "<assignmentRule variable='" + id + "'>" + math(formula) + "</assignmentRule>";
  return *this;
}

SbmlModel& SbmlModel::rate(const std::string& id, const std::string& formula) {
  rules_ += "<rateRule variable='" + id + "'>" + math(formula) + "</rateRule>";
  return *this;
}

SbmlModel& SbmlModel::algebraic(const std::string& formula) {
  rules_ += "<algebraicRule>" + math(formula) + "</algebraicRule>";
  return *this;
}

std::string SbmlModel::side(const std::string& name, const std::string& side) const {
  if (side.starts_with("<")) return list(name, side);
  std::string result;
  std::istringstream words(side);
  std::string word, number = "1";
  while (words >> word) {
    if (word == "+") continue;
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
      number = word;
      continue;
    }
    result += "<speciesReference species='" + word + "' stoichiometry='" + number + "'" +
              (level_ == 3 ? " constant='true'" : "") + "/>";
    number = "1";
  }
  return list(name, result);
}

SbmlModel& SbmlModel::reaction(const std::string& id, const std::string& from, const std::string& to,
                               const std::string& law,
                               const std::vector<std::pair<std::string, std::string>>& local) {
  std::string parameters;
  for (const auto& [name, value] : local)
    parameters += "<" + std::string(level_ == 3 ? "localParameter" : "parameter") + " id='" + name +
                  "' value='" + value + "'/>";
  const std::string version = level_ == 3 && version_ == 1 ? " fast='false'" : "";
  reactions_ += "<reaction id='" + id + "' reversible='false'" + version + ">" + side("Reactants", from) +
                side("Products", to);
  if (!law.empty())
    reactions_ += "<kineticLaw>" + math(law) +
                  list(level_ == 3 ? "LocalParameters" : "Parameters", parameters) + "</kineticLaw>";
  reactions_ += "</reaction>";
  return *this;
}

SbmlModel& SbmlModel::fast_reaction(const std::string& id, const std::string& from, const std::string& to,
                                    const std::string& law) {
  reaction(id, from, to, law);
  const std::string slow = "fast='false'";
  reactions_.replace(reactions_.rfind(slow), slow.size(), "fast='true'");
  return *this;
}

SbmlModel& SbmlModel::event(const std::string& id, const std::string& trigger,
                            const std::vector<std::pair<std::string, std::string>>& assignments,
                            const EventForm& form) {
  events_ += "<event" + (id.empty() ? "" : " id='" + id + "'") +
             (level_ == 3 ? " useValuesFromTriggerTime=" + yes(form.values_of_trigger_time) : "") +
             "><trigger" +
             (level_ == 3 ? " initialValue=" + yes(form.initial_value) + " persistent=" + yes(form.persistent)
                          : "") +
             ">" + math(trigger) + "</trigger>";
  if (!form.delay.empty()) events_ += "<delay>" + math(form.delay) + "</delay>";
  if (!form.priority.empty()) events_ += "<priority>" + math(form.priority) + "</priority>";
  std::string list_of;
  for (const auto& [variable, formula] : assignments)
    list_of += "<eventAssignment variable='" + variable + "'>" + math(formula) + "</eventAssignment>";
  events_ += list("EventAssignments", list_of) + "</event>";
  return *this;
}

SbmlModel& SbmlModel::constraint(const std::string& formula) {
  constraints_ += "<constraint>" + math(formula) + "</constraint>";
  return *this;
}

std::string SbmlModel::text() const {
  const std::string level = std::to_string(level_), version = std::to_string(version_);
  const std::string space = level_ == 3 ? "http://www.sbml.org/sbml/level3/version" + version + "/core"
                                        : "http://www.sbml.org/sbml/level2" +
                                              (version_ == 1 ? std::string() : "/version" + version);
  return "<?xml version='1.0' encoding='UTF-8'?>\n<sbml xmlns='" + space + "' level='" + level +
         "' version='" + version + "'>\n<model id='model' " + attributes_ + ">\n" +
         list("FunctionDefinitions", functions_) + list("Compartments", compartments_) +
         list("Species", species_) + list("Parameters", parameters_) + list("InitialAssignments", initial_) +
         list("Rules", rules_) + list("Constraints", constraints_) + list("Reactions", reactions_) +
         list("Events", events_) + "</model></sbml>\n";
}

SbmlRun::SbmlRun(const std::string& text, double stop, double rtol) {
  SimulationOptions options;
  options.stop = stop;
  options.rtol = rtol;
  options.atol = rtol * 1e-3;
  options.dense = true;
  trajectory_ = simulate(build(read_sbml_text(text)), options);
}

double SbmlRun::operator()(const std::string& name, double time) const {
  return trajectory_.at(time, trajectory_.column(name));
}

std::vector<std::string> refusals_of(const std::string& text) {
  std::vector<std::string> result;
  try {
    static_cast<void>(build(read_sbml_text(text)));
  } catch (const FaultError& refused) {
    for (const Fault& fault : refused.faults()) result.push_back(fault.id + " " + fault.pointer);
  }
  return result;
}

}  // namespace mti::test
