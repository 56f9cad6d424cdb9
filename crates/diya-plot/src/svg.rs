//! A picture as SVG. Names out of logs are text, never markup.

use super::picture::{Anchor, Colour, Picture, Shape};
use super::png::encode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write as _;

/// The picture.
pub(super) fn svg(picture: &Picture) -> Vec<u8> {
    let Picture { width, height, ground, title, shapes } = picture;
    let mut out = String::new();
    // Writing to a text cannot fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        escaped(title),
        hex(*ground)
    );
    for shape in shapes {
        let _ = match shape {
            Shape::Rect { at: [x, y, w, h], colour } => writeln!(
                out,
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{w:.2}\" height=\"{h:.2}\" fill=\"{}\"/>",
                hex(*colour)
            ),
            Shape::Line { at: [x1, y1, x2, y2], colour } => writeln!(
                out,
                "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" stroke=\"{}\"/>",
                hex(*colour)
            ),
            Shape::Text { at: [x, y], anchor, text, colour } => {
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                let (fill, text) = (hex(*colour), escaped(text));
                writeln!(
                    out,
                    "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{text}</text>"
                )
            }
            Shape::Cells { at: [x, y, w, h], width, cells } => {
                let png = STANDARD.encode(encode(*width, cells));
                writeln!(
                    out,
                    "<image x=\"{x:.2}\" y=\"{y:.2}\" width=\"{w:.2}\" height=\"{h:.2}\" \
                     preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" \
                     href=\"data:image/png;base64,{png}\"/>"
                )
            }
        };
    }
    out.push_str("</svg>\n");
    out.into_bytes()
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

    #[test]
    fn names_are_text() {
        let mut picture = Picture {
            width: 10,
            height: 10,
            ground: Colour(255, 255, 255),
            title: "</title><script>".to_owned(),
            shapes: Vec::new(),
        };
        picture.text([1.0, 2.0], Anchor::End, "<b>&", Colour(0, 0, 0));
        let text = String::from_utf8(svg(&picture)).unwrap();
        assert!(text.contains("&lt;script&gt;") && text.contains("&lt;b&gt;&amp;"));
        assert!(!text.contains("<script") && !text.contains("<b>"));
    }
}
