import type { RequestHandler } from 'express';
import { type LicenseStatus, licenseStateHttp } from '#contracts/license/license-state.ts';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import type { Log } from '#runtime/log.ts';
import type { Problem } from '#runtime/problem.ts';
import { wakes } from '#runtime/wake-watch.ts';
import type { ApiRoutes } from '../kernel/access/authorize.ts';
import type { ProvenTimeOptions } from '../kernel/database/proven-time.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { checkLicense, createPortalQuestion } from './check/license-check.ts';
import { watchLicenseEnd } from './end/announce-license-end.ts';
import { licenseGate, licenseRefusal } from './gate/license-gate.ts';

/** What the API needs from the license client: the current state, notice of its changes, and a question to the portal. */
export type LicenseSource = Pick<LicenseClient, 'status' | 'subscribe' | 'checkNow'> & AsyncDisposable;

export interface License extends AsyncDisposable {
  readonly status: () => LicenseStatus;
  /** Null while the license lets requests pass. */
  readonly refusal: (isLocal?: () => boolean) => Problem | null;
  readonly holds: () => boolean;
  /** The time that the portal has signed. */
  readonly clock: Pick<ProvenTimeOptions, 'signedMs' | 'askForTime'>;
  /** Comes before everything else of a request. */
  gate(exceptions: Pick<Parameters<typeof licenseGate>[0], 'isPanelFile' | 'isWebhook'>): RequestHandler;
  /**
   * Records each change of the license's state, and announces that its end is near.
   * @param onChange called at once and after each change, with the refusal of then
   */
  follow(
    kernel: Pick<Kernel, 'db' | 'events' | 'obstacle' | 'log'>,
    onChange: (refusal: Problem | null) => void,
  ): Disposable;
  bind(routes: ApiRoutes, kernel: Pick<Kernel, 'db'>): void;
}

/** Between two questions to the portal while the clock is doubted. */
const askedApartMs = 15 * 60_000;

export const createLicense = (source: LicenseSource, log: Log): License => {
  const { status } = source;
  const owned = new AsyncDisposableStack();
  owned.use(source);
  owned.use(
    wakes.onWake(() => {
      source
        .checkNow()
        .catch((error: unknown) => log.warn({ err: error }, 'could not check the license after sleep'));
    }),
  );
  const refusal = (isLocal?: () => boolean) => licenseRefusal(status(), isLocal);
  const portal = createPortalQuestion(source);

  return {
    status,
    refusal,
    holds: () => refusal() === null,
    clock: {
      signedMs() {
        const { known } = status().clock;
        return known === null ? null : Date.parse(known);
      },
      askForTime: () => source.checkNow({ apartMs: askedApartMs }),
    },
    gate: (exceptions) => licenseGate({ ...exceptions, refusal, portal, log }),
    follow({ db, events, obstacle, log }, onChange) {
      const following = new DisposableStack();
      let state = status().state;
      const look = () => {
        onChange(refusal());
        const { state: to, code } = status();
        if (to !== state) events.record('license.changed', { from: state, to, code });
        state = to;
      };
      look();
      following.defer(source.subscribe(look));
      following.use(watchLicenseEnd({ db, status, obstacle, log }));
      return following;
    },
    bind(routes, { db }) {
      routes.on(licenseStateHttp.status, status);
      routes.on(licenseStateHttp.check, (_input, by) => checkLicense({ db, portal }, by));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
