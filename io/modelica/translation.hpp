#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/modelica/time_functions.hpp"
#include "io/modelica_expressions/expressions.hpp"
#include "mti/source/source.hpp"

namespace mti::modelica {

/// An equality of the model with its conditions inside: if-equations have become if-expressions.
struct Equality {
  Node left, right;
  std::size_t begin = 0;
  std::string name = {};  ///< from its description, where that is a name
};

/// What is behind `begin` in the text became what the JSON pointer says: where faults of building point.
struct SourcePlace {
  std::string pointer;
  std::size_t begin = 0;
};

/// A condition of parameters that had this value while the model was read, and the fault if it has another one.
struct Premise {
  std::string condition;
  bool value = true;
  std::string id, message;
  std::size_t begin = 0;
};

/// Turns a flat model into a Source, part by part. Faults of one equation do not hide those of others.
class Translation {
 public:
  Translation(const FlatModel& model, Report& report);
  void run();

  Source source = {};
  std::vector<SourcePlace> places = {};
  std::vector<Premise> premises = {};

 private:
  using Role = Variable::Role;

  // translation.cpp
  template <typename Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (const text::SyntaxError& error) {
      report_.add(error.fault());
    }
  }
  void collect_equalities();
  void flatten(const Equation& equation, std::vector<Equality>& equalities);
  void add_equality(Node left, Node right, std::size_t begin, const Equation& equation,
                    std::vector<Equality>& equalities);
  void require_integer(const Variable& variable, const Node& value, std::size_t place) const;
  void require_integer_equations();
  void require_equations();
  void translate_equalities();
  void require_one_sequence() const;
  void rely_on(const std::string& condition, bool value, std::size_t begin);
  void rely_on_conditions(const Node& node);
  void add_equation(const std::string& text, std::size_t begin, const std::string& name = {});
  void add_constraint(const std::string& text, std::size_t begin, const std::string& name);

  // translation_declarations.cpp
  void add_parameters();
  void add_inputs();
  void add_signals();
  void add_initial(const Equation& equation);
  void add_ranges();
  void read_experiment();
  [[nodiscard]] Number start_of(const Variable& variable) const;
  [[nodiscard]] Number number_of(const Node& node, const Variable& variable) const;
  [[nodiscard]] std::string unit_of(const Variable& variable) const;
  [[nodiscard]] bool is_fixed(const Variable& variable) const;
  void know_comparisons();
  void separate_opposites();

  // translation_booleans.cpp
  void define(const Variable& variable, const Node& value, std::size_t begin);
  void define_comparison(const std::string& binary, const Node& comparison, std::size_t begin);
  bool define_memory(const Variable& variable, const Node& value, std::size_t begin);
  [[nodiscard]] std::string rising(const std::string& binary, const Node& comparison, std::size_t begin);
  [[nodiscard]] bool is_known(const Node& comparison) const;
  void check(const Node& condition, const std::string& message, bool is_error, std::size_t begin);
  void add_assertion(const Equation& equation, const Node& call, const std::vector<Node>& guards);
  [[nodiscard]] bool holds_conditions(const Node& node) const;

  // translation_whens.cpp
  void add_when(const Equation& when);
  /// What makes a when-equation active at an instant.
  struct Trigger {
    std::string when;       ///< of a law: reach(constraint), risen(binary)
    std::string edge = {};  ///< 1 at that instant, of binaries; empty for clocks and impacts
    std::optional<std::pair<double, double>> sample = {};  ///< start and period of a clock
    std::string sample_start = {}, sample_period = {};
    bool follows_inputs = false;  ///< inputs that step take part in its condition
  };
  using NameSet = std::set<std::string_view>;
  std::vector<Trigger> triggers(const Node& outer, bool needs_edge);
  Trigger trigger_of_sample(const Node& sample);
  [[nodiscard]] std::string first_sample(const Node& sample);
  [[nodiscard]] std::string run_start() const;
  void add_branch(const Equation& when, const Branch& branch, const std::vector<Trigger>& triggers,
                  const NameSet& set_here);
  [[nodiscard]] Node inlined(const Node& node, int depth) const;
  [[nodiscard]] bool steps(std::string_view name) const;
  void require_steady(const Node& value, const Trigger& trigger);
  void add_law(const std::string& when, const std::string& equation, std::size_t begin);
  std::string hoisted(const Variable& variable, const std::string& next, const Node& value,
                      const std::map<std::string_view, std::string>& stands_for, std::size_t begin);
  [[nodiscard]] bool is_multilinear(const Node& node) const;
  [[nodiscard]] bool repeats_a_variable(const Node& product) const;

