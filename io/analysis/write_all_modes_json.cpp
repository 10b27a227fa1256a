#include <utility>

#include "io/analysis/all_modes_names.hpp"
#include "io/analysis/all_modes_summary.hpp"
#include "io/analysis/write_all_modes.hpp"
#include "io/json/writer.hpp"
#include "mti/common/at.hpp"

namespace mti {
namespace {

using json::in_line;
using json::write_names;
using json::Writer;

/// All functions here read the same two arguments.
class AllModesWriter {
 public:
  AllModesWriter(const Model& model, const MultimodeAnalysis& analysis)
      : analysis_(analysis), names_(model, analysis.modes), summary_(model, analysis) {}

  std::string write() {
    out_.begin_object();
    write_modes();
    write_singular();
    write_classes();
    write_offsets();
    write_incidence();
    write_graph();
    write_changes();
    write_laws();
    write_scenarios();
    out_.end_object();
    return std::move(out_).finish();
  }

 private:
  void write_modes() {
    out_.key("modes").begin_object();
    out_.key("binaries").begin_array(in_line);
    for (int variable = 0; variable < analysis_.modes.space.variables(); ++variable)
      out_.value(analysis_.modes.space.name(variable));
    out_.end_array();
    out_.key("considered_where").begin_array();
    for (const ModeSet& factor : analysis_.modes.space.factors()) out_.value(names_.anywhere(factor));
    out_.end_array();
    out_.member("all", analysis_.all_modes);
    out_.member("considered", analysis_.considered_modes);
    out_.member("regular", analysis_.regular_modes);
    out_.member("singular", analysis_.singular_modes);
    if (analysis_.without_rules)
      out_.key("singular_without_rules")
          .begin_object(in_line)
          .member("modes", analysis_.without_rules->modes)
          .member("where", names_.anywhere(analysis_.without_rules->singular))
          .end_object();
    out_.end_object();
  }

  using Where = std::string (MultimodeAnalysis::*)(const ModeSet&) const;

  /// {"name", "where"} for every row.
  void write_rows(std::string_view key, const SummaryRows& rows, Where where = &MultimodeAnalysis::where) {
    out_.key(key).begin_array();
    for (const auto& [name, modes] : rows)
      out_.begin_object(in_line).member("name", name).member("where", (analysis_.*where)(modes)).end_object();
    out_.end_array();
  }
  void write_part(std::string_view key, const AllModesSummary::Part& part) {
    out_.key(key).begin_object();
    write_rows("equations", part.equations);
    write_rows("signals", part.signals);
    out_.end_object();
  }

  void write_singular() {
    const ModeSet& singular = analysis_.modes.parts.singular;
    out_.member("regular_where", analysis_.where(!singular));
    out_.member("singular_where", analysis_.where(singular));
    write_part("overdetermined", summary_.overdetermined);
    write_part("underdetermined", summary_.underdetermined);
    write_rows("absent", summary_.absent);
  }

  void write_classes() {
    out_.key("index").begin_array();
    for (std::size_t index = 0; index < analysis_.by_index.size(); ++index) {
      const ModeSet& set = analysis_.by_index[index];
      const std::string modes = analysis_.count(set);
      if (modes == "0") continue;
      out_.begin_object(in_line).member("index", static_cast<int>(index)).member("modes", modes);
      out_.member("where", analysis_.where(set)).end_object();
    }
    out_.end_array();
    out_.key("degrees_of_freedom").begin_object();
    out_.member("constant", analysis_.degrees_of_freedom.constant).key("terms").begin_array();
    for (const auto& [weight, where] : analysis_.degrees_of_freedom.terms)
      out_.begin_object(in_line)
          .member("weight", weight)
          .member("where", analysis_.where_regular(where))
          .end_object();
    out_.end_array().end_object();
    out_.key("classes");
    if (!analysis_.classes) {
      out_.null();
      return;
    }
    out_.begin_array();
    for (const ModeClass& one : *analysis_.classes) {
      out_.begin_object(in_line).member("where", analysis_.where(one.where));
      out_.member("modes", analysis_.count(one.where)).member("index", one.index);
      out_.member("differentiation_index", one.index + (one.differentiation_index_is_one_more ? 1 : 0));
      out_.member("degrees_of_freedom", one.degrees_of_freedom).end_object();
    }
    out_.end_array();
  }

  template <class Name>
  void write_numbers(std::string_view key, const std::vector<ModeNumber>& numbers,
                     const std::vector<ModeSet>& there, Name name) {
    out_.key(key).begin_object();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      out_.key(name(static_cast<int>(i))).begin_array(in_line);
      for (const auto& [value, where] : values_of(numbers[i], there[i], analysis_))
        out_.begin_object(in_line).member("value", value).member("where", where).end_object();
      out_.end_array();
    }
    out_.end_object();
  }

