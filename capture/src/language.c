/* Which interpreter or runtime a process is.
 *
 * It is the program, or a library that the program is linked with: then its
 * symbols are there before the program starts. Later a hook may not search
 * symbols; an interpreter that is loaded then stays unnamed. CPython has a
 * function for its version, others keep it in a file of their installation.
 *
 * A program in Fortran starts the run-time library of its compiler itself; libraries of
 * mathematics, which other programs use, too, only call it.
 */
#include "language.h"
#include "own_symbol.h"
#include "state.h"
#include "system.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

static char language[16], python_version[40];

/* The first in the linker's list is the program. gfortran, Intel's compilers, flang. */
static bool is_fortran(void)
{
    const struct link_map *program = _r_debug.r_map;
    return program != NULL &&
           (diya_names_symbol(program, "_gfortran_set_args") || diya_names_symbol(program, "for_rtl_init_") ||
            diya_names_symbol(program, "_FortranAProgramStart"));
}

__attribute__((constructor)) static void find_language(void)
{
    static const struct {
        const char *symbol, *language;
    } others[] = {
        {"JLI_Launch", "jvm"}, {"Rf_initialize_R", "r"}, {"jl_load_repl", "julia"}, {"perl_construct", "perl"}};
    if (getenv("DIYA_DIR") == NULL)
        return;
    const char *(*python)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "Py_GetVersion");
    if (python != NULL) {
        diya_identity_text(language, sizeof language, "cpython");
        diya_identity_text(python_version, sizeof python_version, python());
        python_version[strcspn(python_version, " ")] = '\0'; /* the date and the compiler follow */
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0] && language[0] == '\0'; i++)
        if (dlsym(RTLD_DEFAULT, others[i].symbol) != NULL)
            diya_identity_text(language, sizeof language, others[i].language);
    if (language[0] == '\0' && is_fortran())
        diya_identity_text(language, sizeof language, "fortran");
    (void)dlerror(); /* the program must not see the error of a search of the recorder */
    /* Another library's constructor may have made the first call. */
    struct diya_process *process = diya_process;
    if (language[0] != '\0' && process != NULL && process->generation != 0)
        diya_language_write(&process->header->identity);
}

/* What stands in a file behind `before`, up to the end of a word. */
static void version_in(const char *path, const char *before, char *to, size_t room)
{
    char text[4096];
    int fd = sys_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return;
    long bytes = sys_read(fd, text, sizeof text - 1);
    sys_close(fd);
    if (bytes <= 0)
        return;
    text[bytes] = '\0';
    char *found = strstr(text, before);
    if (found == NULL)
        return;
    found += strlen(before);
    found[strcspn(found, " \"\r\n")] = '\0';
    diya_identity_text(to, room, found);
}

/* PREFIX/bin/program: the folder PREFIX, and a path in it. */
static bool beside_program(char *path, size_t room, const char *inside)
{
    long length = sys_readlink("/proc/self/exe", path, room - 1);
    for (int folders = 0; folders < 2; folders++) {
        while (length > 0 && path[length - 1] != '/')
            length--;
        length--;
    }
    if (length <= 0 || (size_t)length + strlen(inside) >= room)
        return false;
    strcpy(path + length, inside);
    return true;
}

void diya_language_write(struct diya_identity *identity)
{
    char path[2048];
    char *version = identity->language_version;
    size_t room = sizeof identity->language_version;
    memcpy(identity->language, language, sizeof language);
    memcpy(version, python_version, sizeof python_version);
    const char *r_home = getenv("R_HOME");
    if (strcmp(language, "jvm") == 0 && beside_program(path, sizeof path, "/release"))
        version_in(path, "JAVA_VERSION=\"", version, room);
    else if (strcmp(language, "julia") == 0 && beside_program(path, sizeof path, "/include/julia/julia_version.h"))
        version_in(path, "JULIA_VERSION_STRING \"", version, room);
    else if (strcmp(language, "r") == 0 && r_home != NULL && strlen(r_home) < sizeof path / 2) {
        strcpy(path, r_home);
        strcat(path, "/library/base/DESCRIPTION");
        version_in(path, "\nVersion: ", version, room);
    }
}
