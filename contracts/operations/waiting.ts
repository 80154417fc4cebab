import * as z from 'zod';
import type { Permission } from '../identity/permissions.ts';
import { endpoint } from '../kernel/http.ts';

interface WaitingKindEntry {
  /** Sees it; for a server's things, on that server. */
  readonly permission: Permission;
  /** The page of the panel where a person deals with it; for one server's things, a tab of that server's page. */
  readonly to: `/${string}`;
  readonly serverTab: 'saves' | 'mods' | null;
  /** `bad`: something may be lost while it waits. */
  readonly tone: 'warn' | 'bad';
}

const kind = (
  permission: Permission,
  to: `/${string}`,
  { serverTab = null, tone = 'warn' }: Partial<Pick<WaitingKindEntry, 'serverTab' | 'tone'>> = {},
): WaitingKindEntry => ({ permission, to, serverTab, tone });

/** Everything that waits for a person, and who sees it; the most urgent first. */
export const waitingKinds = {
  /** Backups found the files of the database damaged. */
  damage: kind('backups.read', '/backups', { tone: 'bad' }),
  /** A backup failed, is damaged, or is overdue. */
  backups: kind('backups.read', '/backups', { tone: 'bad' }),
  /** The license ends within two weeks, or could not be confirmed. */
  license: kind('stack.read', '/license'),
  /** Deliveries with a reason of `deskReasons`. */
  deliveries: kind('orders.read', '/desk'),
  /** Paid orders of external shops that were not given yet: a person decides, or their player was never seen. */
  'shop-orders': kind('shops.read', '/shops'),
  /** Orders of external shops that were taken back, and left something in the game. */
  'shop-orders-left': kind('shops.read', '/shops?state=taken-back'),
  /** Removals that have been due for an hour, or whose outcome no one can tell. */
  removals: kind('orders.read', '/desk'),
  /** A season that was begun, or is being undone, and is not complete. */
  seasons: kind('seasons.read', '/seasons'),
  /** Products whose commands need approval. */
  approvals: kind('store.read', '/store'),
  /** Products whose sale stopped by itself until a person has checked them. */
  'held-products': kind('store.read', '/store'),
  /** Restores of worlds that are neither confirmed nor undone. */
  restores: kind('saves.read', '/servers', { serverTab: 'saves' }),
  /** Servers whose last nightly backup was not made. */
  'world-backups': kind('saves.read', '/servers', { serverTab: 'saves' }),
  /** Servers whose last restore that goes through by itself failed, or has waited for a minute. */
  'restore-runs': kind('saves.read', '/servers', { serverTab: 'saves' }),
  /** Servers whose last change of mods failed, or may have. */
  'mod-failures': kind('mods.read', '/mods', { serverTab: 'mods' }),
  /** Mods with a newer version that are not pinned. */
  'mod-updates': kind('mods.read', '/mods', { serverTab: 'mods' }),
} as const satisfies Record<string, WaitingKindEntry>;
export type WaitingKind = keyof typeof waitingKinds;
export const waitingKindNames = Object.keys(waitingKinds) as [WaitingKind, ...WaitingKind[]];

const waitingThing = z.object({
  kind: z.enum(waitingKindNames),
  /** Of those that the caller may see. */
  count: z.int().positive(),
  /** Since when the oldest of them waits; null: not known. */
  since: z.iso.datetime().nullable(),
  tone: z.enum(['warn', 'bad']),
  /** An address of the panel, such as `/desk`. */
  to: z.string(),
});

const waiting = z
  .object({
    /** The most urgent first. */
    rows: z.array(waitingThing),
    /** Whether the caller may see every kind on every server: only then does an empty list say that nothing waits. */
    isWhole: z.boolean(),
  })
  .meta({ id: 'Waiting' });
export type Waiting = z.infer<typeof waiting>;

export const waitingHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/waiting',
    summary: 'List what waits for a person, as far as the caller may see it',
    access: 'signed-in',
    response: waiting,
  }),
} as const;
