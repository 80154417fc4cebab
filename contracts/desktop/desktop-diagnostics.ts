import * as z from 'zod';
import { componentLogFilter, componentLogLevels, logComponent } from '../operations/component-logs.ts';
import { desktopCall as call } from './desktop-call.ts';

const nothing = z.undefined();

/** Counts finished parts. */
const bundleProgress = z.object({ done: z.int(), all: z.int() });
export type BundleProgress = z.infer<typeof bundleProgress>;

const bundleReport = z.object({
  path: z.string(),
  bytes: z.int(),
  /** Parts that are missing or incomplete; the bundle lists them, too. */
  missing: z.array(z.object({ name: z.string(), why: z.string() })),
});
export type BundleReport = z.infer<typeof bundleReport>;

/** One line of a log file, as the desktop reads it without the API. */
const logTailLine = z.object({
  at: z.iso.datetime().nullable(),
  level: z.enum(componentLogLevels).nullable(),
  text: z.string(),
});
export type LogTailLine = z.infer<typeof logTailLine>;

export const diagnosticsCalls = {
  /** Names of programs with their versions. */
  'diagnostics.versions': call(nothing, z.record(z.string(), z.string())),
  /** Asks for a location and creates a bundle for support; null: nothing was chosen. */
  'diagnostics.make': call(nothing, bundleReport.nullable()),
  /** Shows the newest bundle in the system's file manager. */
  'diagnostics.show': call(nothing, z.object({})),
  /** The newest lines of a log file that match the filter, oldest first; works without the API. */
  'logs.tail': call(
    z.strictObject({ component: logComponent, ...componentLogFilter.shape }),
    z.object({ lines: z.array(logTailLine) }),
  ),
} as const;

export const diagnosticsEvents = { 'diagnostics.progress': bundleProgress } as const;
