#pragma once

namespace rackproof::warden {

/// Makes sure that descriptors 0 to 2 exist. To be called first of all in main(): a program that
/// was started with one of them closed would get its number for the next thing that it opens, a
/// socket, a journal or a device, and would print into that. What was closed stays as good as
/// closed: stdin is at its end, writing to stdout and stderr fails.
void open_standard_streams();

}  // namespace rackproof::warden
