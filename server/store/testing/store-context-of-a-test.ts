import { EventEmitter } from 'node:events';
import type { Kysely } from 'kysely';
import { type SectionName, type SectionValues, settingsSections } from '#contracts/operations/settings.ts';
import { uncontestedLeases } from '../../kernel/commands/testing/uncontested-leases.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import { plainValues } from '../../operations/settings/section-change.ts';
import { readMemberNames, readPlayersOf } from '../../people/members/member-names.ts';
import { createMembers } from '../../people/members/members.ts';
import type { StoreContext, StoreNews } from '../store-context.ts';

/** Only the store as a whole needs the rest. */
export type StoreContextOfATest = Omit<StoreContext, keyof Kernel> &
  Pick<StoreContext, 'db' | 'home' | 'jobs' | 'licenseHolds' | 'log' | 'pauses'>;

/** Settings as they are before anyone changes them, except for these. */
export const settingsOfATest = (
  changes: { readonly [Name in SectionName]?: Partial<SectionValues<Name>> } = {},
) => ({
  async values<Name extends SectionName>(section: Name): Promise<SectionValues<Name>> {
    const changed: object | undefined = changes[section];
    return { ...plainValues(settingsSections[section], {}), ...changed } as SectionValues<Name>;
  },
});

/** A store without servers, players or Discord on this database, with what a test puts in. */
export const storeContextOfATest = (
  db: Kysely<Tables>,
  changes: Partial<StoreContextOfATest> = {},
): StoreContextOfATest => ({
  db,
  home: '',
  log: silentLog,
  now: Date.now,
  licenseHolds: () => true,
  settings: settingsOfATest(),
  jobs: { attach: () => undefined, send: async () => true },
  pauses: { isPaused: () => false, refresh: async () => undefined, onChange: () => undefined },
  servers: { all: () => [], subscribe: () => () => undefined },
  statusOf: () => ({ state: 'offline' }),
  ways: {
    open: () => null,
    prepare: async () => [],
    leases: uncontestedLeases,
    resultOf: async () => null,
    ask: async () => null,
  },
  tasks: {
    machineOf: () => ({ takesTasks: false, machine: null, process: null }),
    run: () => Promise.reject(new Error('there is no agent here')),
  },
  say: async () => false,
  onSweep: () => undefined,
  onLateResult: () => undefined,
  presence: { openSessions: () => [] },
  onPlayersPresent: () => undefined,
  members: createMembers({
    db,
    forgetPlayers: () => undefined,
  }),
  memberNames: (ids) => readMemberNames(db, ids),
  playersOf: (memberId) => readPlayersOf(db, memberId),
  roleFaults: async () => new Map(),
  retryRole: async () => undefined,
  news: new EventEmitter<StoreNews>(),
  ...changes,
});
