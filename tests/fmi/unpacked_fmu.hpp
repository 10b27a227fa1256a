#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "fmi/packaging/export_fmu.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {

/// An FMU as an importer has it: exported, unpacked by the program unzip, its library loaded, its variables known from
/// modelDescription.xml.
class UnpackedFmu {
 public:
  struct Listed {
    unsigned reference = 0;
    bool is_boolean = false;
    std::map<std::string, std::string> attributes = {};
  };

  /// Whether the library is packed and unpacked, which takes a second, or loaded from where it is packed from.
  enum class Library { packed, beside };

  explicit UnpackedFmu(const std::filesystem::path& model, fmi::ExportOptions options = {},
                       Library library = Library::beside);
  ~UnpackedFmu();
  UnpackedFmu(const UnpackedFmu&) = delete;
  UnpackedFmu& operator=(const UnpackedFmu&) = delete;

  [[nodiscard]] std::filesystem::path folder() const { return directory_.path() / "unpacked"; }
  [[nodiscard]] std::filesystem::path resources() const { return folder() / "resources"; }
  [[nodiscard]] std::filesystem::path file() const { return directory_.path() / "model.fmu"; }
  [[nodiscard]] const std::filesystem::path& library() const { return library_; }
  [[nodiscard]] const std::string& xml() const { return xml_; }
  [[nodiscard]] const std::string& token() const { return token_; }
  [[nodiscard]] const std::map<std::string, Listed>& variables() const { return variables_; }
  [[nodiscard]] unsigned reference(const std::string& name) const { return variables_.at(name).reference; }

  /// A function of the library, whose type is that of the declaration of this name.
  template <class Function>
  [[nodiscard]] Function* function(const char* name) const {
    return reinterpret_cast<Function*>(address(name));
  }

 private:
  [[nodiscard]] void* address(const char* name) const;

  TemporaryDirectory directory_;
  std::filesystem::path library_;
  std::string xml_, token_;
  std::map<std::string, Listed> variables_;
  void* handle_ = nullptr;
};

/// What a command prints, both streams, with its exit status in the last line.
[[nodiscard]] std::string printed_by(const std::string& command);

/// Every model in tests/cases and in the examples.
[[nodiscard]] std::vector<std::filesystem::path> all_models();

}  // namespace mti::test

/// The function of an unpacked FMU that is declared by this name.
#define MTI_FMU_CALL(fmu, name) (fmu).function<decltype(name)>(#name)
