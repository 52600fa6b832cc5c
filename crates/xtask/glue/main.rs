//! wasm-bindgen's glue for a first look, by its own library and without the rest of its command line, which brings an HTTP
//! client and a web server. `wasm-bindgen --target web --out-dir DIR --out-name NAME FILE`

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|arg| arg == "--version") {
        println!("wasm-bindgen {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    match generate(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn generate(args: &[String]) -> Result<(), String> {
    let value = |name: &str| {
        let place = args.iter().position(|arg| arg == name)?;
        args.get(place + 1)
    };
    let dir = value("--out-dir").ok_or("--out-dir is missing")?;
    let name = value("--out-name").ok_or("--out-name is missing")?;
    let input = args.last().ok_or("no file is named")?;
    let mut bindgen = Bindgen::new();
    let bindgen = bindgen.input_path(input).out_name(name).typescript(true);
    let bindgen = bindgen.omit_default_module_path(true).web(true);
    let made = bindgen.and_then(|bindgen| bindgen.generate(dir));
    made.map_err(|why| format!("{why:?}"))
}
