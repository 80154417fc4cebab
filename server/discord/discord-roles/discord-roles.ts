import { type Kysely, sql } from 'kysely';
import type { RoleChange, RoleObstacle } from '#contracts/discord/discord-roles.ts';
import type { Language } from '#contracts/kernel/language.ts';
import type { ReasonCode } from '#contracts/kernel/reasons.ts';
import type { Log } from '#runtime/log.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { waitAtMost } from '#runtime/within.ts';
import { isDatabaseUnavailable } from '../../kernel/database/database-fault.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { KnownRoles, RolesNow } from './known-roles.ts';
import { createRoleChanges, type RoleChanges, type SoldRoles } from './role-changes.ts';
import { createRoleRules, type RoleRules } from './role-rules.ts';
import { createWhitelist, type WhitelistOptions } from './whitelist.ts';

/** Per round; the next one continues after them. */
const mostTold = 1000;

interface WaitingPurchases {
  /** Open deliveries of roles; null: each only waits for its turn. */
  readonly waiting: readonly { readonly id: string; readonly why: ReasonCode | null }[];
  /** The number of the last one; 0: all were read. */
  readonly after: string;
}

/** @param after the previous round's `after`, 0 at first */
const readWaitingPurchases = async (
  db: Kysely<Tables>,
  now: RolesNow,
  after: string,
): Promise<WaitingPurchases> => {
  const { rows } = await sql<{
    readonly id: string;
    readonly number: string;
    readonly roleId: string;
    readonly hasAccount: boolean;
    readonly isThere: boolean;
    readonly isPending: boolean | null;
    readonly obstacle: RoleObstacle | null;
  }>`
    select deliveries.id, deliveries.number, deliveries.line ->> 'roleId' as "roleId", person.discord_id is not null as "hasAccount",
           present.discord_id is not null as "isThere", present.is_pending as "isPending", owed.obstacle
      from deliveries join members as own on own.id = deliveries.member_id
      join members as person on person.id = coalesce(own.merged_into, own.id)
      left join discord_guild_members as present
        on present.discord_id = person.discord_id and present.left_at is null
      left join discord_role_changes as owed
        on owed.discord_id = person.discord_id and owed.role_id = deliveries.line ->> 'roleId'
     where deliveries.line ->> 'kind' = 'role' and state in ('pending', 'waiting')
       and deliveries.number > ${after}::bigint
     order by deliveries.number limit ${mostTold}`.execute(db);
  const waiting = rows.map(({ id, roleId, ...facts }) => ({
    id,
    why: whyWaiting({ ...facts, ofRole: now.obstacleOf(roleId) }),
  }));
  return { waiting, after: rows.length < mostTold ? '0' : (rows.at(-1)?.number ?? '0') };
};

const whyWaiting = (facts: {
  readonly hasAccount: boolean;
  readonly isThere: boolean;
  readonly isPending: boolean | null;
  readonly obstacle: RoleObstacle | null;
  readonly ofRole: RoleObstacle | null;
}): ReasonCode | null => {
  // What the receiver can do something about comes first.
  if (!facts.hasAccount) return 'role-no-account';
  if (facts.ofRole !== null) return facts.ofRole;
  if (!facts.isThere) return 'role-not-on-server';
  return facts.isPending === true ? 'role-rules-first' : facts.obstacle;
};

interface DiscordRolesOptions extends Pick<WhitelistOptions, 'isOnline' | 'order'> {
  readonly db: Kysely<Tables>;
  readonly roles: KnownRoles;
  readonly sold: SoldRoles & {
    tellWaiting(waiting: WaitingPurchases['waiting']): Promise<void>;
  };
  /** Without a license nothing is done. */
  readonly licenseHolds: () => boolean;
  /** Whether the queue of deliveries is paused. */
  readonly isPaused: () => boolean;
  /** The language that the bot speaks. */
  readonly language: () => Promise<Language>;
  readonly log: Log;
}

