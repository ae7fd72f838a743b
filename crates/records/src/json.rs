//! The project's own form: exact, replayable, versioned, for every rule set. `table` writes the same.

use crate::{Action, Format, Read, Record, RecordError, Written};
use serde_json::{Map, Value, json};

/// The version that is written, and the only one there has been.
const VERSION: u64 = 1;

/// `{"format":"xinqi-record","version":1,"rules":…,"fen"?,"seed",…,"tags"?,"actions":[[SEAT,"TEXT"]|{"close":SEED}],"result"}`.
#[derive(Clone, Copy, Debug)]
pub struct Json;

impl Format for Json {
    fn extensions(&self) -> &'static [&'static str] {
        &["json"]
    }

    fn read(&self, file: &[u8]) -> Result<Read, RecordError> {
        let value: Value = serde_json::from_slice(file).map_err(|e| RecordError(format!("no JSON: {e}")))?;
        let fields = value
            .as_object()
            .filter(|fields| fields.get("format").is_some_and(|f| f == "xinqi-record"))
            .ok_or_else(|| RecordError::new("no object with \"format\":\"xinqi-record\""))?;
        let version = fields.get("version").unwrap_or(&Value::Null);
        if *version != VERSION {
            return Err(RecordError(format!("version {version}: only {VERSION} is known")));
        }
        let mut record = Record::new(
            text(fields, "rules")?.ok_or_else(|| RecordError::new("rules: a text is expected"))?,
            text(fields, "fen")?,
            match fields.get("seed") {
                None => 0,
                Some(seed) => seed
                    .as_u64()
                    .ok_or_else(|| RecordError(format!("seed {seed}: a whole number is expected")))?,
            },
        )?;
        read_tags(fields, &mut record)?;
        let actions = fields.get("actions").and_then(Value::as_array);
        let actions = actions.ok_or_else(|| RecordError::new("actions: a list is expected"))?;
        for (i, action) in actions.iter().enumerate() {
            let entry = read_action(&record, action).ok_or_else(|| {
                RecordError(format!(
                    "action {}: {action} is neither [seat, text] nor {{\"close\": seed}}",
                    i + 1
                ))
            })?;
            record
                .repeat(&entry)
                .map_err(|e| RecordError(format!("action {} {action}: {e}", i + 1)))?;
        }
        let stated = fields.get("result").unwrap_or(&Value::Null);
        if *stated != record.result() {
            let found = record.result();
            return Err(RecordError(format!("result {stated}: the actions give {found}")));
        }
        let known = [
            "format", "version", "rules", "fen", "seed", "tags", "actions", "result",
        ];
        let unknown = fields.keys().filter(|k| !known.contains(&k.as_str()));
        let lost = unknown.map(|k| format!("left out: the field {k:?}")).collect();
        Ok(Read { record, lost })
    }

    fn write(&self, record: &Record) -> Result<Written, RecordError> {
        let mut fields = Map::new();
        fields.insert("format".into(), "xinqi-record".into());
        fields.insert("version".into(), VERSION.into());
        fields.insert("rules".into(), record.rules().text().into());
        if let Some(fen) = record.fen() {
            fields.insert("fen".into(), fen.into());
        }
        fields.insert("seed".into(), record.seed().into());
        if !record.tags.is_empty() {
            fields.insert("tags".into(), json!(record.tags));
        }
        let actions = record.actions().iter().map(|action| match action {
            Action::By(seat, text) => json!([record.rules().seat_name(*seat), text]),
            Action::Close(seed) => json!({"close": seed}),
        });
        fields.insert("actions".into(), actions.collect());
        fields.insert("result".into(), record.result());
        let text = format!("{}\n", Value::Object(fields));
        Ok(Written {
            text,
            lost: Vec::new(),
        })
    }
}

fn text<'a>(fields: &'a Map<String, Value>, key: &str) -> Result<Option<&'a str>, RecordError> {
    match fields.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(RecordError(format!("{key} {other}: a text is expected"))),
    }
}

fn read_tags(fields: &Map<String, Value>, record: &mut Record) -> Result<(), RecordError> {
    let tags = match fields.get("tags") {
        None => return Ok(()),
        Some(Value::Object(tags)) => tags,
        Some(other) => {
            return Err(RecordError(format!(
                "tags {other}: an object of texts is expected"
            )));
        }
    };
    for (key, value) in tags {
        let Some(value) = value.as_str() else {
            return Err(RecordError(format!("tag {key:?} {value}: a text is expected")));
        };
        record.tags.insert(key.clone(), value.to_owned());
    }
    Ok(())
}

fn read_action(record: &Record, action: &Value) -> Option<Action> {
    match action {
        Value::Array(pair) => match pair.as_slice() {
            [seat, Value::String(text)] => Some(Action::By(record.rules().seat(seat)?, text.clone())),
            _ => None,
        },
        Value::Object(fields) if fields.len() == 1 => {
            fields.get("close").and_then(Value::as_u64).map(Action::Close)
        }
        _ => None,
    }
}
