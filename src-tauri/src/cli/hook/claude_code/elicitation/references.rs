//! The parts of a schema that stand elsewhere in it, put where they are meant. The specification
//! wants every field whole, but schemas are made by libraries, and these name what they use twice
//! (<https://github.com/modelcontextprotocol/inspector/pull/902>).
//!
//! Not here: what a field means.

use serde_json::Value;

/// The most references that lead from one to the next, and levels of a field. A field has two.
const DEEPEST: usize = 8;
/// The places in a field where other schemas stand.
const INNER: [&str; 3] = ["items", "anyOf", "oneOf"];

/// Returns a field's schema with what it refers to in the whole; `None` if that isn't there.
pub(super) fn resolved(schema: &Value, whole: &Value) -> Option<Value> {
    resolved_within(schema, whole, DEEPEST)
}

fn resolved_within(schema: &Value, whole: &Value, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    let mut schema = match base_of(schema, whole) {
        Base::Itself => schema.clone(),
        Base::Nowhere => return None,
        Base::Elsewhere(base) => overlaid(resolved_within(base, whole, depth)?, schema),
    };
    for key in INNER {
        if let Some(inner) = schema.get_mut(key) {
            resolve_inner(inner, whole, depth)?;
        }
    }
    Some(schema)
}

fn resolve_inner(inner: &mut Value, whole: &Value, depth: usize) -> Option<()> {
    match inner {
        Value::Array(schemas) => {
            for schema in schemas {
                *schema = resolved_within(schema, whole, depth)?;
            }
        }
        schema => *schema = resolved_within(schema, whole, depth)?,
    }
    Some(())
}

/// Where most of a schema stands.
enum Base<'a> {
    Itself,
    Elsewhere(&'a Value),
    Nowhere,
}

fn base_of<'a>(schema: &'a Value, whole: &'a Value) -> Base<'a> {
    if let Some(reference) = schema.get("$ref") {
        let pointer = reference.as_str().and_then(|it| it.strip_prefix('#'));
        let target = pointer.and_then(|pointer| whole.pointer(pointer));
        return target.map_or(Base::Nowhere, Base::Elsewhere);
    }
    // A reference could have nothing beside it before draft 2019-09, so it was wrapped.
    match schema
        .get("allOf")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
    {
        Some([only]) => Base::Elsewhere(only),
        _ => Base::Itself,
    }
}

/// Lays what a schema says itself over what it refers to.
fn overlaid(mut base: Value, own: &Value) -> Value {
    let fields = own.as_object().into_iter().flatten();
    for (key, value) in fields.filter(|(key, _)| !["$ref", "allOf"].contains(&key.as_str())) {
        base[key] = value.clone();
    }
    base
}
