import type { ModsChanged } from '#contracts/servers/agent-mods.ts';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';
import { cutText } from '../game/cut-text.ts';

/** A result with all its texts must fit into a frame. */
const lineLimits = { most: 50, longest: 1000, bytes: 48 * 1024 };
const noteLimits = { most: 50, longest: 500, bytes: 32 * 1024 };

/** The first ones that fit, measured as JSON. */
const thoseThatFit = (texts: readonly string[], { most, longest, bytes }: typeof lineLimits): string[] => {
  const fitting = texts.slice(0, most).map((text) => cutText(text, longest));
  while (Buffer.byteLength(JSON.stringify(fitting)) > bytes) fitting.pop();
  return fitting;
};

export const changed = (revision: number, parts: Partial<ModsChanged>): ModsChanged => ({
  set: 'old',
  revision,
  isRolledBack: false,
  health: null,
  failedAt: null,
  ...parts,
  lines: thoseThatFit((parts.lines ?? []).toReversed(), lineLimits).toReversed(),
  notes: thoseThatFit(parts.notes ?? [], noteLimits),
});
export const resultOf = (
  outcome: TaskResult['outcome'],
  detail: string | null,
  value: ModsChanged,
): TaskResult => ({
  outcome,
  detail: (detail && cutText(detail, 2000)) || null,
  value: { ...value },
});
export const refused = (revision: number, detail: string): TaskResult =>
  resultOf('refused', detail, changed(revision, {}));
