//! Beckon is killed, the power is cut, the disk or the database is not well.

mod crashing;
mod database;
mod days;
mod left_out;
mod power_cuts;
mod saving;
