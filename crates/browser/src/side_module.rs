//! Loads a standard tree-sitter grammar (`tree-sitter-NAME.wasm`) into this program's own memory and function table.
//!
//! Such a file is a relocatable side module (section `dylink.0`). Its data goes into memory allocated here, its functions into new slots
//! of the program's function table, and it imports the program's libc. From then on the parser calls it like its own functions. It gets a
//! stack of its own, so the program need not export its stack pointer.
//!
//! Convention: <https://github.com/WebAssembly/tool-conventions/blob/main/DynamicLinking.md>

use std::alloc::{Layout, alloc_zeroed};

use js_sys::WebAssembly::{self, Global, Instance, Module, Table};
use js_sys::{Function, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::error::reason_of;
use crate::scanner_libc::address_of;

/// The largest known grammar has 9 MB.
const MAX_FILE_BYTES: usize = 64 << 20;
/// More than any known grammar's tables.
const MAX_MEMORY_BYTES: u32 = 64 << 20;
const MAX_SLOTS: u32 = 100_000;
/// Scanners keep a few buffers of at most a kilobyte on their stack.
const STACK_BYTES: usize = 128 << 10;
const ALIGNMENT: usize = 16;

type Fallible<T> = Result<T, JsValue>;

/// Instantiates a grammar and returns it, or the reason why that fails.
pub(crate) async fn load(bytes: &[u8]) -> Result<tree_sitter::Language, String> {
    instantiate(bytes)
        .await
        .map_err(|thrown| reason_of(&thrown))
}

async fn instantiate(bytes: &[u8]) -> Fallible<tree_sitter::Language> {
    if bytes.len() > MAX_FILE_BYTES {
        return fault(format!("it has {} bytes", bytes.len()));
    }
    let module = JsFuture::from(WebAssembly::compile(&Uint8Array::from(bytes))).await?;
    let module: Module = module.unchecked_into();
    let needs = Needs::read(&module)?;
    let place = Place::reserve(&needs)?;
    let (imports, patches) = place.imports(&module)?;
    let instance = JsFuture::from(WebAssembly::instantiate_module(&module, &imports)).await?;
    let exports = instance.unchecked_into::<Instance>().exports();
    place.lend(needs.n_slots)?;
    for patch in patches {
        patch.apply(&place, &exports)?;
    }
    for start in ["__wasm_apply_data_relocs", "__wasm_call_ctors"] {
        if let Ok(function) = field(&exports, start)?.dyn_into::<Function>() {
            function.call0(&JsValue::UNDEFINED)?;
        }
    }
    language_of(&exports)
}

/// Memory and table slots that the section `dylink.0` asks for.
struct Needs {
    n_bytes: u32,
    /// A power of two.
    alignment: usize,
    n_slots: u32,
}

impl Needs {
    fn read(module: &Module) -> Fallible<Self> {
        const MEMORY: u32 = 1;
        let section = Module::custom_sections(module, "dylink.0").get(0);
        if section.is_undefined() {
            return fault("it is no side module: it has no section dylink.0");
        }
        let bytes = Uint8Array::new(&section).to_vec();
        let mut rest = bytes.as_slice();
        while let (Some(kind), Some(n_bytes)) = (number(&mut rest), number(&mut rest)) {
            let Some((mut part, after)) = rest.split_at_checked(n_bytes as usize) else {
                break;
            };
            if kind != MEMORY {
                rest = after;
                continue;
            }
            let mut next = || number(&mut part);
            let numbers = (next(), next(), next());
            let (Some(n_bytes), Some(exponent), Some(n_slots)) = numbers else {
                break;
            };
            if n_bytes > MAX_MEMORY_BYTES || exponent > 16 || n_slots > MAX_SLOTS {
                return fault("it asks for more memory than any grammar needs");
            }
            let alignment = ALIGNMENT.max(1 << exponent);
            return Ok(Self {
                n_bytes,
                alignment,
                n_slots,
            });
        }
        fault("its section dylink.0 is damaged")
    }
}

/// Reads an unsigned LEB128 number.
fn number(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0_u32;
    for shift in (0..32).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// The part of this program that a grammar gets.
struct Place {
    memory_base: u32,
    stack_top: u32,
    /// The program's function table.
    table: Table,
    /// The grammar's own table: a copy of the program's, so that the scanner finds the functions that it is handed, and nothing that it
    /// writes reaches the program's slots.
    own: Table,
    /// First slot of the grammar's functions, in both tables.
    table_base: u32,
}

impl Place {
    fn reserve(needs: &Needs) -> Fallible<Self> {
        let table: Table = wasm_bindgen::function_table().unchecked_into();
        let table_base = table.length();
        if table.grow(needs.n_slots).is_err() {
            return fault(
                "the program's function table cannot grow; link it with -Clink-arg=--growable-table",
            );
        }
        let descriptor = object([
            ("element", "anyfunc".into()),
            ("initial", (table_base + needs.n_slots).into()),
        ])?;
        let own = Table::new(&descriptor)?;
        for slot in 0..table_base {
            own.set_raw(slot, &table.get_raw(slot)?)?;
        }
        Ok(Self {
            memory_base: allocate(needs.n_bytes as usize, needs.alignment)?,
            stack_top: allocate(STACK_BYTES, ALIGNMENT)? + STACK_BYTES as u32,
            table,
            own,
            table_base,
        })
    }

    /// The import object, and the addresses that are known only once the grammar is instantiated.
    fn imports(&self, module: &Module) -> Fallible<(Object, Vec<Patch>)> {
        let imports = bare_object();
        let mut patches = Vec::new();
        for wanted in Module::imports(module).iter() {
            let [space, name, kind] = ["module", "name", "kind"]
                .map(|part| field(&wanted, part).ok().and_then(|part| part.as_string()))
                .map(Option::unwrap_or_default);
            let is_function = kind == "function";
            let value = match space.as_str() {
                "env" if is_function => self.function(&name)?.into(),
                "env" => self.variable(&name)?,
                "GOT.mem" | "GOT.func" => {
                    let address = global(0, true)?;
                    let is_function = space == "GOT.func";
                    patches.push(Patch {
                        name: name.clone(),
                        is_function,
                        address: address.clone(),
                    });
                    address.into()
                }
                _ => return refused(&space, &name),
            };
            let mut names = field(&imports, &space)?;
            if names.is_undefined() {
                names = bare_object().into();
                Reflect::set(&imports, &space.into(), &names)?;
            }
            Reflect::set(&names, &name.into(), &value)?;
        }
        Ok((imports, patches))
    }

    fn function(&self, name: &str) -> Fallible<Function> {
        match address_of(name) {
            Some(address) => self.table.get(address as u32),
            None => refused("env", name),
        }
    }

    fn variable(&self, name: &str) -> Fallible<JsValue> {
        Ok(match name {
            "memory" => wasm_bindgen::memory(),
            "__indirect_function_table" => self.own.clone().into(),
            "__stack_pointer" => global(self.stack_top, true)?.into(),
            "__memory_base" => global(self.memory_base, false)?.into(),
            "__table_base" => global(self.table_base, false)?.into(),
            _ => return refused("env", name),
        })
    }

    /// Lets the program call the grammar's functions.
    fn lend(&self, n_slots: u32) -> Fallible<()> {
        for slot in self.table_base..self.table_base + n_slots {
            self.table.set_raw(slot, &self.own.get_raw(slot)?)?;
        }
        Ok(())
    }

    /// Puts one more function into both tables; returns its slot.
    fn add(&self, function: &JsValue) -> Fallible<u32> {
        let slot = self.table.grow(1)?;
        let n_lacking = (slot + 1).saturating_sub(self.own.length());
        self.own.grow(n_lacking)?;
        self.table.set_raw(slot, function)?;
        self.own.set_raw(slot, function)?;
        Ok(slot)
    }
}

/// An address in the grammar's global offset table.
struct Patch {
    name: String,
    is_function: bool,
    address: Global,
}

impl Patch {
    fn apply(self, place: &Place, exports: &Object) -> Fallible<()> {
        let own = field(exports, &self.name)?;
        let address = if self.is_function {
            let function = match own.is_undefined() {
                true => place.function(&self.name)?.into(),
                false => own,
            };
            place.add(&function)?
        } else {
            match own.dyn_ref::<Global>() {
                Some(own) => own.value().as_f64().unwrap_or_default() as u32 + place.memory_base,
                None => return refused("GOT.mem", &self.name),
            }
        };
        self.address.set_value(&address.into());
        Ok(())
    }
}

/// Memory for as long as the program runs: a grammar is never unloaded.
fn allocate(n_bytes: usize, alignment: usize) -> Fallible<u32> {
    let layout = Layout::from_size_align(n_bytes.max(1), alignment);
    let layout = layout.map_err(|error| JsValue::from(js_sys::Error::new(&error.to_string())))?;
    // SAFETY: the layout has a size.
    #[expect(unsafe_code, reason = "memory that a grammar gets")]
    let block = unsafe { alloc_zeroed(layout) };
    match block.is_null() {
        true => fault("no memory is left"),
        false => Ok(block.addr() as u32),
    }
}

fn language_of(exports: &Object) -> Fallible<tree_sitter::Language> {
    let names = Object::keys(exports);
    let mut names = names.iter().filter_map(|name| name.as_string());
    let is_language =
        |name: &String| name.starts_with("tree_sitter_") && !name.contains("external_scanner");
    let Some(name) = names.find(is_language) else {
        return fault("it exports no function tree_sitter_…");
    };
    let function: Function = field(exports, &name)?.dyn_into()?;
    let address = function.call0(&JsValue::UNDEFINED)?.as_f64();
    let address = address.unwrap_or_default() as u32 as usize;
    if address == 0 {
        return fault("its function tree_sitter_… returns nothing");
    }
    // SAFETY: the grammar's own function returned the address, and neither its memory nor its slots are ever freed.
    #[expect(unsafe_code, reason = "a grammar's address comes from outside")]
    let language = unsafe { tree_sitter::Language::from_raw(address as *const _) };
    Ok(language)
}

fn global(value: u32, is_mutable: bool) -> Fallible<Global> {
    let descriptor = object([("value", "i32".into()), ("mutable", is_mutable.into())])?;
    Global::new(&descriptor, &value.into())
}

fn object<const N: usize>(fields: [(&str, JsValue); N]) -> Fallible<Object> {
    let object = Object::new();
    for (name, value) in fields {
        Reflect::set(&object, &name.into(), &value)?;
    }
    Ok(object)
}

/// An object without a prototype: names come from the file.
fn bare_object() -> Object {
    Object::create(JsValue::NULL.unchecked_ref::<Object>())
}

fn field(object: &JsValue, name: &str) -> Fallible<JsValue> {
    Reflect::get(object, &name.into())
}

fn fault<T>(message: impl AsRef<str>) -> Fallible<T> {
    Err(js_sys::Error::new(message.as_ref()).into())
}

fn refused<T>(space: &str, name: &str) -> Fallible<T> {
    fault(format!(
        "it needs {space}.{name}, which grammars do not get"
    ))
}
