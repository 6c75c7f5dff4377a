//! Large pages of Windows, for which a user needs the right to lock pages in memory.
//!
//! As Microsoft's "Large-Page Support" describes it: the process turns the privilege on, then asks for memory in whole
//! large pages, which is there at once and never swapped out.

use std::ptr::{NonNull, null, null_mut};

use windows_sys::Win32::Foundation::{CloseHandle, ERROR_SUCCESS, GetLastError, HANDLE, LUID};
use windows_sys::Win32::Security::{
    AdjustTokenPrivileges, LUID_AND_ATTRIBUTES, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME, SE_PRIVILEGE_ENABLED,
    TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES, TOKEN_QUERY,
};
use windows_sys::Win32::System::Memory::{
    GetLargePageMinimum, MEM_COMMIT, MEM_LARGE_PAGES, MEM_RELEASE, MEM_RESERVE, PAGE_READWRITE,
    VIRTUAL_ALLOCATION_TYPE, VirtualAlloc, VirtualFree,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

/// Memory of at least this size; none where the user lacks the right, or no large pages are free.
pub(super) fn allocate_large_pages(bytes: usize) -> Option<NonNull<u8>> {
    // SAFETY: the function only returns a number.
    let page = unsafe { GetLargePageMinimum() };
    if page == 0 || !may_lock_memory() {
        return None;
    }
    allocate(bytes.checked_next_multiple_of(page)?, MEM_LARGE_PAGES)
}

/// Memory on pages of a kind.
fn allocate(bytes: usize, kind: VIRTUAL_ALLOCATION_TYPE) -> Option<NonNull<u8>> {
    // SAFETY: new memory is asked for, at no particular address.
    let start = unsafe { VirtualAlloc(null(), bytes, MEM_RESERVE | MEM_COMMIT | kind, PAGE_READWRITE) };
    NonNull::new(start.cast())
}

/// Gives memory back.
///
/// # Safety
/// It is from [`allocate_large_pages`], and nothing uses it any more.
pub(super) unsafe fn free_large_pages(start: NonNull<u8>) {
    // SAFETY: the caller sees to it. All of what was reserved goes, for which the size must be 0.
    unsafe { VirtualFree(start.as_ptr().cast(), 0, MEM_RELEASE) };
}

/// Turns the privilege on; false where the user lacks it.
fn may_lock_memory() -> bool {
    let mut token: HANDLE = null_mut();
    // SAFETY: the handle of the own process is always valid, and the other one is written to.
    let opened = unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &mut token) };
    if opened == 0 {
        return false;
    }
    let enabled = enable_lock_memory(token);
    // SAFETY: it was opened above and is closed once.
    unsafe { CloseHandle(token) };
    enabled
}

fn enable_lock_memory(token: HANDLE) -> bool {
    let mut luid = LUID::default();
    // SAFETY: the name is a constant that ends with 0, and the number is written to.
    if unsafe { LookupPrivilegeValueW(null(), SE_LOCK_MEMORY_NAME, &mut luid) } == 0 {
        return false;
    }
    let privilege = LUID_AND_ATTRIBUTES { Luid: luid, Attributes: SE_PRIVILEGE_ENABLED };
    let privileges = TOKEN_PRIVILEGES { PrivilegeCount: 1, Privileges: [privilege] };
    // SAFETY: one privilege is given, as it says, and the state before is not asked for.
    let adjusted = unsafe { AdjustTokenPrivileges(token, 0, &privileges, 0, null_mut(), null_mut()) };
    // It succeeds as well where the user lacks the privilege; then the last error says so.
    // SAFETY: the function only returns a number.
    adjusted != 0 && unsafe { GetLastError() } == ERROR_SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few users have the right, so that this is tried with ordinary pages.
    #[test]
    fn memory_comes_empty_and_goes_back() {
        for bytes in [1, 2 << 20, 5 << 20] {
            let start = allocate(bytes, 0).unwrap();
            // SAFETY: `bytes` bytes lie there, which the system has set to 0.
            let memory = unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), bytes) };
            assert!(memory.iter().all(|&byte| byte == 0));
            memory.fill(7);
            // SAFETY: it is from above, and used no more.
            unsafe { free_large_pages(start) };
        }
        assert!(allocate(usize::MAX, 0).is_none());
    }

    #[test]
    fn where_the_right_is_missing_there_are_no_large_pages() {
        let pages = allocate_large_pages(2 << 20);
        assert!(may_lock_memory() || pages.is_none());
        // SAFETY: these are pages from there, and nothing uses them.
        pages.into_iter().for_each(|start| unsafe { free_large_pages(start) });
    }
}
