//! The census kernel: classes, ranking, shard plan, evaluation, tallies, block codec.
