#include "tests/fmi/unpacked_fmu.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <regex>
#include <stdexcept>

#include "tests/places.hpp"

#ifdef __SANITIZE_ADDRESS__
/// The search for leaks at the end gets lost in what threads store for libraries that are loaded later (GCC 12).
extern "C" const char* __lsan_default_options() { return "use_tls=0"; }
#endif

namespace mti::test {
namespace {

namespace fs = std::filesystem;

std::string in_shell(const fs::path& path) { return "'" + path.string() + "'"; }

fs::path packed_library(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder / "binaries"))
    if (entry.path().extension() == ".so") return entry.path();
  throw std::runtime_error("the FMU has no library");
}

}  // namespace

std::string printed_by(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1; echo status $?").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no shell");
  std::string text;
  char piece[4096];
  for (std::size_t n = 0; (n = std::fread(piece, 1, sizeof piece, pipe)) > 0;) text.append(piece, n);
  pclose(pipe);
  return text;
}

std::vector<fs::path> all_models() {
  std::vector<fs::path> models;
  for (const auto& entry : fs::directory_iterator(source_dir() / "tests/cases"))
    if (entry.path().extension() == ".json") models.push_back(entry.path());
  for (const auto& entry : fs::directory_iterator(source_dir() / "examples"))
    if (fs::exists(entry.path() / "model.json")) models.push_back(entry.path() / "model.json");
  std::ranges::sort(models);
  return models;
}

UnpackedFmu::UnpackedFmu(const fs::path& model, fmi::ExportOptions options, Library library) {
  options.library =
      library == Library::packed ? fmu_library() : directory_.write("nothing.so", "in place of a library");
  fmi::export_fmu(model, file(), options);
  const std::string said = printed_by("unzip -q " + in_shell(file()) + " -d " + in_shell(folder()));
  if (said != "status 0\n") throw std::runtime_error("unzip: " + said);
  xml_ = read_text(folder() / "modelDescription.xml");
  static const std::regex element("<(Float64|Boolean|Clock|ScalarVariable)((?: [A-Za-z]+=\"[^\"]*\")+)/?>"),
      attribute("([A-Za-z]+)=\"([^\"]*)\""), token("(?:instantiationToken|guid)=\"([^\"]*)\"");
  std::smatch match;
  if (std::regex_search(xml_, match, token)) token_ = match[1];
  for (std::sregex_iterator found(xml_.begin(), xml_.end(), element), end; found != end; ++found) {
    Listed listed;
    const std::string attributes = (*found)[2];
    for (std::sregex_iterator one(attributes.begin(), attributes.end(), attribute); one != end; ++one)
      listed.attributes[(*one)[1]] = (*one)[2];
    if (!listed.attributes.contains("valueReference")) continue;  // the type within a ScalarVariable
    listed.reference = static_cast<unsigned>(std::stoul(listed.attributes.at("valueReference")));
    // In FMI 2.0 the type is an element within.
    const std::string behind = found->suffix().str().substr(0, 40);
    listed.is_boolean = (*found)[1] == "Boolean" ||
                        ((*found)[1] == "ScalarVariable" && behind.find("<Boolean") != std::string::npos);
    variables_[listed.attributes.at("name")] = listed;
  }
  library_ = library == Library::packed ? packed_library(folder()) : fmu_library();
  handle_ = dlopen(library_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
}

UnpackedFmu::~UnpackedFmu() {
#ifndef __SANITIZE_ADDRESS__  // the search for leaks at the end fails now and then in storage of libraries that are gone
  if (handle_ != nullptr) dlclose(handle_);
#endif
}

void* UnpackedFmu::address(const char* name) const {
  void* const found = dlsym(handle_, name);
  if (found == nullptr) throw std::runtime_error(std::string("no function ") + name);
  return found;
}

}  // namespace mti::test
