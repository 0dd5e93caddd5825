"""Holds what pandas, Polars and DuckDB make of a trace against what `assay trace info` says of it."""

import json
import sys

import duckdb
import pandas
import polars
import pyarrow.parquet


def by_pandas(path):
    table = pandas.read_parquet(path)
    inputs, outputs = table["inputs"].explode(), table["outputs"].explode()
    # pandas turns a list with a null to floats, which hold 32 bits exactly; the sum must not be one.
    whole = [sum(int(value) for value in column.dropna()) for column in (inputs, outputs)]
    counts = [int(column.count()) for column in (inputs, outputs)]
    return [len(table), counts[0], whole[0], counts[1], whole[1], int(table["event"].count()), int(table["ptx"].count())]


def by_polars(path):
    table = polars.read_parquet(path)
    row = [table.height]
    for name in ("inputs", "outputs"):
        column = table[name].explode().drop_nulls().cast(polars.UInt64)
        row += [len(column), int(column.sum())]
    return row + [table["event"].count(), table["ptx"].count()]


def by_duckdb(path):
    lists = lambda name: f"(select count(x), sum(x)::hugeint from (select unnest({name}) as x from t))"
    duckdb.sql(f"create or replace view t as select * from read_parquet('{path}')")
    rows, events, ptx = duckdb.sql("select count(*), count(event), count(ptx) from t").fetchall()[0]
    sums = [duckdb.sql(f"select * from {lists(name)}").fetchall()[0] for name in ("inputs", "outputs")]
    return [rows, *map(int, sums[0]), *map(int, sums[1]), events, ptx]


def main(path, info, again):
    with open(info) as file:
        trace = json.load(file)["traces"][0]
    said = [trace["header"]["cases"]]
    for name in ("inputs", "outputs"):
        said += [trace[name]["values"], trace[name]["sum"]]
    said += [trace["events"], trace["with_ptx"]]
    for read in (by_pandas, by_polars, by_duckdb):
        found = read(path)
        if found != said:
            sys.exit(f"{read.__name__} reads {found}, assay {said}")
    table = pyarrow.parquet.read_table(path)
    pyarrow.parquet.write_table(table, again, compression="snappy", row_group_size=100_000)


main(*sys.argv[1:])
