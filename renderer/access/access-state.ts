import * as z from 'zod';
import { create } from 'zustand';
import { accountHttp, type Me } from '#contracts/account.ts';
import { licenseFaults, licenseStates } from '#contracts/license-state.ts';
import { sessionsHttp } from '#contracts/sessions.ts';
import { setupHttp, setupPagePath } from '#contracts/setup.ts';
import { desktopBridge } from '../desktop/desktop-bridge.ts';
import { parseHash } from '../routing/hash-location.ts';
import { goTo } from '../routing/use-hash-location.ts';
import { ApiProblem } from '../wire/api-problem.ts';
import { call, onProblem } from '../wire/call.ts';
import { hurryLive } from '../wire/live.ts';
import { queryClient } from '../wire/queries.ts';
import { forgetAllWork } from '../work/work-state.ts';
import { type Can, canOf } from './can.ts';
import { onSignedInElsewhere, setSignedInPerson, signedInPerson } from './signed-in-person.ts';

/** What the API says of the license when it refuses everything. */
const licenseRefusal = z.object({
  state: z.enum(licenseStates),
  code: z.enum(licenseFaults),
  detail: z.string(),
  /** Told to the machine itself alone. */
  hwid: z.string().nullable().optional(),
});
export type LicenseRefusal = z.infer<typeof licenseRefusal>;

export type Access =
  | { readonly state: 'asking' }
  | { readonly state: 'away'; readonly error: Error }
  | { readonly state: 'set-up-needed' }
  | { readonly state: 'signed-out' }
  | { readonly state: 'signed-in' };

interface AccessStore {
  readonly access: Access;
  /** Who is signed in, or was until their session ended: what they were doing is still on the screen. */
  readonly me: Me | null;
  /** Lies over everything else while it lasts. */
  readonly license: LicenseRefusal | null;
}

const useAccessStore = create<AccessStore>(() => ({ access: { state: 'asking' }, me: null, license: null }));

const asRefusal = (error: unknown): LicenseRefusal | null => {
  if (!(error instanceof ApiProblem)) return null;
  const parsed = licenseRefusal.safeParse(error.document.license);
  return parsed.success ? parsed.data : null;
};

let asking: Promise<void> | null = null;
/** Begins with a sign-in or sign-out: what was asked before it says nothing of what holds after it. */
let turn = { startedAtMs: 0 };
const beginTurn = (): void => {
  turn = { startedAtMs: performance.now() };
  asking = null;
};

/** Asks the API who is here; several callers share one question. */
export const askAccess = (): Promise<void> => {
  if (asking) return asking;
  const question = findAccess(turn).finally(() => {
    if (asking === question) asking = null;
  });
  asking = question;
  return question;
};

const findAccess = async (asked: typeof turn): Promise<void> => {
  const answer = await (mayBeSignedIn() ? lookForPerson() : lookForSetup()).catch((error: Error) => error);
  if (asked !== turn) return;
  if (!(answer instanceof Error)) return answer();
  const license = asRefusal(answer);
  if (license) beRefused(license);
  else useAccessStore.setState({ access: { state: 'away', error: answer } });
};

/** The session's cookie is hidden from pages. Without the note, every first visit would begin with a refusal. */
const mayBeSignedIn = (): boolean => desktopBridge() !== null || signedInPerson() !== null;

/** Who is here, as what is to be done about it. */
const lookForPerson = async (): Promise<() => void> => {
  try {
    const me = await call(accountHttp.me, {});
    return () => beHere(me);
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'UNAUTHENTICATED') return lookForSetup();
    throw error;
  }
};

const beHere = (me: Me): void => {
  const { me: before, license, access } = useAccessStore.getState();
  // In the desktop it is the owner of this machine, whatever it comes in by.
  if (before && before.id !== me.id && !desktopBridge()) {
    queryClient.clear();
    forgetAllWork();
    goTo('/', { replace: true });
  }
  setSignedInPerson(me.id);
  leaveSetUp();
  useAccessStore.setState({ access: { state: 'signed-in' }, me, license: null });
  // What was read while the door was closed was refused, and is read anew.
  if (before && (license || access.state !== 'signed-in')) {
    hurryLive();
    void queryClient.invalidateQueries();
  }
};

const lookForSetup = async (): Promise<() => void> => {
  const { needed } = await call(setupHttp.state, {});
  return () => {
    // Whoever was here is not known any more where nobody is.
    if (needed) forgetPerson();
    else leaveSetUp();
    useAccessStore.setState({ access: { state: needed ? 'set-up-needed' : 'signed-out' }, license: null });
  };
};

/** The link leads nowhere once it was used. */
const leaveSetUp = (): void => {
  if (parseHash(location.hash).path === setupPagePath) goTo('/', { replace: true });
};

/** An API that says this is not away. */
const beRefused = (license: LicenseRefusal): void =>
  useAccessStore.setState(({ access }) => ({
    license,
    access: access.state === 'away' ? { state: 'asking' } : access,
  }));

/** After a sign-in has succeeded. Somebody else than before finds nothing of the other's. */
export const beSignedIn = async (): Promise<void> => {
  beginTurn();
  setSignedInPerson('');
  await askAccess();
};

/** Ends the session. Nothing of the person is kept, here and in the other tabs. */
export const signOut = async (): Promise<void> => {
  await call(sessionsHttp.signOut, {}).catch((error: unknown) => {
    // It has ended already: that is what was wanted.
    if (!(error instanceof ApiProblem && error.code === 'UNAUTHENTICATED')) throw error;
  });
  setSignedInPerson(null);
  beginTurn();
  forgetPerson();
};

const forgetPerson = (): void => {
  useAccessStore.setState({ access: { state: 'signed-out' }, me: null });
  queryClient.clear();
  forgetAllWork();
};

onSignedInElsewhere((person) => {
  const { me } = useAccessStore.getState();
  beginTurn();
  if (person === null && me) forgetPerson();
  else if (person !== null && person !== '' && person !== me?.id) void askAccess();
  else if (person !== null && useAccessStore.getState().access.state === 'signed-out') void askAccess();
});

/** Rights were taken meanwhile: asked for again, at most this often. */
const rightsEveryMs = 10_000;
let rightsAskedAtMs = Number.NEGATIVE_INFINITY;

onProblem((problem, sentAtMs) => {
  const license = asRefusal(problem);
  if (license) return beRefused(license);
  if (useAccessStore.getState().access.state !== 'signed-in') return;
  if (problem.code === 'UNAUTHENTICATED' && sentAtMs >= turn.startedAtMs)
    useAccessStore.setState({ access: { state: 'signed-out' } });
  if (problem.code !== 'FORBIDDEN' || performance.now() - rightsAskedAtMs < rightsEveryMs) return;
  rightsAskedAtMs = performance.now();
  void askAccess();
});

export const useAccess = (): Access => useAccessStore(({ access }) => access);
export const useLicenseRefusal = (): LicenseRefusal | null => useAccessStore(({ license }) => license);
/** Who is signed in; null before the first sign-in. */
export const useMaybeMe = (): Me | null => useAccessStore(({ me }) => me);

/** Who is signed in. @throws outside of the signed-in part of the panel */
export const useMe = (): Me => {
  const me = useMaybeMe();
  if (!me) throw new Error('nobody is signed in');
  return me;
};

/** What the person who is signed in may do. The API decides anew at each request; this only hides what it would refuse. */
export const useCan = (): Can => canOf(useMe());
