//! Worker threads. [`run`] adds helper threads to a search. [`map_tasks`] distributes independent tasks over
//! threads.
//!
//! The *leader* of a search is the thread that returns its result; the other threads are *helpers*. If a thread
//! panics, all other threads stop, and the panic propagates to the caller.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::{Control, Signals};
use crate::try_alloc;

/// Returns a warning if there are more threads than processors, else `None`.
pub(crate) fn oversubscription_warning(threads: u32) -> Option<String> {
    let processors = thread::available_parallelism().ok()?.get();
    (threads as usize > processors).then(|| {
        format!(
            "{threads} threads for {processors} processors: more threads than processors make no search faster"
        )
    })
}

/// The results of a leader and its helpers.
#[derive(Debug)]
pub(crate) struct WorkerResults<L, H> {
    /// The leader's result.
    pub(crate) leader: L,
    /// The results of the helpers that were started.
    pub helpers: Vec<H>,
    /// Number of helpers that the system could not start.
    pub(crate) not_started: usize,
}

/// Runs `lead` on this thread and `help` on one helper thread per element of `helper_states`.
///
/// A helper stops at the limits of the search, or when `lead` calls [`Signals::stop`] on its argument.
/// This function returns when all threads have ended.
///
/// # Panics
/// If any thread panics. The other threads are stopped first.
pub(crate) fn run<S: Send, H: Send, L>(
    control: &mut Control,
    helper_states: impl IntoIterator<Item = S>,
    help: impl Fn(S, &mut Control) -> H + Sync,
    lead: impl FnOnce(&mut Control, &Signals) -> L,
) -> WorkerResults<L, H> {
    run_in(&thread::Builder::new, control, helper_states, help, lead)
}

fn run_in<S: Send, H: Send, L>(
    thread: &dyn Fn() -> thread::Builder,
    control: &mut Control,
    helper_states: impl IntoIterator<Item = S>,
    help: impl Fn(S, &mut Control) -> H + Sync,
    lead: impl FnOnce(&mut Control, &Signals) -> L,
) -> WorkerResults<L, H> {
    let workers = Arc::new(Signals::default());
    let help = &help;
    thread::scope(|scope| {
        let _stops_helpers = StopOnPanic(&workers);
        let mut helpers = Vec::new();
        let mut not_started = 0;
        for state in helper_states {
            if not_started > 0 {
                not_started += 1;
                continue;
            }
            // Starting many threads can take longer than the remaining time of the search.
            if control.poll().is_err() {
                break;
            }
            let mut control = control.helper(&workers);
            let session = Arc::clone(control.session());
            let work = move || {
                let _stops_leader = StopOnPanic(&session);
                let result = help(state, &mut control);
                control.flush_node_count();
                result
            };
            let helper = try_alloc::can_spawn_thread()
                .then(|| thread().name("helper".into()).spawn_scoped(scope, work));
            match helper {
                Some(Ok(helper)) => helpers.push(helper),
                _ => not_started = 1,
            }
        }
        let leader = lead(control, &workers);
        let joined: Vec<_> = helpers
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .collect();
        let helper_results = joined
            .into_iter()
            .map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)));
        WorkerResults {
            leader,
            helpers: helper_results.collect(),
            not_started,
        }
    })
}

