// SPDX-License-Identifier: Apache-2.0
// Reads, writes, appends and locks files through POSIX calls.
#include "io/file.h"

#include "core/error.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nendo {
namespace {

constexpr std::string_view temporary_mark = ".tmp";

/// A file descriptor that closes itself.
class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (m_fd >= 0) ::close(m_fd);
    }
    int get() const { return m_fd; }
    bool ok() const { return m_fd >= 0; }
    /// Closes now, because close() may be the first to report a failed write.
    bool close() { return ::close(std::exchange(m_fd, -1)) == 0; }

private:
    int m_fd;
};

/// Removes the file unless keep() was called.
class Temporary {
public:
    explicit Temporary(std::string path) : m_path(std::move(path)) {}
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        if (!m_path.empty()) ::unlink(m_path.c_str());
    }
    void keep() { m_path.clear(); }

private:
    std::string m_path;
};

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

std::string remedy_for(int error) {
    switch (error) {
    case ENOENT: return "check the name, and that the folder exists";
    case EACCES:
    case EPERM:
    case EROFS: return "check the permissions of the file and its folder";
    case ENOSPC:
    case EDQUOT: return "free some disk space or write somewhere else";
    case EFBIG: return "raise the file size limit or write somewhere else";
    case EISDIR: return "use the name of a file, not of a folder";
    default: return "check the disk and try again";
    }
}

[[noreturn]] void fail(const std::string& action, const std::string& path, int error) {
    throw Error("cannot " + action + " (" + std::strerror(error) + ")", path, remedy_for(error));
}

/// Opens a new file whose name no other process or thread uses, and returns its name.
int create_beside(const std::string& path, std::string& name) {
    for (int attempt = 0;; ++attempt) {
        name = path + std::string(temporary_mark) + "-" + std::to_string(::getpid()) + "-" +
               std::to_string(attempt);
        const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST || attempt == 1000) return fd;
    }
}

void write_all(const Descriptor& file, std::string_view bytes, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write the file", path, errno);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

} // namespace

std::string read_file(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.ok()) fail("open the file", path, errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) fail("read the file", path, errno);
    if (S_ISDIR(status.st_mode)) fail("read the file", path, EISDIR);

    std::string bytes(static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)), '\0');
    std::size_t filled = 0;
    for (;;) {
        // Pipes and /proc have no size, and a file may grow: read until the end is reported.
        if (filled == bytes.size()) bytes.resize(bytes.size() + 65536);
        const ssize_t n = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail("read the file", path, errno);
        if (n == 0) break;
        filled += static_cast<std::size_t>(n);
    }
    bytes.resize(filled);
    return bytes;
}

void write_file_atomically(const std::string& path, const std::vector<std::string_view>& pieces) {
    std::string name;
    Descriptor file(create_beside(path, name));
    if (!file.ok()) fail("create a temporary file next to it", path, errno);
    Temporary temporary(name);

    for (const std::string_view piece : pieces) write_all(file, piece, path);
    if (::fsync(file.get()) != 0) fail("flush the file to the disk", path, errno);
    if (!file.close()) fail("close the file", path, errno);
    if (::rename(name.c_str(), path.c_str()) != 0) fail("replace the file", path, errno);
    temporary.keep();

    // The new name is on the disk only once its folder is flushed.
    const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.ok() || (::fsync(folder.get()) != 0 && errno != EINVAL))
        fail("flush the file's folder to the disk", path, errno);
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
    write_file_atomically(path, std::vector<std::string_view>{bytes});
}

void append_to_file(const std::string& path, std::string_view bytes) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    if (!file.ok()) fail("open the file", path, errno);
    struct stat before {};
    if (::fstat(file.get(), &before) != 0) fail("read the file", path, errno);
    try {
        write_all(file, bytes, path);
        if (!file.close()) fail("close the file", path, errno);
    } catch (const Error&) {
        // If this fails too, the error being thrown already names the file.
        [[maybe_unused]] const int ignored = ::truncate(path.c_str(), before.st_size);
        throw;
    }
}

bool is_temporary(std::string_view name) {
    return name.find(temporary_mark) != std::string_view::npos;
}

FolderLock::FolderLock(const std::string& folder) : m_path(folder + "/.nendo-lock") {
    for (;;) {
        m_fd = ::open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (m_fd < 0) fail("create a lock in the folder", folder, errno);
        if (::flock(m_fd, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) m_state = State::busy;
            return;
        }
        // The previous holder may have removed the file after we opened it.
        struct stat mine {
        }, there{};
        if (::fstat(m_fd, &mine) == 0 && ::stat(m_path.c_str(), &there) == 0 &&
            mine.st_ino == there.st_ino && mine.st_dev == there.st_dev) {
            m_state = State::held;
            return;
        }
        ::close(m_fd);
    }
}

FolderLock::~FolderLock() {
    if (m_state != State::busy) ::unlink(m_path.c_str());
    ::close(m_fd);
}

bool has_suffix(std::string_view path, std::string_view suffix) {
    return path.size() >= suffix.size() &&
           std::equal(suffix.rbegin(), suffix.rend(), path.rbegin(), [](char a, char b) {
               return std::tolower(static_cast<unsigned char>(a)) ==
                      std::tolower(static_cast<unsigned char>(b));
           });
}

} // namespace nendo
