#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/components/composition.hpp"

namespace mti {

/// Where the parts of a source that was put together from several models are written.
class SourceMap {
 public:
  struct Place {
    const Composition* document = nullptr;  ///< outlives the places
    std::string pointer;                    ///< within the document
    std::string instance;                   ///< "tank1", empty for the outermost model
  };

  /// The document that everything else belongs to.
  explicit SourceMap(const Composition& root) : root_(&root) {}

  /// Elements of `list` ("/states") from `first` on are `place.pointer` followed by /offset, /offset+1, …
  void add_list(const std::string& list, std::size_t first, Place place, std::size_t offset);
  /// Elements from `first` on have been made of what stands at `place`, all of them.
  void add_whole(const std::string& list, std::size_t first, Place place);
  /// Elements `indices` of list `from` stand in list `to` now, from `first` on.
  void move(const std::string& from, const std::vector<std::size_t>& indices, const std::string& to,
            std::size_t first);
  /// Only the elements `indices` of a list are left.
  void keep(const std::string& list, const std::vector<std::size_t>& indices);
  /// What the flat pointer `pointer` names stands somewhere else than its surroundings.
  void add_exact(const std::string& pointer, Place place);

  /// The fault with the file and pointer of where its cause is written. `index_of_parameter`: position of a
  /// parameter in the list of parameters, −1 if there is none.
  [[nodiscard]] Fault locate(const Fault& fault,
                             const std::unordered_map<std::string, std::size_t>& index_of_parameter) const;

  /// A fault at a place.
  [[nodiscard]] static Fault at(const Place& place, std::string id, std::string message);

 private:
  struct Piece {
    std::size_t first = 0;
    Place place;
    std::size_t offset = 0;
    bool whole = false;
  };
  [[nodiscard]] const Piece* piece_of(const std::string& list, std::size_t index) const;

  const Composition* root_;
  std::unordered_map<std::string, std::vector<Piece>> pieces_;  ///< by list, `first` ascending
  std::unordered_map<std::string, Place> exact_;
};

/// A source put together from several models.
struct FlatSource {
  Source source;
  SourceMap places;

  /// Faults of building `source`, each where its cause is written; of those that repeat from instance to
  /// instance of one model the first.
  [[nodiscard]] std::vector<Fault> locate(const std::vector<Fault>& faults) const;
};

}  // namespace mti
