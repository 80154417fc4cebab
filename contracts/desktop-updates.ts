import * as z from 'zod';
import { desktopCall as call } from './desktop-call.ts';

const nothing = z.undefined();

export const updateTroubleCodes = [
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
  'unexpected',
] as const;
export type UpdateTroubleCode = (typeof updateTroubleCodes)[number];

const release = z.object({
  version: z.string(),
  releasedAt: z.iso.datetime(),
  /** Text, to be shown as it is. */
  notes: z.string(),
  sizeBytes: z.int(),
});

const step = z.enum(['checking', 'found', 'downloading', 'ready', 'backing-up', 'leaving']);
export type UpdateStep = z.infer<typeof step>;

export const updatesState = z.object({
  installed: z.string(),
  /** Why this program cannot update itself; null when it can. */
  obstacle: z.enum(['no-source', 'not-installed']).nullable(),
  /** Off: nothing is ever asked of the update server. */
  mode: z.enum(['off', 'ask']),
  lastCheckedAt: z.iso.datetime().nullable(),
  nextCheckAt: z.iso.datetime().nullable(),
  /** Null: nothing is under way, and nothing is offered. */
  step: step.nullable(),
  offer: release.nullable(),
  /** The server has said so since this start. */
  isNewest: z.boolean(),
  isSkipped: z.boolean(),
  /** The offered version ran here before, and not well. */
  isKnownUnhealthy: z.boolean(),
  receivedBytes: z.int(),
  trouble: z.object({ code: z.enum(updateTroubleCodes), detail: z.string() }).nullable(),
  /** The version that can be gone back to; null when none is kept. */
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

/** Newer versions of the program itself. Each call answers with how things stand then. */
export const updatesCalls = {
  'updates.state': call(nothing, updatesState),
  'updates.change': call(z.strictObject({ mode: z.enum(['off', 'ask']) }), updatesState),
  /** Asks the server now. */
  'updates.check': call(nothing, updatesState),
  'updates.download': call(nothing, updatesState),
  'updates.cancel': call(nothing, updatesState),
  /** The offered version is not spoken of again, until there is a newer one. */
  'updates.skip': call(nothing, updatesState),
  /** Backs up the database, stops everything, and installs what was downloaded; the program ends meanwhile. */
  'updates.install': call(nothing, updatesState),
  /** The kept version is installed again; data stays as it is. */
  'updates.goBack': call(nothing, updatesState),
  /**
   * After going back: the database as it was right before the update. Whatever was changed since is put aside, not
   * deleted. Answers when everything runs again.
   */
  'updates.restoreBackup': call(nothing, updatesState),
  /** What came of the last update was read. */
  'updates.dismiss': call(nothing, updatesState),
} as const;
