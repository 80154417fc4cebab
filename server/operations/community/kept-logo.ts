import type { Kysely } from 'kysely';
import type { PictureMediaType } from '#runtime/pictures/without-metadata.ts';
import type { Notifications } from '../../kernel/database/notifications.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** Notified in the transaction that changes the logo. */
export const logoChannel = 'castellan_community_logo';

export interface Logo {
  readonly mediaType: PictureMediaType;
  readonly bytes: Buffer;
  readonly sha256: string;
}

interface KeptLogo {
  /** Digest of the present logo; null: there is none. */
  sha256(): Promise<string | null>;
  read(): Promise<Logo | null>;
  /** It has changed: reads from now on get the new state. */
  forget(): void;
}

/**
 * Keeps the logo in memory, since strangers may request it as often as they like. Its SHA-256 is read again whenever a
 * change may have gone unnoticed, in one query for all concurrent readers; its bytes only when the digest has changed.
 */
export const keepLogo = (db: Kysely<Tables>, notifications: Notifications): KeptLogo => {
  /** Valid while every change, by any process, is notified. */
  let known: { readonly sha256: string | null } | null = null;
  let checking: Promise<string | null> | null = null;
  let loaded: { readonly sha256: string; readonly logo: Promise<Logo | null> } | null = null;
  const forget = () => {
    known = null;
    checking = null;
  };
  const subscription = notifications.listen(logoChannel, { onNotification: forget, onListening: forget });

  const check = (): Promise<string | null> => {
    const reading = readSha256(db)
      .then((sha256) => {
        if (checking === reading) known = { sha256 };
        return sha256;
      })
      .finally(() => {
        if (checking === reading) checking = null;
      });
    checking = reading;
    return reading;
  };
  const load = (sha256: string): Promise<Logo | null> => {
    const loading = { sha256, logo: readLogo(db) };
    loaded = loading;
    const drop = () => {
      if (loaded === loading) loaded = null;
    };
    // The caller gets the error; the next one asks again, as after a change in between.
    loading.logo.then((logo) => logo?.sha256 === sha256 || drop(), drop);
    return loading.logo;
  };
  const sha256 = async (): Promise<string | null> =>
    known && subscription.isListening() ? known.sha256 : (checking ?? check());
  return {
    sha256,
    async read() {
      const present = await sha256();
      if (present === null) return null;
      return loaded?.sha256 === present ? loaded.logo : load(present);
    },
    forget,
  };
};

const readSha256 = async (db: Kysely<Tables>): Promise<string | null> => {
  const row = await db.selectFrom('community_logo').select('sha256').executeTakeFirst();
  return row?.sha256 ?? null;
};

const readLogo = async (db: Kysely<Tables>): Promise<Logo | null> => {
  const row = await db
    .selectFrom('community_logo')
    .select(['media_type', 'bytes', 'sha256'])
    .executeTakeFirst();
  return row ? { mediaType: row.media_type, bytes: row.bytes, sha256: row.sha256 } : null;
};
