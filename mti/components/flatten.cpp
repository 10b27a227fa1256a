#include "mti/components/flatten.hpp"

#include <optional>
#include <set>
#include <tuple>

#include "mti/build/build.hpp"
#include "mti/components/flattener.hpp"

namespace mti {
namespace {

/// Faults of a document by itself, where it is written.
std::vector<Fault> faults_alone(const Composition& document) {
  std::optional<FlatSource> flat;
  try {
    flat = flatten(document);
    (void)build(flat->source);
  } catch (const InvalidModel& invalid) {
    return flat ? flat->locate(invalid.faults()) : invalid.faults();
  }
  return {};
}

/// Gathers faults; one that stands at the place of a fault of an earlier document with the same id is that
/// fault once more.
class Gathering {
 public:
  /// Of the documents used in `composition`, each once, innermost first.
  void add_documents_of(const Composition& composition) {
    for (const ComponentSource& component : composition.components) {
      if (!component.model || !seen_.insert(component.model.get()).second) continue;
      add_documents_of(*component.model);
      add(faults_alone(*component.model));
    }
  }

  void add(std::vector<Fault> faults) {
    std::vector<Key> added;
    for (Fault& fault : faults) {
      Key key{fault.id, fault.file, fault.pointer};
      if (keys_.contains(key)) continue;
      added.push_back(std::move(key));
      faults_.push_back(std::move(fault));
    }
    keys_.insert(added.begin(), added.end());
  }

  [[nodiscard]] bool empty() const { return faults_.empty(); }
  [[nodiscard]] std::vector<Fault> take() { return std::move(faults_); }

 private:
  using Key = std::tuple<std::string, std::string, std::string>;
  std::set<const Composition*> seen_;
  std::set<Key> keys_;
  std::vector<Fault> faults_;
};

}  // namespace

FlatSource flatten(const Composition& composition, const Overrides& overrides) {
  return Flattener(composition, overrides).run();
}

Model build(const Composition& composition, const Overrides& overrides) {
  std::optional<FlatSource> flat;
  Gathering gathering;
  try {
    flat = flatten(composition, overrides);
    override_values(flat->source, overrides);
    return build(flat->source);
  } catch (const InvalidOption& refused) {
    gathering.add_documents_of(composition);
    if (gathering.empty()) throw;
    gathering.add(refused.faults());
  } catch (const InvalidModel& invalid) {
    gathering.add_documents_of(composition);
    gathering.add(flat ? flat->locate(invalid.faults()) : invalid.faults());
  }
  throw InvalidModel(gathering.take());
}

}  // namespace mti
