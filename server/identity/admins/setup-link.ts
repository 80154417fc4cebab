import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { setupLinkFile, setupPagePath } from '#contracts/operations/setup.ts';
import { newSecretToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { IdentityContext } from '../identity-context.ts';

const tokenPattern = /[#?]token=(\S+)/;

type SetupContext = Pick<IdentityContext, 'db' | 'home' | 'config' | 'log'>;

/**
 * At start: shows the link that leads to the first owner while there is none, for someone who can read the data folder or the
 * log. It stays the same until it is used.
 */
export const offerSetupLink = async (context: SetupContext): Promise<void> => {
  const { db } = context;
  if (await hasOwner(db)) await withdrawSetupLink(context);
  else await show((await presentToken(context)) ?? (await newToken(db)), context);
};

/** Once there may be an owner: removes the file. */
export const withdrawSetupLink = async ({
  db,
  home,
  log,
}: Pick<SetupContext, 'db' | 'home' | 'log'>): Promise<void> => {
  if (!(await hasOwner(db))) return;
  const path = pathIn(home);
  try {
    await rm(path, { force: true });
  } catch (error) {
    log.warn({ err: error, path }, 'could not remove the expired set-up link');
  }
};

const pathIn = (home: string): string => join(home, setupLinkFile);

/** The token in the file, as long as the database knows it; the database keeps only the hash. */
const presentToken = async ({ db, home }: Pick<SetupContext, 'db' | 'home'>): Promise<string | null> => {
  // Missing or unreadable: a new one is created.
  const text = await readFile(pathIn(home), 'utf8').catch(() => '');
  const token = tokenPattern.exec(text)?.[1];
  return token !== undefined && (await isSetupToken(db, token)) ? token : null;
};

const newToken = async (db: Kysely<Tables>): Promise<string> => {
  const token = newSecretToken('csu');
  const token_hash = tokenDigest(token);
  await db
    .insertInto('setup_link')
    .values({ token_hash })
    .onConflict((conflict) => conflict.column('only_one').doUpdateSet({ token_hash }))
    .execute();
  return token;
};

const show = async (token: string, { home, config, log }: SetupContext): Promise<void> => {
  const path = pathIn(home);
  const link = `${config.apiOrigin}/#${setupPagePath}?token=${token}`;
  log.info({ link }, 'no owner yet: open this link to create one');
  try {
    await writeFile(path, `${link}\n`, { mode: 0o600 });
    // The mode above applies only to a new file.
    await chmod(path, 0o600);
  } catch (error) {
    log.warn({ err: error, path }, 'could not write the set-up link');
  }
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
