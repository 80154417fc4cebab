import { randomBytes } from 'node:crypto';
import { createId } from '@paralleldrive/cuid2';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { ProblemCode } from '#contracts/kernel/problems.ts';
import { type Enrolment, enrolmentMinutes } from '#contracts/servers/agent-enrolment.ts';
import { Secret } from '#runtime/secret.ts';
import { makerReference, stillMay } from '../../../identity/still-may.ts';
import type { AuditContext } from '../../../kernel/access/audit-context.ts';
import { recordAudit } from '../../../kernel/audit/record-audit.ts';
import type { Tables } from '../../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../../kernel/http/refusal.ts';
import { encodeMessage, type LiveTopic, type Subscriber } from '../../../kernel/live/live-topic.ts';
import { sealedColumn } from '../../../kernel/secrets/sealed-column.ts';
import type { Secrets } from '../../../kernel/secrets/secrets.ts';

export const enrolmentCodeColumn = sealedColumn({
  table: 'agent_enrolments',
  key: ['id'],
  column: 'code',
  describe: ([id]) => `The code of the agent enrolment ${id}`,
});

const codeBytes = 16;

export const newEnrolmentCode = (): Secret => new Secret(randomBytes(codeBytes).toString('base64url'));

export type EnrolmentRow = Selectable<Tables['agent_enrolments']>;

/** Codes for enrolling agents, as the panel creates, shows and ends them. */
export type Enrolments = ReturnType<typeof createEnrolments>;

const minuteMs = 60_000;
const keptMs = 24 * 60 * minuteMs;
const mostFailures = 1000;

/** Clocks are corrected by seconds while a code is open. */
const clockToleranceMs = minuteMs;

/** A code with more time left than codes get was created while the clock was ahead: its age cannot be told. */
export const latestExpiry = (nowMs: number): Date =>
  new Date(nowMs + enrolmentMinutes * minuteMs + clockToleranceMs);

export const isEnded = (row: Pick<EnrolmentRow, 'is_ended' | 'expires_at'>, nowMs: number): boolean =>
  row.is_ended || row.expires_at.getTime() <= nowMs || row.expires_at > latestExpiry(nowMs);

/** Whether the person who made the code may still enrol an agent there. */
export const isMakerEntitled = (
  db: Kysely<Tables>,
  { created_by, server_id }: Pick<EnrolmentRow, 'created_by' | 'server_id'>,
): Promise<boolean> => stillMay(db, created_by, 'agents.write', server_id);

