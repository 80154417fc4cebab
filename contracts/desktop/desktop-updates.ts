import * as z from 'zod';
import { desktopCall as call } from './desktop-call.ts';

const nothing = z.undefined();

const updateTroubleCodes = [
  'unreachable',
  'forged',
  'unreadable',
  'replayed',
  'expired',
  'too-far',
  'not-for-this-system',
  'damaged',
  'disk',
  'cancelled',
  'backup',
  'not-elevated',
  'still-running',
  'busy',
  'letters',
  'unexpected',
] as const;
export type UpdateTroubleCode = (typeof updateTroubleCodes)[number];

const release = z.object({
  version: z.string(),
  releasedAt: z.iso.datetime(),
  /** Plain text, to be shown unchanged. */
  notes: z.string(),
  sizeBytes: z.int(),
});

const step = z.enum(['checking', 'found', 'downloading', 'ready', 'backing-up', 'leaving']);
export type UpdateStep = z.infer<typeof step>;

export const updatesState = z.object({
  installed: z.string(),
  /** Why this program cannot update itself; null if it can. */
  obstacle: z.enum(['no-source', 'not-installed']).nullable(),
  /** `off`: the update server is never contacted. */
  mode: z.enum(['off', 'ask']),
  lastCheckedAt: z.iso.datetime().nullable(),
  nextCheckAt: z.iso.datetime().nullable(),
  /** Null: nothing is in progress and nothing is offered. */
  step: step.nullable(),
  offer: release.nullable(),
  /** The server confirmed this since the program started. */
  isNewest: z.boolean(),
  isSkipped: z.boolean(),
  /** The offered version ran here before, with problems. */
  isKnownUnhealthy: z.boolean(),
  receivedBytes: z.int(),
  trouble: z.object({ code: z.enum(updateTroubleCodes), detail: z.string() }).nullable(),
  /** The version that can be restored; null if none is kept. */
  wayBack: z.string().nullable(),
  outcome: z
    .object({
      kind: z.enum(['updated', 'went-back', 'not-installed']),
      from: z.string(),
      to: z.string(),
      backup: z.string().nullable(),
      detail: z.string().nullable(),
    })
    .nullable(),
});
export type UpdatesState = z.infer<typeof updatesState>;

/** Newer versions of the program itself. Each call answers with the resulting state. */
export const updatesCalls = {
  'updates.state': call(nothing, updatesState),
  'updates.change': call(z.strictObject({ mode: z.enum(['off', 'ask']) }), updatesState),
  /** Asks the server immediately. */
  'updates.check': call(nothing, updatesState),
  'updates.download': call(nothing, updatesState),
  'updates.cancel': call(nothing, updatesState),
  /** Stops offering this version, until there is a newer one. */
  'updates.skip': call(nothing, updatesState),
  /** Backs up the database, stops everything and installs the download; the program ends during this. */
  'updates.install': call(nothing, updatesState),
  /** Reinstalls the kept version; data is not changed. */
  'updates.goBack': call(nothing, updatesState),
  /**
   * After going back: restores the database from right before the update. Later changes are moved aside, not deleted.
   * Answers once everything runs again.
   */
  'updates.restoreBackup': call(nothing, updatesState),
  /** The result of the last update was read. */
  'updates.dismiss': call(nothing, updatesState),
} as const;
