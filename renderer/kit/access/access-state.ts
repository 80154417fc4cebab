import { create } from 'zustand';
import { accountHttp, type Me } from '#contracts/identity/account.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { type LicenseRefusal, licenseRefusal } from '#contracts/license/license-state.ts';
import { setupHttp, setupPagePath } from '#contracts/operations/setup.ts';
import { ApiProblem } from '../api/api-problem.ts';
import { type CallOptions, call, callOnce, onProblem } from '../api/call.ts';
import { desktopBridge } from '../api/desktop-bridge.ts';
import { hurryLive } from '../api/live.ts';
import { queryClient } from '../api/queries.ts';
import { hearCommunity } from '../community/community-state.ts';
import { parseHash } from '../routing/hash-location.ts';
import { goTo } from '../routing/use-hash-location.ts';
import { forgetAllWork } from '../work/work-state.ts';
import { type Can, canOf } from './can.ts';
import { onSignedInElsewhere, setSignedInPerson, signedInPerson } from './signed-in-person.ts';

export type Access =
  | { readonly state: 'asking' }
  | { readonly state: 'away'; readonly error: Error }
  | { readonly state: 'set-up-needed' }
  | { readonly state: 'signed-out' }
  | { readonly state: 'signed-in' };

interface AccessStore {
  readonly access: Access;
  /** The person who is signed in, or was until the session ended: their work is still on the screen. */
  readonly me: Me | null;
  /** Covers everything else while it is set. */
  readonly license: LicenseRefusal | null;
}

const useAccessStore = create<AccessStore>(() => ({ access: { state: 'asking' }, me: null, license: null }));

const asRefusal = (error: unknown): LicenseRefusal | null => {
  if (!(error instanceof ApiProblem)) return null;
  const parsed = licenseRefusal.safeParse(error.document.license);
  return parsed.success ? parsed.data : null;
};

let asking: Promise<void> | null = null;
/** Each sign-in and sign-out starts a new turn: an answer to an earlier question no longer applies. */
let turn = { startedAtMs: 0 };
const beginTurn = (): void => {
  turn = { startedAtMs: performance.now() };
  asking = null;
};

/** Asks the API who is signed in; concurrent callers share one question. */
export const askAccess = (): Promise<void> => {
  if (asking) return asking;
  const question = findAccess(turn).finally(() => {
    if (asking === question) asking = null;
  });
  asking = question;
  return question;
};

/** Like `askAccess`, but the API first asks the license portal. */
export const askAccessAndPortal = (): Promise<void> => findAccess(turn, { checksLicense: true });

const findAccess = async (asked: typeof turn, options: CallOptions = {}): Promise<void> => {
  const answer = await (mayBeSignedIn() ? lookForPerson(options) : lookForSetup(options)).catch(
    (error: Error) => error,
  );
  if (asked !== turn) return;
  if (!(answer instanceof Error)) return answer();
  const license = asRefusal(answer);
  if (license) beRefused(license);
  else useAccessStore.setState({ access: { state: 'away', error: answer } });
};

/** Pages cannot read the session cookie. Without this note, every first visit would begin with a refusal. */
const mayBeSignedIn = (): boolean => desktopBridge() !== null || signedInPerson() !== null;

/** Looks up who is signed in; the result is the function to run next. */
const lookForPerson = async (options: CallOptions): Promise<() => void> => {
  try {
    const me = await call(accountHttp.me, {}, options);
    hearCommunity(me.community);
    return () => beHere(me);
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'UNAUTHENTICATED') return lookForSetup(options);
    throw error;
  }
};

const beHere = (me: Me): void => {
  const { me: before, license, access } = useAccessStore.getState();
  // In the desktop it is always the owner of this machine, whichever way it signs in.
  if (before && before.id !== me.id && !desktopBridge()) {
    queryClient.clear();
    forgetAllWork();
    goTo('/', { replace: true });
  }
  setSignedInPerson(me.id);
  leaveSetUp();
  useAccessStore.setState({ access: { state: 'signed-in' }, me, license: null });
  // Reads made while access was blocked were refused; read them again.
  if (before && (license || access.state !== 'signed-in')) {
    hurryLive();
    void queryClient.invalidateQueries();
  }
};

const lookForSetup = async (options: CallOptions): Promise<() => void> => {
  const { needed, community } = await call(setupHttp.state, {}, options);
  hearCommunity(community);
  return () => {
    // Without any account, the person known so far no longer exists.
    if (needed) forgetPerson();
    else leaveSetUp();
    useAccessStore.setState({ access: { state: needed ? 'set-up-needed' : 'signed-out' }, license: null });
  };
};

/** The link leads nowhere once it has been used. */
const leaveSetUp = (): void => {
  if (parseHash(location.hash).path === setupPagePath) goTo('/', { replace: true });
};

/** An API that answers with a license refusal is reachable. */
const beRefused = (license: LicenseRefusal): void =>
  useAccessStore.setState(({ access }) => ({
    license,
    access: access.state === 'away' ? { state: 'asking' } : access,
  }));

/** Called after a successful sign-in. A different person sees nothing of the previous one's. */
export const beSignedIn = async (): Promise<void> => {
  beginTurn();
  setSignedInPerson('');
  await askAccess();
};

/** Ends the session. Nothing of the person is kept, neither here nor in the other tabs. */
export const signOut = async (): Promise<void> => {
  await callOnce(sessionsHttp.signOut, {}).catch((error: unknown) => {
    // The session has already ended, which is the goal.
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

/** After a refusal, permissions are asked for again at most this often: they may have been revoked. */
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
/** The person who is signed in; null before the first sign-in. */
export const useMaybeMe = (): Me | null => useAccessStore(({ me }) => me);

/** The person who is signed in. @throws outside of the signed-in part of the panel */
export const useMe = (): Me => {
  const me = useMaybeMe();
  if (!me) throw new Error('no one is signed in');
  return me;
};

/** What the person who is signed in may do. The API decides again at each request; this only hides what it would refuse. */
export const useCan = (): Can => canOf(useMe());
