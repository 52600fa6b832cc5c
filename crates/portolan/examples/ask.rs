//! Indexes a folder and answers a question: `cargo run -p portolan --example ask -- PATH "where is the tax added"`.

#![expect(clippy::print_stdout, reason = "the answer goes to standard output")]

use std::process::ExitCode;

use portolan::{Error, Index, IndexOptions};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(question)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: ask PATH \"QUESTION\"");
        return ExitCode::FAILURE;
    };
    match answer(&folder, &question) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}\n{}", error.code(), error.help());
            ExitCode::FAILURE
        }
    }
}

fn answer(folder: &str, question: &str) -> Result<String, Error> {
    let index = Index::from_folder(folder, &IndexOptions::default())?;
    let hits = index.search(question, 5)?;
    let mut text = format!("{} files read\n", index.reader().n_files());
    for hit in hits {
        let symbol = hit.symbol.unwrap_or_default();
        text += &format!("{}:{}  {symbol}\n", hit.path, hit.start_line);
    }
    Ok(text)
}
