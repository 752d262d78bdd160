//! Reports about what connects a coding agent and its human: hooks, forms, interrupts, settings.

mod gsd_core_976;
mod inspector_3228;
mod langgraph_8693;
