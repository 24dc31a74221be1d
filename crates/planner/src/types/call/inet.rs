//! Result types of functions of network addresses.

use super::super::{longlong, ulonglong};
use super::{Call, Typed};
use crate::func::family::{Ipv4, Ipv6};

/// Type and coercibility of a function of an address as text or as a number.
pub(super) fn ipv4(f: Ipv4, c: &Call<'_>) -> Typed {
    use Ipv4 as F;
    match f {
        F::InetAton => c.null_num(ulonglong(21)),
        F::InetNtoa => c.null_text(31),
        F::IsIpv4 | F::IsIpv6 => c.null_num(longlong(1)),
    }
}

/// Type and coercibility of a function of an address as bytes.
pub(super) fn ipv6(f: Ipv6, c: &Call<'_>) -> Typed {
    use Ipv6 as F;
    match f {
        F::Inet6Aton => c.binary(16),
        F::Inet6Ntoa => c.null_text(39),
        F::IsIpv4Compat | F::IsIpv4Mapped => c.num(longlong(1)),
    }
}
