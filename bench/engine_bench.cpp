// Each engine on each task, called in turn, with the error that it left:
//
//     engine_bench [--csv] [rounds]
//
// Tasks are the models in bench/tasks and others of this repository whose switching times and end values are known in 40 digits
// (bench/tasks/exact.py, bench/three_tank_exact.hpp), and published models beside the sources, where they are there.
// An engine that does not reach the end within 5 s is left out. Errors: the largest of the known switching times in s, and of
// the end values over max(1, |value|).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/three_tank_exact.hpp"
#include "bench/three_tank_ida.hpp"
#include "bench/timing.hpp"
#include "io/model/read_model.hpp"
#include "solvers/simulation/simulate.hpp"

namespace {

using mti::IntegratorChoice;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What is known of the exact motion: some of its switching times, by their number, and values where it ends.
struct Exact {
  std::size_t events = 0;
  std::vector<std::pair<std::size_t, double>> times;
  std::vector<std::pair<std::string, double>> end;
};

struct Task {
  std::string name;
  std::filesystem::path model;
  mti::Overrides overrides = {};
  std::optional<double> stop = {};
  std::optional<Exact> exact = {};
};

struct Errors {
  double time = unknown, end = unknown;
};

Exact read_exact(const std::string& name) {
  std::ifstream file(std::string(MTI_SOURCE_DIR "/bench/tasks/") + name + ".exact.json");
  const nlohmann::json json = nlohmann::json::parse(file);
  Exact exact{json.at("events"), json.at("times"), {}};
  for (const auto& [signal, value] : json.at("end").items()) exact.end.emplace_back(signal, value);
  return exact;
}

Exact three_tanks() {
  Exact exact;
  exact.events = mti::bench::exact_switches.size();
  for (std::size_t k = 0; k < exact.events; ++k)
    exact.times.emplace_back(k, mti::bench::exact_switches[k].time);
  return exact;
}

std::vector<Task> tasks() {
  const std::filesystem::path root = MTI_SOURCE_DIR;
  const std::filesystem::path own = root / "bench/tasks", buck = root / "examples/buck_converter/model.json";
  std::vector<Task> all;
  all.push_back({"three_tanks", root / "examples/three_tank/model.json", {}, 1000.0, three_tanks()});
  for (const char* name : {"relay", "stiff_relay", "elastic_ball", "sampled_pi", "pleiades"})
    all.push_back({name, own / (std::string(name) + ".json"), {}, {}, read_exact(name)});
  for (const char* volts : {"24", "31.3"})
    all.push_back({std::string("buck_") + volts,
                   buck,
                   {{"E", std::atof(volts)}},
                   0.0199,
                   read_exact(std::string("buck_") + volts)});
  all.push_back({"diode_bridge", root / "tests/cases/siconos_diode_bridge.json"});
  all.push_back({"hires", root / "tests/cases/daets_hires.json"});
  for (const char* published : {"hvac_winter", "nine_bus"})
    if (const auto path = root / "../shared/models" / (std::string(published) + ".json"); exists(path))
      all.push_back({published, path});
  return all;
}

/// Of the events of a run, each with a `time`; infinite where there are others than there should be.
template <class Events>
double error_of_times(const Exact& exact, const Events& events) {
  if (events.size() != exact.events) return std::numeric_limits<double>::infinity();
  double error = exact.times.empty() ? unknown : 0.0;
  for (const auto& [k, time] : exact.times) error = std::max(error, std::abs(events[k].time - time));
  return error;
}

Errors errors_of(const Exact& exact, const mti::Trajectory& run) {
  Errors errors{.time = error_of_times(exact, run.events)};
  if (std::isinf(errors.time) || exact.end.empty()) return errors;
  errors.end = 0.0;
  for (const auto& [signal, value] : exact.end) {
    const double found = run.value(run.size() - 1, run.column(signal));
    errors.end = std::max(errors.end, std::abs(found - value) / std::max(1.0, std::abs(value)));
  }
  return errors;
}

std::string shown(double error) {
  if (std::isnan(error)) return "";
  if (std::isinf(error)) return "other events";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1e", error);
  return text.data();
}

class Table {
 public:
  explicit Table(bool csv) : csv_(csv) {
    if (csv_) {
      std::puts("task,engine,rtol,ms,steps,events,time_error,end_error");
    } else {
      std::puts(
          "| task | engine | rtol = atol | ms | steps | events | µs an event | error of times in s | at the "
          "end |");
      std::puts("|---|---|---|---|---|---|---|---|---|");
    }
  }
  void row(const std::string& task, const char* engine, double rtol, double seconds, long steps,
           std::size_t events, const Errors& errors) const {
    if (csv_) {
      std::printf("%s,%s,%.0e,%.6g,%ld,%zu,%g,%g\n", task.c_str(), engine, rtol, 1e3 * seconds, steps, events,
                  errors.time, errors.end);
    } else {
      const std::string each = events == 0 ? "" : std::to_string(1e6 * seconds / static_cast<double>(events));
      std::printf("| %s | %s | %.0e | %.3g | %ld | %zu | %.4s | %s | %s |\n", task.c_str(), engine, rtol,
                  1e3 * seconds, steps, events, each.c_str(), shown(errors.time).c_str(),
                  shown(errors.end).c_str());
    }
    std::fflush(stdout);
  }

