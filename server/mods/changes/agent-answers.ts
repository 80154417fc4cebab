import { readFile } from 'node:fs/promises';
import { parseStorableJson, storableText } from '#contracts/kernel/storable-text.ts';
import {
  type InspectedMod,
  inspectedMod,
  type ModFile,
  type ModsChanged,
  type ModsList,
  modsChanged,
  modsList,
} from '#contracts/servers/agent-mods.ts';
import type { AgentTask } from '#contracts/servers/agent-tasks.ts';
import { isBeyondMeasure } from '#runtime/json-measure.ts';
import { printable } from '#runtime/printable.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { thisMachine } from '../../kernel/access/authorize.ts';
import type { AgentTasks } from '../../servers/agent-tasks.ts';

/** The actor of what this API asks agents by itself. */
const modsActor: Actor = { ...thisMachine, kind: 'local', id: 'mods', name: 'Castellan' };

const mostListBytes = 32 * 1024 * 1024;
/** A list of 500 mods and 500 foreign files, each with all it may require and break, stays below this. */
const measure = { depth: 32, values: 700_000 };
const listExpiresInMs = 10_000;
const listWaitMs = 30_000;
const inspectExpiresInMs = 15_000;
/** A file of gigabytes takes a while. */
const inspectWaitMs = 10 * 60_000;

/** Names that are sent back to the agent verbatim; all other texts are for people. */
const exact: ReadonlySet<string> = new Set(['path', 'url', 'id', 'key', 'name', 'version', 'project']);
const readable = (given: unknown, key = ''): unknown => {
  if (typeof given === 'string') return exact.has(key) ? given : printable(given);
  if (Array.isArray(given)) return given.map((inner) => readable(inner, key));
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(Object.entries(given).map(([name, inner]) => [name, readable(inner, name)]));
};

const readModsList = (value: unknown): ModsList | null => modsList.safeParse(readable(value)).data ?? null;

const longestLine = 1000;
const longestNote = 500;
const text = (given: string, longest: number) =>
  storableText(printable(storableText(given, longest)), longest);

/** The value of a change that has ended; null: it proves nothing. */
export const readModsChanged = (value: unknown): ModsChanged | null => {
  const { data } = modsChanged.safeParse(value);
  return data
    ? {
        ...data,
        lines: data.lines.map((line) => text(line, longestLine)),
        notes: data.notes.map((note) => text(note, longestNote)),
      }
    : null;
};

interface Unanswered {
  readonly why: string;
  /** The agent looked and says so; otherwise it was not reached, or may not look. */
  readonly hasLooked?: boolean;
}

/** Asks an agent for something that may exceed a frame: it arrives as an upload, or as the value of the result. */
const ask = async (
  tasks: Pick<AgentTasks, 'run'>,
  serverId: string,
  task: AgentTask,
  limits: { readonly expiresInMs: number; readonly waitMs: number; readonly signal?: AbortSignal },
): Promise<{ readonly value: unknown } | Unanswered> => {
  let uploaded: string | null = null;
  const result = await tasks.run(serverId, task, {
    by: modsActor,
    ...limits,
    mostUploadBytes: mostListBytes,
    async onUpload({ path }) {
      uploaded = await readFile(path, 'utf8');
    },
  });
  if (result.outcome !== 'done')
    return {
      why: result.detail ?? `The Game Agent says: ${result.outcome}.`,
      hasLooked: result.outcome === 'failed',
    };
  if (uploaded === null) return { value: result.value };
  if (isBeyondMeasure(uploaded, measure))
    return { why: 'What the Game Agent has uploaded is beyond measure.' };
  try {
    return { value: parseStorableJson(uploaded) };
  } catch {
    return { why: 'What the Game Agent has uploaded is no JSON.' };
  }
};

export const askForMods = async (
  tasks: Pick<AgentTasks, 'run'>,
  serverId: string,
): Promise<ModsList | { readonly why: string }> => {
  const answer = await ask(
    tasks,
    serverId,
    { kind: 'list-mods' },
    { expiresInMs: listExpiresInMs, waitMs: listWaitMs },
  );
  if ('why' in answer) return answer;
  return readModsList(answer.value) ?? { why: 'What the Game Agent told of its mods makes no sense.' };
};

export const askToInspect = async (
  tasks: Pick<AgentTasks, 'run'>,
  serverId: string,
  file: ModFile,
  signal: AbortSignal,
): Promise<InspectedMod | Unanswered> => {
  const answer = await ask(
    tasks,
    serverId,
    { kind: 'inspect-mod', file },
    { expiresInMs: inspectExpiresInMs, waitMs: inspectWaitMs, signal },
  );
  if ('why' in answer) return answer;
  return (
    inspectedMod.safeParse(answer.value).data ?? {
      why: 'What the Game Agent told of this file makes no sense.',
    }
  );
};
