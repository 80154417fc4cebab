import * as z from 'zod';
import { folderFindingCode, folderWarning } from '../operations/folder-findings.ts';
import { desktopCall as call } from './desktop-call.ts';

const nothing = z.undefined();
const folder = z.strictObject({ folder: z.string().trim().min(1).max(1000) });

/** Whether the data folder can be moved to a folder. */
const dataFolderReport = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('fine'),
    bytes: z.int(),
    files: z.int(),
    freeBytes: z.int(),
    /** What does not rule the folder out. */
    warnings: z.array(folderWarning),
  }),
  z.object({ outcome: z.literal('full'), neededBytes: z.int(), freeBytes: z.int() }),
  z.object({
    /** `unmovable`: something in the data folder would not work in a copy. */
    outcome: z.enum([
      ...folderFindingCode.exclude(['full']).options,
      ...(['away', 'not-empty', 'inside', 'unmovable'] as const),
    ]),
    detail: z.string(),
  }),
]);
export type DataFolderReport = z.infer<typeof dataFolderReport>;

const dataFolderSteps = ['stop', 'copy', 'verify', 'start'] as const;

/** A move in progress. Bytes and files belong to the current step; zero if the step counts nothing. */
const dataFolderMove = z.object({
  to: z.string(),
  step: z.enum(dataFolderSteps),
  doneBytes: z.int(),
  bytes: z.int(),
  doneFiles: z.int(),
  files: z.int(),
  /** True until the switch to the new folder. */
  isCancellable: z.boolean(),
});
export type DataFolderMove = z.infer<typeof dataFolderMove>;

/** The result of the last move since this program started. */
const dataFolderNews = z.object({
  /** `went-back`: nothing could be opened in the new folder, so the old one is in use again. */
  outcome: z.enum(['moved', 'cancelled', 'failed', 'went-back']),
  detail: z.string().nullable(),
});
export type DataFolderNews = z.infer<typeof dataFolderNews>;

const dataFolderState = z.object({
  home: z.string(),
  /** What else determines the data folder, so that it cannot be moved here; null if nothing does. */
  fixedBy: z.enum(['environment', 'services']).nullable(),
  news: dataFolderNews.nullable(),
  /** The old folder, and what is still in it. */
  kept: z.object({ folder: z.string(), bytes: z.int(), isDeletable: z.boolean() }).nullable(),
  /** A folder left by an interrupted move, for example after a power failure. */
  half: z.string().nullable(),
});
export type DataFolderState = z.infer<typeof dataFolderState>;

/** The data folder, and moving it. */
export const dataFolderCalls = {
  'dataFolder.state': call(nothing, dataFolderState),
  /** The system's own dialog; null if nothing was chosen. */
  'dataFolder.choose': call(nothing, z.object({ folder: z.string().nullable() })),
  'dataFolder.check': call(folder, dataFolderReport),
  /** Starts the move; the page follows it through `dataFolder.changed`, and is then replaced by another page. */
  'dataFolder.move': call(folder, dataFolderReport),
  'dataFolder.progress': call(nothing, dataFolderMove.nullable()),
  'dataFolder.cancel': call(nothing, z.object({})),
  'dataFolder.deleteKept': call(nothing, dataFolderState),
  'dataFolder.deleteHalf': call(nothing, dataFolderState),
} as const;

export const dataFolderEvents = { 'dataFolder.changed': dataFolderMove.nullable() } as const;
