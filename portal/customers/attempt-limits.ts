import { type Kysely, sql } from 'kysely';
import { tokenDigest } from '#runtime/auth/secret-token.ts';
import type { PortalTables } from '../database/tables.ts';

/** How many attempts a subject has in a period. */
interface AttemptLimit {
  readonly attempts: number;
  readonly minutes: number;
}

/**
 * Mails are limited, sign-ins are not: beyond `code-for-email`, everyone who asks gets the mailbox's shared code. A
 * browser that has signed in before has its own limit. Guesses are limited by the codes: each holder has five per
 * request.
 */
const attemptLimits = {
  'code-for-email-from-address': { attempts: 5, minutes: 60 },
  /** With a shared code every 8 minutes, strangers can cause 20 mails an hour. */
  'code-for-email': { attempts: 12, minutes: 60 },
  'code-from-address': { attempts: 30, minutes: 60 },
  'code-for-device': { attempts: 10, minutes: 60 },
  'reveal-by-customer': { attempts: 10, minutes: 60 },
  /** Each request causes a mail to the buyer. */
  'transfer-of-license': { attempts: 20, minutes: 60 },
} as const satisfies Readonly<Record<string, AttemptLimit>>;

type AttemptScope = keyof typeof attemptLimits;

interface Attempt {
  readonly scope: AttemptScope;
  /** Whose attempts are counted; stored as a hash. */
  readonly subject: string;
}

/** No limit looks back further than this. */
export const longestWindowMinutes = Math.max(...Object.values(attemptLimits).map(({ minutes }) => minutes));

/**
 * Counts an attempt in one scope after another, and stops at the first that is full: attempts that one address is
 * refused for must not use up the total of an e-mail address. A refused attempt leaves no trace.
 * @returns null if all had room, otherwise whole seconds until the full one has room
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
 * A true sliding window by the database's time, which all portal processes share. A statement that began later may have
 * been counted first, so a timestamp from the near future counts.
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
