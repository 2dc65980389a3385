#pragma once
#ifdef __linux__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <jv.h>
#include <jq.h>

// A program runs in a child process, because some programs end the process they run in, and others never end. What runs
// between fork and _exit is C: the child of a process with several threads may not enter Swift's runtime.

/* What a child sends: one of these, the count of bytes that follow (4 bytes, the machine's order), the bytes. */
enum {
    CRIER_JQ_VALUE = 'v',      /* an output, as JSON */
    CRIER_JQ_ERROR = 'e',      /* the program failed on the input; its message */
    CRIER_JQ_TOO_MANY = 'm',   /* the input yields more than it may */
    CRIER_JQ_NEXT = 'n',       /* the input is done */
    CRIER_JQ_DONE = 'd',       /* all inputs are */
};

typedef struct {
    int descriptor;
    size_t count;
    char bytes[1 << 16];
} crier_jq_pipe;

static inline void crier_jq_flush(crier_jq_pipe *pipe) {
    size_t sent = 0;
    while (sent < pipe->count) {
        ssize_t written = write(pipe->descriptor, pipe->bytes + sent, pipe->count - sent);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) _exit(1);
        sent += (size_t)written;
    }
    pipe->count = 0;
}

static inline void crier_jq_put(crier_jq_pipe *pipe, const char *bytes, size_t count) {
    while (count > 0) {
        if (pipe->count == sizeof pipe->bytes) crier_jq_flush(pipe);
        size_t part = sizeof pipe->bytes - pipe->count;
        if (part > count) part = count;
        memcpy(pipe->bytes + pipe->count, bytes, part);
        pipe->count += part;
        bytes += part;
        count -= part;
    }
}

static inline void crier_jq_send(crier_jq_pipe *pipe, char kind, jv text) {
    const char *bytes = "";
    uint32_t count = 0;
    if (jv_get_kind(text) == JV_KIND_STRING) {
        bytes = jv_string_value(text);
        count = (uint32_t)jv_string_length_bytes(jv_copy(text));
    }
    crier_jq_put(pipe, &kind, 1);
    crier_jq_put(pipe, (const char *)&count, sizeof count);
    crier_jq_put(pipe, bytes, count);
    jv_free(text);
}

static inline void crier_jq_run(jq_state *jq, jv input, int outputs, crier_jq_pipe *pipe) {
    jq_start(jq, input, 0);
    for (int count = 0;; count++) {
        jv output = jq_next(jq);
        if (jv_is_valid(output)) {
            if (count == outputs) {
                crier_jq_send(pipe, CRIER_JQ_TOO_MANY, jv_null());
                return;
            }
            crier_jq_send(pipe, CRIER_JQ_VALUE, jv_dump_string(output, 0));
            continue;
        }
        if (jv_invalid_has_msg(jv_copy(output))) {
            jv message = jv_invalid_get_msg(output);
            if (jv_get_kind(message) != JV_KIND_STRING) message = jv_dump_string(message, 0);
            crier_jq_send(pipe, CRIER_JQ_ERROR, message);
        } else {
            jv_free(output);
            crier_jq_send(pipe, CRIER_JQ_NEXT, jv_null());
        }
        return;
    }
}

/* The memory that the process has mapped, in bytes; 0 where that is not known. */
static inline size_t crier_jq_mapped_memory(void) {
    char text[64];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    return strtoull(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

static inline void crier_jq_limit(int resource, size_t soft, size_t hard) {
    struct rlimit limit = {soft, hard};
    setrlimit(resource, &limit);
}

/* Leaves the child with nothing of the parent's but its memory and the pipe, and bounds what it may use. */
static inline void crier_jq_confine(int *descriptor, pid_t parent, size_t memory, int seconds) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) _exit(1);
    /* libjq writes its last words to the standard error. */
    int nowhere = open("/dev/null", O_RDWR);
    if (*descriptor < 3) *descriptor = fcntl(*descriptor, F_DUPFD, 3);
    for (int standard = 0; standard < 3; standard++) dup2(nowhere, standard);
    dup2(*descriptor, 3);
    *descriptor = 3;
#ifdef SYS_close_range
    syscall(SYS_close_range, 4U, ~0U, 0U);
#endif
    crier_jq_limit(RLIMIT_CORE, 0, 0);
    crier_jq_limit(RLIMIT_CPU, (size_t)seconds, (size_t)seconds + 1);
    size_t mapped = crier_jq_mapped_memory();
    if (mapped > 0) crier_jq_limit(RLIMIT_AS, mapped + memory, mapped + memory);
}

/* Runs a compiled program over each of the inputs (an array, which is consumed) in a child process, which writes what
   it yields to the descriptor. The program itself is left as it was. -1 where there can be no child. */
static inline pid_t crier_jq_run_apart(
    jq_state *jq, jv inputs, int descriptor, int outputs, size_t memory, int seconds) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child != 0) {
        int code = errno;
        jv_free(inputs);
        errno = code;
        return child;
    }
    crier_jq_confine(&descriptor, parent, memory, seconds);
    crier_jq_pipe *pipe = malloc(sizeof *pipe);
    if (pipe == NULL) abort();
    pipe->descriptor = descriptor;
    pipe->count = 0;
    int count = jv_array_length(jv_copy(inputs));
    for (int index = 0; index < count; index++) {
        crier_jq_run(jq, jv_array_get(jv_copy(inputs), index), outputs, pipe);
    }
    crier_jq_send(pipe, CRIER_JQ_DONE, jv_null());
    crier_jq_flush(pipe);
    _exit(0);
}

/* Ends a child that is still at work, and takes away what is left of it. Where SIGCHLD is ignored, or another part of the process waits for
   all children, it may be gone, and its number another's: none is signalled that is not known to be there. */
static inline void crier_jq_end(pid_t child) {
    pid_t found;
    while ((found = waitpid(child, NULL, WNOHANG)) < 0 && errno == EINTR) {}
    if (found != 0) return;
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}

/* The signal that ends or has ended a child that has closed its pipe; 0 where none has, -1 where nobody knows (see above). */
static inline int crier_jq_signal(pid_t child) {
    siginfo_t information;
    memset(&information, 0, sizeof information);
    while (waitid(P_PID, (id_t)child, &information, WEXITED | WNOWAIT) < 0) {
        if (errno != EINTR) return -1;
    }
    return information.si_code == CLD_EXITED ? 0 : information.si_status;
}
