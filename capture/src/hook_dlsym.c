/* dlsym on the handle of a library.
 *
 * A program that asks the C library's handle for `read` (ctypes.CDLL("libc.so.6"),
 * Julia, JNA) would get past the hooks. It gets the hook instead, where that would
 * call the very function that was found. RTLD_NEXT and RTLD_DEFAULT mean the
 * library of the caller, so these are handed on with the caller's return address.
 */
#include "layer_symbol.h"
#include "own_symbol.h"
#include "settings.h"

#include <dlfcn.h>

/* --- the hook ------------------------------------------------------------------------ */

/* The library that hands calls on asks for functions of libraries behind both of us: our hook would
 * lead it back. */
static bool is_forwarder(const void *caller)
{
    return (uintptr_t)caller - diya_forwarder_start < diya_forwarder_bytes;
}

static void *by_handle(void *handle, const char *name)
{
    void *found = diya_real_dlsym()(handle, name);
    const void *caller = __builtin_return_address(0);
    if (found == NULL || diya_is_own_code(caller) || is_forwarder(caller) || !diya_settings_read())
        return found;
    int saved_errno = errno;
    void *own = diya_own_symbol(name);
    if (own != NULL) {
        if (diya_symbol(name) == found)
            found = own;
        dlerror(); /* what our question left; a call that succeeds leaves none */
    }
    errno = saved_errno;
    return found;
}

DIYA_HIDDEN void *diya_before_dlsym(void *handle);
void *diya_before_dlsym(void *handle)
{
    return handle == RTLD_NEXT || handle == RTLD_DEFAULT ? (void *)diya_real_dlsym() : (void *)by_handle;
}

#if defined(__x86_64__)
__asm__(".text\n.globl dlsym\n.type dlsym,@function\ndlsym:\n"
        "    endbr64\n"
        "    pushq %rdi\n    pushq %rsi\n    subq $8, %rsp\n    call diya_before_dlsym\n    addq $8, %rsp\n"
        "    popq %rsi\n    popq %rdi\n    jmp *%rax\n"
        ".size dlsym,.-dlsym\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl dlsym\n.type dlsym,%function\ndlsym:\n"
        "    hint #34\n"
        "    stp x29, x30, [sp, #-32]!\n    stp x0, x1, [sp, #16]\n    bl diya_before_dlsym\n    mov x16, x0\n"
        "    ldp x0, x1, [sp, #16]\n    ldp x29, x30, [sp], #32\n    br x16\n"
        ".size dlsym,.-dlsym\n");
#endif