  // translation_instants.cpp
  /// What the condition of a when-equation looks at.
  struct Occasion {
    bool has_sample = false, has_condition = false;
    NameSet names = {};         ///< of signals, "time" among them
    bool looks_at_set = false;  ///< when-equations set one of them
    bool only_at_set = true;    ///< and all of them
  };
  void merge_whens();
  [[nodiscard]] Occasion occasion_of(const Node& condition) const;
  [[nodiscard]] static bool may_meet(const Occasion& own, const Occasion& other);
  [[nodiscard]] bool is_set_by_whens(std::string_view name) const;
  void add_defined_names_of(const Node& node, NameSet& names) const;
  void require_smooth_limits(const Node& value, const Branch& branch) const;
  void require_one_activation(const Equation& when) const;
  [[nodiscard]] static bool sets(const Equation& when, std::string_view name);
  [[nodiscard]] static bool sets_some(const Equation& when, const NameSet& names);
  [[nodiscard]] static bool sets_all(const Equation& when, const NameSet& names);
  [[nodiscard]] bool may_be_due_with(const Occasion& one, const Equation& when) const;
  void require_one_iteration(const Node& value, const Equation& when, const Branch& branch) const;
  [[nodiscard]] NameSet names_of_conditions(const Equality& equality, const NameSet& variables) const;
  void require_settled(const Node& value, bool is_hoisted, const Equation& when, const Branch& branch,
                       const std::map<std::string_view, std::string>& new_here) const;
  void require_no_switch(const Node& value, const Occasion& own,
                         const std::map<std::string_view, std::string>& new_here, std::size_t begin) const;

  // translation_impacts.cpp
  std::vector<Trigger> impacts(const std::vector<Node>& comparisons, std::size_t begin);
  /// A condition of when-equations that consists of comparisons, and what all of these reset.
  struct Impact {
    std::vector<Node> comparisons = {};
    NameSet reset = {};
    NameSet reinitialised = {};  ///< of these the states
    bool is_impact = false;      ///< that decides when it is false again
    std::vector<Trigger> triggers = {};
  };
  void find_impacts();
  void require_no_impact(const Node& condition) const;
  [[nodiscard]] static Node trigger_of_edge(const Node& condition);
  [[nodiscard]] static std::vector<Node> conditions_of(const Node& condition);
  [[nodiscard]] std::vector<Node> conjunction_of(const Node& condition) const;
  [[nodiscard]] std::pair<std::string, std::string> boundary_of(const Node& comparison) const;
  [[nodiscard]] std::string key_of(const std::vector<Node>& comparisons) const;
  [[nodiscard]] bool is_multiple_of(const Node& node, const NameSet& names, int depth = 0) const;
  [[nodiscard]] bool depends(const Node& comparison, const NameSet& reset,
                             const NameSet& reinitialised) const;
  void add_names_of(const Node& node, NameSet& names, bool through_binaries = true) const;
  [[nodiscard]] const Node* definition_of(const Node& boolean) const;

  const FlatModel& model_;
  Report& report_;
  Names names_;
  Expressions expressions_;
  Declarations parameters_;
  TimeFunctions time_functions_;
  std::vector<Equality> equalities_ = {};
  std::vector<const Equation*> whens_ = {};
  std::deque<Equation> merged_whens_ = {};
  struct Assertion {
    Node condition;
    std::string message;
    bool is_error = true;
    std::size_t begin = 0;
  };
  std::vector<Assertion> assertion_nodes_ = {};
  std::map<std::string, std::string> starts_ = {};  ///< from initial equations, by the names here
  std::map<std::string, std::string> clocks_ =
      {};                                       ///< by start and period of a sample: the trigger of its law
  std::map<std::string, Impact> impacts_ = {};  ///< by their comparisons
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> edges_ =
      {};  ///< Boolean set in whens: edge, value
  std::set<std::string> relation_names_ = {};
  std::set<std::string> only_asserted_ = {};  ///< constraints that decide nothing
  NameSet in_constraints_ = {};               ///< what annotated assertions decide
  int clauses_ = 0, assertions_ = 0, opposites_ = 0;
};

}  // namespace mti::modelica
