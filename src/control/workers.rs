//! The threads of one search: a leader and its helpers. A thread that ends, even by a panic, stops the other
//! threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::{Control, Signals};
use crate::try_alloc;

/// Returns the warning that there are more threads than processors, if so: stops then wait for the scheduler.
pub(crate) fn oversubscription_warning(threads: u32) -> Option<String> {
    let processors = thread::available_parallelism().ok()?.get();
    (threads as usize > processors).then(|| {
        format!(
            "{threads} threads for {processors} processors: they take turns, which makes no search faster"
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
    /// Number of helpers that could not be started.
    pub(crate) not_started: usize,
}

/// Runs `lead` on this thread and one helper thread per element of the given state. All threads end when the
/// leader's search has to end, by its clock too, or when the leader stops the signals that it is passed. Waits for
/// all threads.
///
/// # Panics
/// If any thread panics; the other threads are stopped first.
pub(crate) fn run<S: Send, H: Send, L>(
    control: &mut Control,
    seats: impl IntoIterator<Item = S>,
    help: impl Fn(S, &mut Control) -> H + Sync,
    lead: impl FnOnce(&mut Control, &Signals) -> L,
) -> WorkerResults<L, H> {
    run_in(&thread::Builder::new, control, seats, help, lead)
}

fn run_in<S: Send, H: Send, L>(
    thread: &dyn Fn() -> thread::Builder,
    control: &mut Control,
    seats: impl IntoIterator<Item = S>,
    help: impl Fn(S, &mut Control) -> H + Sync,
    lead: impl FnOnce(&mut Control, &Signals) -> L,
) -> WorkerResults<L, H> {
    let workers = Arc::new(Signals::default());
    let help = &help;
    thread::scope(|scope| {
        let _stops_helpers = StopOnPanic(&workers);
        let mut helpers = Vec::new();
        let mut missing = 0;
        for seat in seats {
            if missing > 0 {
                missing += 1;
                continue;
            }
            // Starting many threads may take longer than the search has.
            if control.poll().is_err() {
                break;
            }
            let mut control = control.helper(&workers);
            let leader = Arc::clone(control.session());
            let work = move || {
                let _stops_leader = StopOnPanic(&leader);
                let answer = help(seat, &mut control);
                control.flush_node_count();
                answer
            };
            let helper = try_alloc::can_spawn_thread()
                .then(|| thread().name("helper".into()).spawn_scoped(scope, work));
            match helper {
                Some(Ok(helper)) => helpers.push(helper),
                _ => missing = 1,
            }
        }
        let found = lead(control, &workers);
        let ends: Vec<_> = helpers
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .collect();
        let helped = ends
            .into_iter()
            .map(|end| end.unwrap_or_else(|panic| resume_unwind(panic)));
        WorkerResults {
            leader: found,
            helpers: helped.collect(),
            not_started: missing,
        }
    })
}

/// Stops the search if its own thread panics.
struct StopOnPanic<'a>(&'a Signals);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Runs `work` on every task, on at most `threads` threads including this one, and returns the results in the order
/// of the tasks. `work` also gets the state shared by the threads. After `cancelled` is set, no further task
/// starts; tasks that did not run have no result.
///
/// # Panics
/// If `work` panics.
pub(crate) fn map_tasks<T: Sync, R: Send>(
    tasks: &[T],
    threads: usize,
    work: impl Fn(&T, &WorkerState) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let common = WorkerState::new(threads, tasks.len());
    let worker = || {
        let _makes_vain = CancelOnPanic(&common.cancelled);
        let mut answers = Vec::new();
        while !common.cancelled.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(index) else {
                break;
            };
            answers.push((index, work(task, &common)));
        }
        common.spare.fetch_add(1, Ordering::Relaxed);
        answers
    };
    let mut answers = thread::scope(|scope| {
        let others = (1..threads.min(tasks.len())).map_while(|_| {
            if !try_alloc::can_spawn_thread() {
                return None;
            }
            let thread = thread::Builder::new().name("helper".into());
            thread.spawn_scoped(scope, worker).ok()
        });
        let others: Vec<_> = others.collect();
        let mut answers = worker();
        let ends: Vec<_> = others
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .collect();
        for end in ends {
            answers.extend(end.unwrap_or_else(|panic| resume_unwind(panic)));
        }
        answers
    });
    answers.sort_by_key(|&(index, _)| index);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// Does the same as [`map_tasks`] for tasks that `work` consumes.
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
    /// `true` once a task has cancelled the work or has panicked.
    pub(crate) cancelled: AtomicBool,
    /// Number of threads that found no task.
    spare: AtomicUsize,
}

impl WorkerState {
    /// Creates the state of a single task with `threads` threads.
    pub(crate) fn alone(threads: usize) -> Self {
        Self::new(threads, 1)
    }

    /// Creates the state of `tasks` tasks on `threads` threads. Threads beyond one per task are spare at once.
    fn new(threads: usize, tasks: usize) -> Self {
        Self {
            cancelled: AtomicBool::new(false),
            spare: AtomicUsize::new(threads.saturating_sub(tasks.max(1))),
        }
    }

    /// Borrows at most `most` threads that have no task of their own.
    pub(crate) fn borrow_threads(&self, most: usize) -> BorrowedThreads<'_> {
        let spare = &self.spare;
        let lend = |count: usize| Some(count - count.min(most));
        let before = spare.fetch_update(Ordering::Relaxed, Ordering::Relaxed, lend);
        BorrowedThreads {
            spare,
            count: before.unwrap_or(0).min(most),
        }
    }
}

