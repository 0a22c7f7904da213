use std::fs;

/// Returns the CPU model, or `None` if the system does not report it.
///
/// Never called in Init or in a measured invocation: the kernel generates the file anew for each reader, CPU by CPU.
pub fn cpu_model() -> Option<String> {
    fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| model_in(&text))
}

/// Returns the model name of the first CPU. arm64 has none: there it is the numbers of the implementer and the part
/// (<https://docs.kernel.org/arch/arm64/cpu-feature-registers.html>).
fn model_in(cpuinfo: &str) -> Option<String> {
    let value = |wanted: &str| {
        let mut fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        let (_, value) = fields.find(|(name, _)| name.trim() == wanted)?;
        Some(value.trim()).filter(|value| !value.is_empty())
    };
    if let Some(name) = value("model name") {
        return Some(name.into());
    }
    let (implementer, part) = (value("CPU implementer")?, value("CPU part")?);
    Some(format!("implementer {implementer}, part {part}"))
}

#[cfg(test)]
mod tests {
    use super::model_in;

    #[test]
    fn the_model_is_named_as_on_x86_64() {
        let cpuinfo = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel\t\t: 49\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\nmodel name\t: Other\n";
        assert_eq!(model_in(cpuinfo).as_deref(), Some("AMD EPYC"));
    }

    #[test]
    fn without_a_name_it_is_the_implementer_and_the_part_as_on_arm64() {
        let cpuinfo = "processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n";
        assert_eq!(model_in(cpuinfo).as_deref(), Some("implementer 0x41, part 0xd0c"));
    }

    #[test]
    fn it_is_absent_where_neither_stands_there() {
        for cpuinfo in ["", "processor\t: 0\n", "model name\t: \n", "CPU implementer\t: 0x41\n"] {
            assert_eq!(model_in(cpuinfo), None, "{cpuinfo:?}");
        }
    }
}
