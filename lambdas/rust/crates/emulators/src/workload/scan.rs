//! Scans the whole table, page by page.

use crate::call::{Call, Engine, Read};
use crate::items::{self, expression, number, text};
use crate::step::{Step, Unanswered};
use crate::workload::TABLE;

const MOST_PAGES: usize = 1_000;

/// Records one time for the whole table, for all of its pages.
pub async fn scan(engine: &impl Engine) -> Result<Step, Unanswered> {
    // Medium items contain their index in five digits, so a hundred of them share a prefix.
    let hundred = 100..200;
    let put = hundred.clone().filter(|index| !items::is_small(*index)).count();
    let filter = expression(
        "begins_with(description, :start) AND version = :version",
        [(":start", text("001")), (":version", number(1))],
    );
    let read = Read { table: TABLE.into(), filter: Some(filter), ..Read::default() };
    let pages = whole_scan(engine, read).await?;
    let mut step = Step { latencies_ms: vec![pages.step.latencies_ms.iter().sum()], ..Step::default() };
    step.count("items of the Scan", pages.matching, hundred.len() + put);
    step.verified(pages.step);
    Ok(step)
}

/// The pages of a Scan.
struct Scanned {
    step: Step,
    matching: usize,
}

async fn whole_scan(engine: &impl Engine, read: Read) -> Result<Scanned, Unanswered> {
    let mut pages = Scanned { step: Step::default(), matching: 0 };
    let mut next = Some(read);
    while let Some(read) = next {
        let Some(answer) = pages.step.ask(engine, Call::Scan(read.clone())).await? else { break };
        pages.matching += answer.count;
        pages.step.expect(
            "pages of a Scan without an end",
            pages.step.latencies_ms.len() > MOST_PAGES,
            false,
        );
        // Stops at an engine whose pages never end, which is a wrong answer.
        let goes_on = pages.step.latencies_ms.len() <= MOST_PAGES;
        next = answer.next.filter(|_| goes_on).map(|start| Read { start: Some(start), ..read });
    }
    Ok(pages)
}