/** Keeps roles of the Discord server in step with what members have here, and whitelists with roles. */
export interface DiscordRoles extends AsyncDisposable {
  readonly roles: KnownRoles;
  readonly rules: RoleRules;
  readonly changes: RoleChanges;
  /** The next change for the bot, provided that the plan has been compared with what may be done now. */
  take(): Promise<RoleChange[]>;
  readonly language: () => Promise<Language>;
  readonly db: Kysely<Tables>;
  /** Called once the schema is in place. */
  begin(): void;
  /** Something has changed that may change a role: checks soon. */
  wake(): void;
  /** What may be done has changed: nothing is given or taken until everything was compared again. */
  reconsider(): void;
  /** One check of everything. */
  round(): Promise<void>;
}

/** Between two checks without a wake. */
const usualRestMs = 10_000;
const soonMs = 250;
/** A check that takes long is followed by a rest that is this many times longer: it costs at most a twentieth of a core. */
const restFactor = 20;
const stopDeadlineMs = 3000;

export const createDiscordRoles = (options: DiscordRolesOptions): DiscordRoles => {
  const { db, roles, sold, licenseHolds, isPaused, language, log } = options;
  const stopping = new AbortController();
  const changes = createRoleChanges({ db, sold });
  const whitelist = createWhitelist(options);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let last = Promise.resolve();
  let hasBegun = false;
  let isWoken = false;
  let notBeforeMs = 0;

  const carryOut = singleFlight(() => whitelist.carryOut(stopping.signal).catch(tell));
  /** Changes that are still to be written, by role; null: nothing was compared since what may be done changed. */
  let looked: ReadonlyMap<string, number> | null = null;
  let considered = 0;
  let toldAfter = '0';

  const tell = (error: unknown) => {
    if (isDatabaseUnavailable(error)) log.debug({ err: error }, 'roles are waiting for the database');
    else log.error({ err: error }, 'could not synchronize roles; will retry');
  };
  const follow = async (now: RolesNow): Promise<void> => {
    const of = considered;
    let left: ReadonlyMap<string, number> | null = null;
    if (now.isListed) {
      const rules = await db
        .selectFrom('discord_role_rules')
        .selectAll()
        .where('is_enabled', '=', true)
        .execute();
      left = await changes.refill({ rules, now, mayDeliver: !isPaused() });
      if (left.size > 0) isWoken = true;
      await whitelist.plan((roleId) => now.followObstacleOf(roleId) === null);
    }
    if (of === considered) looked = left;
    const { waiting, after } = await readWaitingPurchases(db, now, toldAfter);
    await sold.tellWaiting(waiting);
    toldAfter = after;
    // Games reply when they like: nothing else waits for them.
    void carryOut();
  };
  const look = async (): Promise<void> => {
    if (!licenseHolds()) {
      looked = null;
      return;
    }
    const beganMs = performance.now();
    try {
      await follow(await roles.read(db));
    } finally {
      notBeforeMs = performance.now() + restFactor * (performance.now() - beganMs);
    }
  };

  /** One after the other: an older check says nothing about a newer one. */
  const round = (): Promise<void> => {
    last = last.catch(() => undefined).then(look);
    return last;
  };

  const schedule = () => {
    clearTimeout(timer);
    if (!hasBegun || running || stopping.signal.aborted) return;
    const restMs = Math.max(0, notBeforeMs - performance.now());
    timer = setTimeout(start, Math.max(isWoken ? soonMs : usualRestMs, restMs)).unref();
  };
  const start = () => {
    isWoken = false;
    running = round()
      .catch(tell)
      .finally(() => {
        running = null;
        schedule();
      });
  };
  const wake = () => {
    if (isWoken) return;
    isWoken = true;
    schedule();
  };
  const reconsider = () => {
    considered += 1;
    looked = null;
    wake();
  };

  return {
    roles,
    rules: createRoleRules({
      db,
      roles,
      onChange: reconsider,
      leftOf: (roleId) => looked && (looked.get(roleId) ?? 0),
    }),
    changes,
    take: async () => changes.take(looked ? await roles.read(db) : null),
    language,
    db,
    begin() {
      hasBegun = true;
      schedule();
    },
    wake,
    reconsider,
    round,
    async [Symbol.asyncDispose]() {
      // The API ends it before its listeners; its owner then has nothing left to wait for.
      if (stopping.signal.aborted) return;
      stopping.abort();
      clearTimeout(timer);
      // A game may take longer for its reply: the next process asks it again.
      await waitAtMost(stopDeadlineMs, Promise.all([running, carryOut.underWay()]));
    },
  };
};
