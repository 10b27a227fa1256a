// Initial equations in model files: read, written, put together from components, printed, refused by name.
#include <gtest/gtest.h>

#include "io/mat/exchange.hpp"
#include "io/model/read_model.hpp"
#include "io/model/write_model.hpp"
#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/multilinear/row_map.hpp"
#include "mti/printing/print.hpp"
#include "mti/printing/readable.hpp"
#include "mti/transform/discretise.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace initial_equations_file_test {

const std::string head = R"({"format": "mti-model", "version": 1, )";
const std::string room = head + R"json(
  "parameters": {"P": 600},
  "states": [{"name": "T", "start": 20, "fixed": false}, {"name": "W", "start": 1}],
  "inputs": [{"name": "outside", "value": 5}],
  "equations": ["der(T) = P - 30*(T - outside)", "der(W) = T - W"],
  "initial": ["der(T) = 0", {"name": "square", "text": "T^2 = 25*T"}]})json";

void expect_same_start(const Model& model, const Model& again) {
  EXPECT_EQ(again.x_free, model.x_free);
  ASSERT_NE(again.initial(), nullptr);
  EXPECT_EQ(again.initial()->equation_names, model.initial()->equation_names);
  EXPECT_EQ(again.initial()->copied, model.initial()->copied);
  ASSERT_EQ(again.initial()->equations.rows(), model.initial()->equations.rows());
  std::vector<double> v(static_cast<std::size_t>(model.initial()->equations.signals()), 0.0);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 0.7 + 0.3 * static_cast<double>(i);
  const RowMap h(model.initial()->equations), h_again(again.initial()->equations);
  for (int row = 0; row < h.rows(); ++row) EXPECT_NEAR(h_again.value(row, v), h.value(row, v), 1e-15);
}

TEST(InitialEquationsFile, IsReadAndComesBackInBothForms) {
  const Model model = read_model_text(room, ".");
  EXPECT_EQ(model.x_free, (std::vector<char>{1, 0}));
  ASSERT_NE(model.initial(), nullptr);
  EXPECT_EQ(model.initial()->equation_names, (std::vector<std::string>{"initial1", "square"}));
  EXPECT_EQ(model.initial()->copied.size(), 1U);  // of T^2
  EXPECT_EQ(model.signature.p(), 0) << "the model has no more signals for it";
  expect_same_start(model, read_model_text(to_json(to_equations(model)), "."));
  expect_same_start(model, read_model_text(to_json(to_matrices(model)), "."));
  expect_same_start(model, build(to_readable(model)));
}

TEST(InitialEquationsFile, AModelWithoutThemHasNone) {
  const Model model = read_model_text(
      head + R"("states": [{"name": "x", "fixed": true}], "equations": ["der(x) = -x"]})", ".");
  EXPECT_FALSE(model.solves_start());
  EXPECT_TRUE(model.x_free.empty());
  EXPECT_EQ(to_json(to_equations(model)).find("fixed"), std::string::npos);
  EXPECT_EQ(to_json(to_equations(model)).find("initial"), std::string::npos);
}

TEST(InitialEquationsFile, ComponentsBringTheirs) {
  const test::TemporaryDirectory directory;
  directory.write("room.json", room);
  const Model model = read_model_text(head + R"json(
    "components": [{"name": "left", "model": "room.json"}, {"name": "right", "model": "room.json"}],
    "connections": [{"input": "right.outside", "from": "left.T"}],
    "initial": ["left.W = right.W"]})json",
                                      directory.path());
  ASSERT_NE(model.initial(), nullptr);
  EXPECT_EQ(model.initial()->equation_names,
            (std::vector<std::string>{"initial1", "left.initial1", "left.square", "right.initial1",
                                      "right.square"}));
  for (int i = 0; i < model.signature.n(); ++i)
    EXPECT_EQ(model.has_free_start(i),
              model.signature.states()[static_cast<std::size_t>(i)].name.ends_with(".T"));
}

TEST(InitialEquationsFile, IsPrinted) {
  const std::string text = print_text(read_model_text(room, "."), {});
  EXPECT_NE(text.find("initial equations"), std::string::npos) << text;
  EXPECT_NE(text.find("square"), std::string::npos) << text;
  EXPECT_NE(text.find("state, start free"), std::string::npos) << text;
}

template <class Refused>
std::string id_of(const Refused& refused) {
  try {
    refused();
  } catch (const FaultError& error) {
    return error.faults()[0].id + " " + error.faults()[0].pointer;
  }
  return "";
}

TEST(InitialEquationsFile, FormsWithoutAPlaceForThemRefuse) {
  const Model model = read_model_text(room, ".");
  const test::TemporaryDirectory directory;
  EXPECT_EQ(id_of([&] { write_mat_model(model, {}, directory.path() / "m.mat"); }), "initial-equations ");
  const std::vector<double> start(static_cast<std::size_t>(model.signature.size()), 0.0);
  EXPECT_EQ(id_of([&] { static_cast<void>(discretise(model, 0.1, DifferenceMethod::trapezoidal, start)); }),
            "initial-equations ");
  EXPECT_EQ(
      id_of([&] {
        static_cast<void>(read_model_text(
            head + R"("states": [{"name": "x"}], "equations": ["der(x) = -x"], "initial": ["sin(x) = 0.5"]})",
            "."));
      }),
      "function-of-signal /initial/0");
  EXPECT_EQ(id_of([&] {
              static_cast<void>(read_model_text(
                  head + R"("states": [{"name": "x"}], "equations": [{"name": "a", "text": "der(x) = -x"}],)"
                         R"("initial": [{"name": "a", "text": "x = 1"}]})",
                  "."));
            }),
            "duplicate-name /initial/0/name");
}

}  // namespace initial_equations_file_test
}  // namespace mti
