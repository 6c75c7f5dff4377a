//! Levels against each other and against small players: how strong each is.
//!
//! `cargo run --release --example levels -- --games 200 1:0 2:1 0:greedy 10:n100`
//!
//! A player is a level (`7`), full strength with a number of nodes a move (`n100`), or one of `random` (any move),
//! `greedy` (takes what is free and promotes where it can, else any move) and `mate` (mates in one, else any move).
//! Each opening is played with both colours. A game that is not over after 320 moves goes to who is a rook ahead.
//! `--openings FILE` and `--threads N` as one would think; `--save FOLDER` keeps the games.
//!
//! `cargo run --release --example levels -- --themes FOLDER 0 5 10 15`
//!
//! What share of the moves that alone are good each level finds, by theme, in positions of the games of a folder; and
//! of the mates of `scripts/tactics/suite.sfen`, by length.

use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use kurosabi::bitboard::attacks;
use kurosabi::engine::{Decision, Engine};
use kurosabi::mate::{Attacker, MateLimits, MateSolver, SilentMateObserver};
use kurosabi::movegen::{has_legal_move, legal_moves};
use kurosabi::position::{Position, exchange_value};
use kurosabi::rules::{GameEnd, GameLine, Rules};
use kurosabi::search::{SearchLimits, Signals, SilentObserver};
use kurosabi::types::{Color, Move, Outcome, PieceType, Square};

const MAX_MOVES: u32 = 320;
type Failure = Box<dyn Error + Send + Sync>;

/// Numbers by chance that can be repeated.
struct Dice(u64);

impl Dice {
    fn any(&mut self, position: &Position) -> Move {
        let moves: Vec<Move> = legal_moves(position).into_iter().collect();
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        moves[(self.0 >> 33) as usize % moves.len()]
    }
}

/// What wins most of what is free, if anything is.
fn greedy(position: &Position) -> Option<Move> {
    let gain = |mv: &Move| {
        let victim = position.piece_on(mv.to()).map_or(0, |piece| exchange_value(piece.piece_type()));
        victim + if mv.is_promotion() { 200 } else { 0 }
    };
    let moves = legal_moves(position);
    moves.into_iter().filter(|mv| gain(mv) > 0 && position.see_ge(*mv, 1)).max_by_key(gain)
}

fn mate(position: &Position) -> Option<Move> {
    let moves = legal_moves(position);
    moves.into_iter().find(|&mv| {
        let mut after = position.clone();
        after.do_move(mv);
        after.in_check() && !has_legal_move(&after)
    })
}

enum Player {
    Engine(Box<Engine>, SearchLimits),
    Small(fn(&Position) -> Option<Move>, Dice),
}

impl Player {
    fn new(name: &str) -> Result<Player, Failure> {
        let small = |rule| Ok(Player::Small(rule, Dice(0)));
        match name {
            "random" => return small(|_| None),
            "greedy" => return small(greedy),
            "mate" => return small(mate),
            _ => {}
        }
        let mut engine = Engine::new();
        let mut limits = SearchLimits::default();
        if let Some(nodes) = name.strip_prefix('n') {
            limits.nodes = Some(nodes.parse()?);
        } else {
            engine.set_option("SkillLevel", Some(name))?;
        }
        engine.set_option("USI_Hash", Some("4"))?;
        engine.set_option("USI_OwnBook", Some("false"))?;
        engine.prepare();
        Ok(Player::Engine(Box::new(engine), limits))
    }

    fn begin(&mut self, seed: u64) {
        match self {
            Player::Engine(engine, _) => {
                engine.new_game();
                engine.set_seed(seed);
            }
            Player::Small(_, dice) => *dice = Dice(seed),
        }
    }

    fn play(&mut self, line: &GameLine, position: &Position) -> Decision {
        match self {
            Player::Engine(engine, limits) => {
                engine.set_line(line);
                engine.go(limits, &Signals::new(), &SilentObserver).decision
            }
            Player::Small(rule, dice) => {
                Decision::Play { best: rule(position).unwrap_or_else(|| dice.any(position)), ponder: None }
            }
        }
    }
}

/// Who is ahead by a rook at least.
fn leader(position: &Position) -> Option<Color> {
    let worth = |color| {
        let on_board = PieceType::ALL.iter().filter(|&&piece| piece != PieceType::King);
        let on_board = on_board.map(|&piece| position.pieces_of(color, piece).count() as i32 * exchange_value(piece));
        on_board.sum::<i32>() + position.hand(color).iter().map(|(t, n)| exchange_value(t) * n as i32).sum::<i32>()
    };
    let lead = worth(Color::Black) - worth(Color::White);
    (lead.abs() >= exchange_value(PieceType::Rook)).then_some(if lead > 0 { Color::Black } else { Color::White })
}

