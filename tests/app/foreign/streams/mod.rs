//! Reports about clients of event streams.

mod anolisa_2209;
mod ax_622;
mod bifrost_6240;
mod rust_eventsource_client_68;
