#include "mti/components/source_map.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>
#include <utility>

#include "mti/build/build_parts.hpp"

namespace mti {
namespace {

/// "column 12: " at the beginning counts in a text with longer names than the one that is written.
std::string without_column(const std::string& message) {
  if (!message.starts_with("column ")) return message;
  const std::size_t colon = message.find(": ");
  return colon == std::string::npos ? message : message.substr(colon + 2);
}

Fault placed(const Fault& fault, const SourceMap::Place& place, const std::string& rest, bool as_written) {
  Fault result = SourceMap::at(place, fault.id, as_written ? fault.message : without_column(fault.message));
  result.pointer += rest;
  if (!place.instance.empty()) result.message += " (in " + place.instance + ")";
  return result;
}

}  // namespace

void SourceMap::add_list(const std::string& list, std::size_t first, Place place, std::size_t offset) {
  pieces_[list].push_back({first, std::move(place), offset, false});
}

void SourceMap::add_whole(const std::string& list, std::size_t first, Place place) {
  pieces_[list].push_back({first, std::move(place), 0, true});
}

const SourceMap::Piece* SourceMap::piece_of(const std::string& list, std::size_t index) const {
  const auto pieces = pieces_.find(list);
  if (pieces == pieces_.end()) return nullptr;
  const auto after = std::ranges::upper_bound(pieces->second, index, {}, &Piece::first);
  return after == pieces->second.begin() ? nullptr : &*std::prev(after);
}

void SourceMap::move(const std::string& from, const std::vector<std::size_t>& indices, const std::string& to,
                     std::size_t first) {
  std::vector<Piece> moved;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const Piece* piece = piece_of(from, indices[k]);
    if (piece == nullptr) continue;
    moved.push_back(*piece);
    moved.back().first = first + k;
    moved.back().offset += indices[k] - piece->first;
  }
  std::vector<Piece>& target = pieces_[to];
  target.insert(target.end(), moved.begin(), moved.end());
}

void SourceMap::keep(const std::string& list, const std::vector<std::size_t>& indices) {
  const std::string spare = list + "/kept";
  move(list, indices, spare, 0);
  pieces_[list] = std::move(pieces_[spare]);
  pieces_.erase(spare);
}

void SourceMap::add_exact(const std::string& pointer, Place place) {
  exact_.insert_or_assign(pointer, std::move(place));
}

Fault SourceMap::at(const Place& place, std::string id, std::string message) {
  return {std::move(id), place.document->pointer + place.pointer, std::move(message), place.document->file};
}

Fault SourceMap::locate(const Fault& fault,
                        const std::unordered_map<std::string, std::size_t>& index_of_parameter) const {
  if (const auto found = exact_.find(fault.pointer); found != exact_.end())
    return placed(fault, found->second, "", false);
  const std::string& pointer = fault.pointer;
  Fault of_root = at({root_, pointer, ""}, fault.id, fault.message);
  if (pointer.empty()) return of_root;
  const std::size_t slash = std::min(pointer.find('/', 1), pointer.size());
  const std::string list = pointer.substr(0, slash);
  if (slash == pointer.size()) return of_root;
  const std::size_t end = std::min(pointer.find('/', slash + 1), pointer.size());
  const std::string token = pointer.substr(slash + 1, end - slash - 1);
  std::size_t index = 0;
  if (list == "/parameters") {
    const auto parameter = index_of_parameter.find(token);
    if (parameter == index_of_parameter.end()) return of_root;
    index = parameter->second;
  } else if (std::from_chars(token.data(), token.data() + token.size(), index).ec != std::errc{}) {
    return of_root;
  }
  const Piece* found = piece_of(list, index);
  if (found == nullptr) return of_root;
  const Piece& piece = *found;
  if (piece.whole) return placed(fault, piece.place, "", false);
  std::string rest = "/" + std::to_string(index - piece.first + piece.offset) + pointer.substr(end);
  if (list == "/parameters") {
    const auto& own = piece.place.document->own.parameters;
    rest = "/" + building::token(own[index - piece.first + piece.offset].name);
  }
  return placed(fault, piece.place, rest, piece.place.instance.empty());
}

std::vector<Fault> FlatSource::locate(const std::vector<Fault>& faults) const {
  std::unordered_map<std::string, std::size_t> index_of_parameter;
  for (std::size_t i = 0; i < source.parameters.size(); ++i)
    index_of_parameter.emplace(building::token(source.parameters[i].name), i);
  std::vector<Fault> result;
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (const Fault& fault : faults) {
    Fault located = places.locate(fault, index_of_parameter);
    // In the outermost model itself nothing repeats.
    const bool repeats = located.message != fault.message || located.pointer != fault.pointer;
    if (seen.emplace(located.id, located.file, located.pointer).second || !repeats)
      result.push_back(std::move(located));
  }
  return result;
}

}  // namespace mti
