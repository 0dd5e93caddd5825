//! What a device once did, in Parquet files.
