//! Result sets, OK, EOF and ERR packets into a channel's output buffer.

use crate::channel::{Channel, NetError};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::row::{put_lenenc_int, put_lenenc_str};
use catalog::client::{Capabilities, EndRows, OkInfo, ResultMeta, ResultSink, RowFormat, StatusFlags};
use std::time::Duration;
use value::Charset;

/// The sink of one command.
pub struct Sink<'c> {
    channel: &'c mut Channel,
    format: RowFormat,
    capabilities: Capabilities,
    /// Where the payload of the open row begins.
    row_at: usize,
    /// The EOF after column definitions is still to be written: a cursor replaces it.
    eof_due: bool,
    /// Status for that EOF.
    status: StatusFlags,
    read_timeout: Duration,
    /// Whether definitions of columns are sent.
    pub metadata: bool,
    /// Whether anything has been answered, so that `wire` can tell a handler that forgot to.
    pub answered: bool,
}

impl<'c> Sink<'c> {
    /// For one command's answer.
    pub fn new(
        channel: &'c mut Channel,
        format: RowFormat,
        capabilities: Capabilities,
        status: StatusFlags,
        read_timeout: Duration,
    ) -> Sink<'c> {
        let metadata = true;
        Sink {
            channel,
            format,
            capabilities,
            row_at: 0,
            eof_due: false,
            status,
            read_timeout,
            metadata,
            answered: false,
        }
    }

    fn eof_if_due(&mut self) {
        if self.eof_due {
            self.eof_due = false;
            put_eof(self.channel, self.status.0 & !StatusFlags::CURSOR_EXISTS, 0);
        }
    }

    /// To be called before an error that ends a statement: column definitions already sent are ended first, so that clients of the old
    /// protocol do not meet the error in their place.
    pub(crate) fn before_error(&mut self) {
        self.eof_if_due();
    }

    fn send_if_full(&mut self) -> SqlResult<()> {
        if self.channel.is_full() { self.channel.flush().map_err(gone) } else { Ok(()) }
    }

    fn end_result(&mut self, end: &EndRows<'_>) -> SqlResult<()> {
        self.answered = true;
        if self.capabilities.has(Capabilities::DEPRECATE_EOF) {
            let ok = OkInfo { status: end.status, warnings: end.warnings, state: end.state, ..OkInfo::default() };
            put_ok(self.channel, 0xfe, &ok, self.capabilities);
        } else {
            put_eof(self.channel, end.status.0, end.warnings);
        }
        self.send_if_full()
    }
}

/// The error of a statement whose client is gone.
pub(crate) fn gone(e: NetError) -> SqlError {
    let code = match e {
        NetError::Timeout => ErrorCode::NET_WRITE_INTERRUPTED,
        _ => ErrorCode::NET_ERROR_ON_WRITE,
    };
    SqlError::new(code, &[])
}

/// Whether an error means that the connection itself is broken.
pub fn is_network_error(e: &SqlError) -> bool {
    e.is(ErrorCode::NET_ERROR_ON_WRITE) || e.is(ErrorCode::NET_WRITE_INTERRUPTED) || e.is(ErrorCode::NET_READ_ERROR)
}

/// Appends an OK packet; `header` is 0xfe where it stands for EOF.
pub fn put_ok(channel: &mut Channel, header: u8, ok: &OkInfo<'_>, capabilities: Capabilities) {
    let at = channel.begin();
    let track = capabilities.has(Capabilities::SESSION_TRACK);
    let state = if track { ok.state } else { &[] };
    let mut status = ok.status.0 & !StatusFlags::SESSION_STATE_CHANGED;
    if !state.is_empty() {
        status |= StatusFlags::SESSION_STATE_CHANGED;
    }
    let out = &mut channel.out;
    out.push(header);
    put_lenenc_int(out, ok.affected_rows);
    put_lenenc_int(out, ok.last_insert_id);
    out.extend_from_slice(&status.to_le_bytes());
    out.extend_from_slice(&ok.warnings.to_le_bytes());
    if !ok.info.is_empty() || !state.is_empty() {
        put_lenenc_str(out, ok.info);
    }
    if !state.is_empty() {
        put_lenenc_str(out, state);
    }
    channel.end(at);
}

/// Appends an EOF packet.
pub fn put_eof(channel: &mut Channel, status: u16, warnings: u16) {
    let at = channel.begin();
    channel.out.push(0xfe);
    channel.out.extend_from_slice(&warnings.to_le_bytes());
    channel.out.extend_from_slice(&status.to_le_bytes());
    channel.end(at);
}

/// Appends an ERR packet in UTF-8. Before the handshake there is no SQLSTATE in it.
pub fn put_error(channel: &mut Channel, e: &SqlError, with_state: bool) {
    put_error_in(channel, e, with_state, Charset::Utf8mb4);
}

