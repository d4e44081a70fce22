// Records survive the file; a file that was cut ends the list.

#include "verify/Exchange.h"
#include "support/Files.h"
#include "gtest/gtest.h"

using namespace autokernel;

namespace {

RunnerRecord runnerRecord(uint32_t number) {
  RunnerRecord r;
  r.number = number;
  r.schedule = 2;
  r.contract = 1;
  r.reports = "[]";
  r.failure = "why";
  r.outputs = {{3, {1, 2, 3}}, {4, {}}};
  return r;
}

class Exchange : public testing::Test {
protected:
  TemporaryFolder folder =
      llvm::cantFail(TemporaryFolder::make("autokernel-exchange"));
  std::string path = folder.file("records");

  template <class Record> void write(const std::vector<Record> &records) {
    std::FILE *file = std::fopen(path.c_str(), "wb");
    for (const Record &r : records)
      llvm::cantFail(writeRecord(file, r));
    std::fclose(file);
  }
};

TEST_F(Exchange, RunnerRoundTrip) {
  write<RunnerRecord>({runnerRecord(7), runnerRecord(8)});
  auto back = llvm::cantFail(readRunner(path));
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[1].number, 8u);
  EXPECT_EQ(back[0].schedule, 2u);
  EXPECT_EQ(back[0].contract, 1u);
  EXPECT_EQ(back[0].reports, "[]");
  EXPECT_EQ(back[0].failure, "why");
  ASSERT_EQ(back[0].outputs.size(), 2u);
  EXPECT_EQ(back[0].outputs[0].param, 3u);
  EXPECT_EQ(back[0].outputs[0].bytes, (std::vector<uint8_t>{1, 2, 3}));
}

TEST_F(Exchange, OracleRoundTrip) {
  OracleRecord r;
  r.number = 9;
  r.problem = "none";
  r.outputs = {{2, {1}, {2}, {1.5L}, {2.5}, {0.25}, {1}, -7}};
  write<OracleRecord>({r});
  auto back = llvm::cantFail(readOracle(path));
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back[0].problem, "none");
  ASSERT_EQ(back[0].outputs.size(), 1u);
  const OracleOutput &o = back[0].outputs[0];
  EXPECT_EQ(o.twin, (std::vector<long double>{1.5L}));
  EXPECT_EQ(o.error, (std::vector<double>{0.25}));
  EXPECT_EQ(o.known, (std::vector<uint8_t>{1}));
  EXPECT_EQ(o.first, -7);
}

TEST_F(Exchange, EveryCutEndsTheList) {
  write<RunnerRecord>({runnerRecord(1), runnerRecord(2)});
  std::string whole = llvm::cantFail(readFile(path));
  for (size_t size = 0; size < whole.size(); ++size) {
    llvm::cantFail(writeFileAtomically(path, whole.substr(0, size)));
    auto back = llvm::cantFail(readRunner(path));
    EXPECT_EQ(back.size(), size < whole.size() / 2 ? 0u : 1u) << size;
  }
}

TEST_F(Exchange, WildLengthsAreNoRecords) {
  llvm::cantFail(writeFileAtomically(path, std::string(64, '\xff')));
  EXPECT_TRUE(llvm::cantFail(readRunner(path)).empty());
  std::string inner(8, '\0');
  inner[0] = 56; // a record of 56 bytes whose own lengths are absurd
  llvm::cantFail(writeFileAtomically(path, inner + std::string(56, '\xff')));
  EXPECT_TRUE(llvm::cantFail(readRunner(path)).empty());
}

} // namespace
