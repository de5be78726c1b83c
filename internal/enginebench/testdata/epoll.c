/* The least a client can do: one thread, one epoll set, one read and one write per request, replies only counted by their
   length. usage: epoll PORT PATH CONNECTIONS SECONDS; the length of a reply is taken from the first one. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static char request[512], buffer[1 << 16];
static long left[20000];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static void check(int ok, const char *what) {
  if (!ok) { perror(what); exit(1); }
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int port = atoi(argv[1]), connections = atoi(argv[3]), set = epoll_create1(0);
  double end = now() + atof(argv[4]);
  int size = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", argv[2], port);
  long reply = 0, requests = 0;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  for (int i = 0; i < connections; i++) {
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    check(fd >= 0 && fd < 20000 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0, "connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (reply == 0) { /* one request, to learn the length */
      check(send(fd, request, size, 0) == size, "send");
      ssize_t n = recv(fd, buffer, sizeof buffer - 1, 0);
      check(n > 0, "recv");
      buffer[n] = 0;
      char *length = strcasestr(buffer, "content-length:"), *head = strstr(buffer, "\r\n\r\n");
      check(length && head, "reply");
      reply = head + 4 - buffer + atol(length + 15);
      for (long got = n; got < reply; got += n) check((n = recv(fd, buffer, sizeof buffer, 0)) > 0, "recv");
    }
    struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data.fd = fd};
    check(epoll_ctl(set, EPOLL_CTL_ADD, fd, &e) == 0, "epoll_ctl");
    check(send(fd, request, size, MSG_DONTWAIT) == size, "send");
    left[fd] = reply;
  }
  struct epoll_event events[256];
  while (now() < end) {
    int n = epoll_wait(set, events, 256, 100);
    for (int i = 0; i < n; i++) {
      int fd = events[i].data.fd;
      for (;;) {
        ssize_t got = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
        if (got < 0 && errno == EAGAIN) break;
        check(got > 0, "recv");
        if ((left[fd] -= got) == 0) {
          requests++;
          left[fd] = reply;
          check(send(fd, request, size, MSG_DONTWAIT) == size, "send");
          break;
        }
        if (got < (ssize_t)sizeof buffer) break;
      }
    }
  }
  printf("%ld requests\n", requests);
  return 0;
}
