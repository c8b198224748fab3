//! The Prometheus text format, version 0.0.4.

use std::fmt::Write;

/// What `/metrics` answers as.
pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A page being written.
#[derive(Default)]
pub(crate) struct Page(String);

impl Page {
    /// Begins a family: its kind, and what it means.
    pub(super) fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    /// A sample of the family.
    pub(super) fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        self.0.push_str(name);
        for (index, (label, word)) in labels.iter().enumerate() {
            self.0.push(if index == 0 { '{' } else { ',' });
            let _ = write!(self.0, "{label}=\"");
            for c in word.chars() {
                match c {
                    '\\' => self.0.push_str("\\\\"),
                    '"' => self.0.push_str("\\\""),
                    '\n' => self.0.push_str("\\n"),
                    c => self.0.push(c),
                }
            }
            self.0.push('"');
        }
        if !labels.is_empty() {
            self.0.push('}');
        }
        let _ = writeln!(self.0, " {value}");
    }

    /// A family of one sample.
    pub(super) fn gauge(&mut self, name: &str, help: &str, value: f64) {
        self.family(name, "gauge", help);
        self.sample(name, &[], value);
    }

    /// A family with a sample for each word.
    pub(super) fn gauges(&mut self, name: &str, label: &str, help: &str, values: &[(&str, f64)]) {
        self.family(name, "gauge", help);
        for (word, value) in values {
            self.sample(name, &[(label, word)], *value);
        }
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_samples_and_escapes() {
        let mut page = Page::default();
        page.gauge("a", "One.", 2.5);
        page.gauges("b", "x", "Two.", &[("p\"q\\", 3.0), ("r", 1e15)]);
        assert_eq!(
            page.finish(),
            "# HELP a One.\n# TYPE a gauge\na 2.5\n# HELP b Two.\n# TYPE b gauge\nb{x=\"p\\\"q\\\\\"} 3\nb{x=\"r\"} \
             1000000000000000\n"
        );
    }
}
