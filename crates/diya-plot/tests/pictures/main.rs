//! Every view of logs of the corpus: whole, inside the picture, and the same each time.

mod looks;
mod samples;

use diya::Session;
use diya_plot::{PlotError, PlotFormat, PlotOptions, PlotTheme, PlotView, plot};
use samples::{COUNTERS, TRACE, VIEWS, calibrated, compared, folder, options, session};

fn svg(session: &mut Session<'_>, view: PlotView, how: &PlotOptions) -> Result<String, PlotError> {
    plot(session, view, how, PlotFormat::Svg).map(|bytes| String::from_utf8(bytes).unwrap())
}

/// A text of a picture, and where it is.
#[derive(Debug)]
struct Placed {
    words: String,
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

/// The value of an attribute.
fn value(element: &str, name: &str) -> f32 {
    let (_, rest) = element.split_once(&format!(" {name}=\"")).unwrap();
    let digits = rest.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-').next();
    digits.unwrap().parse().unwrap()
}

/// Width of a text in the font of the pictures.
fn width(words: &str, size: f32) -> f32 {
    let bytes = std::fs::read(folder("font/inter.ttf")).unwrap();
    let face = ttf_parser::Face::parse(&bytes, 0).unwrap();
    let glyphs = words.chars().map(|letter| face.glyph_index(letter).unwrap_or_default());
    let units: f32 = glyphs.filter_map(|glyph| face.glyph_hor_advance(glyph)).map(f32::from).sum();
    units / f32::from(face.units_per_em()) * size
}

fn texts(svg: &str) -> Vec<Placed> {
    let placed = |line: &str| {
        let (head, rest) = line.split_once('>').unwrap();
        let words = rest.strip_suffix("</text>").unwrap();
        let words = words.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&");
        let (x, y, size) = (value(head, "x"), value(head, "y"), value(head, "font-size"));
        let wide = width(&words, size);
        match head.contains("rotate(-90") {
            true => Placed {
                words,
                left: x - size * 0.8,
                top: y - wide,
                right: x + size * 0.2,
                bottom: y,
            },
            false => Placed {
                words,
                left: x,
                top: y - size * 0.8,
                right: x + wide,
                bottom: y + size * 0.2,
            },
        }
    };
    svg.lines().filter(|line| line.starts_with("<text")).map(placed).collect()
}

fn words(svg: &str) -> Vec<String> {
    texts(svg).into_iter().map(|text| text.words).collect()
}

#[test]
fn no_text_leaves_the_picture_or_lies_on_another() {
    let mut session = session(TRACE);
    for (size, theme) in
        [("85mm", PlotTheme::Light), ("180mm", PlotTheme::Paper), ("1000", PlotTheme::Dark)]
    {
        for view in VIEWS {
            let svg = svg(&mut session, view, &options(size, theme)).unwrap();
            let whole = svg.lines().next().unwrap();
            let (wide, high) = (value(whole, "width") + 0.01, value(whole, "height") + 0.01);
            let all = texts(&svg);
            for (at, text) in all.iter().enumerate() {
                let is_inside = text.left >= -0.01
                    && text.top >= 0.0
                    && text.right <= wide
                    && text.bottom <= high;
                assert!(is_inside, "{view:?} at {size}: {text:?} leaves {wide} x {high}");
                for other in &all[at + 1..] {
                    let is_apart = other.right <= text.left
                        || other.left >= text.right
                        || other.bottom <= text.top
                        || other.top >= text.bottom;
                    assert!(is_apart, "{view:?} at {size}: {text:?} lies on {other:?}");
                }
            }
        }
    }
}

#[test]
fn axes_have_titles_with_units_and_the_title_is_whole() {
    let svg = svg(&mut session(TRACE), PlotView::Spatiality, &options("85mm", PlotTheme::Light));
    let words = words(&svg.unwrap());
    let title = "Offsets in /scratch/demo/mch: ior_mpiio_coll_hints.darshan";
    assert!(words.concat().replace(' ', "").starts_with(&title.replace(' ', "")), "{words:?}");
    for axis in ["offset in the file (MiB)", "time (s)", "rank"] {
        assert!(words.iter().any(|text| text == axis), "{axis:?} is not in {words:?}");
    }
}

#[test]
fn the_legend_names_what_is_drawn_only() {
    let words =
        words(&svg(&mut session(TRACE), PlotView::Timeline, &PlotOptions::default()).unwrap());
    let has = |name: &str| words.iter().any(|text| text == name);
    // The calls are collective, so their ranks wait while no call below runs.
    assert!(has("read") && has("write") && has("sync and wait"), "{words:?}");
    assert!(!has("metadata") && !has("inside libraries"), "{words:?}");
}

#[test]
fn a_scale_of_colours_has_its_ends_and_its_unit() {
    let words =
        words(&svg(&mut session(TRACE), PlotView::Latency, &PlotOptions::default()).unwrap());
    assert!(words.iter().any(|text| text == "calls per cell (log scale)"), "{words:?}");
}

#[test]
fn on_paper_the_caption_has_the_title() {
    let svg =
        svg(&mut session(TRACE), PlotView::Sizes, &options("85mm", PlotTheme::Paper)).unwrap();
    assert!(svg.contains("<title>Requests by size: ior_mpiio_coll_hints.darshan</title>"));
    assert!(words(&svg).iter().all(|text| !text.starts_with("Requests by size")));
}

#[test]
fn the_same_log_gives_the_same_bytes() {
    for format in [PlotFormat::Svg, PlotFormat::Pdf, PlotFormat::Png] {
        let how = PlotOptions::default();
        let draw = || plot(&mut session(TRACE), PlotView::Timeline, &how, format).unwrap();
        assert!(draw() == draw(), "{format:?}");
    }
}

#[test]
fn a_png_of_a_column_has_300_pixels_per_inch() {
    let how = options("85mm", PlotTheme::Paper);
    let png = plot(&mut session(TRACE), PlotView::Ranks, &how, PlotFormat::Png).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(png[16..20], 1004_u32.to_be_bytes());
    let physical = png.windows(4).position(|bytes| bytes == b"pHYs").unwrap();
    assert_eq!(png[physical + 4..physical + 8], 11_811_u32.to_be_bytes());
}

#[test]
fn a_pdf_holds_its_font_and_the_letters_of_its_glyphs() {
    let how = options("180mm", PlotTheme::Light);
    let pdf = plot(&mut session(TRACE), PlotView::Sizes, &how, PlotFormat::Pdf).unwrap();
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.starts_with("%PDF-1."));
    for part in ["/FontFile2", "/ToUnicode", "+Inter-Regular", "/MediaBox [0 0 510.2"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("CreationDate"), "a date would differ each time");
    assert!(pdf.len() < 60_000, "{} bytes", pdf.len());
}

