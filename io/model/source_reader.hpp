#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/json/object_reader.hpp"
#include "io/model/model_files.hpp"
#include "mti/components/composition.hpp"
#include "mti/source/source.hpp"

namespace mti::json {

/// Turns the document of a model file into a Composition, section by section, and collects the faults.
///
/// An element that is not readable leaves an empty one, so that element i of a list stays "/list/i".
class SourceReader {
 public:
  /// `files` reads the models of components; paths are relative to `directory`. `file` is the name of the
  /// document in faults, empty for the outermost one.
  SourceReader(std::filesystem::path directory, ModelFiles& files, std::vector<Fault>& faults,
               std::string file = {})
      : directory_(std::move(directory)), file_(std::move(file)), files_(files), faults_(faults) {}

  [[nodiscard]] Composition read(const Value& root);
  /// False where a declaration or matrix could not be read: what depends on it cannot be judged then.
  [[nodiscard]] bool is_complete() const noexcept { return is_complete_; }

 private:
  bool read_header(ObjectReader& model);
  void read_members(ObjectReader& model, Composition& composition);
  void read_components(ObjectReader& model, Composition& composition);
  void read_connections(ObjectReader& model, Composition& composition);
  ComponentSource read_component(ObjectReader& component);
  std::shared_ptr<const Composition> read_component_model(ObjectReader& component);
  ConnectionSource read_connection(ObjectReader& connection);
  std::vector<ParameterSource> read_values(ObjectReader& owner, std::string_view key);
  std::vector<IndexRange> read_ranges(ObjectReader& owner);
  void read_signals(ObjectReader& model, Source& source);
  void read_clocks(ObjectReader& model, Source& source);
  void read_relations(ObjectReader& model, Source& source);
  void read_transitions(ObjectReader& model, Source& source);
  void read_whens(ObjectReader& model, Source& source);
  void read_experiment(ObjectReader& model, Source& source);
  void read_scenarios(ObjectReader& model, Source& source);

  std::string read_name(ObjectReader& declaration);
  InputSource read_input(ObjectReader& input);
  TableSource read_csv(ObjectReader& input, const std::string& file);
  const std::string* csv_text(const std::string& file, const std::string& pointer);
  std::vector<RelationSource> relations(ObjectReader& model, std::string_view key);
  MatricesSource read_matrices(ObjectReader& matrices);
  ExplicitSource read_explicit(ObjectReader& matrices);
  StateSpaceSource read_state_space(ObjectReader& matrices);
  void read_factors(ObjectReader& matrices, ExplicitSource& form);
  TripletSource read_triplets(ObjectReader& matrices, std::string_view key);

  std::filesystem::path directory_;
  std::string file_;
  ModelFiles& files_;
  std::vector<Fault>& faults_;
  bool is_complete_ = true;
  std::map<std::string, std::optional<std::string>> csv_texts_;  ///< several inputs may share a file
};

}  // namespace mti::json
