import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { setupLinkFile, setupPagePath } from '#contracts/setup.ts';
import { newSecretToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../database/tables.ts';

export interface SetupLinkOptions {
  readonly db: Kysely<Tables>;
  readonly home: string;
  /** Where the panel is reached on this machine. */
  readonly apiOrigin: string;
  readonly log: Log;
}

/** The way to the first owner for whoever can read the home folder or the log. */
export interface SetupLink {
  /** At start: shows the link while there is no owner, the same one until it is used. */
  offer(): Promise<void>;
  /** Once there may be an owner: takes the file away. */
  withdraw(): Promise<void>;
}

const tokenPattern = /[#?]token=(\S+)/;

export const createSetupLink = ({ db, home, apiOrigin, log }: SetupLinkOptions): SetupLink => {
  const path = join(home, setupLinkFile);

  /** The token of the file, as long as the database knows it; it keeps the hash alone. */
  const presentToken = async (): Promise<string | null> => {
    // Not there, or not to be read: a new one is made then.
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
    log.info({ link }, 'there is no owner yet: open this link to make one');
    try {
      await writeFile(path, `${link}\n`, { mode: 0o600 });
      // The mode above counts only for a file that is new.
      await chmod(path, 0o600);
    } catch (error) {
      log.warn({ err: error, path }, 'the set-up link could not be written');
    }
  };
  const withdraw = async (): Promise<void> => {
    if (!(await hasOwner(db))) return;
    try {
      await rm(path, { force: true });
    } catch (error) {
      log.warn({ err: error, path }, 'the set-up link, which is of no use any more, could not be removed');
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

/** No token is right once there is an owner: the row goes with the first. */
export const isSetupToken = async (db: Kysely<Tables>, token: string): Promise<boolean> =>
  (await db
    .selectFrom('setup_link')
    .select('only_one')
    .where('token_hash', '=', tokenDigest(token))
    .executeTakeFirst()) !== undefined;
