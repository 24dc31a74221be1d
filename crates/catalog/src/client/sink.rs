//! Where a statement's answer goes.
//!
//! Order of calls for one result: either [`ResultSink::ok`], or [`ResultSink::begin`], rows, [`ResultSink::end_rows`].
//! Several results of one command follow each other; all but the last carry [`super::StatusFlags::MORE_RESULTS`].
//!
//! The fast path: `let buf = sink.row();` append the row's columns to `buf` (see [`super::row`]), `sink.end_row()?`. The buffer is the
//! connection's output buffer; bytes before the row must not be touched. It is written to the socket when it exceeds 16 KiB.

use super::column::ResultMeta;
use super::flags::{Capabilities, StatusFlags};
use base::SqlResult;
use std::time::Duration;

/// How the rows of a result are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowFormat {
    /// Length-encoded strings (COM_QUERY).
    Text,
    /// Binary protocol (COM_STMT_EXECUTE, COM_STMT_FETCH).
    Binary,
}

/// Contents of an OK packet.
#[derive(Clone, Copy, Default, Debug)]
pub struct OkInfo<'a> {
    /// Rows changed (or matched with CLIENT_FOUND_ROWS).
    pub affected_rows: u64,
    /// First AUTO_INCREMENT value the statement generated, or 0.
    pub last_insert_id: u64,
    /// Status after the statement.
    pub status: StatusFlags,
    /// Number of warnings.
    pub warnings: u16,
    /// For example `Rows matched: 1  Changed: 1  Warnings: 0`.
    pub info: &'a [u8],
    /// [`super::StateChanges::bytes`].
    pub state: &'a [u8],
}

/// Contents of the packet that ends a result set.
#[derive(Clone, Copy, Default, Debug)]
pub struct EndRows<'a> {
    /// Status after the statement.
    pub status: StatusFlags,
    /// Number of warnings.
    pub warnings: u16,
    /// [`super::StateChanges::bytes`]; sent with DEPRECATE_EOF only.
    pub state: &'a [u8],
}

/// The receiver of a statement's answer. Errors mean that the client is gone or the answer too large: the statement ends.
/// What only a client sees (the ends of results, OK packets) does nothing here, so that receivers inside the server need
/// not say so; the network's and whoever passes an answer on must write all of it.
pub trait ResultSink {
    /// Encoding the rows must have.
    fn format(&self) -> RowFormat;
    /// What the client can do (FOUND_ROWS, MULTI_STATEMENTS, LOCAL_FILES ...).
    fn capabilities(&self) -> Capabilities;
    /// Bytes that have been made for the client so far.
    fn bytes(&self) -> u64 {
        0
    }
    /// Whether another statement's answer will follow the one that comes now: the packet between column definitions and rows says so
    /// too, to clients that want one there.
    fn more_follows(&mut self, _more: bool) {}
    /// Whether the result that comes now is the row of OUT parameters of a prepared CALL.
    fn out_parameters(&mut self, _on: bool) {}
    /// Starts a result set: column count and definitions. `meta` must not be empty.
    fn begin(&mut self, meta: &ResultMeta) -> SqlResult<()>;
    /// Starts a row and gives the buffer to append it to.
    fn row(&mut self) -> &mut Vec<u8>;
    /// Ends the row begun with [`ResultSink::row`].
    fn end_row(&mut self) -> SqlResult<()>;
    /// Drops what was appended since [`ResultSink::row`].
    fn abandon_row(&mut self);
    /// Ends the result set.
    fn end_rows(&mut self, _end: &EndRows<'_>) -> SqlResult<()> {
        Ok(())
    }
    /// Ends the column definitions of a statement that opens a cursor: rows will be fetched. `end.status` carries CURSOR_EXISTS.
    fn end_cursor_open(&mut self, _end: &EndRows<'_>) -> SqlResult<()> {
        Ok(())
    }
    /// Starts sending rows of an already described result (COM_STMT_FETCH): no definitions are sent.
    fn begin_fetch(&mut self, _columns: usize) -> SqlResult<()> {
        Ok(())
    }
    /// A statement without a result set has succeeded.
    fn ok(&mut self, _info: &OkInfo<'_>) -> SqlResult<()> {
        Ok(())
    }
    /// Asks the client for a file (LOAD DATA LOCAL INFILE) and passes its pieces to `each` until the end. An error of `each` is
    /// returned after the rest of the file has been read and dropped.
    fn local_infile(&mut self, file_name: &[u8], each: &mut dyn FnMut(&[u8]) -> SqlResult<()>) -> SqlResult<()>;
    /// Writes what is buffered to the socket now (for long-running producers).
    fn flush(&mut self) -> SqlResult<()> {
        Ok(())
    }
}

/// Where packets go that are no result: the binary log's events.
pub trait PacketSink {
    /// Appends a packet made of these parts, and sends what is there if it is much.
    fn packet(&mut self, parts: &[&[u8]]) -> SqlResult<()>;
    /// Sends what is there.
    fn flush(&mut self) -> SqlResult<()>;
    /// Appends the packet that ends the command (EOF).
    fn end(&mut self) -> SqlResult<()>;
    /// Whether the connection is to end.
    fn killed(&self) -> bool;
    /// What has been appended last asks the client for a packet (semi-synchronous replication): it is sent, and packets
    /// are counted anew as if that one had come.
    fn ask(&mut self) -> SqlResult<()>;
    /// The next packet that was asked for, if it comes in this time.
    fn reply(&mut self, wait: Duration) -> SqlResult<Option<Vec<u8>>>;
}
