use super::*;
use crate::mem::AlignedBuf;

fn dir() -> PathBuf {
    let d = std::env::temp_dir().join(format!("evk_sys_{}", crate::process::random_u64()));
    Dir::create(&d).unwrap();
    d
}

#[test]
fn positional_io() {
    let d = dir();
    let f = File::open(&d.join("a"), OpenMode::CreateNew).unwrap();
    assert!(File::open(&d.join("a"), OpenMode::CreateNew).is_err());
    f.write_at(b"hello", 10).unwrap();
    assert_eq!(f.len().unwrap(), 15);
    let mut b = [0u8; 5];
    f.read_at(&mut b, 10).unwrap();
    assert_eq!(&b, b"hello");
    assert_eq!(f.read_at(&mut b, 12).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    assert_eq!(f.read_up_to(&mut b, 12).unwrap(), 3);
    f.write_vectored_at(&mut [IoSlice::new(b""), IoSlice::new(b"ab"), IoSlice::new(b"cde")], 0).unwrap();
    let (mut x, mut y) = ([0u8; 3], [0u8; 2]);
    f.read_vectored_at(&mut [IoSliceMut::new(&mut x), IoSliceMut::new(&mut y)], 0).unwrap();
    assert_eq!((&x, &y), (b"abc", b"de"));
    f.sync_data().unwrap();
    f.sync_all().unwrap();
    f.allocate(0, 1 << 20).unwrap();
    assert_eq!(f.len().unwrap(), 1 << 20);
    // what nobody has written is told, where the file system can
    if let Some(unwritten) = f.unwritten(0, 1 << 20).unwrap() {
        assert_eq!(unwritten, (4096, 1 << 20));
        f.write_at(&[1; 8192], 4096).unwrap();
        f.sync_data().unwrap();
        assert_eq!(f.unwritten(4096, 8192).unwrap(), None);
        assert_eq!(f.unwritten(4096, 1 << 18).unwrap(), Some((12288, 4096 + (1 << 18))));
    }
    assert_eq!(f.unwritten(1 << 20, 4096).unwrap(), None);
    fs::remove_dir_all(&d).unwrap();
}

#[test]
fn many_buffers_in_one_call() {
    let d = dir();
    let f = File::open(&d.join("a"), OpenMode::OpenOrCreate).unwrap();
    let pieces: Vec<[u8; 3]> = (0..3000u32).map(|i| [i as u8, (i >> 8) as u8, 7]).collect();
    let mut io: Vec<IoSlice<'_>> = pieces.iter().map(|p| IoSlice::new(p)).collect();
    f.write_vectored_at(&mut io, 0).unwrap();
    let mut all = vec![0u8; 9000];
    f.read_at(&mut all, 0).unwrap();
    assert_eq!(all, pieces.concat());
    fs::remove_dir_all(&d).unwrap();
}

#[test]
fn direct_or_fallback() {
    let d = dir();
    let f = File::open_direct(&d.join("a"), OpenMode::CreateNew).unwrap();
    let mut b = AlignedBuf::new(16384);
    b.fill(3);
    f.write_at(&b, 16384).unwrap();
    let mut r = AlignedBuf::new(16384);
    f.read_at(&mut r, 16384).unwrap();
    assert_eq!(r[..], b[..]);
    fs::remove_dir_all(&d).unwrap();
    // tmpfs refuses O_DIRECT on older kernels: either way the file must work.
    let shm = Path::new("/dev/shm");
    if shm.is_dir() {
        let p = shm.join(format!("evk_{}", crate::process::random_u64()));
        let f = File::open_direct(&p, OpenMode::CreateNew).unwrap();
        f.write_at(&b, 0).unwrap();
        f.read_at(&mut r, 0).unwrap();
        assert_eq!(r[..], b[..]);
        Dir::remove_file(&p).unwrap();
    }
}

#[test]
fn directory_operations() {
    let d = dir();
    Dir::write_atomic(&d.join("x"), b"one").unwrap();
    Dir::write_atomic(&d.join("x"), b"two").unwrap();
    assert_eq!(fs::read(d.join("x")).unwrap(), b"two");
    Dir::rename(&d.join("x"), &d.join("y")).unwrap();
    assert_eq!(Dir::list(&d).unwrap(), ["y"]);
    Dir::remove_file(&d.join("y")).unwrap();
    Dir::remove_file(&d.join("y")).unwrap();
    assert!(Dir::list(&d).unwrap().is_empty());
    fs::remove_dir_all(&d).unwrap();
}

#[test]
fn one_lock_per_directory() {
    let d = dir();
    let p = d.join("lock");
    let l = LockFile::acquire(&p).unwrap();
    match LockFile::acquire(&p) {
        Err(LockError::HeldBy(pid)) => assert_eq!(pid, Some(std::process::id())),
        other => panic!("{other:?}"),
    }
    drop(l);
    LockFile::acquire(&p).unwrap();
    fs::remove_dir_all(&d).unwrap();
}
