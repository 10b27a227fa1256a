#include "io/sbml/read_document.hpp"

#include <map>
#include <memory>
#include <utility>

#include "io/sbml/check_text.hpp"
#include "io/sbml/math_reader.hpp"
#include "io/sbml/sbml_library.hpp"
#include "mti/common/fault.hpp"

namespace mti::sbml {
namespace {

std::string text_of(const char* text) { return text == nullptr ? std::string() : std::string(text); }

/// In one line, and without what libsbml says about the specification at its end.
std::string first_of_message(const std::string& message) {
  std::string line;
  for (const char c : message.substr(0, 600)) {
    const bool is_space = c == '\n' || c == '\t' || c == ' ';
    if (!is_space || (!line.empty() && line.back() != ' ')) line += is_space ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

/// From level 3 version 2 on formulas may be missing, to be given elsewhere. Without one a rule, an assignment, a delay, a
/// priority and an event of that trigger say nothing; a reaction without a law would.
void leave_out_what_is_empty(Document& document) {
  std::erase_if(document.rules, [](const Rule& rule) { return !rule.math; });
  const auto is_empty = [](const Assignment& assignment) { return !assignment.math; };
  std::erase_if(document.initial_assignments, is_empty);
  std::erase_if(document.events, [](const Event& event) { return !event.trigger; });
  for (Event& event : document.events) {
    std::erase_if(event.assignments, is_empty);
    event.has_delay = event.has_delay && event.delay;
    event.has_priority = event.has_priority && event.priority;
  }
}

/// The document of libsbml, and what is in it as values.
class DocumentReader {
 public:
  explicit DocumentReader(const std::string& text)
      : library_(library()),
        document_(library_.readSBMLFromString(text.c_str()), library_.SBMLDocument_free),
        math_(library_) {}

  Document read() {
    refuse_errors();
    Document result;
    result.level = library_.SBMLDocument_getLevel(document_.get());
    result.version = library_.SBMLDocument_getVersion(document_.get());
    if (result.level != 2 && result.level != 3)
      throw InvalidModel("sbml-level", "",
                         "SBML of level " + std::to_string(result.level) + "; levels 2 and 3 are read");
    model_ = library_.SBMLDocument_getModel(document_.get());
    if (model_ == nullptr) throw InvalidModel("sbml-format", "", "the file has no model");
    // Units are not calculated with, and advice on style is not asked for. The checks of formulas take a time that grows
    // with the square of the model; names and operands are looked at again when formulas are written.
    std::vector<int> left_out = {LIBSBML_CAT_UNITS_CONSISTENCY, LIBSBML_CAT_MODELING_PRACTICE,
                                 LIBSBML_CAT_SBO_CONSISTENCY};
    constexpr unsigned many_reactions = 1000;
    if (library_.Model_getNumReactions(model_) > many_reactions)
      left_out.push_back(LIBSBML_CAT_MATHML_CONSISTENCY);
    for (const int category : left_out)
      library_.SBMLDocument_setConsistencyChecks(document_.get(), static_cast<SBMLErrorCategory_t>(category),
                                                 0);
    library_.SBMLDocument_checkConsistency(document_.get());
    refuse_errors();
    result.id = text_of(library_.Model_getId(model_));
    result.name = text_of(library_.Model_getName(model_));
    read_functions();
    read_compartments(result);
    read_species(result);
    read_parameters(result);
    read_reactions(result);
    read_rules(result);
    read_events(result);
    if (result.level == 3 && result.version >= 2) leave_out_what_is_empty(result);
    for (unsigned i = 0; i < library_.Model_getNumConstraints(model_); ++i)
      result.constraints.push_back(
          math_.read(library_.Constraint_getMath(library_.Model_getConstraint(model_, i))));
    return result;
  }

 private:
  void refuse_errors() const {
    std::vector<Fault> faults;
    constexpr std::size_t most = 20;
    for (unsigned i = 0; i < library_.SBMLDocument_getNumErrors(document_.get()) && faults.size() < most;
         ++i) {
      const auto* const error =
          reinterpret_cast<const XMLError_t*>(library_.SBMLDocument_getError(document_.get(), i));
      const unsigned severity = library_.XMLError_getSeverity(error);
      if (severity != LIBSBML_SEV_ERROR && severity != LIBSBML_SEV_FATAL) continue;
      faults.push_back({"sbml-format", "",
                        "line " + std::to_string(library_.XMLError_getLine(error)) + ": " +
                            first_of_message(text_of(library_.XMLError_getMessage(error)))});
    }
    if (!faults.empty()) throw InvalidModel(std::move(faults));
  }

  void read_functions() {
    for (unsigned i = 0; i < library_.Model_getNumFunctionDefinitions(model_); ++i) {
      const auto* const function = library_.Model_getFunctionDefinition(model_, i);
      math_.define(text_of(library_.FunctionDefinition_getId(function)),
                   library_.FunctionDefinition_getMath(function));
    }
  }

  void read_compartments(Document& result) const {
    for (unsigned i = 0; i < library_.Model_getNumCompartments(model_); ++i) {
      auto* const from = library_.Model_getCompartment(model_, i);
      Compartment compartment{.id = text_of(library_.Compartment_getId(from))};
      if (library_.Compartment_isSetSize(from) != 0) compartment.size = library_.Compartment_getSize(from);
      if (result.level == 2 || library_.Compartment_isSetSpatialDimensions(from) != 0)
        compartment.dimensions = library_.Compartment_getSpatialDimensionsAsDouble(from);
      compartment.constant = library_.Compartment_getConstant(from) != 0;
      result.compartments.push_back(std::move(compartment));
    }
  }

  void read_species(Document& result) const {
    const std::string factor_of_all = text_of(library_.Model_getConversionFactor(model_));
    for (unsigned i = 0; i < library_.Model_getNumSpecies(model_); ++i) {
      auto* const from = library_.Model_getSpecies(model_, i);
      Species species{.id = text_of(library_.Species_getId(from)),
                      .compartment = text_of(library_.Species_getCompartment(from))};
      if (library_.Species_isSetInitialAmount(from) != 0)
        species.amount = library_.Species_getInitialAmount(from);
      if (library_.Species_isSetInitialConcentration(from) != 0)
        species.concentration = library_.Species_getInitialConcentration(from);
      species.only_substance = library_.Species_getHasOnlySubstanceUnits(from) != 0;
      species.boundary = library_.Species_getBoundaryCondition(from) != 0;
      species.constant = library_.Species_getConstant(from) != 0;
      species.conversion_factor = text_of(library_.Species_getConversionFactor(from));
      if (species.conversion_factor.empty()) species.conversion_factor = factor_of_all;
      result.species.push_back(std::move(species));
    }
  }

  [[nodiscard]] Parameter parameter_of(Parameter_t* from) const {
    Parameter parameter{.id = text_of(library_.Parameter_getId(from))};
    if (library_.Parameter_isSetValue(from) != 0) parameter.value = library_.Parameter_getValue(from);
    parameter.constant = library_.Parameter_getConstant(from) != 0;
    return parameter;
  }

  void read_parameters(Document& result) const {
    for (unsigned i = 0; i < library_.Model_getNumParameters(model_); ++i)
      result.parameters.push_back(parameter_of(library_.Model_getParameter(model_, i)));
  }

  [[nodiscard]] Participant participant_of(SpeciesReference_t* from) {
    Participant part{.id = text_of(library_.SpeciesReference_getId(from)),
                     .species = text_of(library_.SpeciesReference_getSpecies(from))};
    const auto* const formula = library_.SpeciesReference_getStoichiometryMath(from);
    if (formula != nullptr) part.formula = math_.read(library_.StoichiometryMath_getMath(formula));
    // In level 2 it is 1 where nothing is said. A formula that is a rational number has become one without being set.
    if (library_.SpeciesReference_isSetStoichiometry(from) != 0 ||
        (library_.SBMLDocument_getLevel(document_.get()) == 2 && formula == nullptr))
      part.stoichiometry =
          library_.SpeciesReference_getStoichiometry(from) / library_.SpeciesReference_getDenominator(from);
    part.constant = library_.SpeciesReference_getConstant(from) != 0;
    return part;
  }

  void read_reactions(Document& result) {
    for (unsigned i = 0; i < library_.Model_getNumReactions(model_); ++i) {
      auto* const from = library_.Model_getReaction(model_, i);
      Reaction reaction{.id = text_of(library_.Reaction_getId(from))};
      reaction.fast = library_.Reaction_getFast(from) != 0;
      for (unsigned k = 0; k < library_.Reaction_getNumReactants(from); ++k)
        reaction.reactants.push_back(participant_of(library_.Reaction_getReactant(from, k)));
      for (unsigned k = 0; k < library_.Reaction_getNumProducts(from); ++k)
        reaction.products.push_back(participant_of(library_.Reaction_getProduct(from, k)));
      if (auto* const law = library_.Reaction_getKineticLaw(from); law != nullptr) {
        std::map<std::string, std::string> renamed;
        for (unsigned k = 0; k < library_.KineticLaw_getNumParameters(law); ++k) {
          Parameter local = parameter_of(library_.KineticLaw_getParameter(law, k));
          local.constant = true;
          const std::string id = local.id;
          local.id = reaction.id + "." + id;
          renamed[id] = local.id;
          reaction.local.push_back(std::move(local));
        }
        reaction.law = math_.read(library_.KineticLaw_getMath(law), renamed);
      }
      result.reactions.push_back(std::move(reaction));
    }
  }

  void read_rules(Document& result) {
    for (unsigned i = 0; i < library_.Model_getNumRules(model_); ++i) {
      auto* const from = library_.Model_getRule(model_, i);
      Rule rule{.kind = library_.Rule_isAssignment(from) != 0 ? Rule::Kind::assignment
                        : library_.Rule_isRate(from) != 0     ? Rule::Kind::rate
                                                              : Rule::Kind::algebraic};
      rule.variable = text_of(library_.Rule_getVariable(from));
      rule.math = math_.read(library_.Rule_getMath(from));
      result.rules.push_back(std::move(rule));
    }
    for (unsigned i = 0; i < library_.Model_getNumInitialAssignments(model_); ++i) {
      auto* const from = library_.Model_getInitialAssignment(model_, i);
      result.initial_assignments.push_back({text_of(library_.InitialAssignment_getSymbol(from)),
                                            math_.read(library_.InitialAssignment_getMath(from))});
    }
  }

  void read_events(Document& result) {
    for (unsigned i = 0; i < library_.Model_getNumEvents(model_); ++i) {
      auto* const from = library_.Model_getEvent(model_, i);
      Event event{.id = text_of(library_.Event_getId(from))};
      if (auto* const trigger = library_.Event_getTrigger(from); trigger != nullptr) {
        event.trigger = math_.read(library_.Trigger_getMath(trigger));
        if (result.level == 3) {
          event.initial_value = library_.Trigger_getInitialValue(trigger) != 0;
          event.persistent = library_.Trigger_getPersistent(trigger) != 0;
        }
      }
      if (auto* const delay = library_.Event_getDelay(from); delay != nullptr) {
        event.has_delay = true;
        event.delay = math_.read(library_.Delay_getMath(delay));
      }
      if (auto* const priority = library_.Event_getPriority(from); priority != nullptr) {
        event.has_priority = true;
        event.priority = math_.read(library_.Priority_getMath(priority));
      }
      event.values_of_trigger_time = library_.Event_getUseValuesFromTriggerTime(from) != 0;
      for (unsigned k = 0; k < library_.Event_getNumEventAssignments(from); ++k) {
        auto* const assignment = library_.Event_getEventAssignment(from, k);
        event.assignments.push_back({text_of(library_.EventAssignment_getVariable(assignment)),
                                     math_.read(library_.EventAssignment_getMath(assignment))});
      }
      result.events.push_back(std::move(event));
    }
  }

  const Library& library_;
  std::unique_ptr<SBMLDocument_t, void (*)(SBMLDocument_t*)> document_;
  Model_t* model_ = nullptr;
  MathReader math_;
};

}  // namespace

Document read_document(const std::string& text) {
  check_text(text);
  // libSBML takes a mark of the byte order for text before the declaration.
  const bool is_marked = text.starts_with("\xEF\xBB\xBF");
  return DocumentReader(is_marked ? text.substr(3) : text).read();
}

}  // namespace mti::sbml
