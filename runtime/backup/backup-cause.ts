import type { BackupCause } from '#contracts/operations/backups.ts';

const askedFor = 'asked for by ';
const beforeMigration = 'before migration ';
const beforeUpdate = 'before the update to ';

/** For logs, and for versions that store and read only the text. */
export const causeText = (cause: BackupCause): string => {
  switch (cause.kind) {
    case 'nightly':
      return 'nightly';
    case 'asked':
      return `${askedFor}${cause.by.name}`;
    case 'command':
      return cause.command;
    case 'migration':
      return `${beforeMigration}${cause.migrations.join(', ')}`;
    case 'update':
      return `${beforeUpdate}${cause.version}`;
    case 'other':
      return cause.text;
  }
};

/** The cause of a backup from a version that stored only its text. */
export const causeOfText = (text: string): BackupCause => {
  if (text === 'nightly') return { kind: 'nightly' };
  if (text === 'castellan backup' || text === 'portal backup') return { kind: 'command', command: text };
  // Only admins, API keys and the desktop could request one; the text does not say which.
  if (text.startsWith(askedFor))
    return { kind: 'asked', by: { kind: 'admin', name: text.slice(askedFor.length) } };
  if (text.startsWith(beforeMigration))
    return { kind: 'migration', migrations: text.slice(beforeMigration.length).split(', ') };
  if (text.startsWith(beforeUpdate)) return { kind: 'update', version: text.slice(beforeUpdate.length) };
  return { kind: 'other', text };
};
