//! The texts of many values, a few at a time.

use rustc_hash::FxHashMap;
use toads_game::ValueId;

use crate::error::Result;
use crate::read::{Catalogue, Named, Reader, Texts};

/// Bytes of text kept.
const CACHE_BYTES: usize = 256 << 20;

/// Texts by id; built when asked for and kept up to a limit.
pub(crate) struct Names {
    texts: Texts,
    known: FxHashMap<ValueId, String>,
    bytes: usize,
}

impl Names {
    /// None yet; texts of at most `max_text` characters.
    pub(crate) fn new(max_text: Option<usize>) -> Self {
        Self {
            texts: Texts::new(max_text),
            known: FxHashMap::default(),
            bytes: 0,
        }
    }

    /// Makes the texts of `ids` known. Ids that are not stored must be negatives known to the catalogue.
    pub(crate) fn load(
        &mut self,
        reader: &Reader<'_>,
        catalogue: &Catalogue,
        ids: impl IntoIterator<Item = ValueId>,
    ) -> Result<()> {
        let ids: Vec<ValueId> = ids.into_iter().collect();
        if self.bytes > CACHE_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        let mut new: Vec<ValueId> = ids
            .into_iter()
            .filter(|id| !self.known.contains_key(id))
            .collect();
        new.sort_unstable();
        new.dedup();
        let named: Vec<Named> = new.iter().map(|&id| Named::of(catalogue, id)).collect();
        self.texts
            .load(reader, named.iter().map(|named| named.stored))?;
        for (id, text) in new.into_iter().zip(self.texts.texts(&named)?) {
            self.bytes += text.len() + 64;
            self.known.insert(id, text);
        }
        Ok(())
    }

    /// The text of a value that was in the last [`Self::load`].
    pub(crate) fn text(&self, id: ValueId) -> &str {
        &self.known[&id]
    }
}
