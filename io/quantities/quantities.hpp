#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/sbml/document.hpp"
#include "io/sbml/refusals.hpp"

namespace mti::sbml {

/// What an identifier stands for, and what determines it while time goes on.
struct Quantity {
  enum class Kind { compartment, species, parameter, local, stoichiometry, reaction };
  enum class By {
    constant,   ///< nothing: a parameter of the model
    rule,       ///< an assignment rule, or the law of a reaction
    rate,       ///< a rate rule
    reactions,  ///< the reactions of a species
    events,     ///< events alone
    algebra     ///< algebraic rules
  };
  Kind kind = Kind::parameter;
  By by = By::constant;
  int index = 0;                     ///< in the list of its kind
  std::string id = {}, name = {};    ///< of SBML, and in the model
  const Math* rule = nullptr;        ///< of an assignment or rate rule, or a law
  const Math* initial = nullptr;     ///< an initial assignment
  std::optional<double> given = {};  ///< the value of its attribute
  bool by_amount = false;  ///< a concentration whose state is the amount, for its compartment changes
  bool is_baked = false;   ///< a constant that a function of steps holds as a number
};

/// All identifiers of a document.
///
/// The model calls them as SBML does, but for words of the language of equations, which get an underscore (`time_`).
/// A constant c is a parameter `c.value`, and a signal c that is equal to it.
/// Refusals: `sbml-algebraic-rule`, `sbml-no-math`.
class Quantities {
 public:
  /// `document` outlives this.
  Quantities(const Document& document, Refusals& refusals);

  [[nodiscard]] const Quantity* find(const std::string& id) const;
  [[nodiscard]] const std::vector<Quantity>& all() const { return all_; }
  [[nodiscard]] const Document& document() const { return document_; }

  [[nodiscard]] bool is_constant(const std::string& id) const;
  /// A formula of constants alone: no time, delay or rate of change at any depth.
  [[nodiscard]] bool is_constant(const Math& math) const;
  /// A formula of constants, and of variables that rules give such formulas.
  [[nodiscard]] bool is_fixed(const Math& math) const;
  /// The species is measured by its concentration, its compartment having a size.
  [[nodiscard]] bool is_concentration(const Quantity& species) const;
  [[nodiscard]] const Quantity& compartment_of(const Quantity& species) const;
  /// The text of a value on the way: a signal's name or a constant's parameter.
  [[nodiscard]] std::string text(const std::string& id) const;
  /// Variables that are no functions of others, which an identifier follows.
  [[nodiscard]] std::set<std::string> sources_of(const std::string& id) const;
  [[nodiscard]] std::set<std::string> sources_of(const Math& math) const;
  /// What rateOf of it follows.
  [[nodiscard]] std::set<std::string> sources_of_rate(const std::string& id) const;
  /// The value at the start; nothing where it has none, or depends on what algebraic rules determine.
  [[nodiscard]] std::optional<double> start_value(const std::string& id) const;
  [[nodiscard]] std::optional<double> start_value(const Math& math) const;
  /// q of what takes multiples of 1/q only (mti/common/denominators.hpp): what begins with a whole number, and is made of such
  /// and of numbers by sums, products, quotients, pieces and events; 0: nothing is known.
  [[nodiscard]] int denominator(const Math& math) const;
  /// Adds the constants and counters that have to be whole for a formula with a denominator to have it.
  void add_whole_sources(const Math& math, std::set<std::string>& ids) const;
  /// Species whose amount reactions change, with what changes it.
  struct Share {
    int reaction = 0;
    const Participant* part = nullptr;
    bool is_product = false;
  };
  [[nodiscard]] const std::vector<Share>& shares_of(const Quantity& species) const;

 private:
  void declare(Quantity quantity);
  void declare_all();
  void enter_rules(Refusals& refusals);
  void enter_changes(Refusals& refusals);
  void match_algebraic_rules(Refusals& refusals);
  void choose_amounts();
  void bake_steps();
  void bake(const Math& math, bool inside);
  [[nodiscard]] Quantity* find(const std::string& id);
  [[nodiscard]] int denominator(const std::string& id) const;
  [[nodiscard]] int denominator_by_parts(const Quantity& quantity) const;
  std::optional<double> compute_start(const Quantity& quantity) const;

  const Document& document_;
  std::vector<Quantity> all_;
  std::map<std::string, std::size_t> places_;
  std::map<std::string, std::vector<Share>> shares_;
  std::set<std::string> written_;  ///< by events
  std::set<std::string> algebraic_sources_;
  mutable std::map<std::string, std::optional<double>> starts_;
  mutable std::set<std::string> open_;
  mutable std::map<std::string, std::set<std::string>> sources_;
  mutable bool meets_circle_ = false;
  mutable std::map<std::string, bool> fixed_;
  mutable std::map<std::string, int> denominators_;
  mutable std::set<std::string> open_denominators_;
};

}  // namespace mti::sbml
