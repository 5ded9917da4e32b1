//! Enums whose values have names: one table per enum, from which names, summaries and parsing follow.

/// Gives an enum the constant `ALL`, the methods `name` and `summary`, and reading and writing by name:
///
/// ```text
/// named! {
///     Moves, UnknownMoves, "movement rule":
///     Four => "4", "straight steps only";
///     Eight => "8", "diagonal steps too";
/// }
/// ```
macro_rules! named {
    ($type:ident, $unknown:ident, $what:literal: $($value:ident => $name:literal, $summary:literal;)+) => {
        $crate::core::named::names!($type: $($value => $name, $summary;)+);

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        $crate::core::named::as_text!($type);

        #[doc = concat!("The text is not the name of a ", $what, ".")]
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        #[error("unknown {} `{}`: expected {}", $what, .0, $crate::core::named::listed(&[$($name),+]))]
        pub struct $unknown(pub String);

        impl std::str::FromStr for $type {
            type Err = $unknown;

            fn from_str(text: &str) -> Result<$type, $unknown> {
                $type::ALL
                    .into_iter()
                    .find(|value| value.name() == text)
                    .ok_or_else(|| $unknown(text.to_owned()))
            }
        }
    };
}
pub(crate) use named;

/// The part of [`named`] for enums with their own parsing and formatting. Values that hold something come last, after a `+`.
macro_rules! names {
    (
        $type:ident: $($value:ident => $name:literal, $summary:literal;)+
        $(+ $($more:ident => $more_name:literal, $more_summary:literal;)+)?
    ) => {
        impl $type {
            #[doc = concat!("All of them that hold nothing, in a fixed order.")]
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];

            /// Returns the name used in files and commands.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name,)+
                    $($($type::$more { .. } => $more_name,)+)?
                }
            }

            /// Returns a one-line description.
            pub const fn summary(self) -> &'static str {
                match self {
                    $($type::$value => $summary,)+
                    $($($type::$more { .. } => $more_summary,)+)?
                }
            }
        }
    };
}
pub(crate) use names;

/// Lets serde write a type as its text and read it by parsing.
macro_rules! as_text {
    ($type:ident) => {
        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                $crate::core::named::parsed(deserializer)
            }
        }
    };
}
pub(crate) use as_text;

/// Reads a text and parses it.
#[cfg(feature = "serde")]
pub(crate) fn parsed<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
    D: serde::Deserializer<'de>,
{
    struct Text<T>(std::marker::PhantomData<T>);

    impl<T: std::str::FromStr<Err: std::fmt::Display>> serde::de::Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a name as text")
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }
    }

    deserializer.deserialize_str(Text(std::marker::PhantomData))
}

/// Names with commas between them and an "or" before the last.
pub(crate) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
