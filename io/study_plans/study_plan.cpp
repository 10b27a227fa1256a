#include "io/study_plans/study_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <utility>
#include <variant>

#include "io/files/files.hpp"
#include "io/json/format_header.hpp"
#include "io/json/object_reader.hpp"
#include "io/mat/exchange.hpp"
#include "io/model/model_files.hpp"
#include "io/model/source_reader.hpp"
#include "io/model/write_model.hpp"
#include "io/plans/plan_values.hpp"
#include "io/plans/simulation_reader.hpp"
#include "io/study_plans/factor_reader.hpp"
#include "io/study_plans/kept_reader.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/check_sum.hpp"
#include "mti/components/flatten.hpp"
#include "mti/source/overrides.hpp"

namespace mti {
namespace {

constexpr std::array<std::pair<std::string_view, StudyDesign>, 6> design_words = {
    {{"grid", StudyDesign::grid},
     {"list", StudyDesign::list},
     {"random", StudyDesign::random},
     {"latin_hypercube", StudyDesign::latin_hypercube},
     {"sobol", StudyDesign::sobol},
     {"saltelli", StudyDesign::saltelli}}};

constexpr const char* sampled_designs = "random, latin_hypercube, sobol and saltelli";

constexpr long most_runs = std::numeric_limits<std::int32_t>::max();

std::string fingerprint_of(const std::vector<std::string_view>& texts) {
  std::uint64_t hash = check_sum({});
  for (const std::string_view text : texts) hash = check_sum(text, hash);
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

class PlanReader {
 public:
  PlanReader(std::filesystem::path directory, Reach reach)
      : directory_(std::move(directory)), reach_(reach) {}

  StudyPlan read(std::string_view json_text) {
    json::Document document = json::parse(json_text);
    faults_ = std::move(document.faults);
    json::ObjectReader plan(document.root, "", faults_);
    if (!plan.is_object()) throw InvalidModel(std::move(faults_));
    if (!json::read_format(plan, "mti-study", 1) || !faults_.empty()) throw InvalidModel(std::move(faults_));
    result_.name = plan.string("name").value_or("");
    static_cast<void>(plan.string("description"));
    read_model_of(plan);
    read_design(plan);
    if (const json::Value* simulation = plan.find("simulation"))
      result_.simulation = json::read_simulation(*simulation, "/simulation", faults_);
    const json::Value* keep = plan.find("keep");
    result_.quantiles = plan.has("quantiles") ? plan.plain_numbers("quantiles")
                                              : std::vector<double>{0.05, 0.25, 0.5, 0.75, 0.95};
    for (std::size_t i = 0; i < result_.quantiles.size(); ++i)
      if (!(result_.quantiles[i] >= 0.0 && result_.quantiles[i] <= 1.0))
        plan.fault("bad-option", plan.pointer_to("quantiles", i), "expected a number from 0 to 1");
    plan.finish();
    check_against_model(keep);
    if (!faults_.empty()) throw InvalidModel(std::move(faults_));
    std::vector<std::string_view> texts(texts_.begin(), texts_.end());
    const std::string model_text = to_json(flat_);
    texts.push_back(json_text);
    texts.push_back(model_text);
    texts.emplace_back(MTI_VERSION);
    const std::vector<std::string> others = other_texts();
    texts.insert(texts.end(), others.begin(), others.end());
    result_.fingerprint = fingerprint_of(texts);
    return std::move(result_);
  }

 private:
  /// The files that were read of components and their tables: with other parameters than the model's a run may need what the
  /// model does not. A pipe can be read once.
  [[nodiscard]] std::vector<std::string> other_texts() const {
    std::vector<std::string> texts;
    std::error_code ignored;
    for (const std::filesystem::path& path : result_.inputs.paths())
      if (!read_.contains(path) && std::filesystem::is_regular_file(path, ignored))
        texts.push_back(read_file(path));
    return texts;
  }

  std::optional<std::string> text_of(const std::string& file, const std::string& pointer) {
    const std::filesystem::path path = directory_ / file;
    if (!json::ModelFiles({}, directory_, reach_).may_read(path, pointer, faults_)) return std::nullopt;
    result_.inputs.add(path);
    read_.insert(path);
    try {
      return texts_.emplace_back(read_file(path));
    } catch (const UnusableFile& unreadable) {
      faults_.push_back({"csv-unreadable", pointer, unreadable.faults().front().message});
      return std::nullopt;
    }
  }

  /// Faults of the model: of a file with its name, of one that stands in the plan with its place there.
  void add_model_faults(const std::vector<Fault>& faults) {
    for (Fault fault : faults) {
      if (fault.file.empty() && model_file_.empty()) fault.pointer = "/model" + fault.pointer;
      if (fault.file.empty()) fault.file = model_file_;
      faults_.push_back(std::move(fault));
    }
  }

  Composition read_composition(const json::Value& root) {
    std::vector<Fault> faults;
    const std::filesystem::path file = model_file_;
    const std::filesystem::path directory = model_file_.empty() ? directory_ : file.parent_path();
    json::ModelFiles files(file, directory, reach_, &result_.inputs);
    Composition composition = json::SourceReader(directory, files, faults).read(root);
    add_model_faults(faults);
    return composition;
  }

  void read_model_file(const std::filesystem::path& path) {
    model_file_ = path.string();
    result_.inputs.add(path);
    try {
      if (is_mat_file(path)) {
        result_.model.own = read_mat_source(path);
        // Its numbers hold the parameters' values: another value would change nothing.
        result_.model.own.parameters.clear();
        return;
      }
      read_.insert(path);
      json::Document document = json::parse(texts_.emplace_back(read_file(path)));
      add_model_faults(document.faults);
      result_.model = read_composition(document.root);
    } catch (const InvalidModel& invalid) {
      add_model_faults(invalid.faults());
    } catch (const UnusableFile& unreadable) {
      faults_.push_back({"model-unreadable", "/model", unreadable.faults().front().message});
    }
  }

  void read_model_of(json::ObjectReader& plan) {
    plan.require("model");
    const json::Value* model = plan.find("model");
    if (model != nullptr && model->object() != nullptr) {
      result_.model = read_composition(*model);
    } else if (const auto name = plan.string("model")) {
      const std::filesystem::path path = directory_ / *name;
      if (json::ModelFiles({}, directory_, reach_).may_read(path, "/model", faults_)) read_model_file(path);
    }
    if (!faults_.empty()) throw InvalidModel(std::move(faults_));
    result_.common = json::read_plan_values(plan);
    try {
      flat_ = result_.model.is_plain() ? result_.model.own : flatten(result_.model, result_.common).source;
    } catch (const InvalidModel& invalid) {
      add_model_faults(invalid.faults());
      throw InvalidModel(std::move(faults_));
    }
    for (const auto& [name, value] : result_.common)
      override_at(json::pointer_to("/set", name), flat_, name, value);
  }

  void override_at(const std::string& pointer, Source& source, const std::string& name, double value) {
    try {
      override_values(source, {{name, value}});
    } catch (const InvalidOption& refused) {
      for (const Fault& fault : refused.faults()) faults_.push_back({fault.id, pointer, fault.message});
    }
  }

  void read_design(json::ObjectReader& plan) {
    plan.require("design");
    const std::string word = plan.string("design").value_or("");
    const auto known = std::ranges::find(design_words, word, [](const auto& entry) { return entry.first; });
    is_csv_ = word == "csv";
    if (known == design_words.end() && !is_csv_ && plan.has("design"))
      plan.fault("bad-design", "/design",
                 "found " + json::in_quotes(word) +
                     ", expected grid, list, csv, random, latin_hypercube, sobol or saltelli");
    if (known != design_words.end()) result_.design = known->second;
    const bool sampled = result_.design != StudyDesign::grid && result_.design != StudyDesign::list;
    const auto runs = plan.index("runs"), seed = plan.index("seed");
    const auto without_use = [&](const char* key, const std::string& with) {
      if (plan.has(key))
        plan.fault("key-without-use", plan.pointer_to(key),
                   "the key " + json::in_quotes(key) + " has no meaning here, it goes with " + with);
    };
    if (sampled)
      plan.require("runs");
    else
      without_use("runs", sampled_designs);
    if (sampled && runs && *runs < 1) plan.fault("bad-design", "/runs", "expected at least one run");
    if (!sampled) without_use("seed", sampled_designs);
    if (seed) result_.seed = static_cast<std::uint64_t>(*seed);
    if (is_csv_) {
      plan.require("plan");
      without_use("vary", "the other designs: here each column of the csv file is varied");
      if (const auto file = plan.string("plan"))
        if (const auto text = text_of(*file, "/plan"))
          result_.factors = json::read_csv_factors(*text, *file, "/plan", faults_);
    } else {
      without_use("plan", "the design csv");
      read_factors(plan);
    }
    if (faults_.empty()) count_runs(runs.value_or(1), is_csv_ ? "/plan" : "/vary");
  }

  void read_factors(json::ObjectReader& plan) {
    plan.require("vary");
    const json::Value* vary = plan.find("vary");
    if (vary == nullptr) return;
    const json::ObjectReader members(*vary, "/vary", faults_);
    if (!members.is_object()) return;
    const json::PlanFiles files = [this](const std::string& file, const std::string& pointer) {
      return text_of(file, pointer);
    };
    for (const json::Member& member : *vary->object())
      result_.factors.push_back(
          json::read_factor(member.key, member.value, json::pointer_to("/vary", member.key), files, faults_));
    if (result_.factors.empty()) faults_.push_back({"bad-design", "/vary", "there is nothing to vary"});
  }

  void count_runs(long sampled_runs, const std::string& pointer) {
    const auto refuse = [&](const StudyFactor& factor, const std::string& message) {
      faults_.push_back({"bad-design", json::pointer_to(pointer, factor.name), message});
    };
    const std::vector<StudyFactor>& factors = result_.factors;
    const bool levels = result_.design == StudyDesign::grid || result_.design == StudyDesign::list;
    result_.runs = levels ? 1 : sampled_runs;
    for (const StudyFactor& factor : factors) {
      if (levels && factor.distribution)
        refuse(factor, std::string("a distribution goes with ") + sampled_designs + "; a " +
                           std::string(to_string(result_.design)) + " needs values, from or csv");
      const auto count = static_cast<long>(factor.levels());
      if (result_.design == StudyDesign::grid && result_.runs > most_runs / std::max(count, 1L)) {
        refuse(factor, "the grid has more than 2147483647 runs");
        return;
      }
      if (result_.design == StudyDesign::grid) result_.runs *= count;
      const auto expected = static_cast<long>(factors.front().levels());
      if (result_.design != StudyDesign::list) continue;
      result_.runs = expected;
      if (count != expected && !factor.distribution)
        refuse(factor, "found " + std::to_string(count) + " values, expected " + std::to_string(expected) +
                           " as of " + factors.front().name);
    }
    const bool in_blocks = result_.design == StudyDesign::saltelli;
    if ((result_.design == StudyDesign::sobol || in_blocks) &&
        factors.size() * (in_blocks ? 2 : 1) > at(UnitDesign::most_dimensions))
      faults_.push_back({"bad-design", pointer,
                         "Sobol's sequence has 3667 dimensions at most" +
                             std::string(in_blocks ? ", two for each factor" : "")});
    const auto block = static_cast<long>(factors.size()) + 2;
    if (in_blocks && result_.runs % block != 0)
      faults_.push_back({"bad-design", "/runs",
                         "found " + std::to_string(result_.runs) + ", expected a multiple of " +
                             std::to_string(block) + ", two more than there are factors; " +
                             std::to_string((result_.runs / block + 1) * block) + " is one"});
  }

  /// Columns of the table have names of their own.
  void check_name(const StudyFactor& factor, const std::string& pointer) {
    static constexpr std::array<std::string_view, 5> taken = {"run", "outcome", "end_time", "events",
                                                              "message"};
    if (std::ranges::find(taken, factor.name) != taken.end())
      faults_.push_back(
          {"bad-factor", pointer, factor.name + " is the name of another column of the results"});
    if (std::ranges::count(result_.factors, factor.name, &StudyFactor::name) > 1)
      faults_.push_back({"bad-factor", pointer, "there are several columns " + json::in_quotes(factor.name)});
  }

  /// Factors can be set, the options fit, and what is kept is there.
  void check_against_model(const json::Value* keep) {
    Source varied = flat_;
    for (const StudyFactor& factor : result_.factors) {
      const std::string pointer = is_csv_ ? "/plan" : json::pointer_to("/vary", factor.name);
      check_name(factor, pointer);
      if (std::ranges::any_of(result_.common, [&](const auto& set) { return set.first == factor.name; }))
        faults_.push_back({"bad-factor", json::pointer_to("/set", factor.name), factor.name + " is varied"});
      if (factor.tables.empty()) {
        const double value = !factor.values.empty() ? factor.values.front()
                             : factor.distribution  ? quantile_of(*factor.distribution, 0.5)
                                                    : 0.0;
        override_at(pointer, varied, factor.name, value);
      } else if (const auto& inputs = flat_.inputs;
                 std::ranges::find(inputs, factor.name, &InputSource::name) == inputs.end()) {
        faults_.push_back({"unknown-override", pointer, "there is no input " + factor.name});
      }
    }
    if (!faults_.empty()) return;
    try {
      const Model model = result_.model.is_plain() ? build(flat_) : build(result_.model, result_.common);
      for (const Fault& fault : result_.simulation.validate(model)) {
        constexpr std::string_view prefix = "/experiment";
        const std::string pointer =
            fault.pointer.starts_with(prefix) ? fault.pointer.substr(prefix.size()) : "/" + fault.pointer;
        faults_.push_back({fault.id, "/simulation" + pointer, fault.message});
      }
      if (keep != nullptr) json::read_kept(*keep, "/keep", model, result_, faults_);
      check_times(model);
    } catch (const InvalidModel& invalid) {
      add_model_faults(invalid.faults());
    }
  }

  /// Of runs that end at one time: where a formula says when they end, a run that has no such time has no value there.
  void check_times(const Model& model) {
    const ExperimentSource& experiment = result_.model.own.experiment;
    const bool varies = (!result_.simulation.stop && std::holds_alternative<std::string>(experiment.stop)) ||
                        (!result_.simulation.start && std::holds_alternative<std::string>(experiment.start));
    if (varies) return;
    const ResolvedOptions resolved = resolve(model, result_.simulation);
    for (const KeptQuantity& quantity : result_.kept) {
      if (quantity.kind != KeptQuantity::Kind::value_at) continue;
      if (!(quantity.time >= resolved.start && quantity.time <= resolved.stop))
        faults_.push_back({"bad-option", "/keep/at/times",
                           quantity.name + ": expected a time from the start to the stop of the run"});
    }
  }

  std::filesystem::path directory_;
  Reach reach_;
  bool is_csv_ = false;  ///< the design is a csv plan
  std::vector<Fault> faults_;
  std::string model_file_;                ///< empty: the model stands in the plan
  std::vector<std::string> texts_;        ///< of the model's file and the csv files
  std::set<std::filesystem::path> read_;  ///< files whose text is one of them
  Source flat_;                           ///< the model put together, with what holds for all runs
  StudyPlan result_;
};

}  // namespace

std::string_view to_string(StudyDesign design) {
  return std::ranges::find(design_words, design, [](const auto& entry) { return entry.second; })->first;
}

StudyPlan read_study_plan(std::string_view json_text, const std::filesystem::path& directory, Reach reach) {
  return PlanReader(directory, reach).read(json_text);
}

StudyPlan read_study_plan_file(const std::filesystem::path& path, Reach reach) {
  StudyPlan plan =
      read_study_plan(read_file(path), path == "-" ? std::filesystem::path() : path.parent_path(), reach);
  plan.inputs.add(path);
  return plan;
}

}  // namespace mti
