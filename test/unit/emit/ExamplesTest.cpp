// The examples from source to result without a GPU: scanned, modelled, emitted,
// and run on the runtime's fake device. The kernels are the loops themselves,
// so what is tested is everything around them.
#include "Items.h"
#include "model/Analyse.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace autokernel {
namespace {

struct Example {
  const char *source, *others, *arguments;
};

std::string readFile(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void writeFile(const fs::path &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// A launcher whose body is the region's statement.
std::string loopAsKernel(const Contract &c, const std::string &statement) {
  std::string params, aliases;
  for (const Param &p : c.params) {
    bool result = !p.isArray && p.role != Role::In;
    params += (p.isArray && p.role == Role::In ? "const " : "") +
              p.type.spelling + (p.isArray || result ? " *" : " ") + p.name +
              (result ? "_result, " : ", ");
    if (result)
      aliases +=
          p.type.spelling + " &" + p.name + " = *" + p.name + "_result;\n";
  }
  return "#include <cuda_runtime.h>\n#include <cmath>\nextern \"C\" "
         "cudaError_t autokernel_" +
         c.id + "(" + params +
         "void *workspace, size_t workspace_bytes, cudaStream_t stream) {\n"
         "(void)workspace, (void)workspace_bytes, (void)stream;\n" +
         aliases + statement + ";\nreturn cudaSuccess;\n}\n";
}

struct Examples : testing::TestWithParam<Example> {
  fs::path folder;
  fs::path root = SOURCE_ROOT;

  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "examples XXXXXX").string();
    folder = mkdtemp(name.data());
    writeFile(folder / "cuda_runtime.h",
              "#include <cstddef>\nenum cudaError_t { cudaSuccess };\n"
              "typedef struct CUstream_st *cudaStream_t;\n");
    writeFile(folder / "device.cpp",
              "#include \"FakeDevice.h\"\n#include <cstdlib>\n"
              "static autokernel::runtime::FakeDevice fake;\n"
              "struct Check { ~Check() { if (fake.outOfBounds) std::abort(); } "
              "} check;\n");
  }
  void TearDown() override { fs::remove_all(folder); }

  std::vector<EmitItem> items(const fs::path &source) {
    std::vector<EmitItem> all;
    std::string text = readFile(source);
    auto commands = findCommandsFor(
        "", source.string(),
        {"-std=c++17", "-I" + (root / "annotations/include").string()});
    if (!commands)
      ADD_FAILURE() << llvm::toString(commands.takeError());
    auto unit = analyse(commands->front());
    if (!unit)
      ADD_FAILURE() << llvm::toString(unit.takeError());
    for (AnalysedRegion &r : unit->regions) {
      if (r.refusal)
        ADD_FAILURE() << r.refusal->place.line << ": " << r.refusal->message;
      else
        all.push_back(item(r, text));
    }
    return all;
  }

  EmitItem item(const AnalysedRegion &r, const std::string &text) {
    EmitItem item;
    item.region = r.region;
    item.contract = r.model->contract;
    item.finalCounters = r.model->finalCounters;
    unsigned length = r.region.end - r.region.begin;
    item.kernelSource =
        loopAsKernel(item.contract, text.substr(r.region.begin, length));
    item.kernelPath = folder / (item.contract.id + ".cu");
    writeFile(item.kernelPath, item.kernelSource);
    return item;
  }

  void emit(const fs::path &source) {
    std::vector<EmitItem> all = items(source);
    std::string header = folder / "out.h";
    writeFile(header, dispatchHeader(all));
    writeFile(folder / "out.cu", dispatchSource(all, header));
    writeFile(folder / "out.cpp",
              rewriteSource(readFile(source), source.string(), header, all));
  }

  bool build(const fs::path &source, const std::string &others) {
    fs::path examples = source.parent_path();
    std::string tests = (root / "test/unit/runtime").string();
    std::string command =
        "cd '" + folder.string() +
        "' && g++ -std=c++17 -O1 -DAUTOKERNEL_RUNTIME -iquote " +
        examples.string() + " -I. -I" + (root / "runtime/include").string() +
        " -I" + (root / "annotations/include").string() + " -I" +
        (root / "runtime/src").string() + " -I" + tests +
        " out.cpp -x c++ out.cu device.cpp " + tests + "/FakeDevice.cpp " +
        (others.empty() ? "" : (examples / others).string()) + " -x none " +
        RUNTIME_LIBRARY + " -o program -lpthread";
    return std::system(command.c_str()) == 0;
  }

  bool run(const char *mode) {
    std::string command = "cd '" + folder.string() + "' && AUTOKERNEL=" + mode +
                          " ./program " + GetParam().arguments +
                          " > output 2> errors";
    return std::system(command.c_str()) == 0;
  }
};

TEST_P(Examples, RunOnTheFakeDevice) {
  fs::path source = root / "examples" / GetParam().source;
  emit(source);
  ASSERT_TRUE(build(source, GetParam().others));
  EXPECT_TRUE(run("force")) << readFile(folder / "errors");
  EXPECT_TRUE(run("shadow")) << readFile(folder / "errors");
  std::string report = readFile(folder / "errors");
  EXPECT_NE(report.find("  0 mismatches  "), std::string::npos) << report;
  EXPECT_EQ(report.find("none compared"), std::string::npos) << report;
}

INSTANTIATE_TEST_SUITE_P(
    All, Examples,
    testing::Values(Example{"saxpy/main.cpp", "", ""},
                    Example{"layers/layers.cpp", "main.cpp", ""},
                    Example{"jacobi2d/main.cpp", "", "34 34 5000"},
                    Example{"histogram/main.cpp", "", ""}));

} // namespace
} // namespace autokernel
