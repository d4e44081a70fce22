#include "agent/http/Client.h"

#include "agent/Provider.h"

#include <curl/curl.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace autokernel::agent {

namespace {

constexpr curl_off_t LargestBody = 64 << 20; // unpacked
constexpr int PollMilliseconds = 200;
constexpr long ConnectSeconds = 30;

using Easy = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using Multi = std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)>;
using List = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

llvm::Error failure(const std::string &message, bool transient) {
  return llvm::make_error<ProviderError>(message, transient);
}

/// What the write callback needs.
struct Transfer {
  CURL *easy;
  const OnBytes &onBytes;
  curl_off_t received = 0;
  bool tooLarge = false, enough = false;
};

size_t receive(char *bytes, size_t, size_t count, void *data) {
  auto &t = *static_cast<Transfer *>(data);
  t.received += curl_off_t(count);
  if (t.received > LargestBody) {
    t.tooLarge = true;
    return CURL_WRITEFUNC_ERROR;
  }
  long status = 0;
  curl_easy_getinfo(t.easy, CURLINFO_RESPONSE_CODE, &status);
  t.enough = !t.onBytes(status, llvm::StringRef(bytes, count));
  return t.enough ? CURL_WRITEFUNC_ERROR : count;
}

void setCertificates(CURL *easy) {
  for (const char *name : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"})
    if (const char *file = std::getenv(name); file && *file) {
      curl_easy_setopt(easy, CURLOPT_CAINFO, file);
      break;
    }
  if (const char *folder = std::getenv("SSL_CERT_DIR"); folder && *folder)
    curl_easy_setopt(easy, CURLOPT_CAPATH, folder);
}

void setLimits(CURL *easy, const HttpRequest &request) {
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L); // threads
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS,
                   long(request.timeoutSeconds * 1000) + 1);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, ConnectSeconds);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
}

void setRequest(CURL *easy, const HttpRequest &request, Transfer &transfer,
                curl_slist *headers) {
  curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, ""); // all that curl unpacks
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.data());
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                   curl_off_t(request.body.size()));
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
}

/// Runs the transfer to its end; CURLE_ABORTED_BY_CALLBACK once stopped.
CURLcode perform(CURL *easy, const std::atomic<bool> &stop) {
  Multi multi(curl_multi_init(), curl_multi_cleanup);
  if (!multi || curl_multi_add_handle(multi.get(), easy))
    return CURLE_OUT_OF_MEMORY;
  CURLcode result = CURLE_ABORTED_BY_CALLBACK;
  int running = 1;
  while (!stop) {
    if (curl_multi_perform(multi.get(), &running)) {
      result = CURLE_FAILED_INIT;
      break;
    }
    int left = 0;
    if (const CURLMsg *m = curl_multi_info_read(multi.get(), &left);
        m && m->msg == CURLMSG_DONE) {
      result = m->data.result;
      break;
    }
    curl_multi_poll(multi.get(), nullptr, 0, PollMilliseconds, nullptr);
  }
  curl_multi_remove_handle(multi.get(), easy);
  return result;
}

bool isTransient(CURLcode code) {
  switch (code) {
  case CURLE_COULDNT_RESOLVE_HOST:
  case CURLE_COULDNT_CONNECT:
  case CURLE_PARTIAL_FILE:
  case CURLE_GOT_NOTHING:
  case CURLE_SEND_ERROR:
  case CURLE_RECV_ERROR:
  case CURLE_HTTP2:
  case CURLE_HTTP2_STREAM:
  case CURLE_BAD_CONTENT_ENCODING:
  case CURLE_WEIRD_SERVER_REPLY:
    return true;
  default:
    return false;
  }
}

const char *remedy(CURLcode code) {
  switch (code) {
  case CURLE_COULDNT_RESOLVE_HOST:
  case CURLE_COULDNT_CONNECT:
    return "; check the base URL, the network and HTTPS_PROXY";
  case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_SSL_CACERT_BADFILE:
    return "; name your authority's certificates in SSL_CERT_FILE";
  case CURLE_OPERATION_TIMEDOUT:
    return "; give it more time with --reply-timeout";
  default:
    return "";
  }
}

llvm::Error explain(CURLcode code, const char *details, const Transfer &t,
                    const HttpRequest &request) {
  if (t.tooLarge)
    return failure(request.url + ": the reply is larger than 64 MB", false);
  if (code == CURLE_ABORTED_BY_CALLBACK)
    return failure(request.url + ": stopped", false);
  std::string cause = *details ? details : curl_easy_strerror(code);
  return failure(request.url + ": " + cause + remedy(code), isTransient(code));
}

List makeList(const std::vector<std::string> &lines) {
  List list(nullptr, curl_slist_free_all);
  for (const std::string &line : lines)
    if (curl_slist *longer = curl_slist_append(list.get(), line.c_str())) {
      (void)list.release();
      list.reset(longer);
    }
  return list;
}

} // namespace

llvm::Expected<HttpResponse> post(const HttpRequest &request,
                                  const OnBytes &onBytes,
                                  const std::atomic<bool> &stop) {
  static std::once_flag once;
  std::call_once(once, [] {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    std::signal(SIGPIPE, SIG_IGN); // OpenSSL may write to a closed socket
  });
  Easy easy(curl_easy_init(), curl_easy_cleanup);
  if (!easy)
    return failure("curl could not be started", false);
  List headers = makeList(request.headers);
  Transfer transfer{easy.get(), onBytes};
  char details[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(easy.get(), CURLOPT_ERRORBUFFER, details);
  setLimits(easy.get(), request);
  setCertificates(easy.get());
  setRequest(easy.get(), request, transfer, headers.get());
  CURLcode code = perform(easy.get(), stop);
  if (code != CURLE_OK && !transfer.enough)
    return explain(code, details, transfer, request);
  HttpResponse response;
  curl_off_t wait = 0;
  curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &response.status);
  curl_easy_getinfo(easy.get(), CURLINFO_RETRY_AFTER, &wait);
  response.retryAfter = wait > 0 ? long(wait) : -1;
  return response;
}

} // namespace autokernel::agent
