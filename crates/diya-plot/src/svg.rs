//! A scene as SVG. Names out of logs are text, never markup; the font is in the file.

use crate::font::WOFF2;
use crate::png::encode;
use crate::scene::{Cells, Colour, Scene, Shape, Text};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write as _;

/// The picture.
pub(crate) fn svg(scene: &Scene) -> Vec<u8> {
    let font = STANDARD.encode(WOFF2);
    let style = format!(
        "<style>@font-face{{font-family:Inter;src:url(data:font/woff2;base64,{font}) format(\"woff2\")}}</style>\n"
    );
    document(scene, &style).into_bytes()
}

/// The picture with its style.
pub(crate) fn document(scene: &Scene, style: &str) -> String {
    let (width, height, unit) = (number(scene.size.width), number(scene.height), scene.size.unit);
    let mut out = String::new();
    // Writing to a text cannot fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}{unit}\" height=\"{height}{unit}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"Inter, sans-serif\" \
         font-kerning=\"none\">\n<title>{}</title>\n{style}\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        escaped(&scene.title),
        hex(scene.ground)
    );
    for shape in &scene.shapes {
        out.push_str(&element(shape));
    }
    out.push_str("</svg>\n");
    out
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Rect { at, colour } => format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
            number(at.left),
            number(at.top),
            number(at.width),
            number(at.height),
            hex(*colour)
        ),
        Shape::Line { at: [x1, y1, x2, y2], width, colour } => format!(
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
            number(*x1),
            number(*y1),
            number(*x2),
            number(*y2),
            hex(*colour),
            number(*width)
        ),
        Shape::Dot { at: [x, y], radius, colour } => format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n",
            number(*x),
            number(*y),
            number(*radius),
            hex(*colour)
        ),
        Shape::Area { points, colour } => {
            let points = points.iter().map(|[x, y]| format!("{},{}", number(*x), number(*y)));
            let points: Vec<String> = points.collect();
            format!("<polygon points=\"{}\" fill=\"{}\"/>\n", points.join(" "), hex(*colour))
        }
        Shape::Text(text) => letters(text),
        Shape::Cells { at, cells: Cells { width, colours } } => format!(
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
             style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>\n",
            number(at.left),
            number(at.top),
            number(at.width),
            number(at.height),
            STANDARD.encode(encode(*width, colours, None))
        ),
    }
}

fn letters(text: &Text) -> String {
    let [x, y] = text.start().map(number);
    let turn =
        if text.is_upright { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    let (size, fill, words) = (number(text.size), hex(text.colour), escaped(&text.text));
    format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{turn}>{words}</text>\n")
}

/// Hundredths at most, without zeros at the end.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn hex(Colour(r, g, b): Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn escaped(text: &str) -> String {
    let text = diya::report::printable(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size::{Length, Size};

    #[test]
    fn names_are_text() {
        let size = Size::of(Length::Pixels(300.0));
        let title = "</title><script>".to_owned();
        let ground = Colour(255, 255, 255);
        let mut scene = Scene { size, height: 100.0, ground, title, shapes: Vec::new() };
        scene.text(Text {
            at: [1.0, 20.0],
            anchor: crate::scene::Anchor::Start,
            size: 12.0,
            colour: Colour(0, 0, 0),
            is_upright: false,
            text: "<b>&".to_owned(),
        });
        let text = document(&scene, "");
        assert!(text.contains("&lt;script&gt;") && text.contains("&lt;b&gt;&amp;"));
        assert!(!text.contains("<script") && !text.contains("<b>"));
    }
}
