#include "report/Base.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

namespace autokernel {

namespace {

llvm::Error failed(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s",
                                 message.c_str());
}

struct GitEnd {
  int code = 0;
  std::string output, errors;
};

/// Runs git below `folder`. An error only where there is no git.
llvm::Expected<GitEnd> git(const std::string &folder,
                           std::vector<std::string> arguments) {
  auto program = llvm::sys::findProgramByName("git");
  if (!program)
    return failed("--diff needs git, which isn't on the PATH; install it, or "
                  "leave --diff out");
  auto scratch = TemporaryFolder::make("autokernel-git");
  if (!scratch)
    return scratch.takeError();
  // A literal path: names with characters that mean something to git.
  std::vector<std::string> words = {*program, "--literal-pathspecs", "-C",
                                    folder, "-c", "core.quotePath=false"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<llvm::StringRef> refs(words.begin(), words.end());
  std::string out = scratch->file("out"), err = scratch->file("err");
  GitEnd end;
  std::string why;
  end.code = llvm::sys::ExecuteAndWait(*program, refs, std::nullopt,
                                       {llvm::StringRef(""), out, err}, 60, 0,
                                       &why);
  if (end.code < 0)
    return failed("git ended before its work: " + why);
  auto text = readFile(out), errors = readFile(err);
  if (!text)
    return text.takeError();
  if (!errors)
    return errors.takeError();
  end.output = std::move(*text);
  end.errors = llvm::StringRef(*errors).trim().str();
  return end;
}

/// The output of a git that has to succeed.
llvm::Expected<std::string> needed(const std::string &folder,
                                   std::vector<std::string> arguments) {
  auto end = git(folder, arguments);
  if (!end)
    return end.takeError();
  if (end->code != 0)
    return failed("git " + arguments[0] + " failed in '" + folder +
                  "': " + end->errors);
  return std::move(end->output);
}

llvm::Expected<std::string> commitOf(const std::string &folder,
                                     const std::string &revision) {
  auto found = git(folder, {"rev-parse", "--verify", "--quiet",
                            "--end-of-options", revision + "^{commit}"});
  if (!found)
    return found.takeError();
  if (found->code != 0)
    return failed(
        "git knows no revision '" + revision + "' in '" + folder + "'" +
        (found->errors.empty() ? "" : " (" + found->errors + ")") +
        "; name a branch, tag or commit that was fetched (a shallow clone may "
        "lack it)");
  std::string commit = llvm::StringRef(found->output).trim().str();
  auto base = git(folder, {"merge-base", commit, "HEAD"});
  if (!base)
    return base.takeError();
  return base->code == 0 ? llvm::StringRef(base->output).trim().str() : commit;
}

std::string idOf(llvm::StringRef file) {
  return file.substr(0, file.find('.')).str();
}

} // namespace

llvm::Expected<BaseStore> BaseStore::open(const std::string &folder,
                                          const std::string &revision) {
  // A store that is gone altogether is still asked for at its place.
  std::string existing = folder;
  while (!existing.empty() && !llvm::sys::fs::is_directory(existing))
    existing = llvm::sys::path::parent_path(existing).str();
  auto commit = commitOf(existing.empty() ? "." : existing, revision);
  if (!commit)
    return commit.takeError();
  auto copies = TemporaryFolder::make("autokernel-base");
  if (!copies)
    return copies.takeError();
  BaseStore store(folder, std::move(*copies));
  store.revision = std::move(*commit);
  if (existing == folder)
    if (llvm::Error e = store.fetch())
      return std::move(e);
  return std::move(store);
}

llvm::Error BaseStore::fetch() {
  auto known =
      needed(folder, {"diff", "--name-only", "-z", "--relative", revision, "--",
                      "."});
  if (!known)
    return known.takeError();
  auto fresh = needed(folder, {"ls-files", "--others", "-z", "--", "."});
  if (!fresh)
    return fresh.takeError();
  llvm::SmallVector<llvm::StringRef> names;
  llvm::SplitString(*known, names, llvm::StringRef("\0", 1));
  llvm::SplitString(*fresh, names, llvm::StringRef("\0", 1));
  for (llvm::StringRef name : names)
    if (!name.contains('/') && name.contains('.') && !name.starts_with("."))
      changed.insert(idOf(name));
  auto there = needed(folder, {"ls-tree", "-z", "--name-only", revision, "./"});
  if (!there)
    return there.takeError();
  names.clear();
  llvm::SplitString(*there, names, llvm::StringRef("\0", 1));
  for (llvm::StringRef name : names) {
    if (!changed.count(idOf(name)))
      continue;
    auto text = needed(folder, {"show", revision + ":./" + name.str()});
    if (!text)
      return text.takeError();
    if (llvm::Error e = writeFileAtomically(copies.file(name), *text))
      return e;
  }
  return llvm::Error::success();
}

llvm::Expected<std::optional<StoredKernel>>
BaseStore::load(const std::string &id) const {
  return KernelStore(copies.path()).load(id);
}

llvm::Expected<std::string>
BaseStore::difference(const std::string &id) const {
  if (!llvm::sys::fs::exists(copies.file(id + ".cu")) ||
      !llvm::sys::fs::exists(folder + "/" + id + ".cu"))
    return std::string();
  auto text = needed(folder, {"diff", "--no-color", "--no-ext-diff", revision,
                              "--", id + ".cu"});
  if (!text)
    return text.takeError();
  // Without git's own lines above the first hunk.
  size_t hunk = text->find("\n@@");
  return hunk == std::string::npos ? std::string() : text->substr(hunk + 1);
}

llvm::Expected<bool> BaseStore::hasChanged(const std::string &file) const {
  llvm::StringRef parent = llvm::sys::path::parent_path(file);
  std::string at = parent.empty() ? "." : parent.str();
  std::string name = llvm::sys::path::filename(file).str();
  auto there = git(at, {"cat-file", "-e", revision + ":./" + name});
  if (!there)
    return there.takeError();
  if (there->code != 0)
    return true;
  auto same = git(at, {"diff", "--quiet", revision, "--", name});
  if (!same)
    return same.takeError();
  return same->code != 0;
}

} // namespace autokernel
