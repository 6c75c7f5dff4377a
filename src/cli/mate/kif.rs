//! Solutions of `kurosabi mate` as KIF files, for GUIs.

use std::fs;
use std::path::{Path, PathBuf};

use super::finding::{Finding, soundness_lines};
use crate::cli::failure::Result;
use crate::cli::records::files::{EncodingArg, RecordForm, naming, write_whole};
use crate::cli::wording::Wording;
use crate::language::Foreign;
use crate::mate::MateOutcome;
use crate::position::Position;
use crate::records::{Ending, Entry, Format, GameRecord, NodeId};

/// A folder of solutions, a file for each problem.
pub(super) struct KifFolder {
    path: PathBuf,
    form: RecordForm,
    wording: Wording,
}

impl KifFolder {
    /// Makes the folder if there is none.
    pub(super) fn create(path: &Path, encoding: EncodingArg, wording: Wording) -> Result<KifFolder> {
        fs::create_dir_all(path).map_err(|error| naming(path, error))?;
        let form = RecordForm::for_files(Format::Kif, encoding);
        Ok(KifFolder { path: path.to_owned(), form, wording })
    }

    /// Writes the solution of a problem, named by its number, if it has one or is known to have none.
    pub(super) fn write(&self, finding: &Finding) -> Result {
        let Some(record) = record(finding, self.wording) else { return Ok(()) };
        let path = self.path.join(format!("{:05}.{}", finding.number, self.form.extension()));
        self.form.warn_of_unencodable(&record, &Foreign(&path.to_string_lossy()), self.wording.language());
        write_whole(&path, &self.form.bytes(&self.form.text(&record)))
    }
}

/// Whether a file's name is one that a solution may be given.
pub(super) fn is_solution(name: &str) -> bool {
    let number = name.strip_suffix(".kif").or(name.strip_suffix(".kifu"));
    number.is_some_and(|number| number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn record(finding: &Finding, wording: Wording) -> Option<GameRecord> {
    let (moves, ending, remark) = match &finding.result.as_ref()?.outcome {
        MateOutcome::Mate(mate) => {
            let or_less = if mate.is_shortest { "" } else { "以内" };
            (mate.moves.as_slice(), Ending::Mate, format!("{}手詰{or_less}", mate.plies()))
        }
        MateOutcome::NoMate { escape } => (escape.as_slice(), Ending::NoMate, "不詰".to_owned()),
        MateOutcome::NoMateWithin(_) | MateOutcome::Unknown => return None,
    };
    let start = Position::from_sfen(&finding.sfen).ok()?;
    let mut record = GameRecord::new(start.clone());
    record.add_info("作品名", finding.name());
    let comments = &mut record.node_mut(NodeId::ROOT).comments;
    comments.push(remark);
    comments.extend(finding.soundness.iter().flat_map(|found| soundness_lines(&start, found, wording)));
    let mut last = NodeId::ROOT;
    for &mv in moves {
        last = record.append(last, Entry::Move(mv));
    }
    record.append(last, Entry::End(ending));
    Some(record)
}
