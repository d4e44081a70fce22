// `autokernel report`: a table, or a page for a pull request.
#include "Commands.h"

#include "Output.h"
#include "report/Base.h"
#include "report/Report.h"
#include "support/Messages.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace autokernel {

namespace {

/// The statement as it stands in its file, moved to the left margin.
std::string loopText(const Region &region, const std::string &source) {
  auto text = readFile(region.header.empty() ? source : region.header);
  if (!text) {
    llvm::consumeError(text.takeError());
    return "";
  }
  if (region.begin >= region.end || region.end > text->size())
    return "";
  llvm::StringRef all = *text;
  llvm::StringRef before = all.take_front(region.begin);
  llvm::StringRef margin = before.substr(before.rfind('\n') + 1);
  margin = margin.take_while([](char c) { return c == ' ' || c == '\t'; });
  llvm::StringRef rest = all.slice(region.begin, region.end);
  std::string out;
  while (!rest.empty()) {
    auto [line, below] = rest.split('\n');
    line.consume_front(margin);
    out += (out.empty() ? "" : "\n") + line.str();
    rest = below;
  }
  return out;
}

std::string reproduceText(const Options &options, const Region &region,
                          const std::string &source, uint64_t seed) {
  std::string out = "autokernel verify --region=" + region.id +
                    " --seed=" + std::to_string(seed);
  if (!options.buildDir.empty())
    out += " -p " + displayPath(options.buildDir);
  return out + " " + displayPath(source);
}

/// The pages' items of all sources, against a base where there is one.
class Collection {
public:
  explicit Collection(const Options &options) : options(options) {
    report.base = options.diff;
  }

  llvm::Error add(const UnitResult &unit) {
    const std::string &source = unit.command.file;
    KernelStore store(kernelFolder(options, source));
    auto base = baseOf(store.path());
    if (!base)
      return base.takeError();
    for (const AnalysedRegion &region : unit.regions) {
      if (!options.region.empty() && options.region != region.region.id)
        continue;
      auto status = statusOf(options, region, store);
      if (!status)
        return status.takeError();
      present[store.path()].insert(status->region.id);
      if (llvm::Error e = item(*status, store, source, *base))
        return e;
    }
    return llvm::Error::success();
  }

  /// What the base had and no region of the given sources is left of.
  llvm::Error addRemoved() {
    for (const auto &[folder, base] : bases)
      for (const std::string &id : base->changedIds()) {
        if (present[folder].count(id))
          continue;
        auto before = base->load(id);
        if (!before)
          return before.takeError();
        auto now = KernelStore(folder).load(id);
        bool isThere = now && *now;
        llvm::consumeError(now.takeError());
        if (!*before || isThere)
          continue;
        ReportItem removed;
        removed.id = id;
        removed.change = Change::Removed;
        removed.function = (*before)->contract.function;
        removed.place = displayPath((*before)->contract.place.file);
        report.items.push_back(std::move(removed));
      }
    return llvm::Error::success();
  }

  const Report &result() const { return report; }

private:
  /// Null without --diff.
  llvm::Expected<const BaseStore *> baseOf(const std::string &folder) {
    if (options.diff.empty())
      return nullptr;
    auto &base = bases[folder];
    if (!base) {
      auto opened = BaseStore::open(folder, options.diff);
      if (!opened) {
        bases.erase(folder);
        return opened.takeError();
      }
      base = std::make_unique<BaseStore>(std::move(*opened));
    }
    return base.get();
  }

  llvm::Error item(const RegionStatus &status, const KernelStore &store,
                   const std::string &source, const BaseStore *base) {
    ReportItem out;
    const Region &region = status.region;
    out.id = region.id;
    out.function = region.function;
    out.place =
        displayPath(region.place.file) + ":" + std::to_string(region.place.line);
    out.state = status.state;
    out.reason = status.reason;
    out.refusal = status.refusal;
    if (status.model)
      out.contract = status.model->contract;
    out.kernel = status.kernel;
    out.loop = loopText(region, source);
    out.kernelPath = displayPath(store.kernelPath(region.id));
    out.verdict = status.refusal ? "refused" : stateName(status.state);
    if (status.kernel && !status.kernel->evidence.empty()) {
      const Evidence &last = status.kernel->evidence.back();
      if (status.state == StoreState::Fresh)
        out.verdict = verdictText(last);
      out.reproduce = reproduceText(options, region, source, last.seed);
    }
    if (base) {
      auto changed = compare(out, source, *base);
      if (!changed)
        return changed.takeError();
      if (!*changed)
        return llvm::Error::success();
    }
    report.items.push_back(std::move(out));
    return llvm::Error::success();
  }

