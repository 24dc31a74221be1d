//! Users, passwords, privileges.