export const createEnrolments = (options: {
  readonly db: Kysely<Tables>;
  readonly secrets: Secrets;
  /** Unix time in milliseconds. */
  readonly wallNow: () => number;
  readonly changed: (serverId: string) => void;
}) => {
  const { db, secrets, wallNow, changed } = options;
  const failures = new Map<string, NonNullable<Enrolment['lastFailure']>>();

  const viewOf = async (row: EnrolmentRow): Promise<Enrolment> => {
    const open = isEnded(row, wallNow()) || !(await isMakerEntitled(db, row)) ? 'ended' : 'open';
    return {
      id: row.id,
      serverId: row.server_id,
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      state: row.used_at ? 'used' : open,
      downloadedAt: row.downloaded_at?.toISOString() ?? null,
      usedAt: row.used_at?.toISOString() ?? null,
      lastFailure: row.used_at ? null : (failures.get(row.id) ?? null),
    };
  };
  const newest = async (serverId: string): Promise<Enrolment | null> => {
    const row = await db
      .selectFrom('agent_enrolments')
      .selectAll()
      .where('server_id', '=', serverId)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    return row ? viewOf(row) : null;
  };
  const endOpen = async (trx: Kysely<Tables>, serverId: string): Promise<readonly string[]> => {
    const ended = await trx
      .updateTable('agent_enrolments')
      .set({ is_ended: true })
      .where('server_id', '=', serverId)
      .where('used_at', 'is', null)
      .where('is_ended', '=', false)
      .returning('id')
      .execute();
    return ended.map(({ id }) => id);
  };

  return {
    /** The newest one of a server. */
    read: newest,
    /** Ends the previous one. */
    async create(
      serverId: string,
      by: AuditContext,
    ): Promise<{ readonly code: Secret; readonly enrolment: Enrolment } | Refusal> {
      const code = newEnrolmentCode();
      const id = createId();
      const createdAt = new Date(wallNow());
      const made = await db.transaction().execute(async (trx): Promise<EnrolmentRow | Refusal> => {
        const server = await lockServer(trx, serverId);
        if (!server) return refuse('NOT_FOUND');
        if (server.archived_at) return refuse('SERVER_ARCHIVED');
        await endOpen(trx, serverId);
        const last = await trx
          .selectFrom('agent_enrolments')
          .select((own) => own.fn.max('created_at').as('at'))
          .where('server_id', '=', serverId)
          .executeTakeFirst();
        const row = await trx
          .insertInto('agent_enrolments')
          .values({
            id,
            server_id: serverId,
            code: secrets.seal(enrolmentCodeColumn, [id], code),
            created_by: makerReference(by.actor),
            // It orders them: after the last one, even if the clock was set back.
            created_at: new Date(Math.max(createdAt.getTime(), (last?.at?.getTime() ?? 0) + 1)),
            expires_at: new Date(createdAt.getTime() + enrolmentMinutes * minuteMs),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const after = { enrolment: id, expiresAt: row.expires_at.toISOString() };
        await recordAudit(trx, { ...by, action: 'agents.enrol', target: `server:${serverId}`, after });
        return row;
      });
      if (isRefusal(made)) return made;
      changed(serverId);
      return { code, enrolment: await viewOf(made) };
    },
    async cancel(serverId: string, by: AuditContext): Promise<Enrolment | null> {
      const ended = await db.transaction().execute(async (trx) => {
        const [id] = await endOpen(trx, serverId);
        if (id === undefined) return false;
        const before = { enrolment: id };
        await recordAudit(trx, {
          ...by,
          action: 'agents.cancel-enrolment',
          target: `server:${serverId}`,
          before,
        });
        return true;
      });
      if (ended) changed(serverId);
      return newest(serverId);
    },
    /** The line that names this enrolment downloaded the program; any other id changes nothing. */
    async markDownloaded(id: string): Promise<void> {
      const row = await db
        .updateTable('agent_enrolments')
        .set({ downloaded_at: new Date(wallNow()) })
        .where('id', '=', id)
        .where('downloaded_at', 'is', null)
        .where('used_at', 'is', null)
        .where('is_ended', '=', false)
        .returning('server_id')
        .executeTakeFirst();
      if (row) changed(row.server_id);
    },
    /** An agent that named it was refused. Kept in memory: what a stranger can cause is not written. */
    noteFailure(
      id: string,
      serverId: string,
      { code, address }: { readonly code: ProblemCode; readonly address: string },
    ): void {
      failures.delete(id);
      failures.set(id, { at: new Date(wallNow()).toISOString(), code, address });
      const [oldest] = failures.keys();
      if (failures.size > mostFailures && oldest !== undefined) failures.delete(oldest);
      changed(serverId);
    },
    /** Deletes rows that no one asks for any more. @returns how many */
    async deleteOld(): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('agent_enrolments')
        .where('expires_at', '<', new Date(wallNow() - keptMs))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
};

/** Of two transactions that lock the same server, one waits for the other's end. @returns undefined: there is no such server */
export const lockServer = (
  trx: Transaction<Tables>,
  serverId: string,
): Promise<{ readonly archived_at: Date | null } | undefined> =>
  trx
    .selectFrom('game_servers')
    .select('archived_at')
    .where('id', '=', serverId)
    .forNoKeyUpdate()
    .executeTakeFirst();

interface EnrolmentTopic extends LiveTopic {
  /** Call after a change has committed. */
  changed(serverId: string): void;
}

/** Announces whose enrolment has changed; subscribers then read it. */
export const createEnrolmentTopic = (): EnrolmentTopic => {
  const subscribers = new Set<Subscriber>();
  return {
    changed(serverId) {
      const message = encodeMessage({ type: 'enrolments', serverIds: [serverId] });
      // A slow subscriber is skipped: the panel also reads the enrolment every few seconds.
      for (const subscriber of subscribers)
        if (subscriber.isReady() && subscriber.maySee(serverId)) subscriber.send(message);
    },
    subscribe(subscriber) {
      subscriber.send(
        encodeMessage({ type: 'subscribed', topic: 'enrolments', cursor: null, resumed: false }),
      );
      subscriber.send(encodeMessage({ type: 'enrolments', serverIds: [] }));
      subscribers.add(subscriber);
      return { [Symbol.dispose]: () => void subscribers.delete(subscriber) };
    },
    [Symbol.dispose]: () => subscribers.clear(),
  };
};
