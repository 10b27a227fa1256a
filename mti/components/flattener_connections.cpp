// The part of Flattener that adds connections.
#include <algorithm>
#include <cstdlib>

#include "mti/build/build_parts.hpp"
#include "mti/components/flattener.hpp"
#include "mti/components/rename.hpp"
#include "mti/text/parse.hpp"

namespace mti {
namespace {

using Kind = ConnectionSource::Kind;

constexpr std::size_t most_connections = 10'000'000;  ///< more is a mistake, not a reason to allocate

/// Where item `j` of a connection stands in it.
std::string pointer_to_item(Kind kind, std::size_t j) {
  if (kind == Kind::input) return j == 0 ? "/input" : "/from";
  return building::element(kind == Kind::equal ? "/equal" : "/balance", j);
}

}  // namespace

void Flattener::add_connection(const Instance& instance, std::size_t k, const IndexScope& scope) {
  const ConnectionSource& connection = instance.model.connections[k];
  IndexScope inner = scope;
  bool first = true;
  const Place place = instance.place(building::element("/connections", k));
  note_decisions(instance, connection.ranges, connection.items, place);
  if (const auto range = shadowing_index(instance.model, connection.ranges))
    return fail(RangeFault{*range,
                           {"duplicate-name", 0,
                            connection.ranges[*range].index +
                                " is already a signal of this model: in the connection it would stand for "
                                "the index"}},
                connection.ranges, place);
  const auto run = [&] {
    if (++connections_ > most_connections) {
      fail(place, "too-many-components",
           "expected at most " + std::to_string(most_connections) + " connections in all");
      return false;
    }
    connect(instance, k, inner, first);
    first = false;
    return true;
  };
  fail(for_each_index(connection.ranges, inner, run), connection.ranges, place);
}

/// The first index that has the name of a signal of the model; looked up once for each of its instances.
std::optional<std::size_t> Flattener::shadowing_index(const Composition& model,
                                                      const std::vector<IndexRange>& ranges) {
  if (ranges.empty()) return std::nullopt;
  const auto [entry, is_new] = signals_.try_emplace(&model);
  if (is_new) {
    const auto collect = [&names = entry->second](const auto& list) {
      for (const auto& signal : list) names.insert(signal.name);
    };
    collect(model.own.states);
    collect(model.own.inputs);
    collect(model.own.algebraic);
    collect(model.own.binaries);
  }
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (entry->second.contains(ranges[i].index)) return i;
  return std::nullopt;
}

void Flattener::connect(const Instance& instance, std::size_t k, const IndexScope& scope, bool first) {
  const ConnectionSource& connection = instance.model.connections[k];
  const Place place = instance.place(building::element("/connections", k));
  std::optional<std::vector<std::string>> items = items_of(instance, k, scope, first);
  if (!items) return;
  std::string name = connection.name.empty() ? "connection" + std::to_string(k + 1) : connection.name;
  std::vector<text::TextFault> none;
  for (const IndexRange& range : connection.ranges) {
    const long long index = scope.whole(range.index, none).value_or(0);
    name += (index < 0 ? "_m" : "_") + std::to_string(std::abs(index));
  }
  name.insert(0, instance.prefix);
  if (connection.kind == Kind::input) {
    drives_.push_back({items->at(0), items->at(1), std::move(name)});
    drive_places_.push_back(place);
    return;
  }
  const std::size_t before = flat_.source.equations.size();
  if (connection.kind == Kind::equal) {
    equate(flat_.source, *items, name);
  } else if (!items->empty()) {
    balance(flat_.source, *items, name);
  }
  if (flat_.source.equations.size() != before) flat_.places.add_whole("/equations", before, place);
}

/// The items in flat names; nothing after a fault.
std::optional<std::vector<std::string>> Flattener::items_of(const Instance& instance, std::size_t k,
                                                            const IndexScope& scope, bool first) {
  const ConnectionSource& connection = instance.model.connections[k];
  const std::size_t fewest = connection.kind == Kind::equal ? 2 : 1;
  const auto names_array = [](const std::string& item) { return item.find("[:]") != std::string::npos; };
  if (connection.items.size() < fewest && std::ranges::none_of(connection.items, names_array)) {
    fail(instance.place(building::element("/connections", k)), "empty-connection",
         connection.kind == Kind::equal ? "expected at least two signals that are equal"
                                        : "expected at least one signal of the balance");
    return std::nullopt;
  }
  std::vector<std::string> items;
  bool good = true;
  for (std::size_t j = 0; j < connection.items.size(); ++j) {
    const Place place =
        instance.place(building::element("/connections", k) + pointer_to_item(connection.kind, j));
    const std::string& written = connection.items[j];
    std::vector<text::TextFault> faults;
    const std::string plain = with_indices(written, connection.ranges, scope, faults);
    if (!faults.empty()) {
      good = false;
      fail(place, faults, written);
      continue;
    }
    for (const std::string& item : connection.kind == Kind::input ? std::vector<std::string>{plain}
                                                                  : over_elements(instance, plain, place)) {
      if (first) {
        try {
          (void)text::parse_expression(item);
        } catch (const text::SyntaxError& error) {
          faults.push_back(error.fault());
        }
      }
      good = good && faults.empty();
      fail(place, faults, item);
      items.push_back(with_prefix(item, instance.prefix));
    }
  }
  return good ? std::optional(std::move(items)) : std::nullopt;
}

/// "-tank[:].q" for every element of the array.
std::vector<std::string> Flattener::over_elements(const Instance& instance, const std::string& item,
                                                  const Place& place) {
  const std::vector<std::string> arrays = arrays_in(item);
  if (arrays.empty()) return {item};
  if (arrays.size() > 1) {
    fail(place, "bad-index",
         "[:] stands for the elements of one array, found " + arrays[0] + " and " + arrays[1]);
    return {};
  }
  const auto found = elements_.find(instance.prefix + arrays[0]);
  if (found == elements_.end()) {
    std::vector<std::string> names;
    for (const ComponentSource& component : instance.model.components)
      if (const std::size_t bracket = component.name.find('['); bracket != std::string::npos)
        names.push_back(component.name.substr(0, bracket));
    if (std::ranges::find(names, arrays[0]) != names.end()) return {};  // an array without elements
    fail(place, "unknown-component",
         "there is no array " + arrays[0] + " of components" + did_you_mean(arrays[0], names));
    return {};
  }
  std::vector<std::string> items;
  for (const std::string& suffix : found->second) items.push_back(with_element(item, arrays[0], suffix));
  return items;
}

}  // namespace mti
