/* Folders that segments may be put into. */
#include "directory.h"
#include "system.h"

#include <sys/stat.h>
#include <unistd.h>

/* Private to the user, and nothing that another user could have put there. */
bool diya_directory_there(const char *directory)
{
    struct stat status;
    return sys_lstat(directory, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & 0777) == 0700;
}

bool diya_directory_usable(const char *directory)
{
    struct stat status;
    if (sys_lstat(directory, &status) == -ENOENT)
        sys_mkdir(directory, 0700); /* another rank may have been faster */
    return diya_directory_there(directory);
}
