//! Which positions are trained on.

use kurosabi::datagen::{Game, GameReader, GameWriter, RecordHeader};
use kurosabi::train::{Dataset, Features, Filters, GameFile, GameStore, Validation};

use super::common::{ALL, Folder, play};

#[test]
fn a_dataset_filters_and_splits_its_games() {
    let folder = Folder::new("filters");
    let file = play(&folder, "30");
    let load = |text: &str, filters: Filters, validation: f64| {
        let source: GameFile = text.parse().unwrap();
        Dataset::load(&[source], &filters, 0.0, &Validation::Share(validation)).unwrap()
    };
    let samples = |dataset: &Dataset| dataset.training.samples(&Features::new());
    let whole = load(&file, ALL, 0.0);
    let positions = whole.training.positions;
    assert_eq!((samples(&whole).len() as u64, whole.validation.positions), (positions, 0));
    let quiet = load(&file, Filters::default(), 0.0);
    assert!(quiet.training.positions < positions && quiet.training.games() == whole.training.games());
    assert!(samples(&quiet).iter().all(|sample| sample.score.abs() <= 3000));
    let split = load(&file, ALL, 0.3);
    assert_eq!(split.training.positions + split.validation.positions, positions);
    assert!((1..split.training.positions).contains(&split.validation.positions));
    let half = load(&format!("{file}:0.5"), ALL, 0.0).training.positions;
    assert!(half > positions / 5 && half < positions * 4 / 5);

    // Later searches change the scores of what is trained on, and only of that.
    let source = || [file.parse::<GameFile>().unwrap()];
    let smooth = Dataset::load(&source(), &ALL, 0.5, &Validation::Share(0.3)).unwrap();
    assert_ne!(samples(&smooth), samples(&split));
    assert_eq!(smooth.training.games(), split.training.games());
    let measured = |dataset: &Dataset| dataset.validation.samples(&Features::new());
    assert_eq!(measured(&smooth), measured(&split));
}

/// What is measured with follows from the games: the same ones in any file and order.
#[test]
fn no_game_is_in_both_training_and_validation() {
    let folder = Folder::new("validation");
    let file = play(&folder, "30");
    let shuffled = folder.path("shuffled");
    let mut games: Vec<Game> = GameReader::open(&file).unwrap().map(Result::unwrap).collect();
    games.reverse();
    let mut writer = GameWriter::create(&shuffled, &RecordHeader::new("a test")).unwrap();
    games.iter().for_each(|game| writer.write(game).unwrap());
    writer.flush().unwrap();
    let load = |sources: &[&str], validation: Validation| {
        let sources: Vec<GameFile> = sources.iter().map(|source| source.parse().unwrap()).collect();
        let dataset = Dataset::load(&sources, &Filters::default(), 0.0, &validation).unwrap();
        let sorted = |games: &GameStore| {
            let samples = games.samples(&Features::new());
            let mut texts: Vec<String> = samples.iter().map(|sample| format!("{sample:?}")).collect();
            texts.sort();
            texts
        };
        [sorted(&dataset.training), sorted(&dataset.validation)]
    };
    let [training, validation] = load(&[&file], Validation::Share(0.2));
    assert!(!validation.is_empty() && validation.len() < training.len());
    assert_eq!(load(&[&shuffled], Validation::Share(0.2)), [training.clone(), validation.clone()]);
    // With some games of a file to measure with, the others are trained on.
    let part = format!("{shuffled}:0.4").parse::<Validation>().unwrap();
    let [rest, measured] = load(&[&file], part.clone());
    assert!(!measured.is_empty() && !rest.is_empty());
    assert_eq!(rest.len() + measured.len(), training.len() + validation.len());
    assert_eq!(load(&[&file, &shuffled], part)[1], measured);
}
