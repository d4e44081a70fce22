#include "verify/Job.h"

#include "support/Files.h"
#include "support/JsonReader.h"

namespace autokernel {

llvm::Error writeJob(const std::string &folder, const Job &job) {
  Json json = {{"contract", toJson(job.contract)},
               {"max_elements", job.maxElements},
               {"max_iterations", job.maxIterations},
               {"launch_seconds", job.launchSeconds},
               {"seconds", job.seconds},
               {"cases", Json::array()}};
  for (const Case &c : job.cases)
    json["cases"].push_back(toJson(c));
  return writeFileAtomically(folder + "/" + jobfile::Job, json.dump());
}

llvm::Expected<Job> readJob(const std::string &folder) {
  std::string path = folder + "/" + jobfile::Job;
  auto text = readFile(path);
  if (!text)
    return text.takeError();
  auto json = parseJson(*text, path);
  if (!json)
    return json.takeError();
  std::string error;
  JsonReader r(*json, "", error);
  Job job;
  job.maxElements = r.integer("max_elements");
  job.maxIterations = r.number("max_iterations");
  job.launchSeconds = r.number("launch_seconds");
  job.seconds = r.number("seconds");
  if (!error.empty() || !json->contains("contract") ||
      !json->contains("cases") || !(*json)["cases"].is_array())
    return jsonError(path + ": " + error);
  auto contract = contractFromJson((*json)["contract"]);
  if (!contract)
    return contract.takeError();
  job.contract = std::move(*contract);
  for (const Json &item : (*json)["cases"]) {
    auto c = caseFromJson(item, job.contract);
    if (!c)
      return c.takeError();
    job.cases.push_back(std::move(*c));
  }
  return job;
}

} // namespace autokernel