/// Threads that the borrower may start. They are returned when this is dropped.
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

/// Cancels the work if its own thread panics.
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
    fn search_on(control: &mut Control) -> Result<(), Stopped> {
        loop {
            control.visit()?;
        }
    }

    fn message(panic: &(dyn std::any::Any + Send)) -> &str {
        panic.downcast_ref::<&str>().copied().unwrap_or("another")
    }

    #[test]
    fn a_helpers_panic_ends_the_search_and_is_the_searchs_own() {
        let mut control = Control::unlimited();
        let search = AssertUnwindSafe(|| {
            run(
                &mut control,
                0..3,
                |seat, control| {
                    assert!(seat != 1, "the second one");
                    search_on(control)
                },
                |control, _| search_on(control),
            )
        });
        let panic = catch_unwind(search).unwrap_err();
        assert_eq!(message(panic.as_ref()), "the second one");
    }

    #[test]
    fn a_leaders_panic_leaves_no_helper_at_work() {
        let mut control = Control::unlimited();
        let search = AssertUnwindSafe(|| {
            run(
                &mut control,
                0..3,
                |_, control| search_on(control),
                |_, _| panic!("the leader"),
            )
        });
        let panic = catch_unwind(search).unwrap_err();
        assert_eq!(message(panic.as_ref()), "the leader");
    }

    #[test]
    fn a_search_goes_on_with_the_threads_there_are() {
        // No machine has a stack of this size.
        let impossible = || thread::Builder::new().stack_size(1 << 60);
        let mut control = Control::unlimited();
        let done = run_in(
            &impossible,
            &mut control,
            0..7,
            |_, _| 1,
            |control, _| control.visit(),
        );
        assert_eq!(done.leader, Ok(()));
        assert_eq!((done.helpers, done.not_started), (Vec::new(), 7));
    }

    #[test]
    fn helpers_look_at_the_clock_themselves() {
        let limits = Limits {
            movetime: Some(20),
            ..Limits::default()
        };
        let budget = Budget {
            soft: None,
            hard: Some(Duration::from_millis(20)),
        };
        let mut control = Control::new(&limits, budget, Arc::default());
        // The leader does no work and stops nobody.
        let done = run(
            &mut control,
            0..3,
            |_, control| search_on(control),
            |_, _| (),
        );
        assert_eq!(done.helpers, [Err(Stopped); 3]);
    }

    #[test]
    fn helpers_wait_for_the_ponderhit_with_the_clock() {
        let limits = Limits {
            ponder: true,
            movetime: Some(0),
            ..Limits::default()
        };
        let budget = limits.budget(crate::value::Side::P1, Duration::ZERO);
        let signals = Arc::new(Signals::default());
        let mut control = Control::new(&limits, budget, Arc::clone(&signals));
        let done = run(
            &mut control,
            0..2,
            |_, control| {
                let before = control.poll();
                signals.ponderhit();
                (before, search_on(control))
            },
            |_, _| (),
        );
        // The second call sees the signal of the first, or both see it.
        assert!(done.helpers.iter().any(|(before, _)| before.is_ok()));
        assert!(done.helpers.iter().all(|(_, after)| after.is_err()));
    }

    #[test]
    fn shared_work_is_all_done_and_in_order() {
        let tasks: Vec<u64> = (0..100).collect();
        for threads in [0, 1, 2, 5, 500] {
            let answers = map_tasks(&tasks, threads, |&task, _| task * task);
            assert!(answers.iter().zip(&tasks).all(|(a, t)| *a == t * t));
            assert_eq!(answers.len(), tasks.len());
            let used_up = map_owned(tasks.iter().map(|task| vec![*task]), threads, |task| {
                task[0] * task[0]
            });
            assert_eq!(used_up, answers);
        }
    }

    #[test]
    fn threads_without_a_task_are_lent_and_come_back() {
        // One thread for each of the two tasks and three more; then the one whose task ends first.
        let spare = map_tasks(&[false, true], 5, |&waits, common| {
            if !waits {
                return 0;
            }
            let all = loop {
                let all = common.borrow_threads(9).count;
                if all > 3 {
                    break all;
                }
                thread::yield_now();
            };
            let two = common.borrow_threads(2);
            assert_eq!((two.count, common.borrow_threads(9).count), (2, 2));
            all
        });
        assert_eq!(spare, [0, 4]);
        assert_eq!(WorkerState::alone(0).borrow_threads(1).count, 0);
    }

    #[test]
    fn a_panic_in_shared_work_ends_it_and_is_told() {
        let work = |&task: &i32, common: &WorkerState| {
            assert!(task != 0, "the first one");
            while !common.cancelled.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        };
        let end = catch_unwind(AssertUnwindSafe(|| map_tasks(&[0, 1], 2, work)));
        assert_eq!(message(end.unwrap_err().as_ref()), "the first one");
    }
}
