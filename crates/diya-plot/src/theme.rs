//! Colours of the page (`web/src/base/colours.ts`, which a test reads).

use crate::scene::Colour;
use diya_timeline::Kind;
use std::str::FromStr;

/// The colours of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlotTheme {
    /// Dark on white, with the title.
    #[default]
    Light,
    /// Light on dark, with the title.
    Dark,
    /// Black on white, without the title: the caption of a figure has it.
    Paper,
}

impl PlotTheme {
    /// All themes.
    pub const ALL: &[Self] = &[Self::Light, Self::Dark, Self::Paper];

    /// Its name on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Paper => "paper",
        }
    }

    /// What it is for.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Light => "Dark on white, with the title",
            Self::Dark => "Light on dark, with the title",
            Self::Paper => "Black on white, without the title: the caption of the figure has it",
        }
    }

    pub(crate) const fn colours(self) -> &'static Theme {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
            Self::Paper => &PAPER,
        }
    }
}

impl FromStr for PlotTheme {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|theme| theme.name() == name);
        found.copied().ok_or_else(|| format!("there is no theme {name:?}"))
    }
}

/// Colours of a picture.
#[derive(Debug)]
pub(crate) struct Theme {
    pub ground: Colour,
    pub ink: Colour,
    pub soft: Colour,
    pub line: Colour,
    kinds: [Colour; 4],
    series: [Colour; 3],
    /// Parts of the run time that are no kind of call, by class.
    classes: &'static [(&'static str, Colour)],
    /// Ends of viridis: those nearest to the ground are left out, so that one call is seen.
    heat: [f32; 2],
}

const fn hex(rgb: u32) -> Colour {
    Colour((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

static LIGHT: Theme = Theme {
    ground: hex(0xff_ff_ff),
    ink: hex(0x1d_21_26),
    soft: hex(0x59_61_6b),
    line: hex(0xd5_d8_dd),
    kinds: [hex(0x00_72_b2), hex(0xd5_5e_00), hex(0x35_1c_63), hex(0x92_8a_8b)],
    series: [hex(0x00_6d_5b), hex(0xac_43_a5), hex(0x88_80_12)],
    classes: &[
        ("sync", hex(0x5c_54_56)),
        ("map", hex(0x6b_7d_1e)),
        ("library", hex(0x6c_48_24)),
        ("text", hex(0xa8_74_00)),
    ],
    heat: [0.58, 0.04],
};

static DARK: Theme = Theme {
    ground: hex(0x15_17_1a),
    ink: hex(0xe6_e6_e1),
    soft: hex(0xa5_ab_b3),
    line: hex(0x3a_3e_45),
    kinds: [hex(0x56_b4_e9), hex(0xd5_5e_00), hex(0x7a_47_f3), hex(0xe8_e8_e2)],
    series: [hex(0x3c_c4_b0), hex(0xc9_4f_c2), hex(0xe0_d0_40)],
    classes: &[
        ("sync", hex(0xa3_9d_ae)),
        ("map", hex(0xb5_c3_4d)),
        ("library", hex(0xe4_a8_78)),
        ("text", hex(0xe0_b8_4a)),
    ],
    heat: [0.37, 1.0],
};

static PAPER: Theme = Theme {
    ink: hex(0),
    soft: hex(0x22_22_22),
    line: hex(0xbb_bb_bb),
    ground: LIGHT.ground,
    kinds: LIGHT.kinds,
    series: LIGHT.series,
    classes: LIGHT.classes,
    heat: LIGHT.heat,
};

/// Viridis at nine points, between which it is straight to within what is seen.
const VIRIDIS: [Colour; 9] = [
    hex(0x44_01_54),
    hex(0x47_2d_7b),
    hex(0x3b_52_8b),
    hex(0x2c_72_8e),
    hex(0x21_91_8c),
    hex(0x28_ae_80),
    hex(0x5e_c9_62),
    hex(0xad_dc_30),
    hex(0xfd_e7_25),
];

impl Theme {
    /// Colour of a kind of call.
    pub fn kind(&self, kind: Kind) -> Colour {
        self.kinds[kind as usize]
    }

    /// Colour of a series that is no kind of call.
    pub fn series(&self, number: usize) -> Colour {
        self.series[number % self.series.len()]
    }

    /// Colour of a part of the run time.
    pub fn class(&self, class: &str) -> Colour {
        // Locks are drawn as waits; writes and syncs with one time for both, as writes.
        let of_kind = match class {
            "lock" | "child" => Some(Kind::Wait),
            "write_sync" => Some(Kind::Write),
            class => Kind::from_name(class),
        };
        let of_kind = of_kind.map(|kind| self.kind(kind));
        let own = self.classes.iter().find(|(name, _)| *name == class).map(|(_, colour)| *colour);
        of_kind.or(own).unwrap_or(self.line)
    }

    /// A colour that differs from the same one beside it: nearer to the darker of ground and ink.
    pub fn shaded(&self, colour: Colour) -> Colour {
        let light = |Colour(r, g, b): Colour| u32::from(r) + u32::from(g) + u32::from(b);
        let dark = if light(self.ground) < light(self.ink) { self.ground } else { self.ink };
        colour.mix(dark, 0.38)
    }

    /// Colour of a share of the most.
    pub fn heat(&self, share: f32) -> Colour {
        let [least, most] = self.heat;
        let share = least + share.clamp(0.0, 1.0) * (most - least);
        let place = share * (VIRIDIS.len() - 1) as f32;
        let first = (place as usize).min(VIRIDIS.len() - 2);
        VIRIDIS[first].mix(VIRIDIS[first + 1], place - first as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every colour of a source file of the page, as numbers.
    fn colours_of(file: &str) -> Vec<u32> {
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src").join(file);
        let text = std::fs::read_to_string(path).unwrap();
        let parts = text.split('#').skip(1).filter_map(|part| part.get(..6));
        parts.filter_map(|part| u32::from_str_radix(part, 16).ok()).collect()
    }

    #[test]
    fn the_colours_are_those_of_the_page() {
        let page = [colours_of("base/colours.ts"), colours_of("app/style/base.css")].concat();
        let is_of_page = |Colour(r, g, b): Colour| page.contains(&u32::from_be_bytes([0, r, g, b]));
        for theme in [&LIGHT, &DARK] {
            let own = [theme.ground, theme.ink, theme.soft, theme.line];
            let classes = theme.classes.iter().map(|(_, colour)| *colour);
            let all = own.into_iter().chain(theme.kinds).chain(theme.series).chain(classes);
            assert_eq!(all.filter(|colour| !is_of_page(*colour)).collect::<Vec<_>>(), []);
        }
        assert!(VIRIDIS.into_iter().all(is_of_page));
    }
}
