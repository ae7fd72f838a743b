//! A conversation with an engine in this process.

use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use xinqi_protocol::{Protocol, serve};

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Talk {
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<String>,
    engine: JoinHandle<()>,
}

impl Talk {
    pub(crate) fn begin(protocol: &str, rules: &str) -> Talk {
        let protocol: Protocol = protocol.parse().expect("a protocol");
        let rules = xinqi_registry::parse(rules).expect("a rule set");
        let ((input, read), (write, lines)) = (channel(), channel());
        let engine = std::thread::spawn(move || {
            let input = BufReader::new(Ears {
                read,
                rest: Vec::new(),
            });
            let output = Mouth {
                write,
                line: Vec::new(),
            };
            serve(protocol, rules, input, output).expect("an engine");
        });
        Talk {
            input: Some(input),
            lines,
            engine,
        }
    }

    pub(crate) fn say(&self, line: &[u8]) {
        let input = self.input.as_ref().expect("not ended yet");
        // An engine that was told to quit hears no more.
        let _ = input.send([line, b"\n"].concat());
    }

    /// The next line that is not empty.
    pub(crate) fn hear(&self) -> Option<String> {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if line.is_empty() => {}
                other => return other.ok(),
            }
        }
    }

    /// Ends the input; gives what was said and not heard.
    pub(crate) fn end(mut self) -> Vec<String> {
        self.input = None;
        self.engine.join().expect("the engine does not panic");
        self.lines.iter().filter(|line| !line.is_empty()).collect()
    }
}

struct Ears {
    read: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Ears {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.read.recv().unwrap_or_default();
        }
        let n = self.rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&self.rest[..n]);
        self.rest.drain(..n);
        Ok(n)
    }
}

struct Mouth {
    write: Sender<String>,
    line: Vec<u8>,
}

impl Write for Mouth {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for &byte in bytes {
            match byte {
                b'\n' => {
                    let line = String::from_utf8(std::mem::take(&mut self.line)).expect("UTF-8");
                    let _ = self.write.send(line);
                }
                _ => self.line.push(byte),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
