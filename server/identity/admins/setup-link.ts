import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { setupLinkFile, setupPagePath } from '#contracts/operations/setup.ts';
import { newSecretToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** Leads to the first owner: for someone who can read the data folder or the log. */
export interface SetupLink {
  /** At start: shows the link while there is no owner; it stays the same until it is used. */
  offer(): Promise<void>;
  /** Once there may be an owner: removes the file. */
  withdraw(): Promise<void>;
}

const tokenPattern = /[#?]token=(\S+)/;

export const createSetupLink = ({
  db,
  home,
  apiOrigin,
  log,
}: {
  readonly db: Kysely<Tables>;
  readonly home: string;
  /** Where the panel is reached on this machine. */
  readonly apiOrigin: string;
  readonly log: Log;
}): SetupLink => {
  const path = join(home, setupLinkFile);

  /** The token in the file, as long as the database knows it; the database keeps only the hash. */
  const presentToken = async (): Promise<string | null> => {
    // Missing or unreadable: a new one is created.
    const text = await readFile(path, 'utf8').catch(() => '');
    const token = tokenPattern.exec(text)?.[1];
    return token !== undefined && (await isSetupToken(db, token)) ? token : null;
  };
  const newToken = async (): Promise<string> => {
    const token = newSecretToken('csu');
    const token_hash = tokenDigest(token);
    await db
      .insertInto('setup_link')
      .values({ token_hash })
      .onConflict((conflict) => conflict.column('only_one').doUpdateSet({ token_hash }))
      .execute();
    return token;
  };
  const show = async (token: string): Promise<void> => {
    const link = `${apiOrigin}/#${setupPagePath}?token=${token}`;
    log.info({ link }, 'no owner yet: open this link to create one');
    try {
      await writeFile(path, `${link}\n`, { mode: 0o600 });
      // The mode above applies only to a new file.
      await chmod(path, 0o600);
    } catch (error) {
      log.warn({ err: error, path }, 'could not write the set-up link');
    }
  };
  const withdraw = async (): Promise<void> => {
    if (!(await hasOwner(db))) return;
    try {
      await rm(path, { force: true });
    } catch (error) {
      log.warn({ err: error, path }, 'could not remove the expired set-up link');
    }
  };

  return {
    async offer() {
      if (await hasOwner(db)) await withdraw();
      else await show((await presentToken()) ?? (await newToken()));
    },
    withdraw,
  };
};

export const hasOwner = async (db: Kysely<Tables>): Promise<boolean> =>
  (await db.selectFrom('admins').select('id').where('role', '=', 'owner').executeTakeFirst()) !== undefined;

/** No token is right once there is an owner: the row is deleted with the first one. */
export const isSetupToken = async (db: Kysely<Tables>, token: string): Promise<boolean> =>
  (await db
    .selectFrom('setup_link')
    .select('only_one')
    .where('token_hash', '=', tokenDigest(token))
    .executeTakeFirst()) !== undefined;
