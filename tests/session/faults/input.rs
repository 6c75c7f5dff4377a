//! Lines that are hard to read, and positions that are none.

use crate::client::{Client, best_moves, only_info_string, program};

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_waits_for_ever_is_not_read() {
    // Of length 0, and reading it waits for the next message of the kernel.
    let mut client = Client::start();
    client.send("setoption name EvalFile value /proc/kmsg");
    assert!(only_info_string(&client.sync()).contains("/proc/kmsg"));
    client.finish();
    let analysed = std::process::Command::new(program()).args(["analyze", "/proc/kmsg"]).output().unwrap();
    assert!(!analysed.status.success());
}

#[test]
fn any_bytes_are_survived() {
    let mut client = Client::start();
    client.send_bytes(b"\xef\xbb\xbfusi\r\n");
    client.until("usiok");
    for junk in [
        &b"\xff\xfe\x00\x80\n"[..],
        b"setoption name BookFile value C:\\\x92\xe8\x90\xd5\\book.db\n",
        b"\0\0\0\n",
        b"\r\r\n\n\n",
        "先手\n".as_bytes(),
        b"position \xff\xff\n",
        b"go\xa0depth\n",
    ] {
        client.send_bytes(junk);
        client.sync();
    }
    client.send_bytes(b"  position   startpos\tmoves  7g7f \r\n go depth 2\r\n");
    client.until("bestmove");
    client.finish();
}

#[test]
fn unknown_commands_are_silently_skipped() {
    let mut client = Client::ready();
    client.send("hello\nucinewgame\nxboard\nGO depth 3\nbestmove 7g7f\nreadyok\nregister later\ndebug on\ngo_depth 3");
    assert_eq!(client.sync(), [""; 0]);
    client.finish();
}

#[test]
fn a_last_line_without_its_end_counts() {
    let mut client = Client::start();
    client.send_bytes(b"go depth 2");
    assert_eq!(best_moves(&client.finish()).len(), 1);
}

#[test]
fn nothing_at_all_is_fine() {
    assert_eq!(Client::start().finish(), [""; 0]);
}

#[test]
fn long_games_fit_on_a_line_and_endless_lines_do_not() {
    let mut client = Client::ready();
    let moves = "2h3h 8b7b 3h2h 7b8b ".repeat(250);
    client.send(&format!("position startpos moves {moves}"));
    assert!(client.sfen().ends_with(" b - 1001"));
    client.send("go depth 3");
    client.until("bestmove");
    client.send(&"x".repeat(5_000_000));
    assert!(only_info_string(&client.sync()).contains("ignored"));
    client.finish();
}

#[test]
fn go_before_isready_works() {
    let mut client = Client::start();
    client.send("go depth 4");
    assert_eq!(client.until("bestmove").last().unwrap().split(' ').count(), 4);
    client.finish();
}

#[test]
fn a_bad_sfen_keeps_the_position_and_is_named() {
    let mut client = Client::ready();
    client.send("position startpos moves 7g7f");
    let before = client.sfen();
    for bad in [
        "",
        "nonsense",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN b - 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL x - 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 99999999999999999999",
        "4k4/9/9/9/9/9/P8/P8/4K4 b - 1",
        "4k4/4R4/9/9/9/9/9/9/4K4 b - 1",
        "9/9/9/9/9/9/9/9/9 b - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 19P 1",
        "駒",
    ] {
        client.send(&format!("position sfen {bad}\nposition sfen {bad} moves 7g7f"));
        let lines = client.sync();
        assert_eq!(lines.len(), 2, "{bad}: {lines:#?}");
        assert!(lines.iter().all(|line| line.starts_with("info string ") && line.contains(bad)), "{lines:#?}");
        // Named, but not twice.
        assert!(bad.len() < 4 || lines.iter().all(|line| line.matches(bad).count() == 1), "{lines:#?}");
        assert_eq!(client.sfen(), before, "{bad}");
    }
    let endless = "k".repeat(100_000);
    client.send(&format!("position sfen {endless}"));
    assert!(only_info_string(&client.sync()).len() < 1000);
    client.send("go depth 2");
    client.until("bestmove");
    client.finish();
}

#[test]
fn a_bad_move_is_named_and_the_position_before_it_stands() {
    let mut client = Client::ready();
    client.send("position startpos moves 7g7f");
    let reached = client.sfen();
    for bad in ["7f7d", "P*5e", "7g7f", "xyz", "7776FU", "7f7e+", "８四歩"] {
        client.send(&format!("position startpos moves 7g7f {bad} 3c3d"));
        let lines = client.sync();
        assert!(only_info_string(&lines).contains(bad), "{bad}: {lines:#?}");
        assert_eq!(client.sfen(), reached, "{bad}");
        client.send("go depth 2");
        client.until("bestmove");
    }
    // How a game ended may stand behind its moves, and nothing behind that.
    client.send("position startpos moves 7g7f resign");
    assert_eq!(client.sync(), [""; 0]);
    assert_eq!(client.sfen(), reached);
    client.send("position startpos moves 7g7f resign 3c3d");
    assert!(only_info_string(&client.sync()).contains("3c3d"));
    client.finish();
}

#[test]
fn all_legal_moves_are_accepted() {
    let mut client = Client::ready();
    for (sfen, mv) in [
        ("4k4/9/9/P8/9/9/9/9/4K4 b - 1", "9d9c"),
        ("4k4/9/9/1B7/9/9/9/9/4K4 b - 1", "8d9c"),
        ("k8/9/9/1R7/9/9/9/9/4K4 b - 1", "8d8a"),
        ("k8/9/L8/9/9/9/9/9/4K4 b - 1", "9c9b"),
    ] {
        client.send(&format!("position sfen {sfen} moves {mv}"));
        assert!(client.sfen().ends_with(" 2"), "{sfen} {mv}");
        client.send("go depth 2");
        client.until("bestmove");
    }
    // YaneuraOu's short form, and a board with one king.
    client.send("position 4k4/9/9/P8/9/9/9/9/4K4 b - 7");
    assert!(client.sfen().ends_with(" b - 7"));
    client.send("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1\ngo depth 3");
    assert!(client.until("bestmove").last().unwrap().starts_with("bestmove G*5b"));
    client.finish();
}

/// Windows GUIs in Japan send the names of files so; the second byte of 表 is that of a backslash.
#[test]
fn what_is_not_utf8_is_read_as_shift_jis() {
    let mut client = Client::ready();
    client.send_bytes(b"setoption name EvalFile value C:\\\x95]\x89\xbf\x8a\xd6\x90\x94 \x95\x5c\\nn.bin\r\n");
    let lines = client.sync();
    assert!(only_info_string(&lines).contains(r"C:\評価関数 表\nn.bin"), "{lines:?}");
    client.finish();
}

/// Without the word before the moves it is the start.
#[test]
fn moves_that_are_not_read_are_told() {
    let mut client = Client::ready();
    client.send("position startpos 7g7f 3c3d");
    let reported = client.sync();
    assert_eq!(reported, ["info string cannot read \"7g7f 3c3d\" in \"position startpos 7g7f 3c3d\""]);
    client.send("position startpos moves 7g7f 3c3d");
    assert_eq!(client.sync(), [""; 0]);
    client.finish();
}
