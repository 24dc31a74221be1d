//! A relay log that cannot be written: what did not come whole into the files is not taken for received.

use super::*;
use binlog::Sid;
use std::path::Path;

fn sealed(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut event = Vec::new();
    write(&mut event);
    binlog::event::seal(&mut event);
    event
}

/// Events of one transaction: GTID and XID.
fn transaction(gno: u64) -> [Vec<u8>; 2] {
    let stamp = Stamp { timestamp: 1, server_id: 1 };
    let first = GtidEvent {
        gtid: Some(Gtid { sid: Sid([7; 16]), gno }),
        may_have_statements: false,
        last_committed: gno - 1,
        sequence_number: gno,
        immediate_commit: 1,
        original_commit: 1,
        transaction_length: 100,
        immediate_version: 80400,
        original_version: 80400,
    };
    [sealed(|out| first.write(stamp, true, out)), sealed(|out| binlog::transaction::xid(gno, stamp, true, out))]
}

fn opened(name: &str) -> (Relay, PathBuf) {
    let folder = std::env::temp_dir().join(format!("ek-relay-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let relay = Relay::open(folder.clone(), "r".to_owned(), "8.4.0".to_owned(), true).unwrap();
    relay.begin_file(&Position { file: "bin.000001".to_owned(), offset: 4 }, Stamp::default()).unwrap();
    (relay, folder)
}

#[test]
fn what_could_not_be_written_was_not_received() {
    let (relay, folder) = opened("full");
    let all: Vec<[Vec<u8>; 2]> = (1..4).map(transaction).collect();
    for e in &all[0] {
        relay.append(e).unwrap();
    }
    let known = (relay.retrieved(), relay.whole_to());
    // the disk is full at each of the next transaction's events
    for written in 0..2 {
        for e in &all[1][..written] {
            relay.append(e).unwrap();
        }
        let full = TellingFile::open(Path::new("/dev/full"), FileUse::RelayLog, OpenOptions::new().write(true));
        let own = relay.state.lock().file.replace(Arc::new(full.unwrap()));
        assert!(relay.append(&all[1][written]).is_err());
        relay.state.lock().file = own;
        relay.interrupted();
        assert_eq!((relay.retrieved(), relay.whole_to()), (known.0.clone(), known.1.clone()), "{written}");
    }
    for e in all[1].iter().chain(&all[2]) {
        relay.append(e).unwrap();
    }
    assert_eq!(relay.retrieved().to_string(), "07070707-0707-0707-0707-070707070707:1-3");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn nothing_of_a_refused_event_stays_in_a_file() {
    let (relay, folder) = opened("torn");
    let [gtid, xid] = transaction(1);
    relay.append(&gtid).unwrap();
    let before = relay.state.lock().size;
    let mut broken = xid.clone();
    *broken.last_mut().unwrap() ^= 1;
    assert!(relay.append(&broken).is_err());
    assert_eq!((relay.state.lock().size, fs::metadata(relay.path(1)).unwrap().len()), (before, before));
    relay.interrupted();
    // another file follows, and the applier goes from one to the other
    relay.begin_file(&Position { file: "bin.000001".to_owned(), offset: 4 }, Stamp::default()).unwrap();
    for e in [&gtid, &xid] {
        relay.append(e).unwrap();
    }
    let mut reader = crate::reader::Reader::new(&relay);
    let mut kinds = Vec::new();
    while let Some(e) = reader.next().unwrap() {
        kinds.push(Header::read(e).unwrap().kind);
    }
    let (head, of) = ([15, 35, 4], [33, 16]);
    assert_eq!(kinds, [&head[..], &of[..1], &head[..], &of[..]].concat());
    fs::remove_dir_all(folder).unwrap();
}
