import type { Browser, BrowserContextOptions } from 'playwright-core';
import { accountHttp } from '#contracts/identity/account.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;
interface Person {
  readonly name: string;
  readonly password: string;
}

/** As access-state.ts stores it. */
const signedInHere = { name: 'castellan.signed-in', value: 'yes' };

/** A browser's state after a sign-in; each person signs in once, unless they need their own session. */
export const signInPages = (browser: Browser, apiUrl: string) => {
  const signIn = async ({ name, password }: Person): Promise<StorageState> => {
    const context = await browser.newContext();
    try {
      const answer = await context.request.post(apiUrl + sessionsHttp.signIn.path, {
        data: { name, password },
        headers: { Origin: apiUrl },
      });
      if (!answer.ok()) throw new Error(`${name} cannot sign in: ${await answer.text()}`);
      // Recent enough that tests of other things need no step-up.
      const shown = await context.request.post(apiUrl + accountHttp.stepUp.path, {
        data: { password },
        headers: { Origin: apiUrl },
      });
      if (!shown.ok()) throw new Error(`${name} cannot step up: ${await shown.text()}`);
      const { cookies } = await context.storageState();
      return { cookies, origins: [{ origin: apiUrl, localStorage: [signedInHere] }] };
    } finally {
      await context.close();
    }
  };
  const kept = new Map<string, Promise<StorageState>>();
  return (person: Person, ownSession: boolean): Promise<StorageState> => {
    if (ownSession) return signIn(person);
    const state = kept.get(person.name) ?? signIn(person);
    kept.set(person.name, state);
    return state;
  };
};
