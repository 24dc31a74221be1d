//! Newtypes with units. All are plain integers of a fixed width, ordered and hashable.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
        #[repr(transparent)]
        pub struct $name(pub $inner);

        impl $name {
            /// The plain integer.
            #[inline]
            pub const fn get(self) -> $inner {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// Log sequence number: byte position in the endless redo stream.
    Lsn(u64)
);
id!(
    /// Transaction id, given when a transaction first writes; 48 bits on disk; 0 = none.
    TrxId(u64)
);
id!(
    /// Commit number: the order in which transactions became visible; a snapshot is one of these.
    TrxNo(u64)
);
id!(
    /// Tablespace id: one file. 0 is never a space.
    SpaceId(u32)
);
id!(
    /// Page number inside a tablespace, in units of the page size (16 KiB).
    PageNo(u32)
);
id!(
    /// Table id of the data dictionary; never reused.
    TableId(u64)
);
id!(
    /// Index id of the data dictionary; never reused.
    IndexId(u64)
);

impl PageNo {
    /// "No page": ends sibling and overflow chains.
    pub const NONE: PageNo = PageNo(u32::MAX);
    /// Whether this is a page at all.
    #[inline]
    pub const fn is_some(self) -> bool {
        self.0 != u32::MAX
    }
}

/// A page: tablespace and page number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct PageId {
    /// Tablespace.
    pub space: SpaceId,
    /// Page inside it.
    pub page: PageNo,
}

impl PageId {
    /// Pairs the two halves.
    #[inline]
    pub const fn new(space: SpaceId, page: PageNo) -> PageId {
        PageId { space, page }
    }
    /// Both halves in one word, the space above; never 0 for a real page because space 0 does not exist.
    #[inline]
    pub const fn to_u64(self) -> u64 {
        ((self.space.0 as u64) << 32) | self.page.0 as u64
    }
    /// Inverse of [`PageId::to_u64`].
    #[inline]
    pub const fn from_u64(v: u64) -> PageId {
        PageId { space: SpaceId((v >> 32) as u32), page: PageNo(v as u32) }
    }
}

impl std::fmt::Display for PageId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.space, self.page)
    }
}
