import type { Format } from '#contracts/kernel/format.ts';
import type { InWords } from '#contracts/kernel/words.ts';
import type { ModsJob, PlanFault, PlanLine } from '#contracts/mods/mods.ts';
import { type ModStep, modSteps } from '#contracts/servers/agent-mods.ts';
import type { TaskProgress } from '#contracts/servers/agent-tasks.ts';
import type { modPartsWords } from './mod-parts.words.ts';

type Words = InWords<(typeof modPartsWords)['en']>;

/** From the agent's own name of a step, which may be followed by more. */
const stepOf = ({ step }: TaskProgress): ModStep | null =>
  modSteps.find((known) => step === known || step.startsWith(`${known}:`) || step.startsWith(`${known} `)) ??
  null;

/** From here on the change ends by itself, with the new set or the old one. */
const pastCancelling: readonly (ModStep | null)[] = ['swap', 'start', 'watch', 'roll-back'];

/** Until the files are swapped. */
export const canStillCancel = ({ progress }: Pick<ModsJob, 'progress'>): boolean =>
  progress === null || !pastCancelling.includes(stepOf(progress));

/** Counts of files are small and bytes are not; a size below this is shown as a number. */
const leastBytes = 4096;

/** The current step of a job; a step of a later agent is shown unchanged. */
export const progressInWords = (
  { state, waitsFor, progress }: Pick<ModsJob, 'state' | 'waitsFor' | 'progress'>,
  words: Words,
  format: Format,
): string => {
  if (state === 'waiting') return waitsFor ? words.waits[waitsFor] : words.verdicts.waiting;
  if (!progress) return words.begins;
  const step = stepOf(progress);
  if (step === null) return progress.step;
  const { done, total } = progress;
  if (step === 'download' && total !== null && total > 0)
    return total < leastBytes
      ? words.downloadingFile(Math.min(done + 1, total), total)
      : words.downloading(format.bytes(done), format.bytes(total));
  if (step === 'watch' && total !== null && total > done)
    return words.watching(format.duration(total - done));
  return words.steps[step];
};

/** A screen reader's description of a job, without figures, which change by themselves. */
export const stepInWords = (job: Pick<ModsJob, 'state' | 'waitsFor' | 'progress'>, words: Words): string => {
  const step = job.state === 'running' && job.progress ? stepOf(job.progress) : null;
  if (step !== null) return words.steps[step];
  if (job.state === 'waiting') return job.waitsFor ? words.waits[job.waitsFor] : words.verdicts.waiting;
  return job.progress?.step ?? words.begins;
};

/** Between 0 and 100; null while unknown. */
export const percentOf = (progress: TaskProgress | null): number | null =>
  progress === null || progress.total === null || progress.total === 0
    ? null
    : Math.min(100, Math.floor((progress.done / progress.total) * 100));

interface JobVerdict {
  readonly tone: 'ok' | 'busy' | 'warn' | 'bad' | 'idle';
  readonly says: keyof Words['verdicts'];
}

/** The state of a job: by what the agent has proven, and where it proved nothing, by its outcome. */
export const jobVerdict = ({
  state,
  outcome,
  result,
}: Pick<ModsJob, 'state' | 'outcome' | 'result'>): JobVerdict => {
  if (state === 'waiting') return { tone: 'busy', says: 'waiting' };
  if (state === 'running') return { tone: 'busy', says: 'running' };
  if (state === 'cancelled') return { tone: 'idle', says: 'cancelled' };
  if (state === 'unknown') return { tone: 'warn', says: 'unknown' };
  if (state === 'done') {
    const health = result?.health;
    if (health === 'proven') return { tone: 'ok', says: 'proven' };
    if (health === 'failed') return { tone: 'bad', says: 'newFailed' };
    if (health === 'down' || health === 'unmanaged') return { tone: 'ok', says: health };
    return { tone: 'ok', says: 'done' };
  }
  if (result?.isRolledBack)
    return { tone: 'bad', says: result.health === 'proven' ? 'rolledBack' : 'putBack' };
  if (result?.set === 'old') return { tone: 'bad', says: 'unchanged' };
  if (result?.set === 'new') return { tone: 'bad', says: 'newFailed' };
  if (outcome === 'refused' || outcome === 'expired') return { tone: 'bad', says: outcome };
  return { tone: 'bad', says: 'failed' };
};

/** "Update Lithium"; for several, "2 new and 1 removed". */
export const changesInWords = (
  lines: readonly Pick<PlanLine, 'change' | 'name'>[],
  words: Words,
  format: Format,
): string => {
  const [only] = lines;
  if (only && lines.length === 1) return words.changeOf[only.change](only.name);
  const count = (change: PlanLine['change']) => lines.filter((line) => line.change === change).length;
  const parts = [
    [count('add'), words.added],
    [count('update'), words.updated],
    [count('remove'), words.removed],
    [count('adopt'), words.adopted],
  ] as const;
  const said = parts.flatMap(([number, say]) => (number > 0 ? [say(number)] : []));
  return said.length > 0 ? format.list(said) : words.nothing;
};

export const faultInWords = (
  { code, mod, other }: Pick<PlanFault, 'code' | 'mod' | 'other'>,
  words: Words,
): string => {
  // A source that does not answer may concern many mods.
  const unnamed = code.startsWith('SOURCE_') ? words.someMods : words.thisMod;
  const text = words.faults[code](mod ?? unnamed, other ?? words.anotherMod);
  return text.charAt(0).toUpperCase() + text.slice(1);
};
