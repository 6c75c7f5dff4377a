//! How much memory is left on the machine, and within the limits of the process.

#[cfg(feature = "memory")]
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

/// The memory that this process may use in addition to what it uses, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Available {
    /// Memory that can be written to without driving this process or others out of memory.
    pub(crate) resident: u64,
    /// Address space, whether it is written to or not.
    pub(crate) address_space: u64,
}

impl Available {
    /// No limits at all.
    const UNLIMITED: Available = Available { resident: u64::MAX, address_space: u64::MAX };

    /// Without the feature `memory`, nothing is known of limits.
    #[cfg(not(feature = "memory"))]
    pub(crate) fn now() -> Available {
        Available::UNLIMITED
    }

    /// Asks the system for its free memory, and for the limits of control groups (Linux, both versions) and of `ulimit
    /// -v` and `-d` (Unix). What cannot be determined counts as unlimited.
    #[cfg(feature = "memory")]
    pub(crate) fn now() -> Available {
        let Ok(mut system) = System::new() else { return Available::UNLIMITED };
        system.refresh_memory();
        let mut resident = match system.available_memory() {
            0 => u64::MAX,
            bytes => bytes,
        };
        let mut in_use = 0;
        if let Ok(pid) = get_current_pid() {
            let memory = ProcessRefreshKind::nothing().with_memory();
            system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, memory);
            if let Some(process) = system.process(pid) {
                in_use = process.virtual_memory();
                if let Some(group) = process.cgroup_limits() {
                    // The group's files in the page cache make room.
                    resident = resident.min(group.total_memory.saturating_sub(group.rss));
                }
            }
        }
        Available { resident, address_space: address_space_limit().saturating_sub(in_use) }
    }
}

#[cfg(all(unix, feature = "memory"))]
fn address_space_limit() -> u64 {
    use rustix::process::{Resource, getrlimit};
    let limit = |resource| getrlimit(resource).current.unwrap_or(u64::MAX);
    limit(Resource::As).min(limit(Resource::Data))
}

#[cfg(all(not(unix), feature = "memory"))]
fn address_space_limit() -> u64 {
    u64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "memory")]
    #[test]
    fn the_machine_has_some_memory_left() {
        let Available { resident, address_space } = Available::now();
        assert!(resident > 1 << 20 && resident < 1 << 50, "{resident}");
        assert!(address_space > 1 << 20);
    }
}