 private:
  bool csv_;
};

struct Engine {
  const char* name;
  IntegratorChoice choice;
};
constexpr std::array<Engine, 4> engines{{{"auto", IntegratorChoice::automatic},
                                         {"series", IntegratorChoice::series},
                                         {"flow", IntegratorChoice::flow},
                                         {"ida", IntegratorChoice::ida}}};

void compare(const Task& task, double tolerance, int rounds, const Table& table) {
  const mti::Model model = mti::read_model(task.model, task.overrides);
  std::vector<mti::Trajectory> runs(engines.size());
  std::vector<Engine> in_turn;
  std::vector<std::function<void()>> functions;
  for (const Engine& engine : engines) {
    mti::SimulationOptions options;
    options.rtol = options.atol = tolerance;
    options.stop = task.stop;
    options.integrator = engine.choice;
    options.max_seconds = 5.0;
    mti::Trajectory& run = runs[in_turn.size()];
    run = mti::simulate(model, options);
    if (run.outcome.kind != mti::OutcomeKind::reached_stop)
      continue;  // such as series in a stiff mode: without end
    functions.emplace_back([&model, &run, options] { run = mti::simulate(model, options); });
    in_turn.push_back(engine);
  }
  mti::bench::IdaRun by_hand;
  if (task.name == "three_tanks") {
    mti::bench::IdaOptions options;
    options.rtol = options.atol = tolerance;
    functions.emplace_back([&by_hand, options] { by_hand = mti::bench::run_three_tanks({}, options); });
  }
  const auto times = mti::bench::time_in_turn(rounds, functions);
  for (std::size_t i = 0; i < in_turn.size(); ++i) {
    const mti::Trajectory& run = runs[i];
    table.row(task.name, in_turn[i].name, tolerance, times[i].seconds, run.statistics.steps,
              run.events.size(), task.exact ? errors_of(*task.exact, run) : Errors{});
  }
  if (!by_hand.switches.empty())
    table.row(task.name, "IDA by hand", tolerance, times.back().seconds, by_hand.steps,
              by_hand.switches.size(), {.time = error_of_times(*task.exact, by_hand.switches)});
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bool csv = argc > 1 && std::strcmp(argv[1], "--csv") == 0;
    const int rounds = argc > (csv ? 2 : 1) ? std::max(1, std::atoi(argv[csv ? 2 : 1])) : 11;
    const Table table(csv);
    for (const Task& task : tasks())
      for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) compare(task, tolerance, rounds, table);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
