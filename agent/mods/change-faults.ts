import type { ModForm, ModStep, ModsChange } from '#contracts/servers/agent-mods.ts';
import { ArchiveError } from '#runtime/archives/archive.ts';
import type { TaskRun } from '../tasks/task-handlers.ts';
import type { ChangeJournal } from './change-journal.ts';
import type { ModsManifest } from './manifest.ts';
import { ModFileError } from './mod-files.ts';
import { ModsError } from './mods-error.ts';

/** Faults that only another request can fix. */
export const whyUnfit = (
  { base, put, remove, adopt }: ModsChange,
  { revision, items }: ModsManifest,
  forms: readonly ModForm[],
): string | null => {
  if (base !== revision) return 'The mods were changed in the meantime. Look at them and plan again.';
  const wanted = [...put, ...adopt.map(({ item }) => item)];
  const unfit = wanted.find(({ form }) => !forms.includes(form));
  if (unfit) return `This server takes no mods such as ${unfit.name}.`;
  const unknown = remove.find((key) => !items.some((item) => item.key === key));
  if (unknown !== undefined) return `${unknown} is not one of this server's mods.`;
  const keys = [...wanted.map(({ key }) => key), ...remove];
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  return twice === undefined ? null : `The change names ${twice} twice.`;
};

export const stepOf = (step: ModStep, error: unknown): ModStep =>
  error instanceof ModFileError && ['hash', 'size'].includes(error.fault) ? 'verify' : step;

export const cutOffAt = ({ stage }: ChangeJournal, run: TaskRun): NonNullable<ChangeJournal['failure']> => ({
  at: stage === 'staging' ? 'download' : stage === 'stopping' ? 'stop' : 'swap',
  why: 'The agent ended before all files had changed places.',
  lines: [],
  isCancelled: run.cancelled.aborted,
});

export class RehearsalError extends ModsError {
  readonly lines: readonly string[];

  constructor(why: string, lines: readonly string[]) {
    super(why);
    this.lines = lines;
  }
}

/** Nothing was done, since the files or the folder do not allow it. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ArchiveError || (error instanceof ModsError && !(error instanceof RehearsalError));
