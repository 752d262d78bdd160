//! Reports about clients of event streams.

mod anolisa_2209;
mod ax_622;
mod bifrost_6240;
mod open_metadata_29531;
mod reactphp_eventsource_2;
mod rust_eventsource_client_68;
mod spring_framework_37193;
