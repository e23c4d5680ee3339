//! Passes the arguments that macOS needs to link a module of Python.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
