/* A training reads its pictures in each epoch.
 *
 *   before  decodes them each time
 *   after   decodes them in the first epoch, and keeps what it needs of them
 */
#include "answer.h"
#include "decoder.h"

enum { PICTURES = 40, PICTURE_WORDS = 1 << 13, EPOCHS = 6, PASSES = 160 };

static void read_picture(const char *path, uint64_t *packed)
{
    int fd = count_open(POSIX, open(path, O_RDONLY));
    count_read(POSIX, read(fd, packed, PICTURE_WORDS * 8));
    count_done(POSIX, closes, close(fd));
}

struct name {
    char text[32];
};

static struct name name_of(int picture)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "picture%02d.jpg", picture);
    return name;
}

static struct path picture_path(int picture)
{
    return in_dir(name_of(picture).text);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t epochs = scaled(EPOCHS);
    for (int picture = 0; picture < PICTURES; picture++)
        raw_input(picture_path(picture).text, 0, PICTURE_WORDS);
    uint64_t *packed = new_words(PICTURE_WORDS), *pictures = new_words((uint64_t)PICTURES * PICTURE_WORDS);
    uint64_t sum = 0;
    counts_all_of(POSIX);
    begin_io();
    for (uint64_t epoch = 0; epoch < epochs; epoch++) {
        for (int picture = 0; picture < PICTURES; picture++) {
            uint64_t *decoded = pictures + (uint64_t)picture * PICTURE_WORDS;
            if (epoch == 0 || is_variant("before")) {
                read_picture(picture_path(picture).text, packed);
                decode(packed, decoded, PICTURE_WORDS, PASSES);
            }
            sum += decoded[epoch % PICTURE_WORDS];
        }
    }
    end_io();
    add_result(&sum, 0, 1);
    free(packed);
    free(pictures);
    for (int picture = 0; picture < PICTURES; picture++)
        add_file(name_of(picture).text);
    add_fact("epochs", (double)epochs);
    if (is_variant("before"))
        expect("decoded-again", "pictures are decoded in each epoch; keep what was decoded");
    else
        expect("none", "each picture is decoded once");
    finish("picture_epochs");
}