/// Where poppler is installed: what another program reads.
#[test]
fn another_program_reads_the_text_of_a_pdf() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let how = options("85mm", PlotTheme::Light);
    let pdf = plot(&mut session(TRACE), PlotView::Spatiality, &how, PlotFormat::Pdf).unwrap();
    std::fs::write(file.path(), pdf).unwrap();
    let Ok(read) = std::process::Command::new("pdftotext").arg(file.path()).arg("-").output()
    else {
        return diya_testkit::skip("no pdftotext");
    };
    let text = String::from_utf8_lossy(&read.stdout).into_owned();
    assert!(text.contains("time (s)") && text.contains("/scratch/demo/mch"), "{text}");
}

#[test]
fn an_svg_holds_its_font() {
    let svg = svg(&mut session(TRACE), PlotView::Ranks, &PlotOptions::default()).unwrap();
    assert!(svg.contains("@font-face") && svg.contains("data:font/woff2;base64,d09GMg"));
}

#[test]
fn counters_draw_what_they_hold_and_the_rest_says_how_to_get_it() {
    let mut session = session(COUNTERS);
    for view in [PlotView::Account, PlotView::Sizes, PlotView::Heatmap] {
        assert!(svg(&mut session, view, &PlotOptions::default()).is_ok(), "{view:?}");
    }
    let error = svg(&mut session, PlotView::Timeline, &PlotOptions::default()).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("DXT_ENABLE_IO_TRACE") && error.contains("account"), "{error}");
}

#[test]
fn a_roofline_needs_a_machine_profile_of_the_file_system() {
    let mut without = session(TRACE);
    let error = svg(&mut without, PlotView::Roofline, &PlotOptions::default()).unwrap_err();
    assert!(error.to_string().contains("diya calibrate"), "{error}");
    let picture = svg(&mut calibrated(), PlotView::Roofline, &PlotOptions::default()).unwrap();
    for words in ["Phases that write", "4 workers, one file, interleaved", "size of requests"] {
        assert!(picture.contains(words), "{words}");
    }
}

#[test]
fn two_runs_are_on_one_axis_with_the_length_of_their_phases() {
    let mut runs = compared();
    let how = options("180mm", PlotTheme::Light);
    let words = words(&svg(&mut runs, PlotView::Compare, &how).unwrap());
    for text in ["A: MPI-IO", "A: POSIX", "B: POSIX", "Length of each phase, POSIX", "time (s)"] {
        assert!(words.iter().any(|word| word == text), "{text:?} is not in {words:?}");
    }
    let title = words.concat();
    assert!(title.contains(TRACE) && title.contains("ior_mpiio_indep_strided.darshan"), "{title}");
}

#[test]
fn a_view_of_one_job_refuses_two_and_a_comparison_refuses_one() {
    let how = PlotOptions::default();
    let error = svg(&mut compared(), PlotView::Timeline, &how).unwrap_err().to_string();
    assert!(error.contains("--view compare"), "{error}");
    let error = svg(&mut session(TRACE), PlotView::Compare, &how).unwrap_err().to_string();
    assert!(error.contains("two or three runs, but this is 1"), "{error}");
}
