//! A cache of two generations: what was used in the younger half of the memory stays.

use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

/// Keeps values up to a number of bytes. Eviction follows uses alone, so the same run evicts the same.
pub(crate) struct Cache<K, V> {
    young: FxHashMap<K, Rc<V>>,
    old: FxHashMap<K, Rc<V>>,
    /// Bytes in `young`.
    taken: usize,
    half: usize,
}

impl<K: Hash + Eq + Copy, V: AsRef<[u8]>> Cache<K, V> {
    /// Makes a cache of about `n_bytes`.
    pub fn new(n_bytes: usize) -> Self {
        Self {
            young: FxHashMap::default(),
            old: FxHashMap::default(),
            taken: 0,
            half: n_bytes / 2,
        }
    }

    /// Returns a kept value.
    pub fn get(&mut self, key: K) -> Option<Rc<V>> {
        if let Some(value) = self.young.get(&key) {
            return Some(Rc::clone(value));
        }
        let value = self.old.remove(&key)?;
        self.insert(key, Rc::clone(&value));
        Some(value)
    }

    /// Keeps a value; one of more than a quarter of the memory is not kept.
    pub fn insert(&mut self, key: K, value: Rc<V>) {
        let n_bytes = V::as_ref(&value).len() + 64;
        if n_bytes > self.half / 2 {
            return;
        }
        if self.taken + n_bytes > self.half {
            self.old = std::mem::take(&mut self.young);
            self.taken = 0;
        }
        self.taken += n_bytes;
        if let Some(before) = self.young.insert(key, value) {
            self.taken = self.taken.saturating_sub(V::as_ref(&before).len() + 64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_stays_and_the_rest_goes() {
        let mut cache = Cache::new(4_000);
        for key in 0..100 {
            cache.insert(key, Rc::new(vec![0_u8; 136]));
            assert!(cache.get(0).is_some(), "after {key}");
        }
        assert!(cache.get(50).is_none());
        assert!(cache.get(99).is_some());
        assert!(cache.young.len() + cache.old.len() <= 20);
        cache.insert(1_000, Rc::new(vec![0; 3_000]));
        assert!(cache.get(1_000).is_none());
    }
}
