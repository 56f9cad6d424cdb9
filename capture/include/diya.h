/* Regions, steps, epochs and notes of a program, for C and C++.
 * SPDX-FileCopyrightText: 2026 The diya developers
 * SPDX-License-Identifier: Apache-2.0
 *
 *     #include <diya.h>
 *
 *     diya_step(n);                  step n begins, and the one before ends
 *     diya_region_begin("checkpoint");
 *     ...
 *     diya_region_end();             the innermost region of this thread ends
 *     diya_epoch(n);                 as diya_step
 *     diya_note("mesh refined");     a moment
 *
 * In C++: diya::region checkpoint{"checkpoint"}; it ends with its scope.
 *
 * Nothing is linked: this file is enough. Under `diya run` the recorder fills in a pointer
 * of the program; otherwise each function is a load and a branch. -DDIYA_OFF leaves nothing.
 * Texts are copied. All functions may be called from any thread. diya_step(-1) and
 * diya_epoch(-1) end the last one.
 *
 * Linux on x86-64 and aarch64, with GCC or clang; elsewhere the functions do nothing.
 */
#ifndef DIYA_H
#define DIYA_H

#include <stddef.h>
#include <stdint.h>

/* What the recorder offers; later versions only append. */
struct diya_annotations {
    uint32_t version; /* 1 */
    uint32_t bytes;   /* of this structure */
    void (*region_begin)(const char *name);
    void (*region_end)(void);
    void (*step)(int64_t number);
    void (*epoch)(int64_t number);
    void (*note)(const char *text);
};

#if !defined(DIYA_OFF) && defined(__linux__) && defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))

#ifdef __cplusplus
extern "C" {
#endif

/* One for each program or library that includes this file. */
__attribute__((weak, used, visibility("hidden"))) const struct diya_annotations *volatile diya_annotations_here;

/* Where the recorder finds it: a note, as those of build ids, with the distance to the pointer. */
__asm__(".pushsection .note.diya,\"a\",%note\n"
        ".balign 4\n"
        ".long 5, 8, 1\n"
        ".asciz \"diya\"\n"
        ".balign 4\n"
        ".quad diya_annotations_here - .\n"
        ".popsection\n");

/* A library that is loaded later asks for itself. */
__attribute__((weak)) void diya_annotate_attach(const struct diya_annotations *volatile *here);

__attribute__((constructor, used)) static void diya_annotations_attach_here(void)
{
    if (diya_annotate_attach != NULL)
        diya_annotate_attach(&diya_annotations_here);
}

#ifdef __cplusplus
}
#endif

#define DIYA_TELL(what, ...)                                                                                           \
    do {                                                                                                               \
        const struct diya_annotations *diya_recorder = diya_annotations_here;                                          \
        if (__builtin_expect(diya_recorder != NULL, 0))                                                                \
            diya_recorder->what(__VA_ARGS__);                                                                          \
    } while (0)

static inline void diya_region_begin(const char *name)
{
    DIYA_TELL(region_begin, name);
}

static inline void diya_region_end(void)
{
    const struct diya_annotations *recorder = diya_annotations_here;
    if (__builtin_expect(recorder != NULL, 0))
        recorder->region_end();
}

static inline void diya_step(int64_t number)
{
    DIYA_TELL(step, number);
}

static inline void diya_epoch(int64_t number)
{
    DIYA_TELL(epoch, number);
}

static inline void diya_note(const char *text)
{
    DIYA_TELL(note, text);
}

#undef DIYA_TELL

#else

static inline void diya_region_begin(const char *name)
{
    (void)name;
}

static inline void diya_region_end(void)
{
}

static inline void diya_step(int64_t number)
{
    (void)number;
}

static inline void diya_epoch(int64_t number)
{
    (void)number;
}

static inline void diya_note(const char *text)
{
    (void)text;
}

#endif

#ifdef __cplusplus
namespace diya
{

/* A region that ends with its scope. */
class region
{
  public:
    explicit region(const char *name)
    {
        diya_region_begin(name);
    }
    ~region()
    {
        diya_region_end();
    }
    region(const region &) = delete;
    region &operator=(const region &) = delete;
};

} // namespace diya
#endif

#endif
