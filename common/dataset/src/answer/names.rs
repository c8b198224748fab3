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

    /// The same, with an arena of about `bytes` when it is full.
    pub(crate) fn within(max_text: Option<usize>, bytes: u64) -> Self {
        Self {
            texts: Texts::within(max_text, bytes),
            ..Self::new(max_text)
        }
    }

    /// The forms that texts are made of.
    pub(crate) fn forms(&mut self) -> &mut Texts {
        &mut self.texts
    }

    /// Whether the text of a value is kept.
    pub(crate) fn knows(&self, id: ValueId) -> bool {
        self.known.contains_key(&id)
    }

    /// Makes the texts of `ids` known. Ids that are not stored must be negatives known to the catalogue.
    pub(crate) fn load(
        &mut self,
        reader: &Reader<'_>,
        catalogue: &Catalogue,
        ids: impl IntoIterator<Item = ValueId>,
    ) -> Result<()> {
        let named = |id| (id, Named::of(catalogue, id));
        self.load_named(reader, ids.into_iter().map(named))
    }

    /// The same, of values whose stored forms are known.
    pub(crate) fn load_named(
        &mut self,
        reader: &Reader<'_>,
        values: impl IntoIterator<Item = (ValueId, Named)>,
    ) -> Result<()> {
        let values: Vec<_> = values.into_iter().collect();
        if self.bytes > CACHE_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        let mut new: Vec<_> = values
            .into_iter()
            .filter(|(id, _)| !self.known.contains_key(id))
            .collect();
        new.sort_unstable_by_key(|(id, _)| *id);
        new.dedup_by_key(|(id, _)| *id);
        let named: Vec<Named> = new.iter().map(|&(_, named)| named).collect();
        self.texts
            .load(reader, named.iter().map(|named| named.stored))?;
        for ((id, _), text) in new.into_iter().zip(self.texts.texts(&named)?) {
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
