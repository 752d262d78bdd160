//! Reports of notification daemons that do not keep to the specification, and of what reaches them.

mod budgie_desktop_118;
mod pithos_541;
mod tiramisu_51;
mod woof_ce_4072;
mod zbus_128;
