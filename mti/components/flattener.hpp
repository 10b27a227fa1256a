#pragma once

// The work of flatten() (mti/components/flatten.cpp), private to it.

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "mti/components/composition.hpp"
#include "mti/components/connect.hpp"
#include "mti/components/indices.hpp"
#include "mti/components/source_map.hpp"
#include "mti/source/overrides.hpp"

namespace mti {

/// Walks through a composition and the models in it, outermost first, and puts everything into one source.
class Flattener {
 public:
  Flattener(const Composition& composition, const Overrides& overrides);

  /// Errors: InvalidModel with every fault found.
  [[nodiscard]] FlatSource run();

 private:
  using Place = SourceMap::Place;

  /// A value that an outer model gives to something of an inner one.
  struct Setting {
    Number value;                  ///< in flat names
    std::optional<double> number;  ///< its value, where known
    std::optional<Place> place;    ///< nothing: from outside of all documents
    bool used = false;
  };
  using Settings = std::unordered_map<std::string, Setting>;  ///< by flat name

  /// One model as it is used in another.
  struct Instance {
    const Composition& model;
    std::string prefix;  ///< "tank1.", empty for the outermost
    [[nodiscard]] Place place(const std::string& pointer) const;
  };

  void add(const Instance& instance);
  void add_own(const Instance& instance);
  void check_sample_time(const Instance& instance);
  void check_start_time(const Instance& instance);
  [[nodiscard]] const Source& text_of(const Composition& model);
  void apply_settings(const Instance& instance, const Source& own);
  [[nodiscard]] IndexScope scope_of(const Instance& instance);

  /// Parameters of the instance in the ranges, and in brackets of the text, decide what there is.
  void note_decisions(const Instance& instance, const std::vector<IndexRange>& ranges,
                      const std::vector<std::string>& texts, const Place& place);

  void add_component(const Instance& instance, std::size_t k, const IndexScope& scope);
  void add_element(const Instance& instance, std::size_t k, const IndexScope& scope);
  [[nodiscard]] std::vector<std::string> enter(const Instance& instance, std::size_t k,
                                               const std::string& target, const IndexScope& scope,
                                               bool parameters);
  void check_used(const Instance& instance, std::size_t k, const std::vector<std::string>& keys,
                  bool parameters);

  void add_connection(const Instance& instance, std::size_t k, const IndexScope& scope);
  [[nodiscard]] std::optional<std::size_t> shadowing_index(const Composition& model,
                                                           const std::vector<IndexRange>& ranges);
  void connect(const Instance& instance, std::size_t k, const IndexScope& scope, bool first);
  [[nodiscard]] std::optional<std::vector<std::string>> items_of(const Instance& instance, std::size_t k,
                                                                 const IndexScope& scope, bool first);
  [[nodiscard]] std::vector<std::string> over_elements(const Instance& instance, const std::string& item,
                                                       const Place& place);
  void drive_inputs();

  void fail(const Place& place, std::string id, std::string message);
  void fail(const Place& place, const std::vector<text::TextFault>& faults, const std::string& text);
  void fail(const std::optional<RangeFault>& fault, const std::vector<IndexRange>& ranges,
            const Place& place);

  const Composition& composition_;
  FlatSource flat_;
  std::optional<double> sample_time_;  ///< of the system, once a component has asked for it
  Settings parameters_, starts_;
  std::unordered_map<const Composition*, std::unordered_set<std::string>> signals_;  ///< names
  std::unordered_map<const Composition*, Source> converted_;                         ///< from matrices
  std::unordered_map<std::string, std::vector<std::string>> elements_;  ///< suffixes, by flat array name
  std::unordered_set<std::string> component_names_;
  std::vector<Drive> drives_;
  std::vector<Place> drive_places_;
  std::vector<Fault> faults_;
  std::unordered_set<std::string> reported_;
  std::size_t components_ = 0, connections_ = 0;
};

}  // namespace mti
