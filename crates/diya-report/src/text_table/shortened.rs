//! Names without their middle, and places in the source without their folders.

use super::width;

/// The text in at most this many columns, without its middle: the ends of a
/// path say most.
pub fn shortened(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let room = most.saturating_sub(1);
    // The name of the file is at the end.
    let tail_room = room * 2 / 3;
    let mut tail = text.len();
    for (start, _) in text.char_indices().rev() {
        if width(&text[start..]) > tail_room {
            break;
        }
        tail = start;
    }
    let mut head = 0;
    for (start, c) in text.char_indices() {
        let next = start + c.len_utf8();
        if width(&text[..next]) > room - tail_room {
            break;
        }
        head = next;
    }
    format!("{}…{}", &text[..head], &text[tail..])
}

/// A place in the source that fits into a line. First the folders are left out, then a part
/// of the name of the function; the name of the file and the line stay.
pub(crate) fn shortened_source(source: &str, room: usize) -> String {
    const SHORTEST: usize = 12;
    if width(source) <= room {
        return source.to_owned();
    }
    let (place, called) = match source.split_once("), calls ") {
        Some((place, called)) => (place, format!(", calls {called}")),
        None => (source, String::new()),
    };
    let Some((function, file)) = place.rsplit_once(" (") else { return shortened(source, room) };
    let file = file.trim_end_matches(')');
    let file = file.rsplit('/').next().unwrap_or(file);
    let end = format!(" ({file}){called}");
    match room.saturating_sub(width(&end)) {
        left if left < SHORTEST => shortened(&format!("{function} ({file})"), room),
        left => format!("{}{end}", shortened(function, left)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_path_goes_first() {
        assert_eq!(shortened("/scratch/user/run/data.h5", 16), "/scra…un/data.h5");
        assert_eq!(shortened("short", 16), "short");
    }

    #[test]
    fn a_place_in_the_source_keeps_file_and_line() {
        let text = "save(Telegram const&) (/very/long/folder/app.cpp:4), calls std::endl";
        assert_eq!(shortened_source(text, 100), text);
        assert_eq!(
            shortened_source(text, 60),
            "save(Telegram const&) (app.cpp:4), calls std::endl"
        );
        assert!(shortened_source(text, 42).ends_with(" (app.cpp:4), calls std::endl"));
        assert!(shortened_source(text, 24).ends_with("app.cpp:4)"));
    }
}
