// Files that a model names and that are not its own: what is read of them, and what is said about them.

#include <gtest/gtest.h>

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "tests/places.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace foreign_files_test {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string with_csv(const std::string& path) {
  return R"({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": 1}],
    "inputs": [{"name": "u", "csv": ")" +
         path + R"(", "column": "T"}], "equations": ["der(x) = u - x"]})";
}
std::string with_component(const std::string& path) {
  return R"({"format": "mti-model", "version": 1, "components": [{"name": "c", "model": ")" + path +
         R"("}], "equations": []})";
}
const char* const part = R"({"format": "mti-model", "version": 1,
  "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -x"]})";

struct ForeignFiles : ::testing::Test {
  TemporaryDirectory directory;
  ForeignFiles() { fs::create_directories(directory.path() / "model/below"); }
  ProgramResult check(const Words& more = {}) {
    Words words = {"check", "model/model.json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words, directory.path());
  }
};

TEST_F(ForeignFiles, AreReadUnlessConfined) {
  directory.write("u.csv", "time,T\n0,1\n");
  directory.write("model/below/u.csv", "time,T\n0,1\n");
  directory.write("part.json", part);
  directory.write("model/part.json", part);
  const auto expect = [&](const std::string& model, bool inside) {
    directory.write("model/model.json", model);
    EXPECT_EQ(check().status, 0) << model;
    const ProgramResult confined = check({"--confine"});
    EXPECT_EQ(confined.status, inside ? 0 : 2) << model;
    EXPECT_EQ(confined.err.find("outside-folder") == std::string::npos, inside) << confined.err;
  };
  expect(with_csv("below/u.csv"), true);
  expect(with_csv("below/../below/u.csv"), true);
  expect(with_csv("../u.csv"), false);
  expect(with_csv((directory.path() / "u.csv").string()), false);
  expect(with_component("part.json"), true);
  expect(with_component("../part.json"), false);
  fs::create_symlink(directory.path() / "u.csv", directory.path() / "model/link.csv");
  expect(with_csv("link.csv"), false);
}

TEST_F(ForeignFiles, AreNotQuoted) {
  directory.write("secret", "hunter2:x:0:0\nhunter2\n");
  directory.write("secret.json", R"({"password": "hunter2", "hunter2": 1})");
  for (const std::string& model : {with_csv("../secret"), with_component("../secret"),
                                   with_component("../secret.json"), with_csv("../secret.json")}) {
    directory.write("model/model.json", model);
    const ProgramResult result = check();
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.err.find("hunter2"), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("password"), std::string::npos) << result.err;
  }
}

/// The model's own files are quoted, as it helps to find what is wrong.
TEST_F(ForeignFiles, OwnFilesAreQuoted) {
  directory.write("model/u.csv", "time,temp\n0,1\n");
  directory.write("model/model.json", with_csv("u.csv"));
  EXPECT_NE(check().err.find("\"temp\""), std::string::npos);
}

std::string number(std::uint32_t value) {
  return {static_cast<char>(value & 255U), static_cast<char>(value >> 8U & 255U),
          static_cast<char>(value >> 16U & 255U), static_cast<char>(value >> 24U)};
}

/// A MAT file with one compressed variable of `bytes` zeros, packed a thousandfold.
std::string bomb(std::uint32_t bytes) {
  std::string head(124, ' ');
  head += std::string("\0\1IM", 4);
  const std::string zeros(1 << 20, '\0');
  std::string packed(64, '\0');
  z_stream stream = {};
  EXPECT_EQ(deflateInit(&stream, 9), Z_OK);
  std::string variable = number(14) + number(bytes + 56) + number(6) + number(8) + number(9) + number(0) +
                         number(5) + number(8) + number(bytes) + number(1) + number(1 | 1U << 16U) + "S" +
                         std::string(3, '\0') + number(2) + number(bytes);
  std::string result;
  std::string buffer(1 << 16, '\0');
  const auto put = [&](const std::string& text, std::size_t count, int flush) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(count);
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, flush);
      result.append(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  };
  put(variable, variable.size(), Z_NO_FLUSH);
  for (std::uint32_t left = bytes; left > 0;) {
    const std::uint32_t count = std::min<std::uint32_t>(left, 1 << 20);
    put(zeros, count, Z_NO_FLUSH);
    left -= count;
  }
  put(zeros, 0, Z_FINISH);
  deflateEnd(&stream);
  return head + number(15) + number(static_cast<std::uint32_t>(result.size())) + result;
}

TEST_F(ForeignFiles, AMatFileThatUnpacksToGigabytesIsRefused) {
  directory.write("bomb.mat", bomb(300U << 20U));
  const ProgramResult result = run_program({"check", "bomb.mat"}, directory.path());
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("mat-too-large: its variables take more than 256 MiB"), std::string::npos)
      << result.err;
}

/// matlab/mti_export.m with plain structures, in Octave where there is one.
TEST_F(ForeignFiles, TheToolboxFunctionWritesWhatIsRead) {
  if (std::system("octave-cli --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "octave-cli is not installed: matlab/mti_export.m is not tested";
  directory.write("export.m", "addpath('" + (source_dir() / "matlab").string() +
                                  "');"
                                  R"(
    m.H.F.stateDerivative = [1 0 0 0];
    m.H.F.state = [0 1 0 0];
    m.H.F.boolean = struct('t', sparse([0 0 0 0]), 'f', sparse([0 0 1 0]), 'c', sparse([0 0 0 2]));
    m.H.phi.equality = struct('t', [1 1 0 0], 'f', [0 0 1 0], 'c', [0 0 0 3]);
    m.H.phi.inequality = [0 1 0 0];
    m.stateName = {'speed'};
    mti_export(m, 'implicit.mat', struct('x_start', 1));
    s.F.U = [1 0 1 0; 1 0 0 0; 0 1 1 0];
    s.F.phi = [1 0.5 0 0; 0 0 2 7];
    s.G.U = [1 0; 1 0; 1 0];
    s.G.phi = [3 5];
    s.ts = 0.5;
    mti_export(s, 'explicit.mat');
  )");
  const std::string command =
      "cd '" + directory.path().string() + "' && octave-cli --norc export.m > out 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << read_text(directory.path() / "out");
  const ProgramResult implicit = run_program({"print", "implicit.mat"}, directory.path());
  EXPECT_NE(implicit.out.find("der(speed) + speed - (1 - z1) - 3*(1 - 2*z1) = 0"), std::string::npos)
      << implicit.out << implicit.err;
  const ProgramResult explicit_form = run_program({"print", "explicit.mat"}, directory.path());
  for (const char* row :
       {"next(x1) - x1*x2 - 0.5*u1 = 0", "next(x2) - 2*x1*u1 - 7 = 0", "y1 - 3*x1*x2*u1 - 5 = 0"})
    EXPECT_NE(explicit_form.out.find(row), std::string::npos) << explicit_form.out << explicit_form.err;
}

}  // namespace foreign_files_test
}  // namespace mti::test