/// Plays a game; returns its moves and its winner.
fn play(players: [&mut Player; 2], opening: &GameLine) -> Result<(GameLine, Option<Color>), Failure> {
    let mut line = opening.clone();
    loop {
        let position = line.end();
        let us = position.side_to_move();
        match GameEnd::from_position(&position, &Rules::default()) {
            Some(GameEnd::Declaration(..)) | None => {}
            Some(end) => return Ok((line, end.winner())),
        }
        if position.game_ply() > MAX_MOVES {
            return Ok((line, leader(&position)));
        }
        match players[us.index()].play(&line, &position) {
            Decision::Play { best, .. } if position.is_legal(best) => {
                line = GameLine::new(line.start(), line.moves().iter().copied().chain([best]));
            }
            Decision::Play { best, .. } => return Err(format!("{best} is illegal in {}", position.to_sfen()).into()),
            Decision::DeclareWin => return Ok((line, Some(us))),
            Decision::DeclareDraw => return Ok((line, None)),
            Decision::Resign => return Ok((line, Some(!us))),
        }
    }
}

struct Settings {
    games: usize,
    threads: usize,
    save: Option<String>,
    openings: Vec<GameLine>,
}

/// The points of each pair of games, from 0 to 1 for the first player.
fn points(first: &str, second: &str, settings: &Settings) -> Result<Vec<f64>, Failure> {
    let next = AtomicUsize::new(0);
    let points = Mutex::new(vec![0.0; settings.games / 2]);
    let work = || -> Result<(), Failure> {
        let (mut a, mut b) = (Player::new(first)?, Player::new(second)?);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let pair = number / 2;
            if pair >= settings.games / 2 {
                return Ok(());
            }
            a.begin(pair as u64 * 2);
            b.begin(pair as u64 * 2 + 1);
            let us = if number.is_multiple_of(2) { Color::Black } else { Color::White };
            let players = if us == Color::Black { [&mut a, &mut b] } else { [&mut b, &mut a] };
            let (line, winner) = play(players, &settings.openings[pair % settings.openings.len()])?;
            if let Some(folder) = &settings.save {
                fs::write(format!("{folder}/{first}-{second}-{number}.usi"), format!("{line}\n"))?;
            }
            let won = winner.map_or(0.5, |winner| if winner == us { 1.0 } else { 0.0 });
            points.lock().unwrap()[pair] += won / 2.0;
        }
    };
    thread::scope(|scope| -> Result<(), Failure> {
        let workers: Vec<_> = (0..settings.threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap())
    })?;
    Ok(points.into_inner().unwrap())
}

/// A position with one good move, or a mate.
struct Problem {
    theme: String,
    line: GameLine,
    best: Option<Move>,
}

/// Problems of each theme from games, one of a game at most.
const PROBLEMS: usize = 60;
/// Games that are looked through.
const GAMES: usize = 400;
/// By how many centipawns the best move is better than all others.
const GAP: i32 = 300;

fn problems_of_games(folder: &str) -> Result<Vec<Problem>, Failure> {
    let mut files: Vec<_> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, Failure>>()?;
    files.sort();
    let Player::Engine(mut full, limits) = Player::new("n20000")? else { unreachable!() };
    full.set_option("MultiPV", Some("2"))?;
    let mut problems: Vec<Problem> = Vec::new();
    for file in files.into_iter().take(GAMES) {
        let game = GameLine::read_text(&fs::read_to_string(file)?)?.0;
        for made in (20..game.moves().len()).step_by(6) {
            let line = game.up_to(made);
            full.new_game();
            full.set_line(&line);
            let answer = full.go(&limits, &Signals::new(), &SilentObserver);
            let [best, second] = &answer.lines[..] else { continue };
            let (Outcome::Centipawns(best_score), Outcome::Centipawns(score)) =
                (best.score.outcome(), second.score.outcome())
            else {
                continue;
            };
            if best_score - score < GAP || score.abs() > 1500 {
                continue;
            }
            let last = line.moves().last().map(|mv| mv.to());
            let Some(theme) = theme(&line.end(), best.pv[0], last) else { continue };
            if problems.iter().filter(|problem| problem.theme == theme).count() < PROBLEMS {
                problems.push(Problem { theme: theme.to_owned(), line, best: Some(best.pv[0]) });
                break;
            }
        }
    }
    Ok(problems)
}

fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file().index() as i32 - b.file().index() as i32).abs();
    files.max((a.rank().index() as i32 - b.rank().index() as i32).abs())
}

