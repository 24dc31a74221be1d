//! What is made of the rows of the table of functions: [`super::FuncId`], the enums of the families, names, numbers of arguments, purity.

macro_rules! purity {
    (pure) => {
        Purity::Pure
    };
    (session) => {
        Purity::Session
    };
    (random) => {
        Purity::Random
    };
    (moving) => {
        Purity::Moving
    };
}

macro_rules! functions {
    ($($(#[$about:meta])* $family:ident { $(
        $(#[$doc:meta])* $id:ident $(($($arg:ident: $ty:ty),*))? $name:literal $($min:literal $max:literal $(| $alias:literal)*)?
        $purity:ident;
    )* })*) => {
        /// A function.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)]
        pub enum FuncId {
            $($($(#[$doc])* $id $(($($ty),*))?,)*)*
        }

        /// The functions again, family by family: what evaluates a family matches its enum, so that the compiler names
        /// what a new function lacks.
        #[allow(missing_docs)]
        pub mod family {
            use super::{FuncId, OnMissing, Unit};

            /// A function, of its family.
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub enum Family {
                $($(#[$about])* $family($family),)*
            }

            $(
                $(#[$about])*
                #[derive(Clone, Copy, PartialEq, Eq, Debug)]
                pub enum $family {
                    $($(#[$doc])* $id $(($($ty),*))?,)*
                }

                impl From<$family> for FuncId {
                    #[inline]
                    fn from(f: $family) -> FuncId {
                        match f {
                            $($family::$id $(($($arg),*))? => FuncId::$id $(($($arg),*))?,)*
                        }
                    }
                }

                impl $family {
                    /// Lower-case name, as [`FuncId::name`].
                    pub fn name(self) -> &'static str {
                        FuncId::from(self).name()
                    }
                }
            )*
        }

        /// Function by its name in lower case with the smallest and largest number of arguments (255 = any).
        pub fn lookup(name: &str) -> Option<(FuncId, u8, u8)> {
            Some(match name {
                $($($($name $(| $alias)* => (FuncId::$id, $min, $max),)?)*)*
                // with other numbers of arguments than what they are called by otherwise
                "position" => (FuncId::Locate, 2, 2),
                "mod" => (FuncId::Mod, 2, 2),
                _ => return None,
            })
        }

        impl FuncId {
            /// Lower-case name as in messages and EXPLAIN.
            pub fn name(self) -> &'static str {
                match self {
                    FuncId::CastSized(true) => "cast_as_binary",
                    $($(FuncId::$id { .. } => $name,)*)*
                }
            }

            /// The function in its family's enum.
            #[inline]
            pub fn family(self) -> family::Family {
                match self {
                    $($(FuncId::$id $(($($arg),*))? => family::Family::$family(family::$family::$id $(($($arg),*))?),)*)*
                }
            }

            fn purity(self) -> Purity {
                match self {
                    $($(FuncId::$id { .. } => purity!($purity),)*)*
                }
            }
        }
    };
}

pub(super) use {functions, purity};
