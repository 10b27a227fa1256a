#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "io/mat/exchange.hpp"
#include "io/mat/mat_file.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace {

using mat::Cell;
using mat::Matrix;
using mat::StructArray;
using mat::Value;

/// Takes the variables of a model from a file and says what does not fit.
class Reader {
 public:
  explicit Reader(mat::Variables&& variables) {
    for (auto& [name, value] : variables) values_.insert_or_assign(std::move(name), std::move(value));
  }

  [[noreturn]] static void fail(const std::string& pointer, const std::string& message) {
    throw InvalidModel("mat-variable", pointer, message);
  }

  [[nodiscard]] const Value* find(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }

  [[nodiscard]] static std::string text(const Value& value, const std::string& pointer) {
    if (const auto* text = std::get_if<std::string>(&value.content)) return *text;
    if (const auto* matrix = std::get_if<Matrix>(&value.content); matrix != nullptr && matrix->values.empty())
      return {};  // '' and [] are one to most users
    fail(pointer, "expected text");
  }
  [[nodiscard]] static std::vector<std::string> texts(const Value& value, const std::string& pointer) {
    std::vector<std::string> result;
    if (const auto* cell = std::get_if<Cell>(&value.content)) {
      for (std::size_t i = 0; i < cell->size(); ++i)
        result.push_back(text((*cell)[i], pointer + "/" + std::to_string(i)));
    } else if (std::string only = text(value, pointer); !only.empty()) {
      result.push_back(std::move(only));
    }
    return result;
  }
  [[nodiscard]] static std::vector<double> numbers(const Value& value, const std::string& pointer) {
    const auto* matrix = std::get_if<Matrix>(&value.content);
    if (matrix == nullptr) fail(pointer, "expected numbers");
    return matrix->values;
  }
  [[nodiscard]] static double number(const Value& value, const std::string& pointer) {
    const std::vector<double> list = numbers(value, pointer);
    if (list.size() != 1) fail(pointer, "expected one number, found " + std::to_string(list.size()));
    return list.front();
  }

  [[nodiscard]] std::string text(const std::string& name) const {
    const Value* value = find(name);
    return value == nullptr ? std::string() : text(*value, "/" + name);
  }
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const {
    const Value* value = find(name);
    return value == nullptr ? std::vector<std::string>() : texts(*value, "/" + name);
  }
  /// One entry for each of `count` things; all `standard` where the variable is not there.
  [[nodiscard]] std::vector<double> numbers(const std::string& name, std::size_t count,
                                            double standard) const {
    const Value* value = find(name);
    if (value == nullptr) return std::vector<double>(count, standard);
    std::vector<double> list = numbers(*value, "/" + name);
    if (list.size() != count)
      fail("/" + name,
           "found " + std::to_string(list.size()) + " numbers, expected " + std::to_string(count));
    return list;
  }
  [[nodiscard]] std::vector<std::string> units(const std::string& name, std::size_t count) const {
    std::vector<std::string> list = texts(name);
    if (find(name) == nullptr) list.resize(count);
    if (list.size() != count)
      fail("/" + name, "found " + std::to_string(list.size()) + " texts, expected " + std::to_string(count));
    return list;
  }

  /// A sparse or full matrix as triplets.
  [[nodiscard]] TripletSource matrix(const std::string& name) const {
    const Value* value = find(name);
    if (value == nullptr) fail("", "the variable " + name + " is missing");
    if (const auto* triplets = std::get_if<TripletSource>(&value->content)) return *triplets;
    const auto* full = std::get_if<Matrix>(&value->content);
    if (full == nullptr) fail("/" + name, "expected a matrix");
    TripletSource result{full->rows, full->cols, {}, {}, {}};
    for (int k = 0; k < full->cols; ++k)
      for (int i = 0; i < full->rows; ++i) {
        const double entry = full->values[at(k) * at(full->rows) + at(i)];
        if (entry == 0.0) continue;
        result.i.push_back(i);
        result.k.push_back(k);
        result.v.push_back(entry);
      }
    return result;
  }

  /// Calls read(field, pointer) for every element of a structure array; field(name) is null if it is absent.
  template <class Read>
  void each(const std::string& name, Read read) const {
    const Value* value = find(name);
    if (value == nullptr) return;
    const auto* array = std::get_if<StructArray>(&value->content);
    if (array == nullptr) {
      if (const auto* empty = std::get_if<Matrix>(&value->content); empty != nullptr && empty->values.empty())
        return;
      fail("/" + name, "expected a structure array");
    }
    for (std::size_t i = 0; i < array->elements.size(); ++i) {
      const auto field = [&](const std::string& wanted) -> const Value* {
        for (std::size_t f = 0; f < array->fields.size(); ++f)
          if (array->fields[f] == wanted) return &array->elements[i][f];
        return nullptr;
      };
      read(field, "/" + name + "/" + std::to_string(i));
    }
  }