/// Stops the search that polls these signals when a panic drops this value.
struct StopOnPanic<'a>(&'a Signals);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Runs `work` on every task and returns the results in the order of the tasks. Uses at most `threads` threads,
/// including this one.
///
/// `work` also receives the shared [`WorkerState`]. After its `cancelled` is set, no further task starts. A task
/// that did not run has no result.
///
/// # Panics
/// If `work` panics.
pub(crate) fn map_tasks<T: Sync, R: Send>(
    tasks: &[T],
    threads: usize,
    work: impl Fn(&T, &WorkerState) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let state = WorkerState::new(threads, tasks.len());
    let worker = || {
        let _cancels_on_panic = CancelOnPanic(&state.cancelled);
        let mut results = Vec::new();
        while !state.cancelled.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(index) else {
                break;
            };
            results.push((index, work(task, &state)));
        }
        state.spare.fetch_add(1, Ordering::Relaxed);
        results
    };
    let mut results = thread::scope(|scope| {
        let helpers = (1..threads.min(tasks.len())).map_while(|_| {
            if !try_alloc::can_spawn_thread() {
                return None;
            }
            let thread = thread::Builder::new().name("helper".into());
            thread.spawn_scoped(scope, worker).ok()
        });
        let helpers: Vec<_> = helpers.collect();
        let mut results = worker();
        let joined: Vec<_> = helpers
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .collect();
        for result in joined {
            results.extend(result.unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results
    });
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// [`map_tasks`] for tasks that `work` consumes.
pub(crate) fn map_owned<T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let tasks: Vec<_> = tasks
        .into_iter()
        .map(|task| Mutex::new(Some(task)))
        .collect();
    let work = |task: &Mutex<Option<T>>, _: &WorkerState| {
        let task = task.lock().unwrap_or_else(PoisonError::into_inner).take();
        task.map(&work)
    };
    map_tasks(&tasks, threads, work)
        .into_iter()
        .flatten()
        .collect()
}

/// State shared by the threads of [`map_tasks`].
#[derive(Debug)]
pub(crate) struct WorkerState {
    /// `true` after a task has cancelled the work or has panicked.
    pub(crate) cancelled: AtomicBool,
    /// Number of threads without a task. Running tasks can borrow them.
    spare: AtomicUsize,
}

impl WorkerState {
    /// Creates the state for a single task, which can borrow all `threads` threads except its own.
    pub(crate) fn single_task(threads: usize) -> Self {
        Self::new(threads, 1)
    }

    /// Creates the state of `tasks` tasks on `threads` threads. Threads in excess of the tasks are spare.
    fn new(threads: usize, tasks: usize) -> Self {
        Self {
            cancelled: AtomicBool::new(false),
            spare: AtomicUsize::new(threads.saturating_sub(tasks.max(1))),
        }
    }

    /// Borrows at most `max` spare threads: the borrower may start [`BorrowedThreads::count`]
    /// threads.
    pub(crate) fn borrow_threads(&self, max: usize) -> BorrowedThreads<'_> {
        let spare = &self.spare;
        let lend = |count: usize| Some(count - count.min(max));
        let before = spare.fetch_update(Ordering::Relaxed, Ordering::Relaxed, lend);
        BorrowedThreads {
            spare,
            count: before.unwrap_or(0).min(max),
        }
    }
}

/// Spare threads that a task has borrowed. They become spare again when this value is dropped.
#[derive(Debug)]
pub(crate) struct BorrowedThreads<'a> {
    spare: &'a AtomicUsize,
    /// Number of threads.
    pub count: usize,
}

impl Drop for BorrowedThreads<'_> {
    fn drop(&mut self) {
        self.spare.fetch_add(self.count, Ordering::Relaxed);
    }
}

/// Cancels the remaining tasks when a panic drops this value.
struct CancelOnPanic<'a>(&'a AtomicBool);

