// SPDX-License-Identifier: Apache-2.0
// The floor for a pair of processes: half a round trip over one TCP connection, with sockets alone.
//
//   sockets spin|block [--min=BYTES] [--max=BYTES] [--seconds=S]     two processes, over the loopback interface
//   sockets spin|block --listen=PORT                                 one of two on different hosts
//   sockets spin|block ... --connect=ADDRESS:PORT                    the other one, which measures
//
// The work that a library adds, one by one, by sockets alone:
//   --header     6 bytes in front of each message, gathered and scattered by the same system call
//   --apart      receives into other memory than it sends from
//   --thread     has a second thread, which sleeps: each system call then counts who uses the socket
//
// Prints the lines of `cohort bench pingpong`, with sockets-spin or sockets-block for the first column.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
  header_bytes = 6,
  least_repetitions = 5,
  most_repetitions = 1000,
  small_bytes = 1024,
  calls_of_small = 20
};

struct repetition {
  uint64_t bytes, calls;  // no calls: the end
};

struct options {
  int spin, header, apart, thread;
  size_t least, most;
  double seconds;
  int warm_up;   // messages there and back before the first repetition
  int calls;     // in one repetition; 0: 20 of small messages, else one
  double pause;  // seconds before each repetition
  uint16_t listen;
  char address[64];
  uint16_t port;
};

static char *out, *in;  // the buffers of sends and receives
static size_t before;   // bytes in front of each buffer
static char header[header_bytes];

static void require(int condition, const char* what) {
  if (condition) return;
  perror(what);
  exit(1);
}

// Begins in the middle of a page. The kernel's own buffers mostly begin at a page's beginning, and a copy to a place a
// few bytes further in its page than its source is slow on some processors (docs/decisions/tcp_large_messages.md).
// Memory of malloc() begins 16 bytes behind a page's beginning: with it this would be no floor.
static char* memory(void) {
  enum { page = 4096 };
  char* pages = aligned_alloc(page, ((size_t)1 << 30) + page);  // only the used part becomes memory
  require(pages != NULL, "aligned_alloc");
  return pages + page / 2;
}

// Memory that was never written is all one page of zeros.
static void write_before_sending(size_t count) {
  static size_t written;
  if (count > written) memset(out, 1, written = count);
}

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void put(int s, const void* data, size_t count) {
  for (const char* next = data; count > 0;) {
    const ssize_t done = write(s, next, count);
    require(done > 0 || errno == EAGAIN, "write");
    if (done > 0) next += done, count -= (size_t)done;
  }
}

static void get(int s, void* data, size_t count) {
  for (char* next = data; count > 0;) {
    const ssize_t done = read(s, next, count);
    if (done == 0) exit(1);
    require(done > 0 || errno == EAGAIN, "read");
    if (done > 0) next += done, count -= (size_t)done;
  }
}

// The rest of a header and a message after so many bytes.
static struct msghdr rest(struct iovec pieces[2], char* message, size_t count, size_t passed) {
  const size_t of_header = passed < before ? passed : before, of_message = passed - of_header;
  pieces[0] = (struct iovec){header + of_header, before - of_header};
  pieces[1] = (struct iovec){message + of_message, count - of_message};
  const int skipped = of_header == before;
  return (struct msghdr){.msg_iov = pieces + skipped, .msg_iovlen = (size_t)(2 - skipped)};
}

static void put_message(int s, size_t count) {
  if (before == 0) return put(s, out, count);
  for (size_t passed = 0; passed < before + count;) {
    struct iovec pieces[2];
    const struct msghdr message = rest(pieces, out, count, passed);
    const ssize_t done = sendmsg(s, &message, MSG_NOSIGNAL);
    require(done > 0 || errno == EAGAIN, "sendmsg");
    if (done > 0) passed += (size_t)done;
  }
}

static void get_message(int s, size_t count) {
  if (before == 0) return get(s, in, count);
  for (size_t passed = 0; passed < before + count;) {
    struct iovec pieces[2];
    struct msghdr message = rest(pieces, in, count, passed);
    const ssize_t done = recvmsg(s, &message, 0);
    if (done == 0) exit(1);
    require(done > 0 || errno == EAGAIN, "recvmsg");
    if (done > 0) passed += (size_t)done;
  }
}

static void* sleep_on(void* nothing) {
  pause();
  return nothing;
}

