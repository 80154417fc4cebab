import { type Kysely, sql } from 'kysely';
import { type AuditFilter, type AuditPerson, auditHttp } from '#contracts/kernel/audit.ts';
import { exportCsv, exportJsonLines } from '#runtime/row-export.ts';
import type { Actor } from '../access/actor.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { seesAddresses } from '../access/sees-addresses.ts';
import type { Tables } from '../database/tables.ts';
import { newestFirst } from '../logs/log-export.ts';
import { type LogSlice, readLogPage } from '../logs/log-page.ts';
import { auditRowOf, readAudit, type StoredAudit } from './read-audit.ts';
import { type MemberNames, readReferenceNames } from './reference-names.ts';

/** Players by a part of their names; there may be a hundred thousand. */
type FindPlayers = (text: string) => Promise<readonly { readonly id: string; readonly name: string }[]>;

interface StoredPerson {
  readonly actor: string;
  readonly name: string | null;
  readonly is_removed: boolean;
  readonly at: Date;
}

/**
 * How actors of each kind are listed.
 * - `single`: as one actor, as far as people care
 * - `each`: all of them, only as many as an installation has
 * - `searched`: by a part of the name, since there may be a hundred thousand
 */
const listing = {
  admin: 'each',
  'api-key': 'each',
  discord: 'each',
  shop: 'each',
  bot: 'single',
  desktop: 'single',
  local: 'single',
  operator: 'single',
  player: 'searched',
} as const satisfies Record<Actor['kind'] | 'operator', 'single' | 'each' | 'searched'>;
const kinds = Object.entries(listing);
const listedKinds = kinds.filter(([, as]) => as !== 'searched').map(([kind]) => kind);
const singleKinds = kinds.filter(([, as]) => as === 'single').map(([kind]) => kind);
const mostOfKind = 2000;
const mostFound = 200;

const kindOf = (actor: string): string => actor.split(':', 1)[0] ?? '';

/** Everyone who did something that has not expired, the most recent first. */
const readAuditPeople = async (
  db: Kysely<Tables>,
  { text, actor }: { readonly text?: string | undefined; readonly actor?: string | undefined },
  { retentionDays, findPlayers }: { readonly retentionDays: number; readonly findPlayers: FindPlayers },
): Promise<readonly AuditPerson[]> => {
  const players = text === undefined || actor !== undefined ? [] : await findPlayers(text);
  const actors =
    actor === undefined
      ? [...(await readActors(db, listedKinds)), ...players.map(({ id }) => `player:${id}`)]
      : singleKinds.includes(actor)
        ? await readActors(db, [actor])
        : [actor];
  const people = new Map<string, AuditPerson>();
  for (const row of await readPeople(db, actors, retentionDays)) {
    const kind = kindOf(row.actor);
    const isSingle = singleKinds.includes(kind);
    const person = isSingle ? kind : row.actor;
    if (people.has(person)) continue;
    const name = isSingle ? null : row.name;
    people.set(person, {
      actor: person,
      kind,
      name,
      isRemoved: row.is_removed,
      lastAt: row.at.toISOString(),
    });
  }
  const wanted = text?.toLowerCase();
  return [...people.values()]
    .filter(({ name }) => wanted === undefined || name?.toLowerCase().includes(wanted))
    .slice(0, mostFound);
};

/** Does not read the whole log: the index on actors leads from one to the next. */
const readActors = async (db: Kysely<Tables>, kinds: readonly string[]): Promise<readonly string[]> => {
  const { rows } = await sql<{ actor: string }>`
    select acted.actor from unnest(${kinds}::text[]) as kind cross join lateral (
      with recursive step as (
        (select actor from audit_logs where actor >= kind and actor < kind || ';' order by actor limit 1)
        union all
        select following.actor from step cross join lateral (
          select actor from audit_logs where actor > step.actor and actor < kind || ';' order by actor limit 1
        ) as following
      )
      select actor from step limit ${mostOfKind}
    ) as acted`.execute(db);
  return rows.map(({ actor }) => actor);
};

/** What is kept of each, the most recent actor first. */
const readPeople = async (
  db: Kysely<Tables>,
  actors: readonly string[],
  retentionDays: number,
): Promise<readonly StoredPerson[]> => {
  const { rows } = await sql<StoredPerson>`
    select asked.actor, newest.at, coalesce(admin.name, api_key.name, newest.actor_name) as name,
           (asked.actor like 'admin:%' and admin.id is null)
             or (asked.actor like 'api-key:%' and api_key.id is null) as is_removed
    from unnest(${actors}::text[]) as asked (actor)
    cross join lateral (
      select actor_name, at from audit_logs where actor = asked.actor
      order by actor desc, at desc, id desc limit 1
    ) as newest
    left join admins as admin on 'admin:' || admin.id = asked.actor
    left join api_keys as api_key on 'api-key:' || api_key.id = asked.actor
    where newest.at > now() - make_interval(days => ${retentionDays})
    order by newest.at desc, asked.actor`.execute(db);
  return rows;
};

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const csvColumns = {
  id: ({ id }: StoredAudit) => id,
  at: ({ at }: StoredAudit) => at.toISOString(),
  actorKind: ({ actor_kind }: StoredAudit) => actor_kind,
  actorId: ({ actor_id }: StoredAudit) => actor_id,
  actorName: ({ actor_name }: StoredAudit) => actor_name,
  action: ({ action }: StoredAudit) => action,
  target: ({ target }: StoredAudit) => target,
  address: ({ address }: StoredAudit) => address,
  before: ({ before }: StoredAudit) => json(before),
  after: ({ after }: StoredAudit) => json(after),
  detail: ({ detail }: StoredAudit) => json(detail),
};

export const bindAuditRoutes = (
  routes: ApiRoutes,
  {
    db,
    retentionDays,
    memberNames,
    findPlayers,
  }: {
    readonly db: Kysely<Tables>;
    readonly retentionDays: number;
    readonly memberNames: MemberNames;
    readonly findPlayers: FindPlayers;
  },
): void => {
  const reader = (filter: AuditFilter, actor: Actor) => {
    const isAddressSeen = seesAddresses(actor);
    return (slice: LogSlice) => readAudit(db, filter, { retentionDays, isAddressSeen }, slice);
  };
  routes.on(auditHttp.list, async ({ query }, { actor }) => {
    const { rows, ...cursors } = await readLogPage(query, reader(query, actor));
    const names = await readReferenceNames(db, rows, memberNames);
    return { rows: rows.map(auditRowOf), ...cursors, names };
  });
  routes.on(auditHttp.people, async ({ query }) => ({
    people: [...(await readAuditPeople(db, query, { retentionDays, findPlayers }))],
  }));
  routes.on(auditHttp.exportCsv, ({ query }, { actor }) =>
    exportCsv(newestFirst(reader(query, actor)), csvColumns),
  );
  routes.on(auditHttp.exportJsonLines, ({ query }, { actor }) =>
    exportJsonLines(newestFirst(reader(query, actor)), auditRowOf),
  );
};
