// SPDX-License-Identifier: Apache-2.0
// Whole files in and out: reading with a clear error, and writing that leaves either the old file
// or the complete new one, whatever happens on the way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nendo {

/// All bytes of the file. Throws an Error that names the path when it can't be read.
std::string read_file(const std::string& path);

/// Writes the pieces, in order, as the file `path`: to a temporary file beside it, flushed to the
/// disk and renamed. When anything fails the temporary is removed, the old file stays as it was,
/// and an Error says why. The folder must be there.
void write_file_atomically(const std::string& path, const std::vector<std::string_view>& pieces);
void write_file_atomically(const std::string& path, std::string_view bytes);

/// Adds the bytes at the end of the file, which is made when it is not there. When that fails the
/// file is cut to its old length, and an Error says why.
void append_to_file(const std::string& path, std::string_view bytes);

/// True for the name of a file that write_file_atomically had not finished when its process ended.
bool is_temporary(std::string_view name);

/// Held by the one process that writes into a folder. It is a lock on a file in the folder, which
/// the system takes from a process that ends, however it ends.
class FolderLock {
public:
    enum class State { held, busy, unknown };

    /// Takes the lock if no other process holds it. The folder must be there.
    explicit FolderLock(const std::string& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    /// Held by us, held by another process, or unknown where the file system knows no locks.
    State state() const { return m_state; }

private:
    std::string m_path;
    int m_fd = -1;
    State m_state = State::unknown;
};

/// Adds the bytes of a value as they are in memory.
template <class T> void put_bytes(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// True when `path` ends in `suffix`, small and capital letters alike.
bool has_suffix(std::string_view path, std::string_view suffix);

} // namespace nendo
