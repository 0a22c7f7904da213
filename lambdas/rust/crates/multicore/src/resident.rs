use std::fs;

/// Returns the process's resident set in KB, or `None` if the system does not report it.
///
/// `statm` counts pages (<https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html>). Their size is AT_PAGESZ,
/// number 6, in the auxiliary vector, which consists of pairs of words.
pub fn resident_kb() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split(' ').nth(1)?.parse().ok()?;
    Some(pages * page_bytes()? / 1024)
}

fn page_bytes() -> Option<u64> {
    const AT_PAGESZ: u64 = 6;
    let vector = fs::read("/proc/self/auxv").ok()?;
    let (words, _) = vector.as_chunks::<8>();
    let (pairs, _) = words.as_chunks::<2>();
    let page = pairs.iter().find(|[key, _]| u64::from_ne_bytes(*key) == AT_PAGESZ);
    page.map(|[_, value]| u64::from_ne_bytes(*value))
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn the_resident_set_is_that_of_a_small_process() {
        let resident = super::resident_kb().unwrap();
        assert!((500..500_000).contains(&resident), "{resident} KB");
    }
}
