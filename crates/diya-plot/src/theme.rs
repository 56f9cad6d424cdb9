//! Colours of the page: computed for the three common colour-vision deficiencies.

use super::picture::Colour;
use diya_timeline::Kind;

/// Colours of a picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Theme {
    pub ground: Colour,
    pub ink: Colour,
    pub soft: Colour,
    pub line: Colour,
    kinds: [Colour; 4],
}

pub(super) const LIGHT: Theme = Theme {
    ground: Colour(0xff, 0xff, 0xff),
    ink: Colour(0x1d, 0x21, 0x26),
    soft: Colour(0x59, 0x61, 0x6b),
    line: Colour(0xd5, 0xd8, 0xdd),
    kinds: [
        Colour(0x00, 0x72, 0xb2),
        Colour(0xd5, 0x5e, 0x00),
        Colour(0x35, 0x1c, 0x63),
        Colour(0xb1, 0xac, 0xc1),
    ],
};

pub(super) const DARK: Theme = Theme {
    ground: Colour(0x15, 0x17, 0x1a),
    ink: Colour(0xe6, 0xe6, 0xe1),
    soft: Colour(0xa5, 0xab, 0xb3),
    line: Colour(0x3a, 0x3e, 0x45),
    kinds: [
        Colour(0x56, 0xb4, 0xe9),
        Colour(0xd5, 0x5e, 0x00),
        Colour(0x64, 0x24, 0xc6),
        Colour(0xe8, 0xe8, 0xe2),
    ],
};

impl Theme {
    /// Colour of a kind of call.
    pub fn kind(&self, kind: Kind) -> Colour {
        self.kinds[kind as usize]
    }

    /// Names and colours of all kinds.
    pub fn kinds(&self) -> [(&'static str, Colour); 4] {
        Kind::ALL.map(|kind| (kind.name(), self.kind(kind)))
    }
}

/// Viridis at nine points, between which it is straight to within what is seen.
const VIRIDIS: [Colour; 9] = [
    Colour(68, 1, 84),
    Colour(71, 44, 122),
    Colour(59, 81, 139),
    Colour(44, 113, 142),
    Colour(33, 144, 141),
    Colour(39, 173, 129),
    Colour(92, 200, 99),
    Colour(170, 220, 50),
    Colour(253, 231, 37),
];

/// Colour of a share of the most.
pub(super) fn heat(share: f32) -> Colour {
    let place = share.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f32;
    let first = (place as usize).min(VIRIDIS.len() - 2);
    VIRIDIS[first].mix(VIRIDIS[first + 1], place - first as f32)
}
