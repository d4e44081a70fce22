#include "Findings.h"

#include "Pipeline.h"
#include "model/Refusals.h"
#include "support/ContractJson.h"
#include "support/Messages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace autokernel {

// --- SARIF ---

/// Of a URI: everything but what RFC 3986 leaves unreserved, and '/'.
static std::string percentEncoded(llvm::StringRef path) {
  std::string out;
  for (unsigned char c : path)
    if (llvm::isAlnum(c) || llvm::StringRef("-._~/").contains(c))
      out += c;
    else
      out += "%" + llvm::utohexstr(c, /*LowerCase=*/false, 2);
  return out;
}

static Json artifact(const std::string &file) {
  std::string path = displayPath(file);
  if (llvm::sys::path::is_absolute(path))
    return {{"uri", "file://" + percentEncoded(path)}};
  return {{"uri", percentEncoded(path)}, {"uriBaseId", "%SRCROOT%"}};
}

static Json regionOf(const SourcePlace &place) {
  Json region = {{"startLine", std::max(1u, place.line)}};
  if (place.column)
    region["startColumn"] = place.column;
  return region;
}

static Json location(const SourcePlace &place) {
  return {{"physicalLocation",
           {{"artifactLocation", artifact(place.file)},
            {"region", regionOf(place)}}}};
}

static Json fixJson(const Refusal::Fix &fix) {
  Json deleted = regionOf(fix.place);
  deleted["endColumn"] = fix.place.column + fix.length;
  Json replacement = {{"deletedRegion", deleted},
                      {"insertedContent", {{"text", fix.text}}}};
  return {{"description", {{"text", fixText(fix)}}},
          {"artifactChanges",
           Json::array({{{"artifactLocation", artifact(fix.place.file)},
                         {"replacements", Json::array({replacement})}}})}};
}

static Json resultJson(const Finding &finding) {
  Json result = {{"ruleId", finding.rule},
                 {"level", "error"},
                 {"message", {{"text", finding.message}}},
                 {"locations", Json::array({location(finding.place)})}};
  if (!finding.region.empty())
    result["properties"] = {{"region", finding.region}};
  for (const Refusal::Note &note : finding.notes) {
    Json related = location(note.place);
    related["message"] = {{"text", note.message}};
    result["relatedLocations"].push_back(related);
  }
  for (const Refusal::Fix &fix : finding.fixes)
    result["fixes"].push_back(fixJson(fix));
  return result;
}

static Json ruleJson(const std::string &id, const std::string &sentence) {
  return {{"id", id},
          {"shortDescription", {{"text", sentence}}},
          {"help", {{"text", "autokernel explain " + id}}}};
}

static Json rules() {
  Json list = Json::array();
  for (const RefusalEntry &entry : allRefusals())
    list.push_back(ruleJson(entry.id, entry.sentence));
  for (StoreState state : {StoreState::Missing, StoreState::Stale,
                           StoreState::Unverified, StoreState::Orphan})
    list.push_back({{"id", stateName(state)},
                    {"shortDescription",
                     {{"text", "the region's kernel in the store is " +
                                   std::string(stateName(state))}}}});
  return list;
}

std::string sarifText(const std::vector<Finding> &findings) {
  Json results = Json::array();
  for (const Finding &finding : findings)
    results.push_back(resultJson(finding));
  Json driver = {
      {"name", "autokernel"}, {"version", toolVersion()}, {"rules", rules()}};
  Json run = {{"tool", {{"driver", driver}}}, {"results", results}};
  Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({run})}};
  return log.dump(2) + "\n";
}

// --- GitHub ---

static std::string escaped(llvm::StringRef text, llvm::StringRef special) {
  std::string out;
  for (unsigned char c : text)
    if (special.contains(c))
      out += "%" + llvm::utohexstr(c, /*LowerCase=*/false, 2);
    else
      out += c;
  return out;
}

static std::string placed(const SourcePlace &place) {
  return displayPath(place.file) + ":" + std::to_string(place.line) + ": ";
}

std::string githubText(const std::vector<Finding> &findings) {
  constexpr char inProperty[] = "%\r\n:,", inData[] = "%\r\n";
  std::string out;
  for (const Finding &f : findings) {
    std::string message = f.message;
    for (const Refusal::Note &note : f.notes)
      message += "\n" + placed(note.place) + note.message;
    for (const Refusal::Fix &fix : f.fixes)
      message += "\n" + placed(fix.place) + fixText(fix);
    std::string title =
        f.region + (f.region.empty() ? "[" : " [") + f.rule + "]";
    out += "::error file=" + escaped(displayPath(f.place.file), inProperty) +
           ",line=" + std::to_string(std::max(1u, f.place.line));
    if (f.place.column)
      out += ",col=" + std::to_string(f.place.column);
    out += ",title=" + escaped(title, inProperty) +
           "::" + escaped(message, inData) + "\n";
  }
  return out;
}

} // namespace autokernel
