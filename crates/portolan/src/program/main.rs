//! `portolan`, the native program: indexes a folder with all cores and answers every tool on the command line. It makes the same files
//! as the npm package, which uses it where it is there.

mod allocator;
mod arguments;
mod index;
mod job;
mod own_index;
mod place;
mod question;
mod sharded;
mod tools;
mod user_folder;

use std::io::Write;
use std::process::ExitCode;

use crate::arguments::{Command, Failure};

const HELP: &str = "\
portolan: find, callers, impact and search in a repository, on this machine

  portolan index [FOLDER]         index a folder (default: this one)
  portolan TOOL [WORDS] [--…]     ask the index; the answer is JSON
  portolan TOOL --help            arguments of a tool
  portolan tools                  list the tools
  portolan --version

index
  -o, --output FILE               where to write (default FOLDER/.portolan/index.portolan)
      --full                      index every file again
      --no-embeddings             no vectors: words, names and graph only
      --threads N                 default: one for each core
      --shards N                  about N snapshots with a root, three in memory at a time
      --memory-budget MB          as many shards as this memory needs
      --name NAME, --include PATH, --exclude PATTERN, --only-language L, --max-file-bytes N, --max-files N

tools
  -i, --index FILE                the index (default: of this folder or one above)
";

fn main() -> ExitCode {
    allocator::give_back_soon();
    let code = match run() {
        Ok(text) => match std::io::stdout().write_all(text.as_bytes()) {
            // A reader that has enough closes its end.
            Ok(()) | Err(_) => 0,
        },
        Err(failure) => failure.tell(),
    };
    // Nobody needs the memory back.
    std::process::exit(code)
}

fn run() -> Result<String, Failure> {
    let command = Command::read(std::env::args_os())?;
    match command.name.as_str() {
        "" | "help" => Ok(HELP.to_owned()),
        "version" => Ok(format!("{}\n", env!("CARGO_PKG_VERSION"))),
        "index" => index::index(&command),
        "job" => job::job(),
        "tools" => Ok(tools::list()),
        name => match tools::named(name) {
            Some(tool) if command.wants_help => Ok(tools::help(&tool)),
            Some(tool) => question::ask(&tool, &command),
            None => Err(Failure::usage(format!("there is no command \"{name}\""))),
        },
    }
}
