/*
 * Preloaded into a process (LD_PRELOAD), it moves the time of day by the seconds in the file REHEARSAL_CLOCK: eight bytes in
 * the machine's order, which may change at any time. The monotonic clock stays as it is. libfaketime does the same for most
 * programs, but Redis does not start under it, because its allocator reads the time before any library is initialized.
 * This library makes system calls only, so no call comes too early.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t none = 0;
static const volatile int64_t *ahead = &none;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("REHEARSAL_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *seconds = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
  if (seconds != MAP_FAILED) ahead = seconds;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = (int)syscall(SYS_clock_gettime, clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *ahead;
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
