/** Why a backup or a restore is not done, in words for the machine's owner. */
export class SavesError extends Error {
  override readonly name = 'SavesError';
}

const words: Readonly<Record<string, string>> = {
  EACCES: 'the account of the agent may not do that',
  EPERM: 'the account of the agent may not do that, or another program has it open',
  EBUSY: 'another program has it open',
  EROFS: 'the disk can only be read',
  ENAMETOOLONG: 'the path is too long for this system',
  EIO: 'the disk reports a fault',
  ENOENT: 'it is not there',
  ELOOP: 'a link is in its place',
  ENOTDIR: 'a file or a link is in the place of a folder',
};

/** The error of a file operation, for people. */
export const inWords = (error: unknown): string => {
  if (error instanceof SavesError) return error.message;
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full. Make room there and try again.';
  const known = words[code];
  return known === undefined ? message : `${path ?? 'A file'}: ${known}.`;
};
