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

/// True when `path` ends in `suffix`, small and capital letters alike.
bool has_suffix(std::string_view path, std::string_view suffix);

} // namespace nendo
