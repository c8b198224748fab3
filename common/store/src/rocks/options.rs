//! Settings, with their reasons.
//!
//! - No compression in RocksDB: rows are packed by our own codecs, and ids are hashes.
//! - Memory is bounded: memtables by `write_buffer_bytes` over all column families, everything read from files by one
//!   cache, which holds indices too.
//! - `ids`, `values`, `tallies` and `blocks` have few and long rows (8 kB to 1 MB) that arrive in key order, or nearly:
//!   files do not overlap, so levelled compaction moves most of them without rewriting, blocks of 64 kB cost one index
//!   entry for several rows, and a row is read once in a while and then whole.
//! - No bloom filters: whether a value is stored is asked of the numbers in memory, never of a file.

use rocksdb::{BlockBasedOptions, Cache, DBCompressionType, DBRecoveryMode, LogLevel, Options};

use crate::open::OpenOptions;

/// The column families.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    Meta,
    Runs,
    Shards,
    Tallies,
    Blocks,
    Ids,
    Values,
    Events,
    Quarantine,
    Surveys,
    Cells,
}

impl Column {
    pub(crate) const ALL: [Self; 11] = [
        Self::Meta,
        Self::Runs,
        Self::Shards,
        Self::Tallies,
        Self::Blocks,
        Self::Ids,
        Self::Values,
        Self::Events,
        Self::Quarantine,
        Self::Surveys,
        Self::Cells,
    ];

    /// Whether a store of this format may lack it: it came after the format, and a missing one is an empty one. Whoever
    /// opens the store for writing adds it.
    pub(crate) fn is_later(self) -> bool {
        matches!(self, Self::Surveys | Self::Cells)
    }

    /// The name on disk.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Runs => "runs",
            Self::Shards => "shards",
            Self::Tallies => "tallies",
            Self::Blocks => "blocks",
            Self::Ids => "ids",
            Self::Values => "values",
            Self::Events => "events",
            Self::Quarantine => "quarantine",
            Self::Surveys => "surveys",
            Self::Cells => "cells",
        }
    }
}

const MIB: u64 = 1 << 20;

/// Settings of the database as a whole.
pub(crate) fn database(options: &OpenOptions, create: bool) -> Options {
    let mut settings = Options::default();
    settings.create_if_missing(create);
    // A process killed while it made the store leaves some of them out.
    settings.create_missing_column_families(true);
    settings.set_error_if_exists(false);
    settings.set_paranoid_checks(true);
    settings.set_db_write_buffer_size(write_buffer(options) as usize);
    // Bounds the replay after a crash; a quiet column family would otherwise keep old logs alive.
    settings.set_max_total_wal_size(2 * write_buffer(options));
    // A torn tail is dropped; everything before it, and so every synced commit, is kept.
    settings.set_wal_recovery_mode(DBRecoveryMode::PointInTime);
    settings.set_max_open_files(options.max_open_files.clamp(32, 1 << 20).cast_signed());
    settings.set_max_background_jobs(options.background_threads.clamp(2, 64).cast_signed());
    // Lets the disk work all the time, so that the sync of a commit finds little left to do.
    settings.set_bytes_per_sync(MIB);
    settings.set_wal_bytes_per_sync(MIB);
    settings.set_log_level(LogLevel::Warn);
    settings.set_keep_log_file_num(4);
    settings.set_max_log_file_size(4 << 20);
    settings.set_stats_dump_period_sec(0);
    settings.set_stats_persist_period_sec(0);
    settings.set_compression_type(DBCompressionType::None);
    settings
}

/// The cache that all column families share.
pub(crate) fn cache(options: &OpenOptions) -> Cache {
    Cache::new_lru_cache(options.cache_bytes.max(8 * MIB) as usize)
}

/// Settings of one column family.
pub(crate) fn column(column: Column, options: &OpenOptions, cache: &Cache) -> Options {
    let total = write_buffer(options);
    let mut settings = Options::default();
    settings.set_compression_type(DBCompressionType::None);
    let mut table = BlockBasedOptions::default();
    table.set_block_cache(cache);
    table.set_cache_index_and_filter_blocks(true);
    table.set_cache_index_and_filter_blocks_with_high_priority(true);
    table.set_pin_l0_filter_and_index_blocks_in_cache(true);
    match column {
        Column::Blocks | Column::Tallies | Column::Ids | Column::Values => {
            table.set_block_size(64 << 10);
            settings.set_write_buffer_size((total / 8) as usize);
            settings.set_max_write_buffer_number(3);
            settings.set_target_file_size_base(256 * MIB);
            settings.set_max_bytes_for_level_base(1024 * MIB);
        }
        _ => {
            settings.set_write_buffer_size((4 * MIB) as usize);
            settings.set_max_write_buffer_number(2);
        }
    }
    settings.set_block_based_table_factory(&table);
    settings
}

fn write_buffer(options: &OpenOptions) -> u64 {
    options.write_buffer_bytes.max(16 * MIB)
}
