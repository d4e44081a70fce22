// Checked reading of JSON objects. Internal to support.
//
// The first missing or mistyped field is remembered by its path; the caller
// asks for the error once at the end.
#pragma once

#include "support/ContractJson.h"

namespace autokernel {

class JsonReader {
public:
  JsonReader(const Json &json, std::string path, std::string &error)
      : json(json), path(std::move(path)), error(error) {
    if (!json.is_object())
      fail("is not an object");
  }

  bool has(const char *key) const {
    return json.is_object() && json.contains(key);
  }

  std::string text(const char *key) {
    const Json *v = get(key);
    if (v && v->is_string())
      return v->get<std::string>();
    return wrong<std::string>(v, key, "a string");
  }
  bool flag(const char *key) {
    const Json *v = get(key);
    if (v && v->is_boolean())
      return v->get<bool>();
    return wrong<bool>(v, key, "true or false");
  }
  int64_t integer(const char *key) {
    const Json *v = get(key);
    if (v && v->is_number_integer())
      return v->get<int64_t>();
    return wrong<int64_t>(v, key, "an integer");
  }
  unsigned small(const char *key) {
    int64_t n = integer(key);
    if (n < 0 || n > 1000000)
      fail(std::string("'") + key + "' is out of range");
    return n < 0 || n > 1000000 ? 0 : unsigned(n);
  }
  double number(const char *key) {
    const Json *v = get(key);
    if (v && v->is_number())
      return v->get<double>();
    return wrong<double>(v, key, "a number");
  }

  /// Calls `each` with a reader for every object of a list.
  template <class F> void list(const char *key, F each) {
    const Json *v = get(key);
    if (!v || !v->is_array()) {
      wrong<int>(v, key, "a list");
      return;
    }
    for (size_t i = 0; i < v->size() && error.empty(); ++i) {
      JsonReader item((*v)[i], path + key + "[" + std::to_string(i) + "].",
                      error);
      if (error.empty())
        each(item);
    }
  }

  std::vector<std::string> texts(const char *key) {
    std::vector<std::string> out;
    const Json *v = get(key);
    if (!v || !v->is_array())
      return wrong<std::vector<std::string>>(v, key, "a list");
    for (const Json &item : *v)
      if (item.is_string())
        out.push_back(item.get<std::string>());
      else
        fail(std::string("'") + key + "' holds something that is no string");
    return out;
  }

  JsonReader object(const char *key) {
    static const Json nothing = Json::object();
    const Json *v = get(key);
    if (v && v->is_object())
      return JsonReader(*v, path + key + ".", error);
    wrong<int>(v, key, "an object");
    return JsonReader(nothing, path, error);
  }

  std::vector<Instr> code(const char *key) {
    auto parsed = parseCode(text(key));
    if (parsed)
      return *parsed;
    fail(std::string("'") + key + "': " + llvm::toString(parsed.takeError()));
    return {};
  }

  void fail(const std::string &message) {
    if (error.empty())
      error = path.empty() ? message : path + " " + message;
  }

private:
  const Json *get(const char *key) {
    if (!has(key)) {
      fail(std::string("has no '") + key + "'");
      return nullptr;
    }
    return &json.at(key);
  }
  template <class T> T wrong(const Json *v, const char *key, const char *what) {
    if (v)
      fail(std::string("'") + key + "' is not " + what);
    return {};
  }

  const Json &json;
  std::string path;
  std::string &error;
};

inline llvm::Error jsonError(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s",
                                 message.c_str());
}

} // namespace autokernel
