import type { ConsoleEntry } from '#contracts/console.ts';
import type { ModerationReport } from '#contracts/players.ts';

export type ManyResult =
  | { readonly entry: ConsoleEntry }
  | { readonly report: ModerationReport }
  | { readonly error: unknown };

/** Whether a server has surely taken it. */
export const isSuccess = (result: ManyResult | 'running'): boolean =>
  result !== 'running' &&
  (('entry' in result && result.entry.outcome === 'answered') ||
    ('report' in result && result.report.verdict === 'done'));

/** The API takes ten runs of one person at a time; a few are left for what they do beside it. */
const atOnce = 4;

/** Runs on a few servers at a time; one that fails keeps no other from its turn. */
export const runOnMany = async (
  serverIds: readonly string[],
  run: (serverId: string) => Promise<ManyResult>,
  onResult: (serverId: string, result: ManyResult | 'running') => void,
): Promise<void> => {
  const left = [...serverIds];
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      onResult(id, 'running');
      onResult(id, await run(id).catch((error: unknown): ManyResult => ({ error })));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};