/// What has to be seen to find a move; none where it is no clear case.
fn theme(position: &Position, mv: Move, last: Option<Square>) -> Option<&'static str> {
    let us = position.side_to_move();
    if last == Some(mv.to()) || position.in_check() {
        return None;
    }
    if position.piece_on(mv.to()).is_some() {
        let is_far = mv.from().is_some_and(|from| distance(from, mv.to()) >= 4);
        return position.see_ge(mv, exchange_value(PieceType::Lance)).then_some(if is_far {
            "capture from afar"
        } else {
            "hanging piece"
        });
    }
    let mut after = position.clone();
    after.do_move(mv);
    let moved = after.piece_on(mv.to())?;
    let attacked = attacks(moved, mv.to(), after.occupied());
    let worth = |square| after.piece_on(square).filter(|piece| piece.color() != us).map(|piece| piece.piece_type());
    let targets = attacked.into_iter().filter_map(worth);
    let targets = targets.filter(|&it| it == PieceType::King || exchange_value(it) > exchange_value(PieceType::Silver));
    match targets.count() {
        2.. => Some("fork"),
        _ if mv.from().is_none() => Some("drop"),
        _ => None,
    }
}

fn mates() -> Result<Vec<Problem>, Failure> {
    let (mut theme, mut problems) = (String::new(), Vec::new());
    for line in fs::read_to_string("scripts/tactics/suite.sfen")?.lines() {
        match line.strip_prefix("# ") {
            Some(heading) if heading.starts_with("mate ") => theme = heading.to_owned(),
            Some(_) => {}
            None => problems.push(Problem { theme: theme.clone(), line: GameLine::new(line.parse()?, []), best: None }),
        }
    }
    Ok(problems)
}

/// Whether a move solves a problem: the good move, or one that keeps a mate.
fn is_solved(problem: &Problem, mv: Move) -> Result<bool, Failure> {
    if let Some(best) = problem.best {
        return Ok(mv == best);
    }
    let mut after = problem.line.end();
    after.do_move(mv);
    let limits = MateLimits { nodes: Some(100_000), ..MateLimits::default() };
    let is_check = after.in_check();
    Ok(is_check
        && (!has_legal_move(&after)
            || MateSolver::new(16).solve(&after, Attacker::Opponent, &limits, &SilentMateObserver)?.mate().is_some()))
}

fn print_themes(folder: &str, levels: &[String]) -> Result<(), Failure> {
    let mut problems = mates()?;
    problems.extend(problems_of_games(folder)?);
    let mut themes: Vec<&str> = Vec::new();
    problems.iter().for_each(|it| {
        if !themes.contains(&&*it.theme) {
            themes.push(&it.theme)
        }
    });
    println!("{:<20}{:>5}{}", "theme", "all", levels.iter().map(|level| format!("{level:>7}")).collect::<String>());
    let mut shares = vec![String::new(); themes.len()];
    for level in levels {
        let mut player = Player::new(level)?;
        for (row, theme) in shares.iter_mut().zip(&themes) {
            let (mut solved, mut all) = (0, 0);
            for (seed, problem) in problems.iter().enumerate().filter(|(_, problem)| problem.theme == *theme) {
                player.begin(seed as u64);
                let decision = player.play(&problem.line, &problem.line.end());
                all += 1;
                solved += i32::from(matches!(decision, Decision::Play { best, .. } if is_solved(problem, best)?));
            }
            *row += &format!("{:>6.0}%", 100.0 * f64::from(solved) / f64::from(all.max(1)));
        }
    }
    for (theme, row) in themes.iter().zip(shares) {
        let count = problems.iter().filter(|problem| problem.theme == *theme).count();
        println!("{theme:<20}{count:>5}{row}");
    }
    Ok(())
}

fn elo(share: f64) -> f64 {
    -400.0 * (1.0 / share.clamp(0.001, 0.999) - 1.0).log10()
}

fn main() -> Result<(), Failure> {
    let mut openings = "scripts/openings/balanced.sfen".to_owned();
    let mut settings = Settings { games: 200, threads: 1, save: None, openings: Vec::new() };
    let (mut pairs, mut themes) = (Vec::new(), None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or("a value is missing");
        match argument.as_str() {
            "--games" => settings.games = value()?.parse()?,
            "--threads" => settings.threads = value()?.parse()?,
            "--openings" => openings = value()?,
            "--themes" => themes = Some(value()?),
            "--save" => settings.save = Some(value()?),
            _ => pairs.push(argument),
        }
    }
    if let Some(folder) = themes {
        return print_themes(&folder, &pairs);
    }
    let text = fs::read_to_string(openings)?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    settings.openings = lines.map(|line| Ok(GameLine::read_text(line)?.0)).collect::<Result<_, Failure>>()?;
    println!("players        points    Elo");
    for pair in &pairs {
        let (first, second) = pair.split_once(':').ok_or("a pair of players is A:B")?;
        let points = points(first, second, &settings)?;
        let count = points.len() as f64;
        let share = points.iter().sum::<f64>() / count;
        let variance = points.iter().map(|points| (points - share).powi(2)).sum::<f64>() / (count - 1.0);
        let error = 1.96 * (variance / count).sqrt();
        let margin = (elo(share + error) - elo(share - error)) / 2.0;
        println!("{pair:<14} {:5.1}%  {:+5.0} ± {margin:.0}", share * 100.0, elo(share));
    }
    Ok(())
}
