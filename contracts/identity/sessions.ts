import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';

/** A session ends after this long without use, … */
export const sessionIdleHours = 12;
/** … and at the latest this long after it began. */
export const sessionMaxDays = 30;

export const session = z
  .object({
    id: z.string(),
    createdAt: z.iso.datetime(),
    /** Accurate to the minute. */
    lastUsedAt: z.iso.datetime(),
    /** Ends then unless it is used before. */
    expiresAt: z.iso.datetime(),
    address: z.string(),
    userAgent: z.string(),
    /** The session of this request. */
    current: z.boolean(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof session>;

/** How the session is sent afterwards: by browsers in a cookie that pages cannot read, by scripts as a bearer token. */
const transport = z.enum(['cookie', 'bearer']).default('cookie');

const signedIn = z.object({
  outcome: z.literal('signed-in'),
  sessionId: z.string(),
  /** Shown only once, and only for `bearer`. */
  token: z.string().nullable(),
});

const secondStep = z.object({
  outcome: z.literal('second-step'),
  /** Must be sent together with the code; valid for one sign-in. */
  challenge: z.string(),
  expiresInSeconds: z.int(),
});

const refusals = ['WRONG_CREDENTIALS', 'RATE_LIMITED', 'CROSS_ORIGIN', 'DATABASE_UNAVAILABLE'] as const;
const own = ['UNAUTHENTICATED', 'FORBIDDEN', 'CROSS_ORIGIN'] as const;

export const sessionsHttp = {
  signIn: endpoint({
    method: 'POST',
    path: '/api/sessions',
    summary: 'Sign in with name and password',
    access: 'public',
    body: z.strictObject({ name: z.string().max(200), password: z.string().max(1000), transport }),
    response: z.discriminatedUnion('outcome', [signedIn, secondStep]),
    problems: refusals,
  }),
  secondStep: endpoint({
    method: 'POST',
    path: '/api/sessions/second-step',
    summary: 'Complete sign-in with a code from the authenticator app or a recovery code',
    access: 'public',
    body: z.strictObject({ challenge: z.string().max(200), code: z.string().max(50), transport }),
    response: signedIn,
    problems: [...refusals, 'SECRET_UNREADABLE'],
  }),
  signOut: endpoint({
    method: 'DELETE',
    path: '/api/sessions/current',
    summary: 'End the current session',
    access: 'session',
    proof: 'person',
    response: z.object({}),
    problems: own,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/me/sessions',
    summary: 'List your sessions, most recently used first',
    access: 'session',
    proof: 'person',
    response: z.object({ rows: z.array(session) }),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/api/me/sessions/:id',
    summary: 'End one of your sessions',
    access: 'session',
    proof: 'person',
    params: z.object({ id: z.string().max(64) }),
    response: z.object({}),
    problems: [...own, 'NOT_FOUND'],
  }),
  endOthers: endpoint({
    method: 'DELETE',
    path: '/api/me/sessions',
    summary: 'End all your sessions except the current one',
    access: 'session',
    proof: 'person',
    response: z.object({ ended: z.int() }),
    problems: own,
  }),
} as const;
