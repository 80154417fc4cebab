import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { AgentTaskKind } from '#contracts/servers/agent-tasks.ts';
import type { KeptLine, LineTraits } from '#contracts/servers/console.ts';
import { readJson } from '#runtime/read-json.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { AgentTasks } from '../agent-tasks.ts';
import type { HeardLines } from './heard-lines.ts';
import type { HiddenSecrets } from './hidden-secrets.ts';

/** Lines that the game has written before, newest first: as its agent keeps them; if it has none, as the API has heard them. */
export type KeptLines = (
  serverId: string,
  query: {
    readonly cursor?: string | undefined;
    readonly search?: string | undefined;
    readonly limit: number;
  },
  actor: Actor,
) => Promise<{ readonly rows: KeptLine[]; readonly nextCursor: string | null } | Refusal>;

/** A person waits for it. */
const expiresInMs = 8000;
const waitMs = 20_000;
const longestLine = 4000;
/** An agent's page has some hundred kilobytes; parsing it must not delay others. */
const mostUploadBytes = 2 * 1024 * 1024;
const lastMs = Date.UTC(9999, 11, 31);

const page = z.object({
  lines: z.array(z.object({ id: z.string().max(100), atMs: z.number(), text: z.string() })).max(1000),
  next: z.string().max(100).nullable(),
});
const kind: AgentTaskKind = 'console-history';

export const createKeptLines =
  ({
    servers,
    tasks,
    heard,
    hiddenSecrets,
    traitsOf,
  }: {
    readonly servers: { get(id: string): object | null };
    readonly tasks: Pick<AgentTasks, 'run' | 'machineOf'>;
    /** What the API has heard itself. */
    readonly heard: Pick<HeardLines, 'page'>;
    readonly hiddenSecrets: Pick<HiddenSecrets, 'mask'>;
    readonly traitsOf: (serverId: string, text: string) => LineTraits;
  }): KeptLines =>
  async (serverId, { cursor = null, search = null, limit }, by) => {
    if (!may(by, 'console.read', serverId)) return refuse('FORBIDDEN');
    if (!servers.get(serverId)) return refuse('NOT_FOUND');
    const { takesTasks, machine } = tasks.machineOf(serverId);
    const shown = (line: KeptLine): KeptLine => ({
      ...line,
      text: hiddenSecrets.mask(serverId, line.text),
      ...traitsOf(serverId, line.text),
    });
    if (!takesTasks || !machine?.facts.tasks.includes(kind)) {
      const page = await heard.page(serverId, { cursor, search, limit });
      if (page === 'nothing heard') return refuse('CONSOLE_HISTORY_AWAY');
      if (page === 'no such place') return refuse('INVALID_REQUEST', 'This is no place in the history.');
      return { rows: page.rows.map(shown), nextCursor: page.nextCursor };
    }
    let text: string | null = null;
    const result = await tasks.run(
      serverId,
      { kind, before: cursor, search, limit },
      {
        by,
        expiresInMs,
        waitMs,
        mostUploadBytes,
        async onUpload({ path }) {
          text = await readFile(path, 'utf8');
        },
      },
    );
    if (result.outcome === 'refused') return refuse('INVALID_REQUEST', result.detail ?? undefined);
    const read = text === null ? null : readJson(page, text);
    if (result.outcome !== 'done' || !read) return refuse('CONSOLE_HISTORY_AWAY', result.detail ?? undefined);
    const rows = read.lines.map(({ id, atMs, text: line }) =>
      shown({ id, at: timeOf(atMs), text: storableText(line, longestLine) }),
    );
    return { rows, nextCursor: read.next };
  };

/** By the clock of the game's machine, which may show any time: limited to years of four digits, as in ISO times. */
const timeOf = (atMs: number): string => new Date(Math.min(Math.max(atMs, 0), lastMs)).toISOString();
