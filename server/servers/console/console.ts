import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AuditAction } from '#contracts/kernel/audit-actions.ts';
import type { ConsoleEntry, ConsoleRun } from '#contracts/servers/console.ts';
import type { CommandResult, GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { maskResult } from '#games/mask-command.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { type Actor, actorReference, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { ConsoleRouter } from '../../kernel/commands/console-router.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { AgentGateway } from '../agents/agent-gateway.ts';
import {
  agentCommandId,
  type ConsoleRow,
  endedRow,
  hideSecret,
  insertCommands,
  readRunning,
  reviseCommand,
  rowIdOf,
  settleLeftovers,
  toEntry,
} from './console-rows.ts';
import type { ConsoleTopic } from './console-topic.ts';
import type { HiddenSecrets } from './hidden-secrets.ts';
import { createOutcomeWriter } from './outcome-writer.ts';
import type { ServerMasks } from './server-masks.ts';

export interface GivenCommand {
  readonly serverId: string;
  /** One line, built by a game's adapter. */
  readonly command: string;
  /** For the game's reply. */
  readonly timeoutMs: number;
  /** The audit log's name for the act, such as `players.kick`; `console.run` by default. */
  readonly action?: AuditAction;
  /** The audit log's name for its target. */
  readonly target?: string;
  /** A part of the command that neither history nor audit may show, such as a code. */
  readonly secret?: string;
  /** What it tells a player, for the audit log. */
  readonly text?: string;
}

export interface AnsweredCommand {
  readonly entry: ConsoleEntry;
  readonly result: CommandResult;
}

/** Gives commands to games, and keeps who gave which and how it ended. The caller may leave in the meantime. */
export type Console = ReturnType<typeof createConsole>;

type Trx = Kysely<Tables>;

/** How often to look for commands of a process that ended without a word. */
const sweepMs = 30_000;

export const createConsole = ({
  db,
  leases,
  router,
  masks,
  agents,
  topic,
  hiddenSecrets,
  log,
  mostRuns = 10,
}: Pick<Kernel, 'db' | 'leases' | 'log'> & {
  readonly router: Pick<ConsoleRouter, 'run'>;
  readonly masks: Pick<ServerMasks, 'gave'>;
  readonly agents: Pick<AgentGateway, 'results'>;
  readonly topic: Pick<ConsoleTopic, 'entry'>;
  readonly hiddenSecrets: Pick<HiddenSecrets, 'hide'>;
  /** How many runs of one actor may be under way together. */
  readonly mostRuns?: number;
}) => {
  const underWay = new Map<string, number>();
  const work = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const outcomeWriter = createOutcomeWriter(db, log);

  /** Written before anything is sent: whatever happens to this process, it is in the history. */
  const writeDown = (given: Given, by: AuditContext): Promise<WrittenCommand[] | Refusal> =>
    db.transaction().execute(async (trx) => {
      const games = await gamesOf(trx, given.serverIds);
      if (isRefusal(games)) return games;
      const runId = randomUUID();
      // Only memory and the agent's queue have the secrets of a command: neither history nor audit is replayed.
      const shown = hideSecret(given.secret, given.command);
      const kept = new Map([...games].map(([id, game]) => [id, gameOf(game).maskCommand(shown)]));
      const rows = await insertCommands(trx, { ...given, kept, runId, actor: by.actor });
      await leases.take(
        trx,
        rows.map((row) => agentCommandId(row.id)),
      );
      const { serverIds: servers, action = 'console.run', target = `console-run:${runId}` } = given;
      const command = [...new Set(games.values())].reduce(
        (masked, game) => gameOf(game).maskCommand(masked),
        shown,
      );
      await recordAudit(trx, {
        ...by,
        action,
        target,
        after: { command, servers, ...(given.text && { text: given.text }) },
      });
      return rows.flatMap((row) => {
        const game = games.get(row.server_id);
        return game ? [{ row, game }] : [];
      });
    });

  const send = async (
    { row, game }: WrittenCommand,
    { command, timeoutMs, secret }: Given,
  ): Promise<AnsweredCommand> => {
    const id = agentCommandId(row.id);
    if (secret !== undefined) hiddenSecrets.hide(row.server_id, secret);
    const maySend = () => leases.maySend(id);
    masks.gave(row.server_id, command);
    const reached = await router.run(row.server_id, command, {
      id,
      timeoutMs,
      signal: stopping.signal,
      maySend,
    });
    const result = asOfNow(reached.result);
    const masked = maskResult(gameOf(game), command, result);
    const kept = masked.reply === null ? masked : { ...masked, reply: hideSecret(secret, masked.reply) };
    const ended = await outcomeWriter.write(endedRow(row, kept, reached.via, reached.detail));
    leases.release([id]);
    const entry = toEntry(ended, game);
    topic.entry(entry);
    return { entry, result };
  };

  /** Cut off by our own stop, the game may still carry out what it was sent. */
  const asOfNow = (result: CommandResult): CommandResult =>
    stopping.signal.aborted && result.sent && result.outcome !== 'answered'
      ? { ...result, outcome: 'unknown' }
      : result;

  /** Ends what ended processes left running, by their agents' results where there are any. */
  const recover = async (): Promise<void> => {
    const rows = await readRunning(db);
    const taken = await leases.takeOver(rows.map(({ id }) => agentCommandId(id)));
    try {
      const left = rows.filter(({ id }) => taken.has(agentCommandId(id)));
      const unknown = await settleLeftovers(db, left, await agents.results([...taken]));
      if (unknown > 0) log.warn({ commands: unknown }, 'the outcome of some console commands is unknown');
    } finally {
      leases.release(taken);
    }
  };
  let sweeping: Disposable | undefined;

  const giveAll = async (given: Given, by: AuditContext): Promise<AnsweredCommand[] | Refusal> => {
    if (stopping.signal.aborted) return refuse('SHUTTING_DOWN');
    const key = actorReference(by.actor);
    const runs = underWay.get(key) ?? 0;
    if (runs >= mostRuns)
      return { ...refuse('RATE_LIMITED', 'Too many of your commands are running.'), retryAfterMs: 1000 };
    underWay.set(key, runs + 1);
    const whole = (async () => {
      const written = await writeDown(given, by);
      if (isRefusal(written)) return written;
      for (const { row, game } of written) topic.entry(toEntry(row, game));
      return Promise.all(written.map((each) => send(each, given)));
    })();
    work.add(whole);
    try {
      return await whole;
    } finally {
      work.delete(whole);
      const left = (underWay.get(key) ?? 1) - 1;
      if (left > 0) underWay.set(key, left);
      else underWay.delete(key);
    }
  };

  return {
    /** Needs console.write for every server that is named: otherwise nothing is sent to any. */
    async run(
      { serverIds, command, timeoutMs }: ConsoleRun,
      by: AuditContext,
    ): Promise<ConsoleEntry[] | Refusal> {
      const refusal = refuseActor(by.actor, serverIds);
      if (refusal) return refusal;
      const answered = await giveAll({ serverIds, command, timeoutMs }, by);
      return isRefusal(answered) ? answered : answered.map(({ entry }) => entry);
    },
    /** One command of another feature, which has checked the permission. */
    async give({ serverId, ...given }: GivenCommand, by: AuditContext): Promise<AnsweredCommand | Refusal> {
      const answered = await giveAll({ ...given, serverIds: [serverId] }, by);
      if (isRefusal(answered)) return answered;
      const [only] = answered;
      if (!only) throw new Error('a command was given to no server');
      return only;
    },
    /** A Game Agent's result for which no caller waits any more: it replaces the history's outcome. */
    async takeLate(serverId: string, commandId: string, result: CommandResult): Promise<void> {
      const id = rowIdOf(commandId);
      const revised = id === null ? undefined : await reviseCommand(db, serverId, id, result);
      if (!revised) return;
      const { game } = await db
        .selectFrom('game_servers')
        .select('game')
        .where('id', '=', serverId)
        .executeTakeFirstOrThrow();
      topic.entry(toEntry(revised, game));
    },
    /** Called once the schema is in place, and again on a sweep: ends what ended processes left running. */
    async prepare(): Promise<void> {
      await recover();
      sweeping ??= runPeriodically({
        intervalMs: sweepMs,
        work: recover,
        failure: 'could not end the console commands of an ended process yet',
        log,
      });
    },
    async [Symbol.asyncDispose]() {
      sweeping?.[Symbol.dispose]();
      stopping.abort();
      await Promise.allSettled([...work]);
      await outcomeWriter[Symbol.asyncDispose]();
    },
  };
};

interface WrittenCommand {
  readonly row: ConsoleRow;
  readonly game: GameId;
}

interface Given extends Omit<GivenCommand, 'serverId'> {
  readonly serverIds: readonly string[];
}

const refuseActor = (actor: Actor, serverIds: readonly string[]): Refusal | null =>
  serverIds.every((id) => may(actor, 'console.write', id))
    ? null
    : refuse('FORBIDDEN', 'This needs console.write for every server that is named; nothing was sent.');

/** By server. */
const gamesOf = async (
  trx: Trx,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, GameId> | Refusal> => {
  const rows = await trx
    .selectFrom('game_servers')
    .select(['id', 'archived_at', 'game'])
    .where('id', 'in', serverIds)
    .execute();
  if (rows.length < serverIds.length)
    return refuse('NOT_FOUND', 'One of these servers does not exist; nothing was sent.');
  return rows.some(({ archived_at }) => archived_at)
    ? refuse('SERVER_ARCHIVED', 'One of these servers is in the archive; nothing was sent.')
    : new Map(rows.map(({ id, game }) => [id, game]));
};