impl Drop for CancelOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    use super::*;
    use crate::control::{Budget, Limits, Stopped};

    /// Searches until it is stopped.
    fn search_until_stopped(control: &mut Control) -> Result<(), Stopped> {
        loop {
            control.visit()?;
        }
    }

    fn message(panic: &(dyn std::any::Any + Send)) -> &str {
        panic.downcast_ref::<&str>().copied().unwrap_or("another")
    }

    #[test]
    fn helper_panic_stops_the_search_and_propagates() {
        let mut control = Control::unlimited();
        let search = AssertUnwindSafe(|| {
            run(
                &mut control,
                0..3,
                |index, control| {
                    assert!(index != 1, "the second one");
                    search_until_stopped(control)
                },
                |control, _| search_until_stopped(control),
            )
        });
        let panic = catch_unwind(search).unwrap_err();
        assert_eq!(message(panic.as_ref()), "the second one");
    }

    #[test]
    fn leader_panic_stops_all_helpers() {
        let mut control = Control::unlimited();
        let search = AssertUnwindSafe(|| {
            run(
                &mut control,
                0..3,
                |_, control| search_until_stopped(control),
                |_, _| panic!("the leader"),
            )
        });
        let panic = catch_unwind(search).unwrap_err();
        assert_eq!(message(panic.as_ref()), "the leader");
    }

    #[test]
    fn search_continues_if_helpers_cannot_start() {
        // No machine can allocate this stack.
        let impossible = || thread::Builder::new().stack_size(1 << 60);
        let mut control = Control::unlimited();
        let results = run_in(
            &impossible,
            &mut control,
            0..7,
            |_, _| 1,
            |control, _| control.visit(),
        );
        assert_eq!(results.leader, Ok(()));
        assert_eq!((results.helpers, results.not_started), (Vec::new(), 7));
    }

    #[test]
    fn helpers_stop_at_the_deadline() {
        let limits = Limits {
            movetime: Some(20),
            ..Limits::default()
        };
        let budget = Budget {
            soft: None,
            hard: Some(Duration::from_millis(20)),
        };
        let mut control = Control::new(&limits, budget, Arc::default());
        // The leader does not search and does not stop the helpers.
        let results = run(
            &mut control,
            0..3,
            |_, control| search_until_stopped(control),
            |_, _| (),
        );
        assert_eq!(results.helpers, [Err(Stopped); 3]);
    }

    #[test]
    fn clock_of_helpers_starts_at_the_ponderhit() {
        let limits = Limits {
            ponder: true,
            movetime: Some(0),
            ..Limits::default()
        };
        let budget = limits.budget(crate::value::Side::P1, Duration::ZERO);
        let signals = Arc::new(Signals::default());
        let mut control = Control::new(&limits, budget, Arc::clone(&signals));
        let results = run(
            &mut control,
            0..2,
            |_, control| {
                let before = control.poll();
                signals.ponderhit();
                (before, search_until_stopped(control))
            },
            |_, _| (),
        );
        // At least the first helper polls before the ponderhit. After it, both stop.
        assert!(results.helpers.iter().any(|(before, _)| before.is_ok()));
        assert!(results.helpers.iter().all(|(_, after)| after.is_err()));
    }

    #[test]
    fn all_tasks_run_and_results_are_in_order() {
        let tasks: Vec<u64> = (0..100).collect();
        for threads in [0, 1, 2, 5, 500] {
            let results = map_tasks(&tasks, threads, |&task, _| task * task);
            assert!(results.iter().zip(&tasks).all(|(a, t)| *a == t * t));
            assert_eq!(results.len(), tasks.len());
            let used_up = map_owned(tasks.iter().map(|task| vec![*task]), threads, |task| {
                task[0] * task[0]
            });
            assert_eq!(used_up, results);
        }
    }

    #[test]
    fn spare_threads_are_borrowed_and_returned() {
        // At first, 5 - 2 threads are spare. When the first task ends, its thread is also spare.
        let spare = map_tasks(&[false, true], 5, |&waits, state| {
            if !waits {
                return 0;
            }
            let all = loop {
                let all = state.borrow_threads(9).count;
                if all > 3 {
                    break all;
                }
                thread::yield_now();
            };
            let two = state.borrow_threads(2);
            assert_eq!((two.count, state.borrow_threads(9).count), (2, 2));
            all
        });
        assert_eq!(spare, [0, 4]);
        assert_eq!(WorkerState::single_task(0).borrow_threads(1).count, 0);
    }

    #[test]
    fn task_panic_cancels_the_work_and_propagates() {
        let work = |&task: &i32, state: &WorkerState| {
            assert!(task != 0, "the first one");
            while !state.cancelled.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        };
        let end = catch_unwind(AssertUnwindSafe(|| map_tasks(&[0, 1], 2, work)));
        assert_eq!(message(end.unwrap_err().as_ref()), "the first one");
    }
}