  /// Fills in what the branch did; false where it did nothing.
  llvm::Expected<bool> compare(ReportItem &item, const std::string &source,
                               const BaseStore &base) {
    std::optional<StoredKernel> before;
    bool changed = base.changedIds().count(item.id);
    if (changed) {
      auto loaded = base.load(item.id);
      if (!loaded)
        return loaded.takeError();
      before = std::move(*loaded);
    }
    const StoredKernel *now = item.kernel ? &*item.kernel : nullptr;
    if (changed && (before || now)) {
      item.change = changeOf(before ? &*before : nullptr, now);
      auto text = base.difference(item.id);
      if (!text)
        return text.takeError();
      item.difference = std::move(*text);
      return true;
    }
    if (item.state == StoreState::Fresh)
      return false;
    item.change = Change::Unserved;
    return base.hasChanged(source);
  }

  const Options &options;
  Report report;
  std::map<std::string, std::unique_ptr<BaseStore>> bases; // by folder
  std::map<std::string, std::set<std::string>> present;
};

llvm::Expected<int> page(const Options &options) {
  Collection all(options);
  for (const std::string &file : options.files) {
    auto unit = analyseFile(options, file);
    if (!unit)
      return unit.takeError();
    if (llvm::Error e = all.add(*unit))
      return e;
  }
  if (llvm::Error e = all.addRemoved())
    return e;
  std::string text = options.format == Format::Html
                         ? htmlReport(all.result())
                         : markdownReport(all.result());
  if (options.output.empty())
    llvm::outs() << text;
  else if (llvm::Error e = writeFileAtomically(options.output, text))
    return e;
  return 0;
}

std::vector<std::string> tableRow(const RegionStatus &s,
                                  const KernelStore &store) {
  std::string verdict = stateName(s.state);
  if (s.refusal)
    verdict = "refused [" + s.refusal->id + "]";
  else if (s.state == StoreState::Fresh)
    verdict = verdictText(s.kernel->evidence.back());
  return {s.region.id,
          displayPath(s.region.place.file) + ":" +
              std::to_string(s.region.place.line),
          s.model ? s.model->contract.regionClass : "-",
          s.kernel ? s.kernel->origin : "-",
          verdict,
          s.kernel ? displayPath(store.kernelPath(s.region.id)) : "-"};
}

void print(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> width(rows[0].size());
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      width[i] = std::max(width[i], row[i].size());
  for (const auto &row : rows) {
    std::string text;
    for (size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size())
        text += std::string(width[i] - row[i].size() + 2, ' ');
    }
    llvm::outs() << text << "\n";
  }
}

llvm::Expected<int> table(const Options &options) {
  std::vector<std::vector<std::string>> rows = {
      {"region", "place", "class", "generator", "verdict", "kernel file"}};
  for (const std::string &file : options.files) {
    auto unit = analyseFile(options, file);
    if (!unit)
      return unit.takeError();
    KernelStore store(kernelFolder(options, unit->command.file));
    for (const AnalysedRegion &region : unit->regions) {
      if (!options.region.empty() && options.region != region.region.id)
        continue;
      auto status = statusOf(options, region, store);
      if (!status)
        return status.takeError();
      rows.push_back(tableRow(*status, store));
    }
  }
  print(rows);
  return 0;
}

} // namespace

llvm::Expected<int> reportCommand(const Options &options) {
  switch (options.format) {
  case Format::Text:
    return table(options);
  case Format::Markdown:
  case Format::Html:
    return page(options);
  default:
    return checkCommand(options);
  }
}

} // namespace autokernel
