// SPDX-License-Identifier: Apache-2.0
// Loaded into `nendo` by LD_PRELOAD: makes one of its file operations fail, or kills it there.
// The operations on regular files and their folders (create, write, fsync, rename, unlink) are
// counted from 1.
//   NENDO_FAULT_AT=N       number of the operation
//   NENDO_FAULT=kill       SIGKILL, halfway through a write
//   NENDO_FAULT=EIO        this operation fails, a write halfway through
//   NENDO_FAULT=ENOSPC     all writes from this one on fail
//   NENDO_FAULT_COUNT=FILE file for the number of operations, written at the end
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

template <class Function> Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

struct Fault {
    long at = 0;
    bool kill = false;
    bool lasting = false;
    int error = EIO;

    Fault() {
        const char* const place = std::getenv("NENDO_FAULT_AT");
        const char* const kind = std::getenv("NENDO_FAULT");
        if (place == nullptr || kind == nullptr) return;
        at = std::atol(place);
        kill = std::strcmp(kind, "kill") == 0;
        lasting = std::strcmp(kind, "ENOSPC") == 0;
        if (lasting) error = ENOSPC;
    }
};

std::atomic<long> operations{0};

const Fault& fault() {
    static const Fault given;
    return given;
}

bool is_regular(int fd) {
    struct stat status {};
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

[[noreturn]] void die() {
    raise(SIGKILL);
    std::abort();
}

/// True when this operation has to fail; errno is set.
bool fails(bool is_write, void (*half)(void*) = nullptr, void* given = nullptr) {
    const long now = ++operations;
    if (fault().at == 0 || now < fault().at) return false;
    if (now > fault().at && !(fault().lasting && is_write)) return false;
    if (fault().lasting && !is_write) return false;
    if (half != nullptr) half(given);
    if (fault().kill) die();
    errno = fault().error;
    return true;
}

struct Write {
    int fd;
    const void* data;
    std::size_t size;
};

void write_half(void* given) {
    const auto* w = static_cast<Write*>(given);
    const ssize_t ignored = real<decltype(write)>("write")(w->fd, w->data, w->size / 2);
    (void)ignored;
}

struct Count {
    ~Count() {
        const char* const path = std::getenv("NENDO_FAULT_COUNT");
        FILE* const file = path != nullptr ? std::fopen(path, "w") : nullptr;
        if (file == nullptr) return;
        std::fprintf(file, "%ld\n", operations.load());
        std::fclose(file);
    }
} count_at_end;

int open_as(const char* name, const char* path, int flags, mode_t mode) {
    using Open = int(const char*, int, ...);
    if ((flags & O_CREAT) != 0 && fails(true)) return -1;
    return real<Open>(name)(path, flags, mode);
}

} // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_as("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_as("open64", path, flags, mode);
}

ssize_t write(int fd, const void* data, size_t size) {
    Write whole{fd, data, size};
    if (is_regular(fd) && fails(true, write_half, &whole)) return -1;
    return real<decltype(write)>("write")(fd, data, size);
}

ssize_t writev(int fd, const struct iovec* parts, int count) {
    if (is_regular(fd) && fails(true)) return -1;
    return real<decltype(writev)>("writev")(fd, parts, count);
}

int fsync(int fd) {
    if (fails(true)) return -1;
    return real<decltype(fsync)>("fsync")(fd);
}

int rename(const char* from, const char* to) {
    if (fails(false)) return -1;
    return real<decltype(rename)>("rename")(from, to);
}

int unlink(const char* path) {
    if (fails(false)) return -1;
    return real<decltype(unlink)>("unlink")(path);
}

int remove(const char* path) {
    if (fails(false)) return -1;
    return real<decltype(remove)>("remove")(path);
}

} // extern "C"