static void answer(int s) {
  for (;;) {
    struct repetition repetition;
    get(s, &repetition, sizeof repetition);
    if (repetition.calls == 0) return;
    write_before_sending(repetition.bytes);
    for (uint64_t i = 0; i < repetition.calls; ++i) {
      get_message(s, repetition.bytes);
      put_message(s, repetition.bytes);
    }
  }
}

static double repeat_us(int s, size_t bytes, int calls) {
  const struct repetition repetition = {bytes, (uint64_t)calls};
  write_before_sending(bytes);
  put(s, &repetition, sizeof repetition);
  const double start = now_us();
  for (int i = 0; i < calls; ++i) {
    put_message(s, bytes);
    get_message(s, bytes);
  }
  return (now_us() - start) / (2 * calls);
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void measure(int s, const struct options* options) {
  static double times_us[most_repetitions];
  for (size_t bytes = options->least; bytes <= options->most; bytes *= 4) {
    const int calls = options->calls > 0 ? options->calls : bytes <= small_bytes ? calls_of_small : 1;
    if (options->warm_up > 0) repeat_us(s, bytes, options->warm_up);
    int count = 0;
    const double begin = now_us();
    while (count < most_repetitions && (count < least_repetitions || now_us() - begin < options->seconds * 1e6)) {
      if (options->pause > 0) usleep((useconds_t)(1e6 * options->pause));
      times_us[count++] = repeat_us(s, bytes, calls);
    }
    qsort(times_us, (size_t)count, sizeof *times_us, ascending);
    printf("sockets-%s\tpingpong\t2\t%zu\t%d\t%.2f\t%.2f\t-\n", options->spin ? "spin" : "block", bytes, count,
           times_us[0], times_us[count / 2]);
    fflush(stdout);
  }
  const struct repetition over = {0, 0};
  put(s, &over, sizeof over);
}

static int listening_at(struct sockaddr_in* address) {
  const int s = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  socklen_t length = sizeof *address;
  setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  require(bind(s, (struct sockaddr*)address, length) == 0 && listen(s, 1) == 0, "listen");
  getsockname(s, (struct sockaddr*)address, &length);
  return s;
}

static int connected_to(const struct sockaddr_in* address) {
  for (int tries = 0;; ++tries) {  // the other host may not listen yet
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (const struct sockaddr*)address, sizeof *address) == 0) return s;
    require(tries < 50, "connect");
    close(s);
    usleep(100000);
  }
}

static void prepare(int s, const struct options* options) {
  const int one = 1;
  setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (options->spin) fcntl(s, F_SETFL, O_NONBLOCK);
}

int main(int argc, char** argv) {
  struct options options = {.least = 8, .most = 1 << 20, .seconds = 1, .warm_up = 2};
  options.spin = argc > 1 && strcmp(argv[1], "spin") == 0;
  for (int word = 2; word < argc; ++word) {
    options.header |= strcmp(argv[word], "--header") == 0;
    options.apart |= strcmp(argv[word], "--apart") == 0;
    options.thread |= strcmp(argv[word], "--thread") == 0;
    sscanf(argv[word], "--min=%zu", &options.least);
    sscanf(argv[word], "--max=%zu", &options.most);
    sscanf(argv[word], "--seconds=%lf", &options.seconds);
    sscanf(argv[word], "--warm-up=%d", &options.warm_up);
    sscanf(argv[word], "--calls=%d", &options.calls);
    sscanf(argv[word], "--pause=%lf", &options.pause);
    sscanf(argv[word], "--listen=%hu", &options.listen);
    sscanf(argv[word], "--connect=%63[^:]:%hu", options.address, &options.port);
  }
  out = in = memory();
  if (options.apart) in = memory();
  before = options.header ? header_bytes : 0;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(options.listen)};
  if (options.port != 0) {
    address.sin_port = htons(options.port);
    inet_pton(AF_INET, options.address, &address.sin_addr);
  } else {
    address.sin_addr.s_addr = htonl(options.listen != 0 ? INADDR_ANY : INADDR_LOOPBACK);
  }
  const int listener = options.port != 0 ? -1 : listening_at(&address);
  const int measures = options.port != 0 || (options.listen == 0 && fork() > 0);
  const int s =
      options.port != 0 || (options.listen == 0 && !measures) ? connected_to(&address) : accept(listener, 0, 0);
  require(s >= 0, "accept");
  prepare(s, &options);
  pthread_t thread;
  if (options.thread) require(pthread_create(&thread, NULL, sleep_on, NULL) == 0, "pthread_create");
  if (measures) {
    measure(s, &options);
  } else {
    answer(s);
  }
  return 0;
}
