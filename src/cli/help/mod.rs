//! `--help` and errors of usage, in the language of the reader and as wide as the terminal.
//!
//! The English texts stand with the arguments, from where the manual pages take them too. The Japanese ones are in one
//! table by command and argument, which a test holds complete.

mod japanese;
mod page;
mod usage;

use clap::Command;
use clap::builder::Styles;

use crate::cli::terminal;
use crate::language::Language;
pub(in crate::cli) use usage::report;

/// The command with its subcommands, all of whose texts are in this language.
pub(in crate::cli) fn localized(mut command: Command, language: Language) -> Command {
    command = command.styles(Styles::plain());
    command.build();
    let width = terminal::width().unwrap_or(page::MAX_WIDTH).min(page::MAX_WIDTH);
    with_pages(command, "", language, width)
}

/// `path` is what the command is called behind `kurosabi`: nothing, or `book show`.
fn with_pages(command: Command, path: &str, language: Language, width: usize) -> Command {
    let command = match language {
        Language::English => command,
        Language::Japanese => japanese::translated(command, path),
    };
    let command = command.mut_subcommands(|subcommand| {
        let path = format!("{path} {}", subcommand.get_name());
        with_pages(subcommand, path.trim_start(), language, width)
    });
    let page = page::page(&command, path, language, width);
    command.override_help(page)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use console::measure_text_width;

    use super::*;

    /// The pages of a command and its subcommands.
    fn pages(command: &Command, path: &str, language: Language, width: usize, pages: &mut Vec<String>) {
        pages.push(page::page(command, path, language, width));
        for subcommand in command.get_subcommands() {
            let path = format!("{path} {}", subcommand.get_name());
            self::pages(subcommand, path.trim_start(), language, width, pages);
        }
    }

    #[test]
    fn no_line_of_help_is_wider_than_the_terminal() {
        for language in [Language::English, Language::Japanese] {
            for width in [40, 80, 100, 120] {
                let mut command = crate::cli::Cli::command();
                command.build();
                let mut shown = Vec::new();
                pages(&with_pages(command, "", language, width), "", language, width, &mut shown);
                assert!(shown.len() > 20);
                let wide = shown.iter().flat_map(|page| page.lines()).find(|line| measure_text_width(line) > width);
                assert_eq!(wide, None, "{width} columns");
            }
        }
    }
}
