#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "mti/model/model.hpp"
#include "mti/printing/readable_terms.hpp"

namespace mti::text {

/// The left side of a relation, term by term; name empty where it has none.
struct ReadableRow {
  std::string name;
  std::vector<std::string> terms;
};

/// The rows of a model in some notation, copies written as what they copy. The model must outlive it.
class ModelRows {
 public:
  /// `expanded`: copies are written as the signals they are.
  ModelRows(const Model& model, Notation notation, bool expanded = false)
      : model_(model),
        copies_(expanded ? no_copies(model) : find_copies(model)),
        notation_(std::move(notation)) {}

  [[nodiscard]] const PowerCopies& copies() const { return copies_; }

  /// Without the definitions of copies.
  [[nodiscard]] std::vector<ReadableRow> equations() const;
  [[nodiscard]] std::vector<ReadableRow> constraints() const;
  /// The notation gives rows of S from signature.size() on the names of left limits.
  [[nodiscard]] std::vector<ReadableRow> law(const Transition& law) const;
  [[nodiscard]] std::vector<ReadableRow> scenario(const Scenario& scenario) const;

 private:
  [[nodiscard]] std::vector<ReadableRow> rows_of(const CpMap& map,
                                                 const std::function<int(int)>& original) const;

  const Model& model_;
  PowerCopies copies_;
  Notation notation_;
};

/// "reach(floor)", "rise(z)" or "fall(z)"
[[nodiscard]] std::string condition(const Transition& law, const Model& model);

/// "scenario thrown", with this word for it, or "initial equations".
[[nodiscard]] std::string title(const Scenario& scenario, const std::string& word);

/// "motion, spring"
[[nodiscard]] std::string names_of(const std::vector<int>& equations, const Model& model);

/// Name, kind and unit of a signal; what a binary stands for that was generated.
struct SignalLine {
  std::string name, kind, unit, meaning;
};
/// All signals but copies.
[[nodiscard]] std::vector<SignalLine> signal_lines(const Model& model, const PowerCopies& copies);

}  // namespace mti::text
