#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mti::sbml {

/// A formula of MathML with calls of function definitions expanded.
///
/// `op` is "number", "name", "time", "true", "false", or the element of MathML that is applied to `of`: "plus",
/// "sin", "piecewise" (value, condition, value, condition, …, otherwise), "root" (degree, argument), "log" (base,
/// argument). Of what is no such element ("delay", "rateOf") the name of the symbol; "past" of a name and T is its value T ago
/// (io/sbml/past_values.hpp).
struct Math {
  std::string op = "number";
  double value = 0.0;     ///< number
  std::string name = {};  ///< name; parameters of a kinetic law are called REACTION.PARAMETER
  std::vector<Math> of = {};
};

struct Compartment {
  std::string id;
  std::optional<double> size = {};
  double dimensions = 3.0;
  bool constant = true;
};

struct Species {
  std::string id, compartment;
  std::optional<double> amount = {}, concentration = {};
  bool only_substance = false, boundary = false, constant = false;
  std::string conversion_factor = {};  ///< a parameter; empty: none
};

struct Parameter {
  std::string id;
  std::optional<double> value = {};
  bool constant = true;
};

/// A reactant or a product.
struct Participant {
  std::string id, species;
  std::optional<double> stoichiometry = {};
  std::optional<Math> formula = {};  ///< stoichiometryMath
  bool constant = true;
};

struct Reaction {
  std::string id;
  std::vector<Participant> reactants = {}, products = {};
  std::optional<Math> law = {};
  std::vector<Parameter> local = {};  ///< with their names in `law`
  bool fast = false;
};

struct Rule {
  enum class Kind { assignment, rate, algebraic };
  Kind kind = Kind::assignment;
  std::string variable = {};
  std::optional<Math> math = {};
};

/// An initial assignment, or one of an event.
struct Assignment {
  std::string variable;
  std::optional<Math> math = {};
};

struct Event {
  std::string id;
  std::optional<Math> trigger = {}, delay = {}, priority = {};
  bool has_delay = false, has_priority = false;
  bool initial_value = true, persistent = true, values_of_trigger_time = true;
  std::vector<Assignment> assignments = {};
};

/// What a file of SBML says, in the order of its lists.
struct Document {
  std::string id, name;
  unsigned level = 3, version = 2;
  std::vector<Compartment> compartments = {};
  std::vector<Species> species = {};
  std::vector<Parameter> parameters = {};
  std::vector<Reaction> reactions = {};
  std::vector<Rule> rules = {};
  std::vector<Assignment> initial_assignments = {};
  std::vector<Event> events = {};
  std::vector<std::optional<Math>> constraints = {};
};

}  // namespace mti::sbml
