//! Facts, the verdicts that follow from them, and their order. Pure data.

use serde::{Deserialize, Serialize};

use crate::spec::Violated;

/// What a reader of the report sees of a case.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The rule was kept.
    Pass,
    /// A rule whose breach counts was broken.
    Fail,
    /// A recommendation, or a rule that the text leaves in doubt, was broken.
    Warn,
    /// It could not be judged, though it applies.
    Inconclusive,
    /// It does not apply to this target, this transport or this run.
    Skip,
}

impl Verdict {
    /// The name in reports and baselines.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Warn => "warn",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Skip => "skip",
        }
    }
}

impl From<Violated> for Verdict {
    /// The verdict of the plain violation.
    fn from(violated: Violated) -> Verdict {
        match violated {
            Violated::Note => Verdict::Pass,
            Violated::Warn => Verdict::Warn,
            Violated::Fail => Verdict::Fail,
        }
    }
}

/// The grade that a case gives to one of its alternatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// As good as what was expected.
    Pass,
    /// A pass with a remark.
    Note,
    /// Legal, but discouraged or doubtful.
    Warn,
    /// Broken.
    Fail,
    /// Nothing can be said.
    Inconclusive,
    /// The case does not apply after all.
    Skip,
}

/// What one case found out about one requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Fact {
    /// The rule was seen to be kept.
    Held,
    /// The rule was seen to be broken.
    Violated,
    /// An alternative of this grade was seen.
    Graded(Grade),
    /// Set-up failed, something promised was missing, or the harness was at fault.
    NotObserved,
    /// Not declared by the target, other transport or era, or filtered.
    NotApplicable,
}

impl Fact {
    /// The verdict of this fact for a requirement whose plain violation counts as `violated`.
    ///
    /// An alternative is never judged harsher than the plain violation would be.
    pub fn verdict(self, violated: Violated) -> Verdict {
        match self {
            Fact::Held | Fact::Graded(Grade::Pass | Grade::Note) => Verdict::Pass,
            Fact::Violated | Fact::Graded(Grade::Fail) => violated.into(),
            Fact::Graded(Grade::Warn) => match violated {
                Violated::Fail | Violated::Warn => Verdict::Warn,
                Violated::Note => Verdict::Pass,
            },
            Fact::NotObserved | Fact::Graded(Grade::Inconclusive) => Verdict::Inconclusive,
            Fact::NotApplicable | Fact::Graded(Grade::Skip) => Verdict::Skip,
        }
    }

    /// How bad the fact is, for taking the worst of several: fail, violated, not observed, warn, note, pass;
    /// what does not apply counts least.
    pub fn severity(self) -> u8 {
        match self {
            Fact::NotApplicable | Fact::Graded(Grade::Skip) => 0,
            Fact::Held | Fact::Graded(Grade::Pass) => 1,
            Fact::Graded(Grade::Note) => 2,
            Fact::Graded(Grade::Warn) => 3,
            Fact::NotObserved | Fact::Graded(Grade::Inconclusive) => 4,
            Fact::Violated => 5,
            Fact::Graded(Grade::Fail) => 6,
        }
    }

    /// The worse of two facts.
    pub fn worse(self, other: Fact) -> Fact {
        if other.severity() > self.severity() {
            other
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRADES: [Grade; 6] = [
        Grade::Pass,
        Grade::Note,
        Grade::Warn,
        Grade::Fail,
        Grade::Inconclusive,
        Grade::Skip,
    ];

    #[test]
    fn a_grade_is_never_judged_harsher_than_the_plain_violation() {
        for violated in [Violated::Fail, Violated::Warn, Violated::Note] {
            for grade in GRADES {
                let verdict = Fact::Graded(grade).verdict(violated);
                if verdict == Verdict::Fail {
                    assert_eq!(violated, Violated::Fail, "{grade:?}");
                }
                if verdict == Verdict::Warn {
                    assert_ne!(violated, Violated::Note, "{grade:?}");
                }
            }
        }
    }

    #[test]
    fn a_skip_is_never_a_pass() {
        for violated in [Violated::Fail, Violated::Warn, Violated::Note] {
            assert_eq!(Fact::NotApplicable.verdict(violated), Verdict::Skip);
            assert_eq!(Fact::Graded(Grade::Skip).verdict(violated), Verdict::Skip);
        }
    }

    #[test]
    fn the_worst_of_facts_follows_the_order_of_the_case_format() {
        let order = [
            Fact::NotApplicable,
            Fact::Held,
            Fact::Graded(Grade::Note),
            Fact::Graded(Grade::Warn),
            Fact::NotObserved,
            Fact::Violated,
            Fact::Graded(Grade::Fail),
        ];
        for pair in order.windows(2) {
            assert_eq!(pair[0].worse(pair[1]), pair[1]);
            assert_eq!(pair[1].worse(pair[0]), pair[1]);
        }
    }
}
