import { create } from 'zustand';
import { queryClient } from '../api/queries.ts';
import { failureVerdict, type WorkRun } from './work-run.ts';

/** The state of a run besides what is shown. */
interface Ledger {
  pending: Task[];
  failed: Task[];
}
interface Task {
  readonly name: string;
  run(): Promise<unknown>;
}

const useWorkStore = create<{ readonly runs: readonly WorkRun[] }>(() => ({ runs: [] }));
const ledgers = new Map<number, Ledger>();
let lastId = 0;
let isWorking = false;

const find = (id: number) => useWorkStore.getState().runs.find((run) => run.id === id);
const change = (id: number, how: (run: WorkRun) => Partial<WorkRun>): void =>
  useWorkStore.setState(({ runs }) => ({
    runs: runs.map((run) => (run.id === id ? { ...run, ...how(run) } : run)),
  }));

const pause = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));

const perform = async (id: number, ledger: Ledger, task: Task): Promise<void> => {
  try {
    await task.run();
    change(id, ({ done }) => ({ done: done + 1 }));
  } catch (error) {
    const verdict = failureVerdict(error);
    if (verdict.kind === 'again, wait' || verdict.kind === 'again, halt') {
      ledger.pending.unshift(task);
    } else {
      ledger.failed.push(task);
      change(id, ({ failures }) => ({ failures: [...failures, { name: task.name, error }] }));
    }
    if (verdict.kind === 'again, wait') await pause(verdict.seconds);
    else if (verdict.kind !== 'failed') change(id, () => ({ state: 'halted', halt: error }));
  }
};

const workThrough = async (id: number): Promise<void> => {
  const ledger = ledgers.get(id);
  if (!ledger) return;
  change(id, () => ({ state: 'running', halt: null }));
  while (find(id)?.state === 'running') {
    const task = ledger.pending.shift();
    if (!task) break;
    await perform(id, ledger, task);
  }
  if (ledger.pending.length === 0) change(id, () => ({ state: 'ended' }));
  void queryClient.invalidateQueries();
};

/** Runs follow each other, so that the last request is also carried out last. */
const work = async (): Promise<void> => {
  if (isWorking) return;
  isWorking = true;
  for (;;) {
    const next = useWorkStore.getState().runs.find(({ state }) => state === 'waiting');
    if (!next) break;
    await workThrough(next.id);
  }
  isWorking = false;
};

/** The browser asks before it closes a page with work left to do, including work that waits for a person. */
const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
useWorkStore.subscribe(({ runs }) => {
  if (runs.some(({ state }) => state !== 'ended')) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
});

/** Does something to many items, one after another, whichever page is shown; `WorkMenu` shows the progress. */
export const startWork = <Item>(options: {
  /** The action, such as "Archive". */
  readonly label: string;
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly run: (item: Item) => Promise<unknown>;
}): void => {
  const { label, items, nameOf, run } = options;
  if (items.length === 0) return;
  lastId += 1;
  const id = lastId;
  const pending = items.map((item) => ({ name: nameOf(item), run: () => run(item) }));
  ledgers.set(id, { pending, failed: [] });
  const begun: WorkRun = {
    id,
    label,
    state: 'waiting',
    total: items.length,
    done: 0,
    failures: [],
    halt: null,
  };
  useWorkStore.setState(({ runs }) => ({ runs: [...runs, begun] }));
  void work();
};

/** Gives up the items that have not begun; the current one is finished. */
export const cancelRest = (id: number): void => {
  const ledger = ledgers.get(id);
  if (!ledger) return;
  const given = ledger.pending.length;
  ledger.pending = [];
  change(id, ({ total, state }) => ({
    total: total - given,
    ...(state !== 'running' && { state: 'ended' as const }),
  }));
};

/** Continues with the remaining items. */
export const goOn = (id: number): void => {
  change(id, () => ({ state: 'waiting' }));
  void work();
};

/** Retries the failed items. */
export const tryAgain = (id: number): void => {
  const ledger = ledgers.get(id);
  if (!ledger) return;
  ledger.pending = [...ledger.failed, ...ledger.pending];
  ledger.failed = [];
  change(id, () => ({ failures: [] }));
  goOn(id);
};

/** Removes it from the list; only ended runs can be removed. */
export const forgetWork = (id: number): void => {
  if (find(id)?.state !== 'ended') return;
  ledgers.delete(id);
  useWorkStore.setState(({ runs }) => ({ runs: runs.filter((run) => run.id !== id) }));
};

/** Gives up and forgets all of it: another person must neither continue it nor see what it was. */
export const forgetAllWork = (): void => {
  ledgers.clear();
  useWorkStore.setState({ runs: [] });
};

export const workRuns = (): readonly WorkRun[] => useWorkStore.getState().runs;
export const useWorkRuns = (): readonly WorkRun[] => useWorkStore(({ runs }) => runs);