/// The same in the client's character set; binary: as it is (manual, "Error Message Character Set").
pub fn put_error_in(channel: &mut Channel, e: &SqlError, with_state: bool, charset: Charset) {
    let at = channel.begin();
    let out = &mut channel.out;
    out.push(0xff);
    out.extend_from_slice(&e.code().to_le_bytes());
    if with_state {
        out.push(b'#');
        out.extend_from_slice(e.sqlstate());
    }
    let message = e.message();
    if matches!(charset, Charset::Utf8mb4 | Charset::Binary) || message.is_ascii() && charset.has_ascii() {
        let mut end = message.len().min(LONGEST_MESSAGE);
        while !message.is_char_boundary(end) {
            end -= 1;
        }
        out.extend_from_slice(message.get(..end).unwrap_or_default().as_bytes());
    } else {
        encode_message(message, charset, out);
    }
    channel.end(at);
}

/// Bytes of a message: MySQL's MYSQL_ERRMSG_SIZE without the end mark.
const LONGEST_MESSAGE: usize = 511;

/// Appends a message in another character set; what that does not have is written as its code point, `\nnnn` or `\+nnnnnn`.
fn encode_message(message: &str, charset: Charset, out: &mut Vec<u8>) {
    let end = out.len() + LONGEST_MESSAGE;
    let mut one = Vec::new();
    for c in message.chars() {
        one.clear();
        if !charset.encode(c as u32, &mut one) {
            one.clear();
            let escape = if c as u32 > 0xffff { format!("\\+{:06X}", c as u32) } else { format!("\\{:04X}", c as u32) };
            for x in escape.chars() {
                charset.encode(x as u32, &mut one);
            }
        }
        if out.len() + one.len() > end {
            break;
        }
        out.extend_from_slice(&one);
    }
}

impl ResultSink for Sink<'_> {
    fn format(&self) -> RowFormat {
        self.format
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn bytes(&self) -> u64 {
        self.channel.sent + self.channel.out.len() as u64
    }

    fn out_parameters(&mut self, on: bool) {
        let other = self.status.0 & !StatusFlags::PS_OUT_PARAMS;
        self.status = StatusFlags(if on { other | StatusFlags::PS_OUT_PARAMS } else { other });
    }

    fn more_follows(&mut self, more: bool) {
        let other = self.status.0 & !StatusFlags::MORE_RESULTS;
        self.status = StatusFlags(if more { other | StatusFlags::MORE_RESULTS } else { other });
    }

    fn begin(&mut self, meta: &ResultMeta) -> SqlResult<()> {
        self.answered = true;
        let at = self.channel.begin();
        put_lenenc_int(&mut self.channel.out, meta.len() as u64);
        // behind the count, whatever the manual says
        if self.capabilities.has(Capabilities::OPTIONAL_RESULTSET_METADATA) {
            self.channel.out.push(u8::from(self.metadata));
        }
        self.channel.end(at);
        if self.metadata {
            self.channel.put_encoded(meta.encoded());
        }
        self.eof_due = !self.capabilities.has(Capabilities::DEPRECATE_EOF);
        Ok(())
    }

    #[inline]
    fn row(&mut self) -> &mut Vec<u8> {
        self.eof_if_due();
        self.row_at = self.channel.begin();
        &mut self.channel.out
    }

    #[inline]
    fn end_row(&mut self) -> SqlResult<()> {
        self.channel.end(self.row_at);
        self.send_if_full()
    }

    fn abandon_row(&mut self) {
        self.channel.out.truncate(self.row_at.saturating_sub(4));
    }

    fn end_rows(&mut self, end: &EndRows<'_>) -> SqlResult<()> {
        self.eof_if_due();
        self.end_result(end)
    }

    fn end_cursor_open(&mut self, end: &EndRows<'_>) -> SqlResult<()> {
        self.eof_due = false;
        self.end_result(end)
    }

    fn begin_fetch(&mut self, _columns: usize) -> SqlResult<()> {
        self.answered = true;
        Ok(())
    }

    fn ok(&mut self, info: &OkInfo<'_>) -> SqlResult<()> {
        self.answered = true;
        put_ok(self.channel, 0, info, self.capabilities);
        self.send_if_full()
    }

    fn local_infile(&mut self, file_name: &[u8], each: &mut dyn FnMut(&[u8]) -> SqlResult<()>) -> SqlResult<()> {
        let at = self.channel.begin();
        self.channel.out.push(0xfb);
        self.channel.out.extend_from_slice(file_name);
        self.channel.end(at);
        self.channel.flush().map_err(gone)?;
        let mut result = Ok(());
        loop {
            let packet = self.channel.read_packet(self.read_timeout, self.read_timeout).map_err(|e| match e {
                NetError::TooLarge => SqlError::new(ErrorCode::NET_PACKET_TOO_LARGE, &[]),
                _ => SqlError::new(ErrorCode::NET_READ_ERROR, &[]),
            })?;
            let done = packet.payload().is_empty();
            if !done && result.is_ok() {
                result = each(packet.payload());
            }
            self.channel.recycle(packet);
            if done {
                return result;
            }
        }
    }

    fn flush(&mut self) -> SqlResult<()> {
        self.channel.flush().map_err(gone)
    }
}
