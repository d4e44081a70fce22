#include "scan/Inclusions.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace autokernel {

static std::string realPath(const ParsedUnit &unit, llvm::StringRef name) {
  llvm::SmallString<256> path(unit.command.directory), real;
  if (llvm::sys::path::is_absolute(name))
    path = name;
  else
    llvm::sys::path::append(path, name);
  // "..": folders may be links, so only the file system can resolve them.
  return (llvm::sys::fs::real_path(path, real) ? path : real).str().str();
}

std::string realPathOf(const ParsedUnit &unit, FileID file) {
  const SourceManager &sources = unit.context.getSourceManager();
  if (file == sources.getMainFileID())
    return "";
  auto entry = sources.getFileEntryRefForID(file);
  return entry ? realPath(unit, entry->getName()) : CommandLineFile;
}

std::vector<Inclusion> inclusionsOf(const ParsedUnit &unit) {
  std::map<const FileEntry *, std::string> paths;
  auto pathOf = [&](FileEntryRef file) {
    std::string &path = paths[&file.getFileEntry()];
    if (path.empty())
      path = realPath(unit, file.getName());
    return path;
  };
  const SourceManager &sources = unit.context.getSourceManager();
  std::vector<Inclusion> result;
  for (const LoggedInclusion &logged : unit.inclusions) {
    Inclusion i;
    auto from = sources.getFileEntryRefForID(logged.from);
    if (logged.from != sources.getMainFileID())
      i.from = from ? pathOf(*from) : CommandLineFile;
    i.file = pathOf(logged.file);
    i.begin = logged.begin;
    i.end = logged.end;
    i.quoted = logged.quoted;
    i.system = logged.system;
    result.push_back(std::move(i));
  }
  return result;
}

} // namespace autokernel
