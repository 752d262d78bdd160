//! Tests in which Beckon is killed, the power is cut, or the disk or the database is damaged.

mod crashing;
mod database;
mod days;
mod left_out;
mod power_cuts;
mod saving;
mod saving_words;
