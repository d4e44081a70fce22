// Contracts survive JSON; damaged JSON is an error, never a crash.

#include "Contracts.h"
#include "gtest/gtest.h"

#include <functional>

using namespace autokernel;
using namespace autokernel::tests;

namespace {

std::vector<Contract> contracts() {
  return {mapContract(), gatherContract(), sumContract()};
}

// What may be missing, or may hold any text.
bool isOptional(const std::string &key) {
  return key == "extent" || key == "derived" || key == "typical" ||
         key == "conditions" || key == "accumulates" || key == "relative";
}

/// Calls `visit` with every object member of `json`.
void members(Json &json,
             const std::function<void(Json &, const std::string &)> &visit) {
  if (json.is_object()) {
    std::vector<std::string> keys;
    for (auto &item : json.items())
      keys.push_back(item.key());
    for (const std::string &key : keys) {
      visit(json, key);
      members(json[key], visit);
    }
  }
  if (json.is_array())
    for (Json &item : json)
      members(item, visit);
}

bool isRead(const Json &json) {
  auto contract = contractFromJson(json);
  if (contract)
    return true;
  EXPECT_FALSE(llvm::toString(contract.takeError()).empty());
  return false;
}

TEST(ContractJson, RoundTrip) {
  for (const Contract &c : contracts()) {
    Json json = toJson(c);
    auto back = contractFromJson(json);
    ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
    EXPECT_EQ(toJson(*back).dump(), json.dump());
  }
}

TEST(ContractJson, EveryKeyIsNeeded) {
  for (const Contract &c : contracts()) {
    Json json = toJson(c);
    members(json, [&](Json &object, const std::string &key) {
      Json kept = object;
      object.erase(key);
      EXPECT_EQ(isRead(json), isOptional(key)) << c.id << " " << key;
      object = kept;
    });
  }
}

TEST(ContractJson, WrongTypesAreErrors) {
  for (const Contract &c : contracts()) {
    Json json = toJson(c);
    members(json, [&](Json &object, const std::string &key) {
      Json kept = object[key];
      for (const Json &wrong :
           {Json(nullptr), Json(Json::object()), Json({{"a", 1}}), Json(0.5)}) {
        object[key] = wrong;
        bool fits = wrong.is_number() && kept.is_number_float();
        EXPECT_EQ(isRead(json), fits) << c.id << " " << key << " " << wrong;
      }
      object[key] = kept;
    });
  }
}

TEST(ContractJson, NamesOutsideAreErrors) {
  Contract c = sumContract();
  c.params[0].derived = IndexExpr{{{Op::Param, 77}}, "n77"};
  EXPECT_FALSE(isRead(toJson(c)));
  c = mapContract();
  c.loops[0].last = IndexExpr{{{Op::Counter, 5}}, "i5"};
  EXPECT_FALSE(isRead(toJson(c)));
  c = mapContract();
  c.accesses[0].path = {3};
  EXPECT_FALSE(isRead(toJson(c)));
}

} // namespace
