import * as z from 'zod';
import { create } from 'zustand';
import { accountHttp, type Me } from '#contracts/account.ts';
import { licenseFaults, licenseStates } from '#contracts/license-state.ts';
import type { Permission } from '#contracts/permissions.ts';
import { setupHttp } from '#contracts/setup.ts';
import { desktopBridge } from '../desktop/desktop-bridge.ts';
import { ApiProblem } from '../wire/api-problem.ts';
import { call, onProblem } from '../wire/call.ts';

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

/** Asks the API who is here; several callers share one question. */
export const askAccess = (): Promise<void> => {
  asking ??= findAccess().finally(() => {
    asking = null;
  });
  return asking;
};

const findAccess = async (): Promise<void> => {
  try {
    if (mayBeSignedIn()) await findPerson();
    else await findSetup();
  } catch (error) {
    const license = asRefusal(error);
    if (license) useAccessStore.setState({ license });
    else if (error instanceof ApiProblem && error.code === 'UNAUTHENTICATED') await findSetup().catch(beAway);
    else beAway(error);
  }
};

const findPerson = async (): Promise<void> => {
  const me = await call(accountHttp.me, {});
  useAccessStore.setState({ access: { state: 'signed-in' }, me, license: null });
};

const findSetup = async (): Promise<void> => {
  const { needed } = await call(setupHttp.state, {});
  useAccessStore.setState({ access: { state: needed ? 'set-up-needed' : 'signed-out' }, license: null });
};

const beAway = (error: unknown): void =>
  useAccessStore.setState({ access: { state: 'away', error: error as Error }, license: null });

const signedInHere = 'castellan.signed-in';

/** The session's cookie is hidden from pages. Without this, every first visit would begin with a refusal. */
const mayBeSignedIn = (): boolean => desktopBridge() !== null || localStorage.getItem(signedInHere) !== null;

/** After a sign-in has succeeded. */
export const beSignedIn = async (): Promise<void> => {
  localStorage.setItem(signedInHere, 'yes');
  await askAccess();
};

onProblem((problem) => {
  const license = asRefusal(problem);
  if (license) useAccessStore.setState({ license });
  else if (problem.code === 'UNAUTHENTICATED' && useAccessStore.getState().access.state === 'signed-in')
    useAccessStore.setState({ access: { state: 'signed-out' } });
});

/** After a sign-out: nothing of the person before is kept. */
export const forgetPerson = (): void =>
  useAccessStore.setState({ access: { state: 'signed-out' }, me: null });

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

export interface Can {
  /** Everywhere, or on this server. */
  (permission: Permission, serverId?: string): boolean;
  /** Everywhere, or on some server. */
  readonly somewhere: (permission: Permission) => boolean;
}

export const canOf = ({ permissions, serverPermissions }: Me): Can =>
  Object.assign(
    (permission: Permission, serverId?: string) =>
      permissions.includes(permission) ||
      (serverId !== undefined && serverPermissions[serverId]?.includes(permission) === true),
    {
      somewhere: (permission: Permission) =>
        permissions.includes(permission) ||
        Object.values(serverPermissions).some((held) => held.includes(permission)),
    },
  );

/** What the person who is signed in may do. The API decides anew at each request; this only hides what it would refuse. */
export const useCan = (): Can => canOf(useMe());
