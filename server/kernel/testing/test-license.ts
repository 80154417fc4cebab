import type { LicenseFault, LicenseState, LicenseStatus } from '#contracts/license/license-state.ts';
import type { LicenseSource } from '../../license/license.ts';

export interface TestLicense extends LicenseSource {
  set(state: LicenseState, code?: LicenseFault, more?: Partial<LicenseStatus>): void;
  /** What the portal's next answer does. */
  answerNext(answer: () => void): void;
  /** Null: unlimited. */
  allowClusters(maxClusters: number | null): void;
}

/** A license whose state a test chooses. */
export const testLicense = (first: LicenseState = 'valid'): TestLicense => {
  let status = statusOf(first, null);
  let answer = (): void => undefined;
  const listeners = new Set<(status: LicenseStatus) => void>();
  return {
    status: () => status,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async checkNow() {
      answer();
      answer = () => undefined;
      return status;
    },
    answerNext(next) {
      answer = next;
    },
    set(state, code, more = {}) {
      status = { ...statusOf(state, code ?? null), maxClusters: status.maxClusters, ...more };
      for (const listener of listeners) listener(status);
    },
    allowClusters(maxClusters) {
      status = { ...status, maxClusters };
    },
    [Symbol.asyncDispose]: async () => listeners.clear(),
  };
};

const statusOf = (state: LicenseState, code: LicenseFault | null): LicenseStatus => ({
  state,
  code,
  detail: `The license is ${state}.`,
  hwid: `sha256:${'a'.repeat(64)}`,
  licenseId: null,
  tenantId: null,
  tier: null,
  features: ['*'],
  maxClusters: null,
  issuedAt: null,
  expiresAt: null,
  graceEndsAt: null,
  lastCheck: null,
  nextCheckAt: null,
  clock: { local: new Date(0).toISOString(), known: null },
});
