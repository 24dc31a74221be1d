//! The server: listener, start-up, shutdown.
