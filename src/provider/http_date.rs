//! Dates of HTTP headers, for example `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7, the form that is written today).

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Seconds since 1970-01-01T00:00:00Z; `None` for anything that is no such date.
pub fn seconds(text: &str) -> Option<i64> {
    let mut parts = text.split_once(", ")?.1.split(' ');
    let day: i64 = number(parts.next()?, 1, 31)?;
    let name = parts.next()?;
    let month = MONTHS.iter().position(|month| month.eq_ignore_ascii_case(name))? as i64 + 1;
    let year = number(parts.next()?, 1970, 9999)?;
    let mut clock = parts.next()?.split(':');
    let hour = number(clock.next()?, 0, 23)?;
    let minute = number(clock.next()?, 0, 59)?;
    let second = number(clock.next()?, 0, 60)?;
    let is_end = clock.next().is_none() && parts.next() == Some("GMT") && parts.next().is_none();
    is_end.then(|| ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second)
}

fn number(text: &str, low: i64, high: i64) -> Option<i64> {
    let value = text.parse().ok()?;
    (low..=high).contains(&value).then_some(value)
}

/// Days from 1970-01-01, counted in years that begin in March, so that the leap day is the last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let leap_days = year / 4 - year / 100 + year / 400;
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn dates() {
        let table = [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Thu, 29 Feb 2024 12:00:00 GMT", Some(1_709_208_000)),
            ("Fri, 31 Dec 9999 23:59:59 GMT", Some(253_402_300_799)),
            ("Sun, 06 Nov 1994 08:49:37 CET", None),
            ("Sun, 06 Nov 1994 08:49 GMT", None),
            ("Sun, 06 Nov 1994 24:49:37 GMT", None),
            ("1994-11-06T08:49:37Z", None),
            ("", None),
            ("Sun, ", None),
        ];
        for (text, expected) in table {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }
}
