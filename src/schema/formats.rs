//! The texts that `format` asks for and that answers carry: RFC 3339 dates and times, ISO 8601 durations, UUIDs.
//!
//! Two rules are wider than RFC 3339, because Java types that have no offset or have fractions say so in their schema too:
//! an offset may be missing (`LocalDateTime`, `LocalTime`), and a duration may have a sign and fractions (`Duration`).

/// `2024-02-29`
pub fn date(text: &str) -> bool {
    let mut scan = Scan(text.as_bytes());
    scan.date() && scan.done()
}

/// `09:30:00`, with or without fraction and offset.
pub fn time(text: &str) -> bool {
    let mut scan = Scan(text.as_bytes());
    scan.time() && (scan.done() || scan.offset() && scan.done())
}

/// `2024-05-01T09:30:00`, with or without fraction and offset.
pub fn date_time(text: &str) -> bool {
    let mut scan = Scan(text.as_bytes());
    scan.date() && scan.one_of(b"Tt") && scan.time() && (scan.done() || scan.offset() && scan.done())
}

/// A point in time: a date-time with its offset, at most nine digits of fraction (Java's limit).
pub fn instant(text: &str) -> bool {
    let mut scan = Scan(text.as_bytes());
    let fraction = text.split_once('.').map_or(0, |(_, rest)| digits_of(rest.as_bytes()));
    fraction <= 9 && scan.date() && scan.one_of(b"Tt") && scan.time() && scan.offset() && scan.done()
}

/// `PT15M`, `P1Y2M3D`, `-PT0.5S`
pub fn duration(text: &str) -> bool {
    let mut scan = Scan(text.as_bytes());
    let _ = scan.one_of(b"+-");
    if !scan.one_of(b"Pp") {
        return false;
    }
    let days = scan.units(b"YMWD");
    let clock = if scan.one_of(b"Tt") {
        match scan.units(b"HMS") {
            0 => return false,
            units => units,
        }
    } else {
        0
    };
    days + clock > 0 && scan.done()
}

/// `123e4567-e89b-12d3-a456-426614174000`
pub fn uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn digits_of(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

struct Scan<'a>(&'a [u8]);

impl Scan<'_> {
    fn done(&self) -> bool {
        self.0.is_empty()
    }

    fn one_of(&mut self, wanted: &[u8]) -> bool {
        match self.0.split_first() {
            Some((byte, rest)) if wanted.contains(byte) => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    /// Exactly `count` digits, as a number.
    fn digits(&mut self, count: usize) -> Option<u32> {
        let (head, rest) = self.0.split_at_checked(count)?;
        if digits_of(head) != count {
            return None;
        }
        self.0 = rest;
        Some(head.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')))
    }

    fn date(&mut self) -> bool {
        let Some(year) = self.digits(4) else { return false };
        if !self.one_of(b"-") {
            return false;
        }
        let Some(month) = self.digits(2) else { return false };
        if !self.one_of(b"-") {
            return false;
        }
        self.digits(2)
            .is_some_and(|day| day >= 1 && day <= days_in_month(year, month))
    }

    fn time(&mut self) -> bool {
        let Some(hour) = self.digits(2) else { return false };
        if !self.one_of(b":") {
            return false;
        }
        let Some(minute) = self.digits(2) else { return false };
        if !self.one_of(b":") {
            return false;
        }
        let Some(second) = self.digits(2) else { return false };
        let leap = second == 60 && minute == 59 && hour == 23;
        if hour > 23 || minute > 59 || second > 59 && !leap {
            return false;
        }
        !self.one_of(b".") || self.run()
    }

    /// One digit or more.
    fn run(&mut self) -> bool {
        let count = digits_of(self.0);
        self.0 = self.0.get(count..).unwrap_or_default();
        count > 0
    }

    fn offset(&mut self) -> bool {
        if self.one_of(b"Zz") {
            return true;
        }
        if !self.one_of(b"+-") {
            return false;
        }
        let Some(hours) = self.digits(2) else { return false };
        if !self.one_of(b":") {
            return false;
        }
        self.digits(2).is_some_and(|minutes| hours <= 23 && minutes <= 59)
    }

    /// How many of `units` follow, each once and in order, each after its number; leaves what is none.
    fn units(&mut self, units: &[u8]) -> usize {
        let mut left = units;
        let mut count = 0;
        loop {
            let start = self.0;
            let _ = self.one_of(b"+-");
            let complete = self.run() && (!self.one_of(b".,") || self.run());
            let unit = self.0.first().map(u8::to_ascii_uppercase);
            let place = left.iter().position(|known| Some(*known) == unit);
            let (true, Some(place)) = (complete, place) else {
                self.0 = start;
                return count;
            };
            self.0 = self.0.get(1..).unwrap_or_default();
            left = left.get(place + 1..).unwrap_or_default();
            count += 1;
        }
    }
}

fn days_in_month(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A format, texts that it takes, texts that it refuses.
    type Row = (fn(&str) -> bool, &'static [&'static str], &'static [&'static str]);

    #[test]
    fn formats_take_what_java_writes_and_refuse_the_rest() {
        let table: &[Row] = &[
            (
                date,
                &["2024-02-29", "2000-02-29", "0001-01-01"],
                &[
                    "2023-02-29",
                    "1900-02-29",
                    "2024-13-01",
                    "2024-00-10",
                    "2024-1-1",
                    "2024-01-01T",
                    "",
                    "é",
                ],
            ),
            (
                time,
                &["09:30:00", "09:30:00.123", "09:30:00Z", "23:59:60Z", "09:30:00+02:00"],
                &[
                    "9:30:00",
                    "24:00:00",
                    "09:60:00",
                    "09:30",
                    "09:30:60",
                    "09:30:00.",
                    "09:30:00+2",
                ],
            ),
            (
                date_time,
                &[
                    "2024-05-01T09:30:00",
                    "2024-05-01t09:30:00z",
                    "2024-05-01T09:30:00.5-11:30",
                ],
                &[
                    "2024-05-01",
                    "2024-05-01 09:30:00",
                    "2024-05-01T09:30:00+24:00",
                    "2024-05-01T",
                ],
            ),
            (
                instant,
                &["2024-05-01T07:30:00Z", "2024-05-01T07:30:00.123456789+02:00"],
                &["2024-05-01T07:30:00", "2024-05-01T07:30:00.1234567890Z", "1714548600"],
            ),
            (
                duration,
                &["PT15M", "P1Y2M3D", "PT0.5S", "-PT6H", "PT-6H", "P2W", "P1DT2H"],
                &["P", "PT", "P1DT", "P1H", "PT1D", "P1M1Y", "15M", "PT.5S", "P1D1D"],
            ),
            (
                uuid,
                &[
                    "123e4567-e89b-12d3-a456-426614174000",
                    "123E4567-E89B-12D3-A456-426614174000",
                ],
                &[
                    "123e4567e89b12d3a456426614174000",
                    "123e4567-e89b-12d3-a456-42661417400g",
                    "",
                ],
            ),
        ];
        for (format, good, bad) in table {
            for text in *good {
                assert!(format(text), "{text}");
            }
            for text in *bad {
                assert!(!format(text), "{text}");
            }
        }
    }
}
