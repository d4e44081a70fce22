// autokernel rewrite: what a build runs for each annotated source.

#include "Commands.h"
#include "Output.h"
#include "emit/Emit.h"
#include "support/Files.h"
#include "support/Messages.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace autokernel {

namespace {

class Rewrite {
public:
  explicit Rewrite(const Options &options) : options(options), out(options) {}

  llvm::Expected<int> run() {
    if (options.files.size() != 1)
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "autokernel rewrite takes one source");
    const std::string &file = options.files[0];
    auto original = readFile(file);
    if (!original)
      return original.takeError();
    auto unit = analyseFile(options, file);
    if (!unit)
      return unit.takeError();
    KernelStore store(kernelFolder(options, file));
    for (const Refusal &misuse : unit->misuses) {
      out.misuse(misuse);
      out.fail();
    }
    if (llvm::Error e = regions(*unit, store))
      return e;
    if (int code = out.finish())
      return code;
    if (llvm::Error e = write(*unit, *original, store))
      return e;
    return 0;
  }

private:
  llvm::Error regions(const UnitResult &unit, const KernelStore &store) {
    for (const AnalysedRegion &region : unit.regions) {
      auto status = statusOf(options, region, store);
      if (!status)
        return status.takeError();
      if (llvm::Error e = settle(*status, store))
        return e;
      items.push_back(item(*status, store));
    }
    summary(store);
    return llvm::Error::success();
  }

  /// Makes or re-verifies a kernel where the options ask for it.
  llvm::Error settle(RegionStatus &status, const KernelStore &store) {
    if (status.refusal || status.state == StoreState::Fresh) {
      if (status.refusal)
        out.status(status);
      refused += status.refusal.has_value();
      return llvm::Error::success();
    }
    if (options.frozen || options.onMissing == "error") {
      status.reason +=
          std::string(status.reason.empty() ? "" : "; ") +
          "mend it with: autokernel " +
          (status.state == StoreState::Unverified ? "verify" : "generate") +
          (options.buildDir.empty() ? "" : " -p " + options.buildDir) +
          " --kernel-dir=" + displayPath(store.path()) + " " +
          displayPath(options.files[0]);
      out.status(status);
      out.fail();
      return llvm::Error::success();
    }
    if (options.onMissing == "generate") {
      llvm::Error e = status.state == StoreState::Unverified
                          ? reverifyKernel(options, status, store)
                          : produceKernel(options, status, store);
      if (e)
        return e;
    }
    written += status.isNew;
    refused += status.state != StoreState::Fresh;
    out.status(status);
    return llvm::Error::success();
  }

  void summary(const KernelStore &store) {
    if (written)
      out.line(std::to_string(written) +
               (written == 1 ? " kernel" : " kernels") + " written to " +
               displayPath(store.path()) + ": review and commit. " +
               std::to_string(refused) +
               (refused == 1 ? " loop stays" : " loops stay") + " on the CPU.");
  }

  EmitItem item(const RegionStatus &status, const KernelStore &store) const {
    EmitItem i;
    i.region = status.region;
    if (!status.model || status.state != StoreState::Fresh || status.refusal)
      return i;
    i.contract = status.model->contract;
    i.finalCounters = status.model->finalCounters;
    i.kernelPath = store.kernelPath(status.region.id);
    i.kernelSource = status.kernel->source;
    i.kernelDigest = codeDigest(status.kernel->source);
    for (const Evidence &e : status.kernel->evidence) {
      i.evidence = e.where + "-verified";
      i.largestSize = std::max(i.largestSize, e.largestSize);
    }
    return i;
  }

  llvm::Error write(const UnitResult &unit, const std::string &original,
                    const KernelStore &store) {
    std::string header = options.outputHeader;
    auto headers = writeHeaders(unit);
    if (!headers)
      return headers.takeError();
    auto put = [](const std::string &path, const std::string &text) {
      return path.empty() ? llvm::Error::success()
                          : writeIfDifferent(path, text);
    };
    if (llvm::Error e = put(header, dispatchHeader(items)))
      return e;
    if (llvm::Error e = put(options.outputCuda, dispatchSource(items, header)))
      return e;
    if (llvm::Error e =
            put(options.outputSource, rewriteSource(original, unit.command.file,
                                                    header, items, *headers)))
      return e;
    if (llvm::Error e = put(options.depfile, dependencies(unit, store)))
      return e;
    if (options.stamp.empty())
      return llvm::Error::success();
    return writeFileAtomically(options.stamp, "");
  }

  /// Copies of the headers that have kernels, beside the source's.
  llvm::Expected<HeaderSet> writeHeaders(const UnitResult &unit) const {
    HeaderSet headers;
    if (options.outputSource.empty())
      return headers;
    llvm::SmallString<256> folder(options.outputSource);
    llvm::sys::fs::make_absolute(folder);
    headers =
        headersToCopy(items, unit.inclusions, (folder + ".headers").str());
    std::string texts;
    for (const HeaderCopy &copy : headers.copies) {
      auto original = readFile(copy.original);
      if (!original)
        return original.takeError();
      std::string text = rewriteHeader(*original, copy, headers, items);
      if (llvm::Error e = writeIfDifferent(copy.path, text))
        return e;
      texts += text;
    }
    headers.digest = digestOf(texts);
    return headers;
  }

  static std::string escaped(llvm::StringRef path) {
    std::string out;
    for (char c : path) {
      if (c == ' ' || c == '#')
        out += '\\';
      if (c == '$')
        out += '$';
      out += c;
    }
    return out;
  }

  /// Everything that was read: sources, headers, the kernels of this source.
  std::string dependencies(const UnitResult &unit, const KernelStore &store) {
    std::string target =
        options.stamp.empty() ? options.outputSource : options.stamp;
    std::string text = escaped(target) + ":";
    auto add = [&](llvm::StringRef path) {
      llvm::SmallString<256> absolute(unit.command.directory);
      if (llvm::sys::path::is_absolute(path))
        absolute = path;
      else
        llvm::sys::path::append(absolute, path);
      // "..": folders may be links, so only the file system can resolve them.
      llvm::SmallString<256> real;
      if (!llvm::sys::fs::real_path(absolute, real))
        absolute = real;
      text += " \\\n  " + escaped(absolute);
    };
    for (const std::string &file : unit.dependencies)
      add(file);
    for (const EmitItem &i : items)
      if (i.hasKernel()) {
        add(i.kernelPath);
        add(store.jsonPath(i.region.id));
      }
    return text + "\n";
  }

  const Options &options;
  Output out;
  std::vector<EmitItem> items;
  unsigned written = 0, refused = 0;
};

} // namespace

llvm::Expected<int> rewriteCommand(const Options &options) {
  return Rewrite(options).run();
}

} // namespace autokernel
