//! Paging: the fields of requests whose answers are lists, and the part of a list in an answer.

use crate::wire;

wire! {
    /// The part of a list in an answer. A list ends at the limit of the request, or before the answer would exceed the
    /// request's `max_bytes`.
    #[derive(Copy, Eq, Default)]
    pub struct Page {
        /// Number of all items.
        pub total: u32,
        /// Number of items before the first one here.
        pub offset: u32,
        /// True if there are more after the last one here: repeat with a larger `offset` or `limit`.
        pub truncated: bool,
    }
}

/// The fields of paging of a request.
pub(crate) trait Paged {
    /// Maximum number of items.
    fn limit(&self) -> Option<u32>;
    /// Number of items to skip.
    fn offset(&self) -> usize;
    /// Maximum bytes of JSON.
    fn max_bytes(&self) -> Option<u32>;
}

/// [`wire!`] for requests that page: behind the fields of each are the words for its `limit`, and the fields of paging that it has.
macro_rules! paged {
    ($(
        $(#[$about:meta])*
        pub struct $name:ident { $($field:tt)* }
        $(#[$limit:meta])*
        limit, offset $(, $max_bytes:ident)?;
    )*) => {
        $crate::wire! {$(
            $(#[$about])*
            pub struct $name {
                $($field)*
                $(#[$limit])*
                #[serde(default, skip_serializing_if = "Option::is_none")]
                #[cfg_attr(feature = "ts", tsify(optional))]
                pub limit: Option<u32>,
                /// Number of items to skip in each list (default 0).
                #[serde(default, skip_serializing_if = "Option::is_none")]
                #[cfg_attr(feature = "ts", tsify(optional))]
                pub offset: Option<u32>,
                $(
                    /// Maximum size of the answer in bytes of JSON (default 32768); lists are cut to fit.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    #[cfg_attr(feature = "ts", tsify(optional))]
                    pub $max_bytes: Option<u32>,
                )?
            }
        )*}
        $(
            impl $crate::paging::Paged for $name {
                fn limit(&self) -> Option<u32> {
                    self.limit
                }

                fn offset(&self) -> usize {
                    self.offset.unwrap_or(0) as usize
                }

                fn max_bytes(&self) -> Option<u32> {
                    None $(.or(self.$max_bytes))?
                }
            }
        )*
    };
}
pub(crate) use paged;
