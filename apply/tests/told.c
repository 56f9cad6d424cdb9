/* In place of the recorder: what the library tells goes to the file TOLD, one line an account. */
#define _GNU_SOURCE
#include "../../capture/include/diya_applied.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void diya_record_applied(const struct diya_applied *account)
{
    const char *path = getenv("TOLD");
    int fd = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0)
        return;
    dprintf(fd, "%s\t%s\t%s\t%s\t%lu\t%lu\t%lu\t%lu\n", account->setting, account->value,
            account->why == NULL ? "" : account->why, account->path == NULL ? "" : account->path,
            (unsigned long)account->files, (unsigned long)account->asked, (unsigned long)account->issued,
            (unsigned long)account->bytes);
    close(fd);
}
