import { open, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { readStoredProfile, type SurvivorReading } from '#games/ark/arkprofile.ts';

const signature = 'SQLite format 3\0';
const mostStoreBytes = 256 * 1024 * 1024;

/**
 * Reads a profile that an Ascended world stores inside itself. Null: the world contains none of this player. The world is read
 * without a lock, so that the game never waits; one that changes during the read is refused.
 */
export const readWorldStore = async (path: string, account: string): Promise<SurvivorReading | null> => {
  if (!(await isDatabase(path))) return null;
  const before = await stat(path);
  // Loaded late: only newer Ascended worlds need it. The single executable cannot import anything while it runs.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const address = pathToFileURL(path);
  address.search = '?immutable=1';
  let read: SurvivorReading | null;
  try {
    using database = new DatabaseSync(address, { readOnly: true });
    const store = 'from custom where key = ?';
    const size = database.prepare(`select length(value) as size ${store}`).get('GameModeCustomBytes')?.size;
    if (typeof size !== 'number') return null;
    if (size > mostStoreBytes) return { refused: 'what it holds of players is too large' };
    const value = database.prepare(`select value ${store}`).get('GameModeCustomBytes')?.value;
    read = value instanceof Uint8Array ? readStoredProfile(Buffer.from(value), account) : null;
  } catch (error) {
    read = { refused: `it cannot be read: ${(error as Error).message}` };
  }
  const after = await stat(path);
  return before.mtimeMs === after.mtimeMs && before.size === after.size && before.ino === after.ino
    ? read
    : { refused: 'the game was just writing it' };
};

const isDatabase = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(signature.length);
    await file.read(head, 0, head.length, 0);
    return head.toString('latin1') === signature;
  } finally {
    await file.close();
  }
};