 private:
  std::map<std::string, Value> values_;
};

template <class Field>
const Value& needed(const Field& field, const std::string& name, const std::string& pointer) {
  const Value* value = field(name);
  if (value == nullptr) Reader::fail(pointer, "the field " + name + " is missing");
  return *value;
}

std::vector<Number> to_numbers(const std::vector<double>& list) { return {list.begin(), list.end()}; }

template <class Field>
void read_form(const Field& field, const std::string& pointer, InputSource& input) {
  const auto number = [&](const char* name) {
    return Reader::number(needed(field, name, pointer), pointer + "/" + name);
  };
  const auto list = [&](const char* name) {
    return to_numbers(Reader::numbers(needed(field, name, pointer), pointer + "/" + name));
  };
  const std::string kind = Reader::text(needed(field, "kind", pointer), pointer + "/kind");
  if (kind == "constant") {
    input.form = Number(number("value"));
  } else if (kind == "sine") {
    input.form = SineSource{number("value"), number("frequency"), number("phase"), number("offset")};
  } else if (kind == "table") {
    TableSource table{.time = list("time"), .value = list("value")};
    const std::string interpolation =
        Reader::text(needed(field, "interpolation", pointer), pointer + "/interpolation");
    if (interpolation == "linear") table.interpolation = Interpolation::linear;
    if (interpolation == "previous") table.interpolation = Interpolation::previous;
    if (!table.interpolation && !interpolation.empty())
      Reader::fail(pointer + "/interpolation", "found " + interpolation + ", expected linear or previous");
    const Value* period = field("period");
    if (period != nullptr && !Reader::numbers(*period, pointer + "/period").empty()) {
      table.repeat = Number(number("period"));
      table.start = Number(number("start"));
    }
    input.form = std::move(table);
  } else if (kind == "polynomial") {
    const auto* matrix = std::get_if<Matrix>(&needed(field, "value", pointer).content);
    if (matrix == nullptr || matrix->rows < 1 || matrix->cols < 1)
      Reader::fail(pointer + "/value", "expected a matrix with a row of coefficients for each piece");
    PolynomialSource polynomial{.time = Reader::numbers(needed(field, "time", pointer), pointer + "/time"),
                                .coefficients = {}};
    for (int i = 0; i < matrix->rows; ++i) {
      std::vector<double>& piece = polynomial.coefficients.emplace_back();
      for (int k = 0; k < matrix->cols; ++k)
        piece.push_back(matrix->values[at(k) * at(matrix->rows) + at(i)]);
    }
    input.form = std::move(polynomial);
  } else if (kind == "pwm") {
    const std::vector<Number> levels = list("value");
    if (levels.size() != 2)
      Reader::fail(pointer + "/value", "expected two numbers, the low and the high value");
    input.form = PulseSource{.kind = PulseSource::Kind::pwm,
                             .period = number("period"),
                             .duty = Reader::text(needed(field, "duty", pointer), pointer + "/duty"),
                             .low = levels[0],
                             .high = levels[1],
                             .start = number("start")};
  } else {
    Reader::fail(pointer + "/kind",
                 "found \"" + kind + "\", expected constant, table, sine, polynomial or pwm");
  }
}

