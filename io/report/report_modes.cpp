#include "io/report/report_modes.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/analysis/all_modes_names.hpp"
#include "io/analysis/all_modes_summary.hpp"
#include "mti/common/at.hpp"

namespace mti {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_blocks = 300, most_edges = 1500, most_nodes = 100'000, most_rows = 200;

/// The diagrams of many sets as one table.
class DiagramTable {
 public:
  /// The number of a set; 0 for every set once the table is full.
  int add(const ModeSet& set) {
    if (set.is_constant()) return set.is_all() ? 1 : 0;
    if (const auto known = numbers_.find(set); known != numbers_.end()) return known->second;
    if (full_) return 0;
    const int low = add(set.low()), high = add(set.high());
    full_ = full_ || rows_.size() >= most_nodes;
    if (full_) return 0;
    rows_.push_back({set.variable(), low, high});
    const int number = static_cast<int>(rows_.size()) + 1;
    numbers_.emplace(set, number);
    return number;
  }
  [[nodiscard]] bool full() const { return full_; }
  [[nodiscard]] Json rows() const { return rows_; }

 private:
  std::vector<std::vector<int>> rows_;
  std::unordered_map<ModeSet, int, ModeSetHash> numbers_;  ///< keeps the sets alive: ids do not change hands
  bool full_ = false;
};

/// Rows [what, where, set] under a title.
class List {
 public:
  explicit List(std::string_view title)
      : json_({{"title", title}, {"rows", Json::array()}, {"left_out", 0}}) {}

  /// `row` makes the row, if it is shown.
  template <class Row>
  void add(const Row& row) {
    if (json_["rows"].size() < most_rows)
      json_["rows"].push_back(row());
    else
      json_["left_out"] = json_["left_out"].get<int>() + 1;
  }
  void append_to(Json& lists) && {
    if (!json_["rows"].empty()) lists.push_back(std::move(json_));
  }

 private:
  Json json_;
};

class ReportModes {
 public:
  ReportModes(const Model& model, const MultimodeAnalysis& analysis)
      : analysis_(analysis),
        modes_(analysis.modes),
        names_(model, analysis.modes),
        summary_(model, analysis) {}

  Json write() {
    Json json = sizes();
    add_classes(json);
    add_graph(json);
    json["lists"] = lists();
    json["filter_left_out"] = nullptr;
    if (table_.full()) {
      const std::string reason =
          "The decision diagrams have more than " + std::to_string(most_nodes) + " nodes.";
      json["filter_left_out"] = reason;
      json["graph_left_out"] = reason;
      for (const char* key : {"factors", "blocks", "edges"}) json[key] = Json::array();
    }
    json["diagrams"] = table_.full() ? Json::array() : table_.rows();
    return json;
  }

 private:
  [[nodiscard]] int set_of(const ModeSet& set) { return table_.add(modes_.space.considered(set)); }
  [[nodiscard]] int regular_set_of(const ModeSet& set) { return set_of(set - modes_.parts.singular); }

  Json sizes() {
    Json binaries = Json::array(), rules = Json::array(), factors = Json::array();
    for (int variable = 0; variable < modes_.space.variables(); ++variable)
      binaries.push_back(modes_.space.name(variable));
    for (const ModeSet& factor : modes_.space.factors()) {
      factors.push_back(table_.add(factor));
      if (rules.size() < most_rows) rules.push_back(names_.anywhere(factor));
    }
    std::vector<int> order(binaries.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](int variable) { return modes_.space.row_of(variable); });
    return {{"binaries", std::move(binaries)},
            {"binaries_in_order", std::move(order)},
            {"all", analysis_.all_modes},
            {"considered", analysis_.considered_modes},
            {"regular", analysis_.regular_modes},
            {"singular", analysis_.singular_modes},
            {"considered_where", std::move(rules)},
            {"singular_where", analysis_.where(modes_.parts.singular)},
            {"factors", std::move(factors)},
            {"singular_set", set_of(modes_.parts.singular)},
            {"regular_set", regular_set_of(ModeSet::all())}};
  }

