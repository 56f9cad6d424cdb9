//! Every view of logs of the corpus: whole, inside the picture, and the same each time.

use diya::{OpenOptions, Session, Threads, input};
use diya_plot::{PlotError, PlotFormat, PlotOptions, PlotTheme, PlotView, plot};
use diya_tables::{BatchSource, Batches, TableBuilder, TableId, machine_ceiling};
use std::path::PathBuf;
use std::sync::Arc;

/// A log with counters only.
const COUNTERS: &str = "nodxt_strided.darshan";
/// A log with single calls of two layers.
const TRACE: &str = "ior_mpiio_coll_hints.darshan";

/// Views that a log without storage targets and call stacks has.
const VIEWS: [PlotView; 11] = [
    PlotView::Timeline,
    PlotView::Activity,
    PlotView::Heatmap,
    PlotView::Phases,
    PlotView::Stragglers,
    PlotView::Account,
    PlotView::Ranks,
    PlotView::Latency,
    PlotView::Requests,
    PlotView::Sizes,
    PlotView::Spatiality,
];

fn folder(below: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(below)
}

fn session(log: &str) -> Session<'static> {
    let options = OpenOptions { threads: Threads::new(1), ..OpenOptions::default() };
    Session::new(input::logs(&[folder("../../corpus/logs").join(log)]).unwrap(), options)
}

fn options(width: &str, theme: PlotTheme) -> PlotOptions {
    PlotOptions { width: width.parse().unwrap(), theme, ..PlotOptions::default() }
}

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
    assert!(has("read") && has("write") && !has("sync and wait"), "{words:?}");
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

/// Their fonts are left out, so that a person can compare the files. To make them anew:
/// `DIYA_BLESS=1 cargo test --workspace --test pictures golden`.
#[test]
fn golden_pictures_are_as_they_were() {
    let folder = folder("tests/golden");
    let of_counters: &[PlotView] = &[PlotView::Account, PlotView::Sizes];
    for (log, views) in [(TRACE, VIEWS.as_slice()), (COUNTERS, of_counters)] {
        let mut session = session(log);
        for view in views {
            let svg = svg(&mut session, *view, &options("85mm", PlotTheme::Light)).unwrap();
            let lines = svg.lines().filter(|line| !line.starts_with("<style"));
            let drawn: String = lines.flat_map(|line| [line, "\n"]).collect();
            let name = format!("{}-{}.svg", log.split('.').next().unwrap(), view.name());
            let path = folder.join(&name);
            if std::env::var_os("DIYA_BLESS").is_some() {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&path, &drawn).unwrap();
            }
            let golden = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                golden == drawn,
                "{name} differs: look at it, then DIYA_BLESS=1 writes it anew"
            );
        }
    }
}

#[test]
fn a_roofline_needs_a_machine_profile_of_the_file_system() {
    let mut without = session(TRACE);
    let error = svg(&mut without, PlotView::Roofline, &PlotOptions::default()).unwrap_err();
    assert!(error.to_string().contains("diya calibrate"), "{error}");
    let ceiling = |request_bytes: i64, bandwidth: f64| {
        let mut table = TableBuilder::new(TableId::MachineCeiling.def());
        table.push_str(machine_ceiling::OP, Some("write"));
        table.push_str(machine_ceiling::PATTERN, Some("rows"));
        table.push_i64(machine_ceiling::WORKERS, Some(4));
        table.push_i64(machine_ceiling::REQUEST_BYTES, Some(request_bytes));
        table.push_f64(machine_ceiling::BANDWIDTH_BYTES_PER_S, Some(bandwidth));
        table.end_row();
        let def = TableId::MachineCeiling.def();
        Arc::new(Batches::new(def, vec![table.into_batch()])) as Arc<dyn BatchSource>
    };
    let mut with = session(TRACE);
    with.add(vec![ceiling(4096, 1e8), ceiling(1 << 20, 1e9)]);
    let picture = svg(&mut with, PlotView::Roofline, &PlotOptions::default()).unwrap();
    for words in ["Phases that write", "4 workers, one file, interleaved", "size of requests"] {
        assert!(picture.contains(words), "{words}");
    }
}