void read_signals(const Reader& in, Source& source) {
  const auto x = in.texts("state_names"), u = in.texts("input_names"), y = in.texts("algebraic_names"),
             z = in.texts("binary_names");
  const auto x_start = in.numbers("x_start", x.size(), 0.0),
             x_nominal = in.numbers("x_nominal", x.size(), 1.0),
             u_nominal = in.numbers("u_nominal", u.size(), 1.0),
             u_binary = in.numbers("u_binary", u.size(), 0.0), y_start = in.numbers("y_start", y.size(), 0.0),
             y_nominal = in.numbers("y_nominal", y.size(), 1.0),
             y_auxiliary = in.numbers("y_auxiliary", y.size(), 0.0),
             z_start = in.numbers("z_start", z.size(), 0.0);
  const auto x_units = in.units("x_units", x.size()), u_units = in.units("u_units", u.size()),
             y_units = in.units("y_units", y.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    source.states.push_back({x[i], x_start[i], x_units[i], x_nominal[i]});
  for (std::size_t i = 0; i < u.size(); ++i)
    source.inputs.push_back({u[i], Number(0.0), u_units[i], u_nominal[i], u_binary[i] != 0.0});
  for (std::size_t i = 0; i < y.size(); ++i)
    source.algebraic.push_back({y[i], y_start[i], y_units[i], y_nominal[i], y_auxiliary[i] != 0.0});
  const auto z_texts = in.units("binary_texts", z.size());
  for (std::size_t i = 0; i < z.size(); ++i) source.binaries.push_back({z[i], z_start[i], z_texts[i]});
  std::size_t forms = 0;
  in.each("inputs", [&](const auto& field, const std::string& pointer) {
    if (forms < u.size()) read_form(field, pointer, source.inputs[forms]);
    ++forms;
  });
  if (in.find("inputs") != nullptr && forms != u.size())
    Reader::fail("/inputs",
                 "found " + std::to_string(forms) + " inputs, expected " + std::to_string(u.size()));
}

void read_functions(const Reader& in, MatricesSource& matrices) {
  in.each("functions", [&](const auto& field, const std::string& at) {
    FunctionSource& function = matrices.functions.emplace_back();
    function.result = Reader::text(needed(field, "result", at), at + "/result");
    function.argument = Reader::text(needed(field, "argument", at), at + "/argument");
    function.function = Reader::text(needed(field, "function", at), at + "/function");
    const Value* exponent = field("exponent");
    if (exponent != nullptr && !Reader::numbers(*exponent, at + "/exponent").empty())
      function.exponent = Reader::number(*exponent, at + "/exponent");
  });
  matrices.divisors = in.texts("divisors");
}

void read_experiment(const Reader& in, Source& source) {
  in.each("experiment", [&](const auto& field, const std::string& pointer) {
    const auto read = [&](const char* name, auto& target) {
      const Value* value = field(name);
      if (value == nullptr || Reader::numbers(*value, pointer + "/" + name).empty()) return;
      target = Number(Reader::number(*value, pointer + "/" + name));
    };
    read("start", source.experiment.start);
    read("stop", source.experiment.stop);
    read("rtol", source.experiment.rtol);
    read("atol", source.experiment.atol);
    read("output_interval", source.experiment.output_interval);
    Number fixed = 0.0;
    read("fixed_start", fixed);
    source.experiment.fixed_start = std::get<double>(fixed) != 0.0;
  });
}

}  // namespace

Source read_mat_source(const std::filesystem::path& path) {
  const Reader in(mat::read_variables(path));
  Source source;
  source.name = in.text("name");
  source.description = in.text("description");
  read_signals(in, source);
  MatricesSource& matrices = source.matrices.emplace();
  matrices.S = in.matrix("S");
  // The toolbox' models hold factors as 2z − 1, S = 2: taken as they are, and normalised when built.
  matrices.normalized =
      std::ranges::all_of(matrices.S.v, [](double entry) { return std::abs(entry) <= 1.0; });
  matrices.Phi_eq = in.matrix("Phi_eq");
  matrices.Phi_ineq.cols = matrices.S.cols;
  if (in.find("Phi_ineq") != nullptr) matrices.Phi_ineq = in.matrix("Phi_ineq");
  matrices.equation_names = in.texts("equation_names");
  matrices.constraint_names = in.texts("constraint_names");
  matrices.pre = in.texts("pre_names");
  read_functions(in, matrices);
  const auto parameters = in.texts("parameter_names");
  const auto values = in.numbers("parameter_values", parameters.size(), 0.0);
  for (std::size_t i = 0; i < parameters.size(); ++i) source.parameters.push_back({parameters[i], values[i]});
  source.invariants = in.texts("invariants");
  in.each("transitions", [&](const auto& field, const std::string& at) {
    source.transitions.push_back({Reader::text(needed(field, "when", at), at + "/when"),
                                  Reader::texts(needed(field, "replaces", at), at + "/replaces"),
                                  Reader::texts(needed(field, "equations", at), at + "/equations")});
    if (const Value* emit = field("emit"); emit != nullptr)
      source.transitions.back().emit = Reader::text(*emit, at + "/emit");
  });
  in.each("scenarios", [&](const auto& field, const std::string& at) {
    source.scenarios.push_back({Reader::text(needed(field, "name", at), at + "/name"),
                                Reader::text(needed(field, "modes", at), at + "/modes"),
                                Reader::texts(needed(field, "equations", at), at + "/equations")});
  });
  read_experiment(in, source);
  if (in.find("sample_time") != nullptr) source.sample_time = in.numbers("sample_time", 1, 0.0).front();
  return source;
}

}  // namespace mti
