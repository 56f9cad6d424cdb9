//! A small validator of JSON Schema: what the published schemas use of it.
//! Also the command line's tests use it, on real output.

use serde_json::Value as Json;

/// What is wrong with a value; fields that the schema does not name are wrong
/// here, although readers have to accept them.
pub fn faults(schema: &Json, root: &Json, value: &Json, at: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.strip_prefix("#/$defs/").unwrap();
        return faults(&root["$defs"][name], root, value, at);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let fits = choices.iter().any(|choice| faults(choice, root, value, at).is_empty());
        return if fits { vec![] } else { vec![format!("{at}: none of the choices")] };
    }
    let mut found = Vec::new();
    if schema.get("const").is_some_and(|only| only != value) {
        found.push(format!("{at}: not {}", schema["const"]));
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        found.push(format!("{at}: {value} is none of {}", schema["enum"]));
    }
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let is = |allowed: &Json| allowed == kind || (allowed == "number" && kind == "integer");
    match &schema["type"] {
        Json::Null => {}
        Json::Array(allowed) if allowed.iter().any(is) => {}
        allowed if is(allowed) => {}
        allowed => found.push(format!("{at}: {kind}, not {allowed}")),
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_f64(), value.as_f64())
        && number < least
    {
        found.push(format!("{at}: {number} is below {least}"));
    }
    for (place, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(faults(&schema["items"], root, item, &format!("{at}[{place}]")));
    }
    let Some(fields) = value.as_object() else { return found };
    for name in schema["required"].as_array().into_iter().flatten() {
        if !fields.contains_key(name.as_str().unwrap()) {
            found.push(format!("{at}: {name} is missing"));
        }
    }
    for (name, field) in fields {
        let at = format!("{at}.{name}");
        match (schema["properties"].get(name), schema.get("additionalProperties")) {
            (Some(schema), _) | (None, Some(schema)) => {
                found.extend(faults(schema, root, field, &at));
            }
            (None, None) => found.push(format!("{at}: not in the schema")),
        }
    }
    found
}
