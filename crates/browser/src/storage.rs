//! Indexes kept in IndexedDB, by name.

use idb::builder::{DatabaseBuilder, ObjectStoreBuilder};
use idb::{Database, TransactionMode};
use js_sys::{Object, Reflect, Uint8Array};
use portolan::Index;
use wasm_bindgen::{JsCast, JsValue};

use crate::Error;

/// Bytes of snapshots, by name.
const BYTES: &str = "snapshots";
/// Entries of the list, by name: read without their snapshots.
const ENTRIES: &str = "entries";
const VERSION: u32 = 1;

/// A database of indexes. Names are the program's: one name, one index.
pub struct Snapshots {
    database: Database,
}

/// An index that is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedSnapshot {
    /// The name that it was saved under.
    pub name: String,
    /// Size in bytes.
    pub n_bytes: u64,
    /// Number of files in the index.
    pub n_files: u32,
    /// When it was saved, in milliseconds since 1970.
    pub saved_at: f64,
}

impl Snapshots {
    /// Opens the database called `name`, or creates it. Pages of one origin share their databases; so do their workers.
    ///
    /// # Errors
    ///
    /// `storage.refused`, for example in a private window.
    pub async fn open(name: &str) -> Result<Self, Error> {
        let builder = DatabaseBuilder::new(name)
            .version(VERSION)
            .add_object_store(ObjectStoreBuilder::new(BYTES))
            .add_object_store(ObjectStoreBuilder::new(ENTRIES));
        let database = builder.build().await?;
        Ok(Self { database })
    }

    /// Saves an index, in place of one of the same name. Either all of it is saved or nothing changes.
    ///
    /// # Errors
    ///
    /// `storage.quota`, `storage.refused`; `snapshot.…` where the index itself cannot be read.
    pub async fn save(&self, name: &str, index: &Index) -> Result<(), Error> {
        let bytes = Uint8Array::from(index.to_bytes()?);
        let entry = SavedSnapshot {
            name: name.to_owned(),
            n_bytes: u64::from(bytes.length()),
            n_files: index.reader().n_files() as u32,
            saved_at: js_sys::Date::now(),
        };
        let key = JsValue::from(name);
        let stores = [BYTES, ENTRIES];
        let transaction = self
            .database
            .transaction(&stores, TransactionMode::ReadWrite)?;
        let written = transaction.object_store(BYTES)?.put(&bytes, Some(&key))?;
        let listed = transaction
            .object_store(ENTRIES)?
            .put(&entry.to_value(), Some(&key))?;
        written.await?;
        listed.await?;
        transaction.commit()?.await?;
        Ok(())
    }

    /// Loads an index.
    ///
    /// # Errors
    ///
    /// `index.not-found`; `snapshot.…` where the kept bytes are damaged or of another version; `storage.refused`.
    pub async fn load(&self, name: &str) -> Result<Index, Error> {
        let transaction = self
            .database
            .transaction(&[BYTES], TransactionMode::ReadOnly)?;
        let request = transaction.object_store(BYTES)?.get(JsValue::from(name))?;
        let bytes = request.await?.ok_or_else(|| Error::NotFound {
            name: name.to_owned(),
        })?;
        // Whatever another program put there is refused by the snapshot's own checks.
        let bytes = Uint8Array::new(&bytes).to_vec();
        Ok(Index::from_bytes(&bytes)?.with_clock(js_sys::Date::now))
    }

    /// Lists the stored indexes, by name, without reading any snapshot.
    ///
    /// # Errors
    ///
    /// `storage.refused`.
    pub async fn list(&self) -> Result<Vec<SavedSnapshot>, Error> {
        let transaction = self
            .database
            .transaction(&[ENTRIES], TransactionMode::ReadOnly)?;
        let entries = transaction.object_store(ENTRIES)?.get_all(None, None)?;
        let entries = entries.await?;
        let mut list: Vec<_> = entries.iter().filter_map(SavedSnapshot::read).collect();
        list.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(list)
    }

    /// Deletes an index. A name that is not kept is no error.
    ///
    /// # Errors
    ///
    /// `storage.refused`.
    pub async fn delete(&self, name: &str) -> Result<(), Error> {
        let stores = [BYTES, ENTRIES];
        let transaction = self
            .database
            .transaction(&stores, TransactionMode::ReadWrite)?;
        let key = JsValue::from(name);
        let removed = transaction.object_store(BYTES)?.delete(key.clone())?;
        let unlisted = transaction.object_store(ENTRIES)?.delete(key)?;
        removed.await?;
        unlisted.await?;
        transaction.commit()?.await?;
        Ok(())
    }
}

impl Drop for Snapshots {
    fn drop(&mut self) {
        self.database.close();
    }
}

impl SavedSnapshot {
    fn to_value(&self) -> JsValue {
        let object = Object::new();
        let fields = [
            ("name", JsValue::from(&self.name)),
            ("bytes", JsValue::from(self.n_bytes as f64)),
            ("files", JsValue::from(self.n_files)),
            ("savedAt", JsValue::from(self.saved_at)),
        ];
        for (field, value) in fields {
            // Setting a field of a new plain object does not fail.
            let _ = Reflect::set(&object, &field.into(), &value);
        }
        object.unchecked_into()
    }

    /// An entry that some other program wrote is passed over.
    fn read(value: &JsValue) -> Option<Self> {
        let field = |name: &str| Reflect::get(value, &name.into()).ok();
        Some(Self {
            name: field("name")?.as_string()?,
            n_bytes: field("bytes")?.as_f64()? as u64,
            n_files: field("files")?.as_f64()? as u32,
            saved_at: field("savedAt")?.as_f64()?,
        })
    }
}
