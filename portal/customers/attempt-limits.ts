import { type Kysely, sql } from 'kysely';
import { tokenDigest } from '#runtime/auth/secret-token.ts';
import type { PortalTables } from '../database/tables.ts';

/** How many attempts a time a subject has. */
interface AttemptLimit {
  readonly attempts: number;
  readonly minutes: number;
}

/**
 * Mails are limited, sign-ins are not: beyond `code-for-email` the mailbox's shared code serves all who ask. A browser that
 * has signed in before counts for itself alone. Guesses are limited by the codes: each holder has five for each request.
 */
const attemptLimits = {
  'code-for-email-from-address': { attempts: 5, minutes: 60 },
  /** With a shared code each 8 minutes, strangers can cause 20 mails an hour. */
  'code-for-email': { attempts: 12, minutes: 60 },
  'code-from-address': { attempts: 30, minutes: 60 },
  'code-for-device': { attempts: 10, minutes: 60 },
  'reveal-by-customer': { attempts: 10, minutes: 60 },
  /** Each request is mailed to the buyer. */
  'transfer-of-license': { attempts: 20, minutes: 60 },
} as const satisfies Readonly<Record<string, AttemptLimit>>;

export type AttemptScope = keyof typeof attemptLimits;

export interface Attempt {
  readonly scope: AttemptScope;
  /** Whom it counts against; kept as a hash. */
  readonly subject: string;
}

/** No limit looks back further. */
export const longestWindowMinutes = Math.max(...Object.values(attemptLimits).map(({ minutes }) => minutes));

/**
 * Counts an attempt in one scope after the other, and stops where there is no room: what one address is refused for must
 * not use up what an e-mail address has for all. One that finds no room leaves no trace.
 * @returns null when all had room, else whole seconds until the one that had none has some
 */
export const countAttempts = async (
  db: Kysely<PortalTables>,
  attempts: readonly Attempt[],
): Promise<number | null> => {
  for (const attempt of attempts) {
    const waitSeconds = await countAttempt(db, attempt);
    if (waitSeconds !== null) return waitSeconds;
  }
  return null;
};

/**
 * A true sliding window by the database's time, which all portal processes share. Statements that began later may have
 * been first: a stamp from the near future counts.
 */
const countAttempt = async (
  db: Kysely<PortalTables>,
  { scope, subject }: Attempt,
): Promise<number | null> => {
  const { attempts, minutes } = attemptLimits[scope];
  const window = sql`make_interval(mins => ${minutes})`;
  const { rows } = await sql<{ granted: boolean; wait_seconds: number }>`
    insert into customer_attempts as counter (scope, subject, made_at, granted)
    values (${scope}, ${tokenDigest(subject)}, array[statement_timestamp()], true)
    on conflict (scope, subject) do update set (made_at, granted) = (
      select case when has_room then recent || statement_timestamp() else recent end, has_room
      from (
        select array(
          select stamp from unnest(counter.made_at) as stamp
          where stamp > statement_timestamp() - ${window} and stamp < statement_timestamp() + ${window}
          order by stamp
        ) as recent
      ) as kept,
      lateral (select cardinality(recent) < ${attempts} as has_room) as room
    )
    returning granted, extract(epoch from made_at[1] + ${window} - statement_timestamp())::float8 as wait_seconds
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error('an attempt was not counted');
  return row.granted ? null : Math.max(1, Math.ceil(row.wait_seconds));
};
