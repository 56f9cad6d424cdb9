//! Enumerations whose values have a name in the tables.

/// `ALL`, `name` and `from_name`, from one list of values and names.
macro_rules! names {
    ($type:ident { $($variant:ident $name:literal,)* }) => {
        impl $type {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Name, as in the tables.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The one with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use names;
