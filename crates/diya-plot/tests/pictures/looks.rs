//! Every view in every theme and width, as somebody looked at it.
//!
//! To make all of it anew: `DIYA_BLESS=1 cargo test --workspace --test pictures looks`.

use crate::samples::{COUNTERS, TRACE, VIEWS};
use crate::samples::{calibrated, compared, folder, options, session, stacked, striped};
use crate::svg;
use diya::Session;
use diya_plot::{PlotTheme, PlotView};
use std::path::Path;

const WIDTHS: [&str; 3] = ["85mm", "180mm", "1000"];

/// Sessions by name, and the views that are drawn of each.
fn samples() -> Vec<(&'static str, Session<'static>, Vec<PlotView>)> {
    vec![
        ("ior_mpiio_coll_hints", session(TRACE), VIEWS.to_vec()),
        ("nodxt_strided", session(COUNTERS), vec![PlotView::Account, PlotView::Sizes]),
        ("striped", striped(), vec![PlotView::Targets, PlotView::TargetLoad]),
        ("stacks", stacked(), vec![PlotView::Stacks]),
        ("calibrated", calibrated(), vec![PlotView::Roofline]),
        ("compared", compared(), vec![PlotView::Compare]),
    ]
}

fn is_blessed() -> bool {
    std::env::var_os("DIYA_BLESS").is_some()
}

/// A picture without its font, so that a person can compare the files.
fn drawn(session: &mut Session<'_>, view: PlotView, width: &str, theme: PlotTheme) -> String {
    let svg = svg(session, view, &options(width, theme)).unwrap();
    let lines = svg.lines().filter(|line| !line.starts_with("<style"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// What differs is written there, to be looked at.
fn show(name: &str, picture: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, picture).unwrap();
    path.display().to_string()
}

#[test]
fn looks_in_one_column_of_a_paper() {
    let folder = folder("tests/golden");
    for (log, mut session, views) in samples() {
        for view in views {
            let drawn = drawn(&mut session, view, "85mm", PlotTheme::Light);
            let name = format!("{log}-{}.svg", view.name());
            if is_blessed() {
                std::fs::write(folder.join(&name), &drawn).unwrap();
            }
            let golden = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
            let place = if golden == drawn { String::new() } else { show(&name, &drawn) };
            assert!(golden == drawn, "{name} differs: look at {place}");
        }
    }
}

/// The pictures themselves would be megabytes: a line each has their size, shapes and checksum.
#[test]
fn looks_in_every_theme_and_width() {
    let (mut lines, mut places) = (Vec::new(), Vec::new());
    let golden = folder("tests/golden/looks.txt");
    let kept = std::fs::read_to_string(&golden).unwrap_or_default();
    for (log, mut session, views) in samples() {
        for view in views {
            for theme in PlotTheme::ALL {
                for width in WIDTHS {
                    let picture = drawn(&mut session, view, width, *theme);
                    let name = format!("{log}-{}-{}-{width}", view.name(), theme.name());
                    let line = format!("{name}: {}", digest(&picture));
                    if !kept.lines().any(|kept| kept == line) {
                        places.push(show(&format!("{name}.svg"), &picture));
                    }
                    lines.push(line);
                }
            }
        }
    }
    let lines = lines.join("\n") + "\n";
    if is_blessed() {
        std::fs::write(&golden, &lines).unwrap();
        return;
    }
    assert!(kept == lines, "looks.txt differs: look at {places:#?}");
}

fn digest(picture: &str) -> String {
    let head = picture.lines().next().unwrap_or_default();
    let (wide, high) = (crate::value(head, "width"), crate::value(head, "height"));
    let texts = picture.matches("<text").count();
    let shapes = picture.matches('<').count() - picture.matches("</").count() - texts;
    let mut sum = flate2::Crc::new();
    sum.update(picture.as_bytes());
    format!("{wide} x {high}, {texts} texts, {shapes} shapes, {:08x}", sum.sum())
}

#[test]
fn looks_are_of_every_view() {
    let seen: Vec<PlotView> = samples().into_iter().flat_map(|(_, _, views)| views).collect();
    let missing = PlotView::ALL.iter().filter(|view| !seen.contains(view));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&PlotView>::new());
}