  void write_offsets() {
    out_.key("offsets").begin_object();
    const AllModes& modes = analysis_.modes;
    write_numbers("equations", modes.offsets.c, modes.incidence.active,
                  [&](int i) { return names_.equation(i); });
    const std::vector<ModeSet> everywhere(modes.offsets.d.size(), ModeSet::all());
    write_numbers("signals", modes.offsets.d, everywhere, [&](int j) { return names_.signal(j); });
    out_.end_object();
  }

  void write_incidence() {
    const SymbolicIncidence& incidence = analysis_.modes.incidence;
    std::vector<ModeSet> occurs(at(incidence.signals));
    for (const auto& entries : incidence.entries)
      for (const SymbolicIncidence::Entry& entry : entries) occurs[at(entry.signal)] |= entry.present;
    write_rows("signals", named_rows(occurs, [&](int j) { return names_.signal(j); }));
    out_.key("equations").begin_array();
    for (std::size_t i = 0; i < incidence.entries.size(); ++i) {
      out_.begin_object(in_line).member("name", names_.equation(static_cast<int>(i)));
      out_.member("where", analysis_.where(incidence.active[i])).key("signals").begin_array(in_line);
      for (const SymbolicIncidence::Entry& entry : incidence.entries[i]) {
        out_.begin_object(in_line).member("name", names_.signal(entry.signal));
        out_.member("where", analysis_.where(entry.present));
        if (!entry.derivative.empty()) out_.member("differentiated_where", analysis_.where(entry.derivative));
        out_.end_object();
      }
      out_.end_array().end_object();
    }
    out_.end_array();
  }

  void write_graph() {
    const ConditionalGraph& graph = analysis_.modes.graph;
    out_.key("blocks").begin_array();
    for (const ConditionalBlock& block : graph.blocks) {
      out_.begin_object(in_line).member("where", analysis_.where_regular(block.where));
      write_names(out_, "equations", names_.equations(block));
      write_names(out_, "signals", names_.signals(block));
      out_.end_object();
    }
    out_.end_array().key("edges").begin_array();
    for (const ConditionalEdge& edge : graph.edges) {
      out_.begin_object(in_line).member("from", edge.from).member("to", edge.block);
      out_.member("where", analysis_.where_both(edge)).end_object();
    }
    out_.end_array();
  }

  void write_changes() {
    SummaryRows jumps, impulses;
    for (const auto& [signal, jump, impulse] : summary_.changes) {
      if (!jump.empty()) jumps.push_back({signal, jump});
      if (!impulse.empty()) impulses.push_back({signal, impulse});
    }
    out_.key("changes").begin_object();
    out_.member("before", analysis_.where(analysis_.before))
        .member("after", analysis_.where(analysis_.after));
    write_rows("jumps", jumps, &MultimodeAnalysis::where_pair);
    write_rows("impulses", impulses, &MultimodeAnalysis::where_pair);
    write_rows("new_constraints", summary_.new_constraints, &MultimodeAnalysis::where_pair);
    const ModeSpace& space = analysis_.modes.space;
    ModeSet underdetermined;
    for (const ModeSet& set : analysis_.modes.parts.under_signals) underdetermined |= set & analysis_.after;
    out_.member("singular_after",
                analysis_.where(space.considered(analysis_.after & analysis_.modes.parts.singular)));
    out_.member("underdetermined_after", analysis_.where(space.considered(underdetermined))).end_object();
  }

  void write_laws() {
    out_.key("transitions").begin_array();
    for (const AllModesSummary::Law& law : summary_.laws) {
      out_.begin_object().member("when", law.name);
      out_.member("underdetermined_where", analysis_.where_regular(law.underdetermined));
      write_rows("signals", law.signals);
      out_.member("overdetermined_where", analysis_.where_regular(law.overdetermined));
      write_rows("equations", law.equations);
      write_rows("own_equations", law.own_equations);
      out_.end_object();
    }
    out_.end_array();
  }

  void write_scenarios() {
    out_.key("scenarios").begin_array();
    for (const AllModesSummary::Scenario& scenario : summary_.scenarios) {
      out_.begin_object().member("name", scenario.name).member("modes", analysis_.where(scenario.modes));
      out_.member("determined_where", analysis_.where(scenario.determined));
      out_.member("underdetermined_where", analysis_.where(scenario.underdetermined));
      out_.member("overdetermined_where", analysis_.where(scenario.overdetermined));
      out_.member("singular_where", analysis_.where(scenario.singular));
      write_rows("signals", scenario.signals);
      write_rows("equations", scenario.equations);
      write_rows("own_equations", scenario.own_equations);
      if (!scenario.starts.empty()) write_rows("starts", scenario.starts);
      out_.end_object();
    }
    out_.end_array();
  }

  const MultimodeAnalysis& analysis_;
  AllModesNames names_;
  AllModesSummary summary_;
  Writer out_;
};

}  // namespace

std::string all_modes_json(const Model& model, const MultimodeAnalysis& analysis) {
  return AllModesWriter(model, analysis).write();
}

}  // namespace mti
