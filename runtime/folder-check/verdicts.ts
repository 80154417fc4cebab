import type { FolderFindingCode } from '#contracts/operations/folder-findings.ts';

/**
 * Who asks about a folder: the first run, a first start and a restore for a new data folder; a move for its target; a start for
 * the data folder that is there; the first run for where it is installed; a backup for where it is to be kept.
 */
export const folderAskers = ['new-home', 'move', 'present-home', 'programs', 'backup'] as const;
export type FolderAsker = (typeof folderAskers)[number];

/** `refused`: nothing is begun there. `warned`: it is said, and the person decides. `ignored`: it does not matter there. */
export type FolderVerdict = 'refused' | 'warned' | 'ignored';

const no = 'refused';
const warn = 'warned';
const any = 'ignored';

/**
 * What a finding means to each asker, in their order; the only place where that is decided (decision 0110). What runs already is
 * never refused for a rule that came later, and a backup may be where a database may not.
 */
const rows: Readonly<Record<FolderFindingCode, readonly FolderVerdict[]>> = {
  'not-absolute': [no, no, no, no, no],
  'impossible-name': [no, no, warn, no, no],
  variable: [no, no, warn, no, any],
  unspellable: [no, no, warn, no, any],
  // The installer knows how long its own files are.
  'too-long': [no, no, warn, any, any],
  'no-drive': [no, no, no, no, no],
  'not-a-folder': [no, no, no, no, no],
  'no-access': [no, no, no, any, no],
  'read-only': [no, no, no, any, no],
  'not-writable': [no, no, no, any, no],
  programs: [no, no, warn, any, no],
  network: [no, no, warn, warn, any],
  substituted: [no, no, warn, warn, any],
  removable: [warn, warn, warn, warn, any],
  volatile: [warn, warn, warn, warn, warn],
  synced: [no, no, warn, warn, warn],
  'maybe-synced': [warn, warn, warn, any, any],
  protected: [no, no, warn, any, any],
  rights: [no, no, any, any, warn],
  encrypted: [no, no, warn, warn, warn],
  compressed: [warn, warn, warn, any, any],
  full: [no, no, any, any, any],
};

export const verdictOn = (code: FolderFindingCode, asker: FolderAsker): FolderVerdict =>
  rows[code][folderAskers.indexOf(asker)] ?? no;
