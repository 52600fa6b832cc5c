//! The chunks nearest to a query, with those that a penalty applies to kept from crowding out the others.

use crate::frozen::ChunkId;
use crate::signs::Signs;
use crate::topk::{BestOfKinds, Kind};
use crate::vectors::{ArchivedVectors, QueryVector};

impl ArchivedVectors {
    /// The `limit` chunks nearest to `vector` that `kind` lets through; where half of them or more have a penalty, as
    /// many without one instead of the rest. With signs, which must be those of these vectors, nearly always the
    /// nearest where there are many.
    pub(crate) fn nearest_uncrowded(
        &self,
        signs: Option<&Signs>,
        vector: &[f32],
        limit: usize,
        kind: Kind<'_>,
    ) -> Vec<(ChunkId, f32)> {
        let Some(query) = self.query(vector) else {
            return Vec::new();
        };
        let mut near = self.approximate(&query, limit);
        near.retain(|&(chunk, _)| kind(chunk).is_some());
        near.truncate(limit);
        let n_lowered = near
            .iter()
            .filter(|near| kind(near.0) == Some(true))
            .count();
        if near.len() == limit && n_lowered * 2 < limit {
            return near;
        }
        self.best_of_kinds(signs, &query, limit, kind)
            .into_uncrowded()
    }

    /// The `limit` chunks of each kind nearest to `vector`, among which are those of
    /// [`ArchivedVectors::nearest_uncrowded`] of several shards together.
    pub(crate) fn nearest_of_kinds(
        &self,
        signs: Option<&Signs>,
        vector: &[f32],
        limit: usize,
        kind: Kind<'_>,
    ) -> Vec<(ChunkId, f32)> {
        let query = self.query(vector);
        let near = query.map(|query| self.best_of_kinds(signs, &query, limit, kind));
        near.map(BestOfKinds::into_sorted).unwrap_or_default()
    }

    fn best_of_kinds<'k>(
        &self,
        signs: Option<&Signs>,
        query: &QueryVector,
        limit: usize,
        kind: Kind<'k>,
    ) -> BestOfKinds<'k> {
        let best = || BestOfKinds::new(limit, kind);
        let signs = signs.and_then(|signs| signs.get(self));
        let near = signs.and_then(|signs| signs.nearest(self, query, limit, best()));
        near.unwrap_or_else(|| self.scan(query, best()))
    }
}
