#pragma once

#include <sbml/SBMLTypes.h>

namespace mti::sbml {

// The functions of libsbml that are used here, in its interface for C: these can be looked up by their names.
#define MTI_SBML_FUNCTIONS(USE)                 \
  USE(readSBMLFromString)                       \
  USE(SBMLDocument_checkConsistency)            \
  USE(SBMLDocument_free)                        \
  USE(SBMLDocument_getError)                    \
  USE(SBMLDocument_getLevel)                    \
  USE(SBMLDocument_getModel)                    \
  USE(SBMLDocument_getNumErrors)                \
  USE(SBMLDocument_getVersion)                  \
  USE(SBMLDocument_setConsistencyChecks)        \
  USE(XMLError_getErrorId)                      \
  USE(XMLError_getLine)                         \
  USE(XMLError_getMessage)                      \
  USE(XMLError_getSeverity)                     \
  USE(Model_getId)                              \
  USE(Model_getName)                            \
  USE(Model_getConversionFactor)                \
  USE(Model_getNumCompartments)                 \
  USE(Model_getCompartment)                     \
  USE(Model_getNumConstraints)                  \
  USE(Model_getConstraint)                      \
  USE(Model_getNumEvents)                       \
  USE(Model_getEvent)                           \
  USE(Model_getNumFunctionDefinitions)          \
  USE(Model_getFunctionDefinition)              \
  USE(Model_getNumInitialAssignments)           \
  USE(Model_getInitialAssignment)               \
  USE(Model_getNumParameters)                   \
  USE(Model_getParameter)                       \
  USE(Model_getNumReactions)                    \
  USE(Model_getReaction)                        \
  USE(Model_getNumRules)                        \
  USE(Model_getRule)                            \
  USE(Model_getNumSpecies)                      \
  USE(Model_getSpecies)                         \
  USE(Compartment_getId)                        \
  USE(Compartment_isSetSize)                    \
  USE(Compartment_getSize)                      \
  USE(Compartment_isSetSpatialDimensions)       \
  USE(Compartment_getSpatialDimensionsAsDouble) \
  USE(Compartment_getConstant)                  \
  USE(Species_getId)                            \
  USE(Species_getCompartment)                   \
  USE(Species_isSetInitialAmount)               \
  USE(Species_getInitialAmount)                 \
  USE(Species_isSetInitialConcentration)        \
  USE(Species_getInitialConcentration)          \
  USE(Species_getHasOnlySubstanceUnits)         \
  USE(Species_getBoundaryCondition)             \
  USE(Species_getConstant)                      \
  USE(Species_getConversionFactor)              \
  USE(Parameter_getId)                          \
  USE(Parameter_isSetValue)                     \
  USE(Parameter_getValue)                       \
  USE(Parameter_getConstant)                    \
  USE(Reaction_getId)                           \
  USE(Reaction_getFast)                         \
  USE(Reaction_getKineticLaw)                   \
  USE(Reaction_getNumReactants)                 \
  USE(Reaction_getReactant)                     \
  USE(Reaction_getNumProducts)                  \
  USE(Reaction_getProduct)                      \
  USE(KineticLaw_getMath)                       \
  USE(KineticLaw_getNumParameters)              \
  USE(KineticLaw_getParameter)                  \
  USE(SpeciesReference_getId)                   \
  USE(SpeciesReference_getSpecies)              \
  USE(SpeciesReference_isSetStoichiometry)      \
  USE(SpeciesReference_getDenominator)          \
  USE(SpeciesReference_getStoichiometry)        \
  USE(SpeciesReference_getStoichiometryMath)    \
  USE(SpeciesReference_getConstant)             \
  USE(StoichiometryMath_getMath)                \
  USE(Rule_isAssignment)                        \
  USE(Rule_isRate)                              \
  USE(Rule_getVariable)                         \
  USE(Rule_getMath)                             \
  USE(InitialAssignment_getSymbol)              \
  USE(InitialAssignment_getMath)                \
  USE(Event_getId)                              \
  USE(Event_getTrigger)                         \
  USE(Event_getDelay)                           \
  USE(Event_getPriority)                        \
  USE(Event_getUseValuesFromTriggerTime)        \
  USE(Event_getNumEventAssignments)             \
  USE(Event_getEventAssignment)                 \
  USE(Trigger_getMath)                          \
  USE(Trigger_getInitialValue)                  \
  USE(Trigger_getPersistent)                    \
  USE(Delay_getMath)                            \
  USE(Priority_getMath)                         \
  USE(EventAssignment_getVariable)              \
  USE(EventAssignment_getMath)                  \
  USE(Constraint_getMath)                       \
  USE(FunctionDefinition_getId)                 \
  USE(FunctionDefinition_getMath)               \
  USE(ASTNode_getType)                          \
  USE(ASTNode_getName)                          \
  USE(ASTNode_getNumChildren)                   \
  USE(ASTNode_getChild)                         \
  USE(ASTNode_getInteger)                       \
  USE(ASTNode_getNumerator)                     \
  USE(ASTNode_getDenominator)                   \
  USE(ASTNode_getReal)                          \
  USE(ASTNode_getMantissa)                      \
  USE(ASTNode_getExponent)

/// These functions, each under its own name.
struct Library {
// NOLINTNEXTLINE(bugprone-macro-parentheses): what is declared stands in none
#define MTI_SBML_MEMBER(name) decltype(&::name) name;
  MTI_SBML_FUNCTIONS(MTI_SBML_MEMBER)
#undef MTI_SBML_MEMBER
};

/// libsbml, which is loaded with the first file of SBML of a process: with what it brings along, loading takes longer
/// than a short run. Errors: UnusableFile, id `file-unreadable` (the library is not there).
[[nodiscard]] const Library& library();

}  // namespace mti::sbml