  /// By index and degrees of freedom; by index alone where those are too many.
  void add_classes(Json& json) {
    Json classes = Json::array();
    const auto add = [&](int index, const Json& differentiation_index, const Json& degrees,
                         const ModeSet& set) {
      const std::string modes = analysis_.count(set);
      if (modes == "0") return;
      classes.push_back({{"where", analysis_.where_regular(set)},
                         {"modes", modes},
                         {"index", index},
                         {"differentiation_index", differentiation_index},
                         {"degrees_of_freedom", degrees},
                         {"set", regular_set_of(set)}});
    };
    json["classes_left_out"] = nullptr;
    if (analysis_.classes) {
      for (const ModeClass& one : *analysis_.classes)
        add(one.index, one.index + (one.differentiation_index_is_one_more ? 1 : 0), one.degrees_of_freedom,
            one.where);
    } else {
      json["classes_left_out"] = "There are too many different numbers of degrees of freedom to list.";
      for (std::size_t index = 0; index < analysis_.by_index.size(); ++index)
        add(static_cast<int>(index), nullptr, nullptr, analysis_.by_index[index]);
    }
    json["classes"] = std::move(classes);
  }

  void add_graph(Json& json) {
    const ConditionalGraph& graph = modes_.graph;
    Json blocks = Json::array(), edges = Json::array();
    json["graph_left_out"] = nullptr;
    if (graph.blocks.size() > most_blocks || graph.edges.size() > most_edges) {
      json["graph_left_out"] = std::to_string(graph.blocks.size()) + " blocks and " +
                               std::to_string(graph.edges.size()) + " edges; up to " +
                               std::to_string(most_blocks) + " and " + std::to_string(most_edges) +
                               " are drawn.";
    } else {
      for (const ConditionalBlock& block : graph.blocks) blocks.push_back(block_to_json(block));
      for (const ConditionalEdge& edge : graph.edges) edges.push_back(edge_to_json(edge));
    }
    json["blocks"] = std::move(blocks);
    json["edges"] = std::move(edges);
  }

  Json block_to_json(const ConditionalBlock& block) {
    return {{"equations", names_.equations(block)},
            {"signals", names_.leading(block)},
            {"where", analysis_.where_regular(block.where)},
            {"set", regular_set_of(block.where)},
            {"missing", regular_set_of(!block.where)}};
  }

  Json edge_to_json(const ConditionalEdge& edge) {
    const auto modes_of = [&](int block) { return modes_.graph.blocks[at(block)].where; };
    const ModeSet both = modes_of(edge.from) & modes_of(edge.block);
    return {{"from", edge.from},
            {"to", edge.block},
            {"where", analysis_.where_both(edge)},
            {"set", regular_set_of(both & edge.where)},
            {"missing", regular_set_of(both - edge.where)}};
  }

  Json lists() {
    Json lists = Json::array();
    add_list(lists, "Over-determined in singular modes", rows_of(summary_.overdetermined));
    add_list(lists, "Under-determined in singular modes", rows_of(summary_.underdetermined));
    add_list(lists, "Absent, keeping what value they have",
             rows_of(AllModesSummary::Part{{}, summary_.absent}));
    add_changes(lists);
    add_laws(lists);
    SummaryRows scenarios;
    for (const AllModesSummary::Scenario& scenario : summary_.scenarios)
      std::ranges::move(rows_of(scenario, "the mode is singular"), std::back_inserter(scenarios));
    add_list(lists, "Initial scenarios", scenarios);
    return lists;
  }

  void add_list(Json& lists, std::string_view title, const SummaryRows& rows) {
    List list(title);
    for (const SummaryRow& row : rows)
      list.add([&] { return Json::array({row.what, analysis_.where(row.modes), set_of(row.modes)}); });
    std::move(list).append_to(lists);
  }

  /// The sets are pairs of modes: they are described in words, not filtered.
  void add_changes(Json& lists) {
    List list("Mode changes, pre(z) being z before (unless the new constraints happen to hold)");
    for (const auto& row_of : {&jump_of, &impulse_of})
      for (const AllModesSummary::Change& change : summary_.changes)
        if (const SummaryRow row = row_of(change); !row.modes.empty())
          list.add([&] { return Json::array({row.what, analysis_.where_pair(row.modes), nullptr}); });
    std::move(list).append_to(lists);
  }

  void add_laws(Json& lists) {
    List list("Transition laws");
    for (const AllModesSummary::Law& law : summary_.laws)
      for (const SummaryRow& row : rows_of(law, "signals", "the model"))
        list.add([&] {
          return Json::array({row.what, analysis_.where_regular(row.modes), regular_set_of(row.modes)});
        });
    std::move(list).append_to(lists);
  }

  const MultimodeAnalysis& analysis_;
  const AllModes& modes_;
  AllModesNames names_;
  AllModesSummary summary_;
  DiagramTable table_;
};

}  // namespace

std::string report_modes(const Model& model, const MultimodeAnalysis& analysis) {
  Json json;
  try {
    json = ReportModes(model, analysis).write();
  } catch (const ModeSetTooLarge& error) {  // a page is not worth losing what it shows
    json = {{"left_out", error.what()}};
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mti
