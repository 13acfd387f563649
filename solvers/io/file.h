// SPDX-License-Identifier: Apache-2.0
// Reads and writes whole files: reading with clear errors, and writing that always leaves either
// the old file or the complete new one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nendo {

/// Returns all bytes of the file. Throws an Error that names the path if it cannot be read.
std::string read_file(const std::string& path);

/// Writes the pieces in order as the file `path`: to a temporary file next to it, which is flushed
/// to the disk and renamed. On any failure the temporary file is removed, the old file is
/// unchanged, and an Error says why. The folder must exist.
void write_file_atomically(const std::string& path, const std::vector<std::string_view>& pieces);
void write_file_atomically(const std::string& path, std::string_view bytes);

/// Appends the bytes to the file, which is created if it does not exist. On failure the file is
/// truncated to its old length, and an Error says why.
void append_to_file(const std::string& path, std::string_view bytes);

/// True for the name of a file that write_file_atomically() had not finished when its process
/// ended.
bool is_temporary(std::string_view name);

/// A lock held by the only process that writes to a folder. It locks a file in the folder; the
/// system releases the lock when the process ends, however it ends.
class FolderLock {
public:
    enum class State { held, busy, unknown };

    /// Acquires the lock unless another process holds it. The folder must exist.
    explicit FolderLock(const std::string& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    /// Held by this process, held by another process, or unknown if the file system has no locks.
    State state() const { return m_state; }

private:
    std::string m_path;
    int m_fd = -1;
    State m_state = State::unknown;
};

/// Appends the bytes of a value as they are in memory.
template <class T> void put_bytes(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// True if `path` ends in `suffix`, ignoring case.
bool has_suffix(std::string_view path, std::string_view suffix);

} // namespace nendo
