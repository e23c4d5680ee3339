//! Lists the events of a search, as JSON Lines or as sentences.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use super::{Args, OutputFormat};
use crate::commands::Failure;
use crate::control::{Budget, Control, Limits, Signals};
use crate::engine::Engine;
use crate::protocol;
use crate::trace::Event;
use crate::trace::sentences::Explainer;

/// Searches to `depth` and writes every event when it happens.
pub(super) fn write(
    args: &Args,
    engine: &mut dyn Engine,
    depth: u32,
    out: &mut (dyn Write + Send),
) -> Result<(), Failure> {
    let signals = Arc::new(Signals::default());
    let mut control = Control::new(&Limits::default(), Budget::default(), Arc::clone(&signals));
    let mut out = BufWriter::new(out);
    let mut explainer = Explainer::default();
    let mut written = Ok(());
    let mut sink = |index: u64, event: &Event| {
        if written.is_ok() {
            written = write_event(args, &mut explainer, index, event, &mut out);
            if written.is_err() {
                // The output is closed, so the rest of the search is useless.
                signals.stop();
            }
        }
    };
    let searched = engine.trace_events(args.request(depth), &mut control, &mut sink);
    written?;
    searched?;
    out.flush()?;
    Ok(())
}

fn write_event(
    args: &Args,
    explainer: &mut Explainer,
    index: u64,
    event: &Event,
    out: &mut dyn Write,
) -> io::Result<()> {
    let sentence = args.explain.then(|| explainer.explain(event));
    match (args.format, sentence) {
        (OutputFormat::Jsonl, sentence) => {
            writeln!(
                out,
                "{}",
                protocol::events::line(index, event, sentence.as_deref())
            )
        }
        (_, Some(sentence)) if !sentence.is_empty() => writeln!(out, "{sentence}"),
        _ => Ok(()),
    }
}
